/**
 * Reading a request: its JSON body, and what the client wants done about keys nobody knows.
 */
import type { Context } from 'hono'
import type { z } from 'zod'
import { setReplayedHeader } from '../concurrency/idempotency.ts'
import type { App } from '../context.ts'
import { ApiError } from '../errors.ts'
import { readBytes } from './body.ts'
import { checkObject, type Draft } from './check.ts'
import { type JsonOptions, parseJson } from './json.ts'
import { isObject } from './object-keys.ts'

/** Largest JSON body, in bytes, unless its contract says otherwise. */
export const MAX_BODY = 2 * 1024 * 1024
/** Largest filters, in bytes: as a body, and as a query string. */
export const MAX_FILTERS = 65_536

/**
 * The JSON object that `bytes` hold, checked against `schema`. Throws 400 `Invalid JSON body`; what is wrong with
 * single fields waits in the draft, as the record may not even exist.
 */
export function readBody<S extends z.ZodObject>(
  c: Context<App>,
  schema: S,
  bytes: Uint8Array,
  options?: JsonOptions,
): Draft<z.output<S>> {
  // A POST without a body lacks its first required field; a PUT without one is a mistake of the client.
  const draft = checkObject(schema, readJson(bytes, c.req.method === 'POST', options))
  reportUnknownFields(c, draft)
  return draft
}

/** The JSON object of filters in the body; `{}` without one. Throws 413 when it or the query string is too long. */
export async function readFilters(c: Context<App>, limit: number): Promise<Record<string, unknown>> {
  const [, query = ''] = c.req.url.split('?', 2)
  if (query.length > limit) {
    throw new ApiError(413, `Query string too large: at most ${limit} bytes are accepted`)
  }
  return c.req.raw.body ? readJson(await readBytes(c, limit), true) : {}
}

/**
 * The JSON object of a body, whatever its content type says. Throws 400 `Invalid JSON body`.
 * @param emptyIsObject whether no body at all counts as `{}`
 */
function readJson(bytes: Uint8Array, emptyIsObject: boolean, options?: JsonOptions): Record<string, unknown> {
  const body = emptyIsObject && bytes.byteLength === 0 ? {} : parseJson(bytes, options)
  if (!isObject(body)) throw new ApiError(400, 'Invalid JSON body')
  return body
}

/** Names unknown keys in `X-Ignored-Fields`, or refuses them when the client prefers strict handling. */
export function reportUnknownFields<T>(c: Context<App>, draft: Draft<T>): void {
  if (draft.unknownFields.length === 0) return
  if (c.get('headers')?.Prefer) {
    c.header('Preference-Applied', 'handling=strict')
    for (const field of draft.unknownFields) draft.refuse(field, `Invalid ${field}: no such field`)
    return
  }
  setReplayedHeader(c, 'X-Ignored-Fields', draft.unknownFields.map(headerName).join(', '))
}

/** Most bytes of one name in a header. */
const MAX_NAME = 100

/** A field's name as a header can carry it: percent-encoded where it must be, cut where it is too long. */
function headerName(field: string): string {
  let name = ''
  for (const character of field.slice(0, MAX_NAME)) {
    const encoded = encode(character)
    if (name.length + encoded.length > MAX_NAME) break
    name += encoded
  }
  return name
}

function encode(character: string): string {
  if (/^[!-~]$/.test(character) && character !== '%' && character !== ',') return character
  return character.isWellFormed() ? encodeURIComponent(character) : '%EF%BF%BD'
}
