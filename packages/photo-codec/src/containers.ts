/**
 * The parts that image files consist of: JPEG segments, PNG chunks, RIFF (WebP) chunks, GIF blocks. Each generator yields
 * views into the file and ends without an error where the file becomes invalid. The caller checks whether parts are missing.
 *
 *     for (const { marker, body } of jpegSegments(bytes)) if (marker === APP1) …
 *     for (const { type, body } of pngChunks(bytes)) if (type === 'IDAT') …
 *
 * Standards: ITU-T T.81 annex B (JPEG), W3C PNG (third edition) section 5, RFC 9649 section 2 (WebP),
 * CompuServe GIF89a.
 */

import { crc32 } from 'node:zlib'

const TEM = 0x01
const SOI = 0xd8
export const EOI = 0xd9
const SOS = 0xda
const DHT = 0xc4
export const APP1 = 0xe1
export const APP2 = 0xe2

export const GIF_IMAGE = 0x2c
export const GIF_EXTENSION = 0x21

/**
 * Maximum parts of a file that are read. No camera or program writes as many. Twenty megabytes of empty parts would take
 * seconds and hundreds of megabytes.
 */
const MAX_BOXES = 20_000

const PNG_SIGNATURE_BYTES = 8
const RIFF_HEADER_BYTES = 12

/** One JPEG marker segment. `body` follows the length field; `end` is the offset after the segment. */
export interface JpegSegment {
  marker: number
  body: Uint8Array
  end: number
}

/** A PNG or RIFF chunk: its four-letter name and content; `at` is where its header starts in the file. */
export interface Chunk {
  type: string
  body: Uint8Array
  at: number
}

/** Size of a GIF's frame, and the flags of its descriptor. */
export interface GifFrame {
  width: number
  height: number
  flags: number
}

/** The file's bytes as a view for reading numbers. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Four (or more) bytes as Latin-1 text. */
export function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}

/** ASCII text as bytes. */
export function bytesOf(ascii: string): Uint8Array {
  return new TextEncoder().encode(ascii)
}

/** Joins bytes. */
export function joinBytes(parts: readonly ArrayLike<number>[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

/** Whether a marker starts a frame (SOF0–SOF15 without DHT, JPG and DAC). */
export function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== DHT && marker !== 0xc8 && marker !== 0xcc
}

/**
 * Segments of a JPEG from `from` on, up to and including the next SOS or EOI. Entropy-coded data follows an SOS, so
 * a reader continues after it. Like the codec, it skips stray bytes and markers without a segment. It ends at another
 * SOI: then a segment had a wrong length, and its content was read as markers.
 */
export function* jpegSegments(bytes: Uint8Array): Generator<JpegSegment> {
  let boxes = 0
  for (let at = findMarker(bytes, 2); at >= 0 && boxes < MAX_BOXES; ) {
    const marker = bytes[at + 1] ?? 0
    if (marker === EOI) {
      yield { marker, body: bytes.subarray(at, at), end: at + 2 }
      return
    }
    if (marker === SOI) return
    if (standsAlone(marker)) {
      at = findMarker(bytes, at + 2)
      continue
    }
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
    const end = at + 2 + length
    if (length < 2 || end > bytes.length) return
    boxes += 1
    yield { marker, body: bytes.subarray(at + 4, end), end }
    if (marker === SOS) return
    at = findMarker(bytes, end)
  }
}

/** The offset of the next marker: one or more 0xFF and a byte that is not zero. -1 when there is none. */
function findMarker(bytes: Uint8Array, from: number): number {
  for (let at = from; at + 2 <= bytes.length; at++) {
    if (bytes[at] === 0xff && bytes[at + 1] !== 0 && bytes[at + 1] !== 0xff) return at
  }
  return -1
}

/** Whether a marker has no segment: TEM and RST0–RST7. */
function standsAlone(marker: number): boolean {
  return marker === TEM || (marker >= 0xd0 && marker <= 0xd7)
}

/** Chunks of a PNG. A truncated last chunk is not yielded, unless only its checksum is missing. */
export function pngChunks(bytes: Uint8Array): Generator<Chunk> {
  return chunksFrom(bytes, PNG_SIGNATURE_BYTES, { isRiff: false })
}

/** Chunks of a RIFF file or, with `from`, of any list of chunks such as the content of an ANMF chunk. */
export function riffChunks(bytes: Uint8Array, from = RIFF_HEADER_BYTES): Generator<Chunk> {
  return chunksFrom(bytes, from, { isRiff: true })
}

/** A PNG has length, name, body and checksum. A RIFF has the name first, numbers with the low byte first, and padding. */
function* chunksFrom(bytes: Uint8Array, from: number, { isRiff }: { isRiff: boolean }): Generator<Chunk> {
  const view = viewOf(bytes)
  let at = from
  for (let boxes = 0; at + 8 <= bytes.length && boxes < MAX_BOXES; boxes++) {
    const length = view.getUint32(isRiff ? at + 4 : at, isRiff)
    const end = at + 8 + length
    if (end > bytes.length) return
    yield { type: textAt(bytes, isRiff ? at : at + 4, 4), body: bytes.subarray(at + 8, end), at }
    at = end + (isRiff ? length % 2 : 4)
  }
}

/** Whether the checksum of a PNG chunk is right, or truncated. */
export function isPngChunkIntact(bytes: Uint8Array, { at, body }: Chunk): boolean {
  const end = at + 8 + body.length
  return end + 4 > bytes.length || viewOf(bytes).getUint32(end) === crc32(bytes.subarray(at + 4, end))
}

/** Offset of the first block of a GIF after header, palette and extensions: its image descriptor if the file is valid. */
export function firstGifBlock(bytes: Uint8Array): number {
  let at = 13 + gifPaletteBytes(bytes[10] ?? 0)
  while (bytes[at] === GIF_EXTENSION) at = skipGifSubBlocks(bytes, at + 2)
  return at
}

/** Reads the image descriptor of a GIF at `at`; null when it is missing or truncated. */
export function readGifFrame(bytes: Uint8Array, at: number): GifFrame | null {
  if (bytes[at] !== GIF_IMAGE || at + 10 > bytes.length) return null
  const view = viewOf(bytes)
  const [width, height] = [view.getUint16(at + 5, true), view.getUint16(at + 7, true)]
  return { width, height, flags: view.getUint8(at + 9) }
}

/** The offset after a series of GIF sub-blocks. Each starts with its length; an empty one ends the series. */
export function skipGifSubBlocks(bytes: Uint8Array, from: number): number {
  let at = from
  while ((bytes[at] ?? 0) > 0) at += 1 + (bytes[at] ?? 0)
  return at + 1
}

/** Length of the colour table that a flags byte of a GIF announces. */
export function gifPaletteBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1)
}
