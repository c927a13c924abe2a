/** Reads JSON bodies and filters, and handles unknown keys as the client prefers. */
import type { Context } from 'hono'
import type { z } from 'zod'
import { setReplayedHeader } from '../concurrency/idempotency.ts'
import type { App } from '../context.ts'
import { ApiError } from '../errors.ts'
import { readBytes } from './body.ts'
import { checkObject, type Draft } from './check.ts'
import { type JsonOptions, parseJson } from './json.ts'
import { isObject } from './object-keys.ts'

/** Maximum size of a JSON body in bytes, unless its contract declares another. */
export const MAX_BODY = 2 * 1024 * 1024
/** Maximum size of filters in bytes, as a body and as a query string. */
export const MAX_FILTERS = 65_536

/**
 * Parses `bytes` as a JSON object and checks it against `schema`. Throws 400 `Invalid JSON body`. Problems of single
 * fields wait in the draft, because 404 takes precedence over them.
 */
export function readBody<S extends z.ZodObject>(
  c: Context<App>,
  schema: S,
  bytes: Uint8Array,
  options?: JsonOptions,
): Draft<z.output<S>> {
  // A POST without a body reports its first required field. A PUT without a body is a mistake of the client.
  const draft = checkObject(schema, readJson(bytes, c.req.method === 'POST', options))
  reportUnknownFields(c, draft)
  return draft
}

/**
 * The JSON object of filters in the body; `{}` without a body. Throws 413 if the body or the query string is too
 * long.
 */
export async function readFilters(c: Context<App>, limit: number): Promise<Record<string, unknown>> {
  const [, query = ''] = c.req.url.split('?', 2)
  if (query.length > limit) {
    throw new ApiError(413, `Query string too large: at most ${limit} bytes are accepted`)
  }
  return c.req.raw.body ? readJson(await readBytes(c, limit), true) : {}
}

/**
 * Parses a body as a JSON object, whatever its content type. Throws 400 `Invalid JSON body`.
 * @param emptyIsObject whether an empty body counts as `{}`
 */
function readJson(bytes: Uint8Array, emptyIsObject: boolean, options?: JsonOptions): Record<string, unknown> {
  const body = emptyIsObject && bytes.byteLength === 0 ? {} : parseJson(bytes, options)
  if (!isObject(body)) throw new ApiError(400, 'Invalid JSON body')
  return body
}

/**
 * Lists unknown keys in `X-Ignored-Fields`, or refuses them if the client prefers strict handling.
 * @param more keys that mean nothing for the record, once those of the body are reported
 */
export function reportUnknownFields<T>(c: Context<App>, draft: Draft<T>, more?: readonly string[]): void {
  if (c.get('headers')?.Prefer) {
    const refused = more ?? draft.unknownFields
    if (refused.length > 0) c.header('Preference-Applied', 'handling=strict')
    for (const field of refused) draft.refuse(field, `Invalid ${field}: no such field`)
    return
  }
  const names = [...draft.unknownFields, ...(more ?? [])].map(headerName)
  if (names.length > 0) setReplayedHeader(c, 'X-Ignored-Fields', names.join(', '))
  // What an attempt before has named, this one takes.
  else if (more) setReplayedHeader(c, 'X-Ignored-Fields', undefined)
}

/** Maximum bytes of one name in a header. */
const MAX_NAME = 100

/** The name of a field as a header value: percent-encoded and shortened if necessary. */
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
