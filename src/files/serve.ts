/**
 * Serves stored files and photos, with conditional requests, ranges and security headers.
 *
 *     const response = await serveFile(env.PHOTOS, key, request) // null: no such file
 *
 * Standard: RFC 9110, sections 13 (conditions, in the order of 13.2.2) and 14 (ranges).
 */

import { parseTags } from '../http/concurrency/entity-tags.ts'
import { isFileKey } from './keys.ts'

/** A `Range` header with a single range of bytes. */
const RANGE = /^bytes=(\d*)-(\d*)$/

/** A part of a file: offset of the first byte and number of bytes. */
interface Range {
  offset: number
  length: number
}

/**
 * The reply to a GET or HEAD for a stored file: 200, 206, 304, 412, 416 (or 405). Null if the key is not one of
 * `storeFile` or has no file. A request for several ranges gets the whole file.
 */
export async function serveFile(bucket: R2Bucket, key: string, request: Request): Promise<Response | null> {
  if (!isFileKey(key)) return null
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
  }
  const object = await readObject(bucket, key, request)
  if (!object) return null
  const headers = describe(object.httpEtag)
  const verdict = checkConditions(request.headers, object.httpEtag)
  const range = request.method === 'GET' ? applicableRange(request.headers, object) : null
  if (verdict !== null || range === 'unsatisfiable') {
    await cancelBody(object)
    if (verdict !== null) return withoutFile(verdict, headers)
    headers.set('content-range', `bytes */${object.size}`)
    return withoutFile(416, headers)
  }
  headers.set('content-type', object.httpMetadata?.contentType ?? 'application/octet-stream')
  headers.set('content-length', String(range ? range.length : object.size))
  if (range)
    headers.set('content-range', `bytes ${range.offset}-${range.offset + range.length - 1}/${object.size}`)
  if (request.method === 'HEAD') return new Response(null, { headers })

  const stored = hasRange(object, range) ? object : await readObjectAgain(bucket, key, object, range)
  return stored && new Response(stored.body, { status: range ? 206 : 200, headers })
}

/** The reply of `serveFile` to a request without a range, from its whole answer to an earlier one. */
export async function serveKept(kept: Response, { method, headers: sent }: Request): Promise<Response> {
  const etag = kept.headers.get('etag') ?? ''
  const headers = describe(etag)
  const verdict = checkConditions(sent, etag)
  if (verdict !== null || method === 'HEAD') await kept.body?.cancel()
  if (verdict !== null) return withoutFile(verdict, headers)
  for (const name of ['content-type', 'content-length']) headers.set(name, kept.headers.get(name) ?? '')
  return new Response(method === 'HEAD' ? null : kept.body, { headers })
}

/**
 * Reads the file once, with the bytes that are probably needed or without any. R2 interprets conditions differently and
 * does not know If-Range, so `serveFile` checks the conditions itself.
 */
async function readObject(
  bucket: R2Bucket,
  key: string,
  { method, headers }: Request,
): Promise<R2ObjectBody | R2Object | null> {
  if (method === 'HEAD') return bucket.head(key)
  const range = requestedRange(headers)
  // R2 knows no range of nothing.
  if (!range || ('suffix' in range && range.suffix === 0))
    return bucket.get(key, { onlyIf: knownVersion(headers) })
  // R2 throws for a range beyond the end. The size of the file shows whether that was the reason.
  return bucket.get(key, { range }).catch(() => bucket.head(key))
}

/** Reads another range than the first read did; null if the file has been deleted since. */
async function readObjectAgain(
  bucket: R2Bucket,
  key: string,
  object: R2ObjectBody | R2Object,
  range: Range | null,
): Promise<R2ObjectBody | null> {
  await cancelBody(object)
  return bucket.get(key, range ? { range } : {})
}

/** Whether `object` has the bytes of `range`; null means all of them. */
function hasRange(object: R2ObjectBody | R2Object, range: Range | null): object is R2ObjectBody {
  if (!('body' in object)) return false
  if (!object.range) return range === null
  // workerd sets every key of the range that it returned.
  const returned: { offset?: number; length?: number; suffix?: number } = object.range
  const from =
    returned.offset ?? (returned.suffix === undefined ? 0 : Math.max(0, object.size - returned.suffix))
  const { offset, length } = range ?? { offset: 0, length: object.size }
  return from === offset && (returned.length ?? object.size - from) === length
}

