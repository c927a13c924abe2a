/**
 * Files in JSON: long texts of base64 are decoded where they stand, piece by piece. As texts they would be in memory
 * twice more, once in the body's text and once by themselves, and most of the time goes into getting so much memory.
 *
 *     {"photos":[{"data":"/9j/4AAQSkZJRg…"}]}    becomes    { photos: [{ data: Uint8Array }] }
 *
 * Only what is base64 without a doubt is taken: whole groups of four, no spaces, no escapes but the `\/` that some write
 * for each `/`. All else stays a text.
 */

/** Shorter texts are not worth it. */
export const MIN_EXTRACTED_BYTES = 128 * 1024
/** Bytes that are decoded at once. */
const CHUNK_LENGTH = 32 * 1024

const KEY = Buffer.from('"data":')
const [SPACE, EQUALS, QUOTE, SLASH] = Buffer.from(' ="/')
const BACKSLASH = 0x5c
const DATA_URI = /^data:image\\?\/[a-z0-9.+-]+;base64,/i

/** Bytes that were taken out of a body: between `start` and `end` the body has them as a text, quotation marks included. */
export interface ExtractedBytes {
  start: number
  end: number
  bytes: Uint8Array<ArrayBuffer>
}

/** The bytes that a text of `json` stands for, from its first quotation mark to behind its last; null to leave it a text. */
export function extractBytes(json: Uint8Array, start: number, end: number): ExtractedBytes | null {
  if (end - start < MIN_EXTRACTED_BYTES || json[end - 1] !== QUOTE || !isData(json, start)) return null
  const view = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  const [prefix = ''] = DATA_URI.exec(view.toString('latin1', start + 1, start + 101)) ?? []
  const bytes = decode(view.subarray(start + 1 + prefix.length, end - 1))
  return bytes && { start, end, bytes }
}

/** What `json` says with names in the place of taken bytes, and what gives the bytes back to `JSON.parse`. */
export function substituteBytes(json: Uint8Array, taken: readonly ExtractedBytes[]) {
  // Nobody outside knows this name, so no text in the body can be it.
  const name = crypto.randomUUID()
  const parts: Uint8Array[] = []
  let at = 0
  for (const [index, { start, end }] of taken.entries()) {
    parts.push(json.subarray(at, start), Buffer.from(`"${name}${index}"`))
    at = end
  }
  const revive = (_: string, value: unknown) =>
    typeof value === 'string' && value.startsWith(name)
      ? taken[Number(value.slice(name.length))]?.bytes
      : value
  return { json: Buffer.concat([...parts, json.subarray(at)]), revive }
}

/** Whether the text that begins at `start` is the value of `data`. */
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
    // What a backslash at the end means is known with the next piece.
    const whole = (piece.endsWith('\\') ? piece.length - 1 : piece.length) & ~3
    rest = piece.slice(whole)
    const to = Math.min(from + (whole / 4) * 3, bytes.length)
    if (!decodeChunk(piece.slice(0, whole), bytes.subarray(from, to))) return null
    from = to
  }
  return bytes
}

/** How many `\/` there are; null where there are other escapes. */
function countEscapes(base64: Buffer): number | null {
  // A search of typed arrays: the one of buffers costs more each time.
  const bytes = new Uint8Array(base64.buffer, base64.byteOffset, base64.byteLength)
  let count = 0
  for (let at = bytes.indexOf(BACKSLASH); at >= 0; at = bytes.indexOf(BACKSLASH, at + 2)) {
    if (bytes[at + 1] !== SLASH) return null
    count++
  }
  return count
}

/** Whether all of `piece` went into `target` and filled it. */
function decodeChunk(piece: string, target: Uint8Array): boolean {
  try {
    const { read, written } = target.setFromBase64(piece, { lastChunkHandling: 'strict' })
    return read === piece.length && written === target.length
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
