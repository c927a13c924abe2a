/**
 * Answers requests for stored files, photos among them: conditional requests, ranges, headers that make a file harmless.
 *
 *     const response = await serveFile(env.PHOTOS, key, request) // null: no such file
 *
 * Standard: RFC 9110, sections 13 (conditions, in the order of 13.2.2) and 14 (ranges).
 */

import { parseTags } from '../http/concurrency/entity-tags.ts'
import { isFileKey } from './store.ts'

/** One range of bytes, as a header asks for it. */
const RANGE = /^bytes=(\d*)-(\d*)$/

/** A part of a file: offset of the first byte and number of bytes. */
interface Range {
  offset: number
  length: number
}

/**
 * The answer to a GET or HEAD for a stored file: 200, 206, 304, 412, 416 (or 405). Null when the key is not of the form
 * that `storeFile` makes or nothing is stored under it. Of several ranges none is honoured: the whole file comes.
 */
export async function serveFile(bucket: R2Bucket, key: string, request: Request): Promise<Response | null> {
  if (!isFileKey(key)) return null
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
  }
  const object = await readObject(bucket, key, request)
  if (!object) return null
  const headers = describe(object)
  const verdict = checkConditions(request.headers, object)
  const range = request.method === 'GET' ? applicableRange(request.headers, object) : null
  if (verdict !== null || range === 'unsatisfiable') {
    await cancelBody(object)
    if (verdict === 304) return new Response(null, { status: 304, headers })
    if (verdict === 412) return refuse(412, headers)
    headers.set('content-range', `bytes */${object.size}`)
    return refuse(416, headers)
  }
  headers.set('content-type', object.httpMetadata?.contentType ?? 'application/octet-stream')
  headers.set('content-length', String(range ? range.length : object.size))
  if (range)
    headers.set('content-range', `bytes ${range.offset}-${range.offset + range.length - 1}/${object.size}`)
  if (request.method === 'HEAD') return new Response(null, { headers })

  const stored = holds(object, range) ? object : await readObjectAgain(bucket, key, object, range)
  return stored && new Response(stored.body, { status: range ? 206 : 200, headers })
}

/**
 * The file as one read of the bucket gives it: with the bytes that are most likely to be sent, or without any. What is
 * sent in the end is judged by what comes, as R2 reads conditions in its own way and knows no If-Range.
 */
async function readObject(
  bucket: R2Bucket,
  key: string,
  { method, headers }: Request,
): Promise<R2ObjectBody | R2Object | null> {
  if (method === 'HEAD') return bucket.head(key)
  const range = requestedRange(headers)
  if (!range) return bucket.get(key, { onlyIf: knownVersion(headers) })
  // R2 throws for a range behind the end; how long the file is, tells whether it was that.
  return bucket.get(key, { range }).catch(() => bucket.head(key))
}

/** The bytes of another range than came; null where the file was deleted since it was looked up. */
async function readObjectAgain(
  bucket: R2Bucket,
  key: string,
  object: R2ObjectBody | R2Object,
  range: Range | null,
): Promise<R2ObjectBody | null> {
  await cancelBody(object)
  return bucket.get(key, range ? { range } : {})
}

/** Whether the bytes of `range` came with the file; null: all of them. */
function holds(object: R2ObjectBody | R2Object, range: Range | null): object is R2ObjectBody {
  if (!('body' in object)) return false
  if (!object.range) return range === null
  // Of a range that came, workerd sets every key.
  const came: { offset?: number; length?: number; suffix?: number } = object.range
  const from = came.offset ?? (came.suffix === undefined ? 0 : Math.max(0, object.size - came.suffix))
  const { offset, length } = range ?? { offset: 0, length: object.size }
  return from === offset && (came.length ?? object.size - from) === length
}

async function cancelBody(object: R2ObjectBody | R2Object): Promise<void> {
  if ('body' in object) await object.body.cancel()
}

