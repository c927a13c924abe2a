/**
 * Parses untrusted JSON. The size of a body says little about the memory it needs: 28 MB of `[[],[],…]` would exceed a
 * Worker's limit. So depth and number of values are checked before parsing.
 */
import { ApiError } from '../errors.ts'
import { releaseBuffer } from './gather.ts'
import { type ExtractedBytes, extractBytes, substituteBytes } from './json-bytes.ts'

/** Maximum nesting; a deeper body is invalid. */
const MAX_DEPTH = 64
/** Maximum number of values in a body: entries of lists and objects at every depth. */
export const MAX_VALUES = 200_000

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}')

/** How to parse a body. */
export interface JsonOptions {
  /** Whether to decode long base64 strings named `data` to bytes. */
  extractsBytes?: boolean
  maxValues?: number
  /** Whether the buffer holds other data as well, and so must not be released. */
  sharesBuffer?: boolean
}

/**
 * Parses `bytes` as JSON; undefined if it is invalid or nested too deep. Throws 413 for too many values. Releases the
 * buffer, so that a long body is in memory twice during parsing and not three times.
 */
export function parseJson(
  bytes: Uint8Array,
  { extractsBytes: takesBytes = false, maxValues = MAX_VALUES, sharesBuffer = false }: JsonOptions = {},
): unknown {
  const extracted: ExtractedBytes[] = []
  if (isTooDeep(bytes, takesBytes ? extracted : null, maxValues)) return undefined
  try {
    const { json, revive } = extracted.length > 0 ? substituteBytes(bytes, extracted) : { json: bytes }
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(json)
    if (!sharesBuffer) releaseBuffer(bytes)
    return JSON.parse(text, revive)
  } catch {
    return undefined
  }
}

/** Scans `bytes` once and adds long base64 strings to `extracted`. Throws 413 for too many values. */
function isTooDeep(bytes: Uint8Array, extracted: ExtractedBytes[] | null, maxValues: number): boolean {
  let depth = 0
  let values = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const start = at
      at = endOfText(bytes, at)
      const found = extracted && extractBytes(bytes, start, at + 1)
      if (found) extracted.push(found)
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++
      if (++depth > MAX_DEPTH) return true
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
    else if (byte === COMMA) values++
    if (values > maxValues)
      throw new ApiError(413, `Body too large: at most ${maxValues} values are accepted`)
  }
  return false
}

/** The end of the string that begins at `start`. It searches, because most of a body with photos is one string. */
function endOfText(bytes: Uint8Array, start: number): number {
  let end = bytes.indexOf(QUOTE ?? 0, start + 1)
  while (end >= 0 && isEscaped(bytes, end)) end = bytes.indexOf(QUOTE ?? 0, end + 1)
  return end < 0 ? bytes.length : end
}

function isEscaped(bytes: Uint8Array, at: number): boolean {
  let first = at
  while (bytes[first - 1] === BACKSLASH) first--
  return (at - first) % 2 === 1
}
