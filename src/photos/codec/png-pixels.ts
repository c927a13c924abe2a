/**
 * PNG samples to RGBA with 8 bits: one function per colour type, chosen once per picture.
 *
 *     const unpack = createUnpacker(header)
 *     unpack(packedRow, rgbaRow, pixels)
 *
 * Standard: W3C Portable Network Graphics (third edition), sections 7.2, 11.2.1 and 11.3.1.1.
 */

/** The header and the chunks that say what samples mean. */
export interface PngHeader {
  width: number
  height: number
  /** Bits per sample. */
  depth: number
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
  colourType: number
  interlaced: boolean
  palette: Uint8Array
  /** The tRNS chunk: alpha by palette entry, or the one colour that is transparent. */
  transparency: Uint8Array
}

/** How many samples a pixel has, by colour type. */
export const SAMPLES_PER_PIXEL: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

type Unpacker = (row: Uint8Array, out: Uint8Array, pixels: number) => void

/** The function that unpacks this picture's rows; of 16-bit samples the upper 8 bits are taken. */
export function createUnpacker(header: PngHeader): Unpacker {
  const { colourType, depth } = header
  if (colourType === 3) return paletteUnpacker(header)
  if (colourType === 0) return greyUnpacker(header)
  if (colourType === 2) return rgbUnpacker(header)
  const bytes = depth / 8
  const grey = colourType === 4
  const step = (grey ? 2 : 4) * bytes
  return (row, out, pixels) => {
    for (let i = 0, from = 0, to = 0; i < pixels; i++, from += step, to += 4) {
      out[to] = row[from] as number
      out[to + 1] = row[grey ? from : from + bytes] as number
      out[to + 2] = row[grey ? from : from + 2 * bytes] as number
      out[to + 3] = row[from + step - bytes] as number
    }
  }
}

function paletteUnpacker({ depth, palette, transparency }: PngHeader): Unpacker {
  const colours = palette.length / 3
  return (row, out, pixels) => {
    for (let i = 0, to = 0; i < pixels; i++, to += 4) {
      const index = sampleAt(row, i, depth)
      if (index >= colours) throw new Error('PNG: colour outside the palette')
      out[to] = palette[index * 3] as number
      out[to + 1] = palette[index * 3 + 1] as number
      out[to + 2] = palette[index * 3 + 2] as number
      out[to + 3] = transparency[index] ?? 255
    }
  }
}

function greyUnpacker({ depth, transparency }: PngHeader): Unpacker {
  const clear = transparency.length >= 2 ? transparentSample(transparency, 0) : -1
  const full = 255 / ((1 << Math.min(depth, 8)) - 1)
  return (row, out, pixels) => {
    for (let i = 0, to = 0; i < pixels; i++, to += 4) {
      const sample = sampleAt(row, i, depth)
      const grey = depth === 16 ? sample >> 8 : sample * full
      out[to] = grey
      out[to + 1] = grey
      out[to + 2] = grey
      out[to + 3] = sample === clear ? 0 : 255
    }
  }
}

function rgbUnpacker({ depth, transparency }: PngHeader): Unpacker {
  const hasClear = transparency.length >= 6
  const clear = [0, 2, 4].map((at) => (hasClear ? transparentSample(transparency, at) : -1))
  const bytes = depth / 8
  return (row, out, pixels) => {
    for (let i = 0, from = 0, to = 0; i < pixels; i++, from += 3 * bytes, to += 4) {
      out[to] = row[from] as number
      out[to + 1] = row[from + bytes] as number
      out[to + 2] = row[from + 2 * bytes] as number
      const isClear = hasClear && clear.every((value, c) => sampleAt(row, i * 3 + c, depth) === value)
      out[to + 3] = isClear ? 0 : 255
    }
  }
}

/** Sample number `index` of a packed row at its full depth. */
function sampleAt(row: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return row[index] as number
  if (depth === 16) return ((row[index * 2] as number) << 8) | (row[index * 2 + 1] as number)
  const bit = index * depth
  return ((row[bit >> 3] as number) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
}

function transparentSample(transparency: Uint8Array, at: number): number {
  return ((transparency[at] ?? 0) << 8) | (transparency[at + 1] ?? 0)
}
