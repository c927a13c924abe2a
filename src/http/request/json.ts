/**
 * JSON that strangers send. Its size in bytes says little about what it takes to hold: 28 MB of `[[],[],…]` are more
 * objects than a Worker has memory for. So it is measured before it is parsed.
 */
import { ApiError } from '../errors.ts'
import { releaseBuffer } from './gather.ts'
import { type ExtractedBytes, extractBytes, substituteBytes } from './json-bytes.ts'

/** Deepest nesting; what is deeper is no body of ours. */
const MAX_DEPTH = 64
/** Most values in a body: entries of lists and of objects, however deep. */
export const MAX_VALUES = 200_000

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}')

/** What a body may hold beside values. */
export interface JsonOptions {
  /** Whether long `data` in base64 become bytes. */
  extractsBytes?: boolean
  /** Most values. */
  maxValues?: number
  /** Whether the buffer of the bytes holds more than them, and stays as it is. */
  sharesBuffer?: boolean
}

/**
 * The value that `bytes` are in JSON; undefined when they are none, or nested too deep. Throws 413. The buffer that they
 * are in is empty afterwards: what is long is in memory twice while it is parsed, and need not be a third time.
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

/** 413: more values than any body has need of. */
function tooManyValues(maxValues: number): ApiError {
  return new ApiError(413, `Body too large: at most ${maxValues} values are accepted`)
}

/** Reads over `bytes` once, whatever they are, and adds to `taken` what need not be a text. Throws 413 for too many values. */
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
    if (values > maxValues) throw tooManyValues(maxValues)
  }
  return false
}

/** Where the text that begins at `start` ends: most of a photo's body is one, so it is searched, not read. */
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
