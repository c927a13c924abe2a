/**
 * Passes a PNG to the codec: checks its chunks and passes their data on.
 *
 *     decodePng(codec, bytes, info, { keepsAlpha: false, consume: true })
 *
 * Standard: W3C Portable Network Graphics (third edition), sections 5 and 11.
 */

import { type Codec, release } from '../codec-instance.ts'
import { isPngChunkIntact, pngChunks, viewOf } from '../containers.ts'
import type { Size } from '../fit.ts'
import { rgbaPalette } from './palette.ts'

const GREY = 0
const RGB = 2
const PALETTE = 3

/** Valid bit depths of each colour type. */
const DEPTHS: Record<number, readonly number[]> = {
  [GREY]: [1, 2, 4, 8, 16],
  [RGB]: [8, 16],
  [PALETTE]: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

/**
 * Decodes a PNG of the size that `readPhotoInfo` found. Throws when it is damaged. Ignores what follows the picture, in
 * the data or in the file, and accepts a file without IEND.
 */
export function decodePng(
  { exports, place, view }: Codec,
  bytes: Uint8Array,
  size: Size,
  { keepsAlpha, consume }: { keepsAlpha: boolean; consume: boolean },
): void {
  const { header, palette, transparency, data } = readChunks(bytes)
  const { colourType, depth, interlacing } = readHeader(header, size)
  if (colourType === PALETTE && palette.length === 0) throw new Error('PNG: palette missing')
  const table =
    colourType === PALETTE ? place(rgbaPalette(palette, (index) => transparency[index] ?? 255)) : 0
  const clear = clearSamples(colourType, depth, transparency)
  const clearAt = clear ? place(clear) : 0
  const length = data.reduce((sum, part) => sum + part.length, 0)
  const dataAt = exports.reserve(length)
  let filled = 0
  for (const part of data) {
    view(dataAt + filled, part.length).set(part)
    filled += part.length
  }
  if (consume) release(bytes)
  const { width, height } = size
  exports.decodePng(
    width,
    height,
    colourType,
    depth,
    interlacing === 1,
    table,
    clearAt,
    dataAt,
    length,
    keepsAlpha,
  )
}

/** The bodies of the chunks that are used. */
interface PngParts {
  header: Uint8Array
  palette: Uint8Array
  transparency: Uint8Array
  data: Uint8Array[]
}

/** The known critical chunks. */
const CRITICAL = new Set(['IHDR', 'PLTE', 'IDAT'])

/** Whether a chunk may be skipped: bit 5 of its first letter is set (section 5.4). */
const isAncillary = (type: string) => (type.charCodeAt(0) & 0x20) !== 0

/**
 * Reads the chunks up to the last one with data. Skips ancillary chunks with a wrong checksum. Throws for critical chunks
 * that are damaged, unknown or out of order.
 */
function readChunks(bytes: Uint8Array): PngParts {
  const parts: PngParts = { header: NOTHING, palette: NOTHING, transparency: NOTHING, data: [] }
  let isFirst = true
  for (const chunk of pngChunks(bytes)) {
    const { body, type } = chunk
    if (parts.data.length > 0 && type !== 'IDAT') break
    if (!isPngChunkIntact(bytes, chunk)) {
      if (!isAncillary(type)) throw new Error(`PNG: checksum of ${type} is wrong`)
    } else if (type === 'tRNS') {
      if (isTransparencyOf(parts, body)) parts.transparency = body
    } else if (!isAncillary(type)) {
      if (!CRITICAL.has(type)) throw new Error(`PNG: ${type} in front of the data`)
      if ((type === 'IHDR') !== isFirst) throw new Error('PNG: header out of place')
      if (type === 'IHDR') parts.header = body
      else if (type === 'PLTE') parts.palette = checkPalette(body)
      else parts.data.push(body)
    }
    isFirst = false
  }
  if (parts.data.length === 0) throw new Error('PNG: file ends too early')
  return parts
}

/** Whether a tRNS chunk after these parts is used: the first with a valid length for the colour type. */
function isTransparencyOf({ header, palette, transparency }: PngParts, body: Uint8Array): boolean {
  if (transparency.length > 0) return false
  const colourType = header[9] ?? -1
  if (colourType === PALETTE) return body.length <= palette.length / 3
  return body.length === CLEAR_BYTES[colourType]
}

/** Bytes of the transparent colour, by colour type. */
const CLEAR_BYTES: Record<number, number> = { [GREY]: 2, [RGB]: 6 }

const NOTHING = new Uint8Array(0)

function readHeader(header: Uint8Array, size: Size) {
  if (header.length !== 13) throw new Error('PNG: no header')
  const view = viewOf(header)
  const [depth, colourType, interlacing] = [view.getUint8(8), view.getUint8(9), view.getUint8(12)]
  const methodsAreKnown = view.getUint8(10) === 0 && view.getUint8(11) === 0 && interlacing <= 1
  if (!DEPTHS[colourType]?.includes(depth) || !methodsAreKnown) throw new Error('PNG: impossible header')
  if (view.getUint32(0) !== size.width || view.getUint32(4) !== size.height) {
    throw new Error('PNG: two different sizes')
  }
  return { depth, colourType, interlacing }
}

function checkPalette(palette: Uint8Array): Uint8Array {
  if (palette.length % 3 !== 0 || palette.length > 3 * 256) throw new Error('PNG: impossible palette')
  return palette
}

/**
 * The transparent colour of a grey or RGB picture, as three samples of 32 bits; null for none. Bits above the depth are
 * ignored (section 11.3.1.1).
 */
function clearSamples(colourType: number, depth: number, transparency: Uint8Array): Uint8Array | null {
  if (colourType === PALETTE || transparency.length === 0) return null
  const view = viewOf(transparency)
  const samples = new Int32Array(3)
  for (let i = 0; i < transparency.length / 2; i++) {
    samples[i] = view.getUint16(i * 2) & (2 ** depth - 1)
  }
  return new Uint8Array(samples.buffer)
}
