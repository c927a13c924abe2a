/**
 * Hands a PNG to the codec: checks its chunks and passes the data on.
 *
 *     decodePng(codec, bytes, info, { keepsAlpha: false })
 *
 * Standard: W3C Portable Network Graphics (third edition), sections 5 and 11.
 */

import type { Codec } from '../codec-instance.ts'
import { isPngChunkIntact, pngChunks, viewOf } from '../containers.ts'
import type { Size } from '../fit.ts'

const GREY = 0
const RGB = 2
const PALETTE = 3

/** Bit depths that go with each colour type. */
const DEPTHS: Record<number, readonly number[]> = {
  [GREY]: [1, 2, 4, 8, 16],
  [RGB]: [8, 16],
  [PALETTE]: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

/**
 * Decodes a PNG of the size that its header was read to have. Throws when it is damaged; what lies behind
 * the picture, in the data or in the file, does not count.
 */
export function decodePng(
  { exports, place, view }: Codec,
  bytes: Uint8Array,
  size: Size,
  { keepsAlpha }: { keepsAlpha: boolean },
): void {
  const { header, palette, transparency, data } = readChunks(bytes)
  const { colourType, depth, interlacing } = readHeader(header, size)
  const colours = palette.length / 3
  if (colourType === PALETTE && colours === 0) throw new Error('PNG: palette missing')
  const table = colourType === PALETTE ? place(rgbaPalette(palette, transparency)) : 0
  const clear = clearSamples(colourType, transparency)
  const clearAt = clear ? place(clear) : 0
  const length = data.reduce((sum, part) => sum + part.length, 0)
  const dataAt = exports.reserve(length)
  let filled = 0
  for (const part of data) {
    view(dataAt + filled, part.length).set(part)
    filled += part.length
  }
  const { width, height } = size
  exports.decodePng(
    width,
    height,
    colourType,
    depth,
    interlacing === 1,
    table,
    colours,
    clearAt,
    dataAt,
    length,
    keepsAlpha,
  )
}

/** The bodies of the chunks that count. */
interface PngParts {
  header: Uint8Array
  palette: Uint8Array
  transparency: Uint8Array
  data: Uint8Array[]
}

/** Chunks that must be understood; all others may be skipped. */
const CRITICAL = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND'])

/** Bit 5 of a chunk's first letter is set where it may be skipped (section 5.4). */
const isAncillary = (type: string) => (type.charCodeAt(0) & 0x20) !== 0

/**
 * The chunks up to IEND. An ancillary one whose checksum is wrong is left out; any other that is damaged, unknown or out
 * of place is refused.
 */
function readChunks(bytes: Uint8Array): PngParts {
  const parts: PngParts = { header: NOTHING, palette: NOTHING, transparency: NOTHING, data: [] }
  let before = ''
  for (const chunk of pngChunks(bytes)) {
    const { body, type } = chunk
    if (!isPngChunkIntact(bytes, chunk)) {
      if (!isAncillary(type)) throw new Error(`PNG: checksum of ${type} is wrong`)
    } else if (type === 'tRNS') parts.transparency = body
    else if (!isAncillary(type)) {
      if (!CRITICAL.has(type)) throw new Error('PNG: unknown critical chunk')
      if ((type === 'IHDR') !== (before === '')) throw new Error('PNG: header out of place')
      if (type === 'IEND') return parts
      if (type === 'IHDR') parts.header = body
      else if (type === 'PLTE') parts.palette = checkPalette(body)
      else if (parts.data.length > 0 && before !== 'IDAT') throw new Error('PNG: data in several places')
      else parts.data.push(body)
    }
    before = type
  }
  throw new Error('PNG: file ends too early')
}

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

/** 256 RGBA colours, alpha from the tRNS chunk. */
function rgbaPalette(palette: Uint8Array, transparency: Uint8Array): Uint8Array {
  const out = new Uint8Array(256 * 4).fill(255)
  for (let i = 0; i < palette.length / 3; i++) {
    out.set(palette.subarray(i * 3, i * 3 + 3), i * 4)
    out[i * 4 + 3] = transparency[i] ?? 255
  }
  return out
}

/** The one colour of a grey or RGB picture that is transparent, as three samples of 32 bits; null for none. */
function clearSamples(colourType: number, transparency: Uint8Array): Uint8Array | null {
  const needed = colourType === GREY ? 2 : 6
  if ((colourType !== GREY && colourType !== RGB) || transparency.length < needed) return null
  const view = viewOf(transparency)
  const samples = new Int32Array(3)
  for (let i = 0; i < needed / 2; i++) samples[i] = view.getUint16(i * 2)
  return new Uint8Array(samples.buffer)
}
