/** The raw body of a request, bounded, whole or as it comes in. */
import type { Hash } from 'node:crypto'
import type { Context } from 'hono'
import type { App } from '../context.ts'
import { ApiError } from '../errors.ts'
import { ByteCollector, contentLengthOf } from './gather.ts'

/** Bytes that are waited for at once: left to itself, the platform gives 4 KB at a time, and a turn costs more than that. */
export const CHUNK_BYTES = 64 * 1024

/** The raw body. Throws 413 as soon as it is longer than `limit` bytes, and 400 when it breaks off. */
export async function readBytes(c: Context<App>, limit: number, hash?: Hash): Promise<Uint8Array> {
  const gatherer = new ByteCollector(Math.min(bodyLengthOf(c), limit))
  for await (const chunk of readChunks(c, limit, hash)) gatherer.add(chunk)
  return gatherer.end()
}

/**
 * The raw body as it comes in. Throws 413 as soon as it is longer than `limit` bytes, and 400 when it breaks off.
 * @param hash takes every byte
 */
export async function* readChunks(
  c: Context<App>,
  limit: number,
  hash?: Hash,
): AsyncGenerator<Uint8Array, void> {
  if (bodyLengthOf(c) > limit) throw bodyTooLarge(limit)
  const { body } = c.req.raw
  let length = 0
  try {
    for await (const chunk of body ? chunksOf(body) : []) {
      length += chunk.byteLength
      if (length > limit) throw bodyTooLarge(limit)
      hash?.update(chunk)
      yield chunk
    }
  } catch (error) {
    // Nothing of ours is in this stream: the client went away, or its chunks make no sense.
    throw error instanceof ApiError ? error : new ApiError(400, 'Incomplete body')
  }
}

/** Bytes of the body as its headers have it; 0 when they do not tell. */
export function bodyLengthOf(c: Context<App>): number {
  return contentLengthOf(c.req.raw.headers)
}

/** 413: a body of more than `limit` bytes. */
export function bodyTooLarge(limit: number): ApiError {
  return new ApiError(413, `Body too large: at most ${limit} bytes are accepted`)
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = byteReader(body)
  if (!reader) {
    yield* body.values({ preventCancel: true })
    return
  }
  try {
    for (;;) {
      const { value, done } = await reader.readAtLeast(CHUNK_BYTES, new Uint8Array(CHUNK_BYTES))
      if (value && value.byteLength > 0) yield value
      if (done) return
    }
  } finally {
    // Not cancelled: what is left is read before the answer (`drain.ts`).
    reader.releaseLock()
  }
}

/** A reader of many bytes at once; null for a stream that was not made by the platform. */
export function byteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: 'byob' })
  } catch {
    return null
  }
}
