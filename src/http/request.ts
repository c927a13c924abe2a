/**
 * Reading a request: its JSON body, its id, and what the client wants done about keys nobody knows.
 */
import type { Context } from 'hono'
import type { z } from 'zod'
import { checkObject, type Draft, isObject } from './check.ts'
import { ApiError, notFound } from './errors.ts'
import type { App } from './router.ts'

/** Largest JSON body, in bytes: room for one photo of 20 MB in base64. */
export const MAX_BODY = 28 * 1024 * 1024

/** The id in the path; anything but a positive integer is no id of anything: 404 `<resource> not found`. */
export function readId(c: Context<App>, resource: string): number {
  const raw = c.req.param('id') ?? ''
  const id = Number(raw)
  if (!/^\d+$/.test(raw) || !Number.isSafeInteger(id) || id <= 0) throw notFound(resource)
  return id
}

/**
 * The JSON object in the body, checked against `schema`. Throws 400 `Invalid JSON body`; what is wrong with
 * single fields waits in the draft, as the record may not even exist.
 */
export async function readBody<S extends z.ZodObject>(
  c: Context<App>,
  schema: S,
): Promise<Draft<z.output<S>>> {
  // A POST without a body lacks its first required field; a PUT without one is a mistake of the client.
  const draft = checkObject(schema, await readJson(c, c.req.method === 'POST'))
  reportUnknownFields(c, draft)
  return draft
}

/**
 * The JSON object in the body, whatever its content type says. Throws 400 `Invalid JSON body`.
 * @param emptyIsObject whether no body at all counts as `{}`
 */
export async function readJson(c: Context<App>, emptyIsObject: boolean): Promise<Record<string, unknown>> {
  const bytes = await readBytes(c, MAX_BODY)
  const body = emptyIsObject && bytes.byteLength === 0 ? {} : parseJson(bytes)
  if (!isObject(body)) throw new ApiError(400, 'Invalid JSON body')
  return body
}

/** The raw body. Throws 413 as soon as it is longer than `limit` bytes. */
export async function readBytes(c: Context<App>, limit: number): Promise<Uint8Array> {
  if (Number(c.req.header('Content-Length') ?? 0) > limit) throw tooLarge(limit)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of c.req.raw.body ?? []) {
    length += chunk.byteLength
    if (length > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return join(chunks, length)
}

/** 413: a body of more than `limit` bytes. */
export function tooLarge(limit: number): ApiError {
  return new ApiError(413, `Body too large: at most ${limit} bytes are accepted`)
}

/** Names unknown keys in `X-Ignored-Fields`, or refuses them when the client prefers strict handling. */
export function reportUnknownFields<T>(c: Context<App>, draft: Draft<T>): void {
  if (draft.unknownFields.length === 0) return
  if (/\bhandling=strict\b/.test(c.req.header('Prefer') ?? '')) {
    c.header('Preference-Applied', 'handling=strict')
    for (const field of draft.unknownFields) draft.refuse(field, `Invalid ${field}: no such field`)
    return
  }
  const names = draft.unknownFields
    .slice(0, 20)
    .map((field) => field.slice(0, 100).replace(/[^!-~]|[%,]/gu, encode))
  c.header('X-Ignored-Fields', names.join(', '))
}

function encode(character: string): string {
  return character.isWellFormed() ? encodeURIComponent(character) : '%EF%BF%BD'
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes))
  } catch {
    return undefined
  }
}

function join(chunks: Uint8Array[], length: number): Uint8Array {
  const [only] = chunks
  if (only && chunks.length === 1) return only
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
