/**
 * One entry of a `photos` array: where its bytes come from, and fetching them.
 *
 *     const source = parsePhotoEntry(entry) // { url }, { data } or { bytes }
 *     const bytes = await loadPhoto(source, { allowPrivate: false })
 */

import { MAX_PHOTO_BYTES, PhotoError } from '@estia/photo-codec'
import { truncateText } from '../fields/cut.ts'
import { jsonBytes, LONG_URL } from '../fields/values.ts'
import { ByteCollector } from '../http/request/gather.ts'
import { type DownloadOptions, downloadPhoto } from './download.ts'
import { PHOTO_ERRORS } from './errors.ts'

/** A photo to be fetched, or one that was sent along, in base64 or as it is. */
export type PhotoSource = { url: string } | { data: string } | { bytes: Uint8Array }

/** Most bytes of an address as JSON, quotation marks included: what none but ASCII needs, and Greek twice. */
const MAX_URL_BYTES = 2 * LONG_URL + 2

const IMAGE_DATA_URI = /^data:image\/[a-z0-9.+-]+;base64,/i
/** Base64 in groups of four, and the last of them. */
const GROUPS = /^[A-Za-z0-9+/]*$/
const LAST_GROUP = /^(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/
/** Characters of a text with spaces that are decoded at once. */
const PIECE = 64 * 1024

/**
 * The source that an entry names: bytes, a URL string, `{url}` or `{data}`, a text or bytes; with both, `url` counts.
 * Throws a PhotoError for any other shape.
 */
export function parsePhotoEntry(entry: unknown): PhotoSource {
  if (entry instanceof Uint8Array) return { bytes: entry }
  if (typeof entry === 'string') return { url: withinLength(entry) }
  if (typeof entry === 'object' && entry !== null) {
    if ('url' in entry && typeof entry.url === 'string') return { url: withinLength(entry.url) }
    const hasUrl = 'url' in entry && entry.url !== null && entry.url !== undefined
    const data = !hasUrl && 'data' in entry ? entry.data : null
    if (typeof data === 'string') return { data }
    if (data instanceof Uint8Array) return { bytes: withinLimit(data) }
  }
  throw new PhotoError(PHOTO_ERRORS.badShape)
}

/** The same address; throws the PhotoError of one that is too long. */
function withinLength(url: string): string {
  if (truncateText(url, LONG_URL) !== url || jsonBytes(url) > MAX_URL_BYTES)
    throw new PhotoError(PHOTO_ERRORS.badUrl)
  return url
}

/** The same bytes; throws the PhotoError of a text that stands for too many. */
function withinLimit(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_PHOTO_BYTES) throw new PhotoError(PHOTO_ERRORS.undecodable)
  return bytes
}

/** The address that an entry names, even one of the wrong form, cut where it is too long; null where it names none. */
export function photoUrl(entry: unknown): string | null {
  const named = typeof entry === 'object' && entry !== null && 'url' in entry ? entry.url : entry
  return typeof named === 'string' ? truncateText(named, LONG_URL) : null
}

/** The photo's bytes, at most `MAX_PHOTO_BYTES`. Throws a PhotoError. */
export async function loadPhoto(source: PhotoSource, options: DownloadOptions): Promise<Uint8Array> {
  if ('url' in source) return downloadPhoto(source.url, options)
  return 'bytes' in source ? source.bytes : decodeBase64(source.data)
}

/**
 * Bytes of base64 text (RFC 4648 section 4, padded), with an image data-URI prefix removed and whitespace passed over.
 * Throws a PhotoError.
 */
export function decodeBase64(text: string): Uint8Array {
  const data = text.trimStart().replace(IMAGE_DATA_URI, '')
  if ((data.length / 4) * 3 > MAX_PHOTO_BYTES + 2) return decodeSpaced(data)
  try {
    const bytes = Uint8Array.fromBase64(data, { lastChunkHandling: 'strict' })
    if (bytes.length > 0) return withinLimit(bytes)
  } catch (error) {
    // The other way tells what is wrong with the text, if anything.
    if (!(error instanceof SyntaxError)) throw error
  }
  return decodeSpaced(data)
}

/**
 * The same for text that may hold any whitespace, and bits behind its last byte; much slower. It is read piece by piece: to
 * take the spaces out of all of it at once takes many times its memory.
 */
function decodeSpaced(text: string): Uint8Array {
  const bytes = new ByteCollector(Math.floor((text.length / 4) * 3))
  let rest = ''
  for (let at = 0; at < text.length; at += PIECE) {
    const read = rest + text.slice(at, at + PIECE).replace(/\s+/g, '')
    // The last group of four may be padded.
    const whole = Math.max(0, read.length - 1) & ~3
    if (!GROUPS.test(read.slice(0, whole))) throw new PhotoError(PHOTO_ERRORS.badBase64)
    bytes.add(Buffer.from(read.slice(0, whole), 'base64'))
    rest = read.slice(whole)
  }
  if (!LAST_GROUP.test(rest)) throw new PhotoError(PHOTO_ERRORS.badBase64)
  bytes.add(Buffer.from(rest, 'base64'))
  return withinLimit(bytes.end())
}
