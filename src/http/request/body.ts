/** Reads the raw body of a request, with a size limit, at once or as a stream. */
import type { Hash } from 'node:crypto'
import type { Context } from 'hono'
import type { App } from '../context.ts'
import { ApiError } from '../errors.ts'
import { ByteCollector, contentLengthOf } from './gather.ts'

/** Bytes per read. By default the platform returns 4 KB at a time, and each read costs more than copying that much. */
export const CHUNK_BYTES = 64 * 1024

/** The raw body. Throws 413 as soon as it exceeds `limit` bytes, and 400 if it is incomplete. */
export async function readBytes(c: Context<App>, limit: number, hash?: Hash): Promise<Uint8Array> {
  const collector = new ByteCollector(Math.min(bodyLengthOf(c), limit))
  for await (const chunk of readChunks(c, limit, hash)) collector.add(chunk)
  return collector.end()
}

/**
 * The raw body as a stream. Throws 413 as soon as it exceeds `limit` bytes, and 400 if it is incomplete.
 * @param hash is updated with every byte
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
    for await (const chunk of body ? chunksOf(body, bodyLengthOf(c)) : []) {
      length += chunk.byteLength
      if (length > limit) throw bodyTooLarge(limit)
      c.get('reportRead')?.(length)
      hash?.update(chunk)
      yield chunk
    }
  } catch (error) {
    // Only the client can cause an error here: it has disconnected, or its chunks are malformed.
    throw error instanceof ApiError ? error : new ApiError(400, 'Incomplete body')
  }
}

/** The `Content-Length` of the request in bytes; 0 if unknown. */
export function bodyLengthOf(c: Context<App>): number {
  return contentLengthOf(c.req.raw.headers)
}

/** 413: a body of more than `limit` bytes. */
export function bodyTooLarge(limit: number): ApiError {
  return new ApiError(413, `Body too large: at most ${limit} bytes are accepted`)
}

/** Bodies that were read to their end. */
const ended = new WeakSet<ReadableStream>()

/** Whether `body` was read to its end. */
export function hasEnded(body: ReadableStream): boolean {
  return ended.has(body)
}

/** @param expected likely number of bytes; 0 if unknown */
async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  expected: number,
): AsyncGenerator<Uint8Array, void> {
  const reader = byteReader(body)
  if (!reader) {
    yield* body.values({ preventCancel: true })
    return
  }
  // One byte more than expected: most bodies end within the first read, which shows it.
  const size = expected > 0 ? Math.min(expected + 1, CHUNK_BYTES) : CHUNK_BYTES
  try {
    for (let length = size; length === size; ) {
      const { value } = await reader.readAtLeast(size, new Uint8Array(size))
      length = value?.byteLength ?? 0
      if (value && length > 0) yield value
    }
    ended.add(body)
  } finally {
    // The stream is not cancelled, because `drain.ts` reads the rest before the reply.
    reader.releaseLock()
  }
}

/** A reader for large chunks; null if the platform did not create the stream. */
export function byteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: 'byob' })
  } catch {
    return null
  }
}