async function cancelBody(object: R2ObjectBody | R2Object): Promise<void> {
  if ('body' in object) await object.body.cancel()
}

/** A condition for R2 not to send a version that the client has. Other conditions are rare. */
function knownVersion(headers: Headers): R2Conditional | undefined {
  const [, etag] = /^(?:W\/)?"([\w-]+)"$/.exec(headers.get('if-none-match') ?? '') ?? []
  return etag === undefined ? undefined : { etagDoesNotMatch: etag }
}

/** The range of the header, whatever the size of the file. Null means the whole file, also if the header is invalid. */
function requestedRange(headers: Headers): { offset: number; length?: number } | { suffix: number } | null {
  const [, from = '', to = ''] = RANGE.exec(headers.get('range')?.trim() ?? '') ?? []
  if (from === '') return to === '' ? null : { suffix: Number(to) }
  if (to === '') return { offset: Number(from) }
  return Number(to) < Number(from) ? null : { offset: Number(from), length: Number(to) - Number(from) + 1 }
}

/**
 * When every file last changed. The moment of its upload would hint at dates that a website hides. A file never changes
 * under its name, so any fixed moment is true.
 */
const LAST_CHANGE = new Date('2000-01-01T00:00:00Z')

/** Headers of every file. They stop scripts from running if a browser opens the file directly. */
export const harmless = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
}

function describe(etag: string): Headers {
  return new Headers({
    etag,
    'last-modified': LAST_CHANGE.toUTCString(),
    'accept-ranges': 'bytes',
    ...harmless,
  })
}

/** A reply without the file. A refusal must not be cached in place of it. */
function withoutFile(status: 304 | 412 | 416, headers: Headers): Response {
  if (status !== 304) headers.set('cache-control', 'no-store')
  return new Response(null, { status, headers })
}

/** The status that the conditions of the request lead to: 412, 304, or null for none. */
function checkConditions(headers: Headers, etag: string): 304 | 412 | null {
  const ifMatch = headers.get('if-match')
  const ifUnmodifiedSince = headers.get('if-unmodified-since')
  if (ifMatch !== null) {
    if (!listsTag(ifMatch, etag, false)) return 412
  } else if (ifUnmodifiedSince !== null && isLater(LAST_CHANGE, ifUnmodifiedSince) === true) return 412

  const ifNoneMatch = headers.get('if-none-match')
  const ifModifiedSince = headers.get('if-modified-since')
  if (ifNoneMatch !== null) return listsTag(ifNoneMatch, etag, true) ? 304 : null
  return ifModifiedSince !== null && isLater(LAST_CHANGE, ifModifiedSince) === false ? 304 : null
}

/** Whether the list of entity tags contains the file's. Weak tags (`W/`) count only if `weak` is set. */
function listsTag(list: string, etag: string, weak: boolean): boolean {
  const tags = parseTags(list) ?? []
  return tags === '*' || tags.some(({ tag, isWeak }) => `"${tag}"` === etag && (weak || !isWeak))
}

/** Whether `moment` is later than an HTTP date, which has whole seconds; undefined if the date is invalid. */
function isLater(moment: Date, date: string): boolean | undefined {
  const limit = Date.parse(date)
  return Number.isNaN(limit) ? undefined : Math.floor(moment.getTime() / 1000) > Math.floor(limit / 1000)
}

/** The range to send. Null means the whole file, also if the header refers to an old version. */
function applicableRange(headers: Headers, object: R2Object): Range | 'unsatisfiable' | null {
  const range = requestedRange(headers)
  if (!range || !rangeStillApplies(headers.get('if-range'), object)) return null
  const { size } = object
  const { offset, length = size } =
    'suffix' in range ? { offset: Math.max(0, size - range.suffix), length: range.suffix } : range
  return offset >= size || length === 0
    ? 'unsatisfiable'
    : { offset, length: Math.min(length, size - offset) }
}

/** Whether `If-Range` names the current version, by a strong tag or by its exact date. */
function rangeStillApplies(ifRange: string | null, object: R2Object): boolean {
  if (ifRange === null) return true
  return ifRange.startsWith('"') ? ifRange === object.httpEtag : ifRange === LAST_CHANGE.toUTCString()
}