/** The version that the client has, so that R2 need not send it; other conditions are rare. */
function knownVersion(headers: Headers): R2Conditional | undefined {
  const [, etag] = /^(?:W\/)?"([\w-]+)"$/.exec(headers.get('if-none-match') ?? '') ?? []
  return etag === undefined ? undefined : { etagDoesNotMatch: etag }
}

/** The range that the header asks for, in a file of any length. */
function requestedRange(headers: Headers): R2Range | null {
  const match = RANGE.exec(headers.get('range')?.trim() ?? '')
  if (!match) return null
  const [, from = '', to = ''] = match
  if (from === '') return Number(to) > 0 ? { suffix: Number(to) } : null
  if (to === '') return { offset: Number(from) }
  return Number(to) < Number(from) ? null : { offset: Number(from), length: Number(to) - Number(from) + 1 }
}

/** Headers of the file. A file opened by itself must not run anything, whatever it turns out to be. */
function describe(object: R2Object): Headers {
  return new Headers({
    etag: object.httpEtag,
    'last-modified': object.uploaded.toUTCString(),
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
}

/** An answer to this request alone: nobody may keep it in place of the file. */
function refuse(status: 412 | 416, headers: Headers): Response {
  headers.set('cache-control', 'no-store')
  return new Response(null, { status, headers })
}

/** 412 or 304 when a condition of the request says so, else null. */
function checkConditions(headers: Headers, object: R2Object): 304 | 412 | null {
  const ifMatch = headers.get('if-match')
  const ifUnmodifiedSince = headers.get('if-unmodified-since')
  if (ifMatch !== null) {
    if (!listsTag(ifMatch, object.httpEtag, false)) return 412
  } else if (ifUnmodifiedSince !== null && isLater(object.uploaded, ifUnmodifiedSince) === true) return 412

  const ifNoneMatch = headers.get('if-none-match')
  const ifModifiedSince = headers.get('if-modified-since')
  if (ifNoneMatch !== null) return listsTag(ifNoneMatch, object.httpEtag, true) ? 304 : null
  return ifModifiedSince !== null && isLater(object.uploaded, ifModifiedSince) === false ? 304 : null
}

/** Whether a list of entity tags holds the file's; weak tags (`W/`) only count where `weak` allows it. */
function listsTag(list: string, etag: string, weak: boolean): boolean {
  const tags = parseTags(list) ?? []
  return tags === '*' || tags.some(({ tag, isWeak }) => `"${tag}"` === etag && (weak || !isWeak))
}

/** Whether a moment is later than an HTTP date, which counts whole seconds; undefined when that is no date. */
function isLater(moment: Date, date: string): boolean | undefined {
  const limit = Date.parse(date)
  return Number.isNaN(limit) ? undefined : Math.floor(moment.getTime() / 1000) > Math.floor(limit / 1000)
}

/** The range that is asked for; null for the whole file, also where the header is not understood or out of date. */
function applicableRange(headers: Headers, object: R2Object): Range | 'unsatisfiable' | null {
  const match = RANGE.exec(headers.get('range')?.trim() ?? '')
  if (!match || !rangeStillApplies(headers.get('if-range'), object)) return null
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return null
  if (from === '') {
    const length = Math.min(Number(to), object.size)
    return length === 0 ? 'unsatisfiable' : { offset: object.size - length, length }
  }
  const [first, last] = [Number(from), to === '' ? object.size - 1 : Math.min(Number(to), object.size - 1)]
  if (to !== '' && Number(to) < first) return null
  return first >= object.size ? 'unsatisfiable' : { offset: first, length: last - first + 1 }
}

/** If-Range names the version that the client has part of: by a strong tag or by its exact date. */
function rangeStillApplies(ifRange: string | null, object: R2Object): boolean {
  if (ifRange === null) return true
  return ifRange.startsWith('"') ? ifRange === object.httpEtag : ifRange === object.uploaded.toUTCString()
}
