/**
 * Files in JSON: long base64 strings are decoded directly from the bytes of the body, chunk by chunk. As strings they
 * would take twice more memory, and allocating it takes most of the time.
 *
 *     {"photos":[{"data":"/9j/4AAQSkZJRg…"}]}    becomes    { photos: [{ data: Uint8Array }] }
 *
 * Only unambiguous base64 is decoded: whole groups of four, no spaces, and no escapes except `\/`, which some clients
 * write. Everything else stays a string.
 */

/** Shorter strings are not worth decoding here. */
export const MIN_EXTRACTED_BYTES = 128 * 1024
/** Bytes of base64 that are decoded at a time. */
const CHUNK_LENGTH = 32 * 1024

const KEY = Buffer.from('"data":')
const [SPACE, EQUALS, QUOTE, SLASH] = Buffer.from(' ="/')
const BACKSLASH = 0x5c
const DATA_URI = /^data:image\\?\/[a-z0-9.+-]+;base64,/i

/** Bytes extracted from a body. `start` and `end` delimit the string in the body, including its quotation marks. */
export interface ExtractedBytes {
  start: number
  end: number
  bytes: Uint8Array<ArrayBuffer>
}

/** Decodes the string from `start` to `end` of `json`, quotation marks included; null if it should stay a string. */
export function extractBytes(json: Uint8Array, start: number, end: number): ExtractedBytes | null {
  if (end - start < MIN_EXTRACTED_BYTES || json[end - 1] !== QUOTE || !isData(json, start)) return null
  const view = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  const [prefix = ''] = DATA_URI.exec(view.toString('latin1', start + 1, start + 101)) ?? []
  const bytes = decode(view.subarray(start + 1 + prefix.length, end - 1))
  return bytes && { start, end, bytes }
}

/**
 * Replaces extracted strings in `json` by placeholders, and makes the reviver for `JSON.parse` that restores the
 * bytes.
 */
export function substituteBytes(json: Uint8Array, extracted: readonly ExtractedBytes[]) {
  // A fresh UUID cannot occur in the body, so it is a safe placeholder.
  const name = crypto.randomUUID()
  const parts: Uint8Array[] = []
  let at = 0
  for (const [index, { start, end }] of extracted.entries()) {
    parts.push(json.subarray(at, start), Buffer.from(`"${name}${index}"`))
    at = end
  }
  const revive = (_: string, value: unknown) =>
    typeof value === 'string' && value.startsWith(name)
      ? extracted[Number(value.slice(name.length))]?.bytes
      : value
  return { json: Buffer.concat([...parts, json.subarray(at)]), revive }
}

/** Whether the string that begins at `start` is the value of `data`. */
function isData(json: Uint8Array, start: number): boolean {
  let at = start
  while (json[at - 1] === SPACE) at--
  const before = json.subarray(Math.max(0, at - KEY.length), at)
  return KEY.equals(before)
}

function decode(base64: Buffer): Uint8Array<ArrayBuffer> | null {
  const length = base64.length - (countEscapes(base64) ?? Number.NaN)
  if (length % 4 !== 0) return null
  const padding = base64.at(-2) === EQUALS ? 2 : base64.at(-1) === EQUALS ? 1 : 0
  const bytes = new Uint8Array((length / 4) * 3 - padding)
  let rest = ''
  let from = 0
  for (let at = 0; at < base64.length; at += CHUNK_LENGTH) {
    const read = rest + base64.toString('latin1', at, Math.min(at + CHUNK_LENGTH, base64.length))
    const piece = read.replaceAll('\\/', '/')
    // A backslash at the end belongs to the next chunk.
    const whole = (piece.endsWith('\\') ? piece.length - 1 : piece.length) & ~3
    rest = piece.slice(whole)
    const to = Math.min(from + (whole / 4) * 3, bytes.length)
    if (!decodeChunk(piece.slice(0, whole), bytes.subarray(from, to))) return null
    from = to
  }
  return bytes
}

/** The number of `\/` escapes; null if there are other escapes. */
function countEscapes(base64: Buffer): number | null {
  // The search of Buffer costs more per call than that of typed arrays.
  const bytes = new Uint8Array(base64.buffer, base64.byteOffset, base64.byteLength)
  let count = 0
  for (let at = bytes.indexOf(BACKSLASH); at >= 0; at = bytes.indexOf(BACKSLASH, at + 2)) {
    if (bytes[at + 1] !== SLASH) return null
    count++
  }
  return count
}

/** Decodes `piece` into `target`. Returns whether it used all of `piece` and filled `target`. */
function decodeChunk(piece: string, target: Uint8Array): boolean {
  try {
    const { read, written } = target.setFromBase64(piece, { lastChunkHandling: 'strict' })
    return read === piece.length && written === target.length
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
