/**
 * Parses an entry of a `photos` array, and loads its bytes.
 *
 *     const source = parsePhotoEntry(entry) // { url }, { data } or { bytes }
 *     const bytes = await loadPhoto(source, { env })
 */

import { MAX_PHOTO_BYTES, PhotoError } from '@estia/photo-codec'
import { truncateText } from '../fields/cut.ts'
import { jsonBytes, LONG_URL } from '../fields/values.ts'
import { ByteCollector } from '../http/request/gather.ts'
import { type DownloadOptions, downloadPhoto } from './download.ts'
import { PHOTO_ERRORS } from './errors.ts'

/** A photo to download, or one that was sent with the call, as base64 or as bytes. */
export type PhotoSource = { url: string } | { data: string } | { bytes: Uint8Array }

/** Maximum size of a URL as JSON in bytes, including quotation marks. Only URLs beyond ASCII reach it. */
const MAX_URL_BYTES = 2 * LONG_URL + 2

const IMAGE_DATA_URI = /^data:image\/[a-z0-9.+-]+;base64,/i
/** All groups of four base64 characters but the last, and the last group. */
const GROUPS = /^[A-Za-z0-9+/]*$/
const LAST_GROUP = /^(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/
/** Characters of text with whitespace that are decoded at a time. */
const PIECE = 64 * 1024

/**
 * The source of an entry: bytes, a URL string, `{url}` or `{data}` (base64 or bytes). If both are set, `url` counts.
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

/** Returns the URL. Throws a PhotoError if it is too long. */
function withinLength(url: string): string {
  if (truncateText(url, LONG_URL) !== url || jsonBytes(url) > MAX_URL_BYTES)
    throw new PhotoError(PHOTO_ERRORS.badUrl)
  return url
}

/** Returns the bytes. Throws a PhotoError if there are more than `MAX_PHOTO_BYTES`. */
function withinLimit(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_PHOTO_BYTES) throw new PhotoError(PHOTO_ERRORS.undecodable)
  return bytes
}

/** The URL in an entry, even if the entry is malformed, cut to the maximum length; null if there is none. */
export function photoUrl(entry: unknown): string | null {
  const named = typeof entry === 'object' && entry !== null && 'url' in entry ? entry.url : entry
  return typeof named === 'string' ? truncateText(named, LONG_URL) : null
}

/** Loads the bytes of a photo. Throws a PhotoError. */
export async function loadPhoto(source: PhotoSource, options: DownloadOptions): Promise<Uint8Array> {
  if ('url' in source) return downloadPhoto(source.url, options)
  return 'bytes' in source ? source.bytes : decodeBase64(source.data)
}

/**
 * Decodes base64 (RFC 4648 section 4, padded), with or without a data-URI prefix of an image. Whitespace is ignored.
 * Throws a PhotoError.
 */
export function decodeBase64(text: string): Uint8Array {
  const data = text.trimStart().replace(IMAGE_DATA_URI, '')
  if ((data.length / 4) * 3 > MAX_PHOTO_BYTES + 2) return decodeSpaced(data)
  try {
    const bytes = Uint8Array.fromBase64(data, { lastChunkHandling: 'strict' })
    if (bytes.length > 0) return withinLimit(bytes)
  } catch (error) {
    // `decodeSpaced` decides whether the text is valid.
    if (!(error instanceof SyntaxError)) throw error
  }
  return decodeSpaced(data)
}

/**
 * Decodes text with whitespace, or with unused bits in its last group; much slower. It works in chunks, because
 * removing the whitespace from the whole text would take many times its memory.
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
