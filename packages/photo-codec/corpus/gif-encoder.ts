/**
 * A GIF encoder for everything that GIF89a allows in a picture: frames anywhere on the canvas, interlaced, with palettes
 * of their own, with a code table that is left full.
 *
 *     encodeGif({ width: 2, height: 1, palette: [[0, 0, 0], [255, 0, 0]], frames: [{ indexes: [0, 1] }] })
 */

import { bytesOf, concat } from '../fixtures/bytes.ts'

export type Palette = readonly (readonly [number, number, number])[]

/** One frame; it covers the whole canvas unless it says where it is. */
export interface GifFrame {
  /** Palette indexes, row by row from the top. */
  indexes: ArrayLike<number>
  left?: number
  top?: number
  width?: number
  height?: number
  interlaced?: boolean
  /** The index that is transparent. */
  transparent?: number
  /** A palette for this frame alone. */
  palette?: Palette
  /** The minimum code size; as the palette needs it unless given. */
  codeBits?: number
}

/** A canvas and its frames. */
export interface GifOptions {
  width: number
  height: number
  palette: Palette
  frames: readonly GifFrame[]
  /** Goes on with a full code table instead of clearing it. */
  keepsFullTable?: boolean
}

const MAX_CODES = 4096

/** A GIF file. */
export function encodeGif({
  width,
  height,
  palette,
  frames,
  keepsFullTable = false,
}: GifOptions): Uint8Array {
  const parts: ArrayLike<number>[] = [bytesOf('GIF89a'), uint16(width), uint16(height)]
  parts.push([0x80 | sizeBits(palette), 0, 0], paletteBytes(palette))
  for (const frame of frames) {
    const { left = 0, top = 0, width: w = width, height: h = height, interlaced = false } = frame
    const isTransparent = frame.transparent !== undefined
    parts.push([0x21, 0xf9, 4, isTransparent ? 1 : 0, 10, 0, frame.transparent ?? 0, 0])
    const flags = (interlaced ? 0x40 : 0) | (frame.palette ? 0x80 | sizeBits(frame.palette) : 0)
    parts.push([0x2c], uint16(left), uint16(top), uint16(w), uint16(h), [flags])
    if (frame.palette) parts.push(paletteBytes(frame.palette))
    const bits = frame.codeBits ?? Math.max(2, sizeBits(frame.palette ?? palette) + 1)
    const indexes = interlaced ? interlacedRows(frame.indexes, w, h) : frame.indexes
    parts.push([bits], subBlocks(lzw(indexes, bits, keepsFullTable)))
  }
  return concat(...parts, [0x3b])
}

/** A palette's size as GIF writes it: 2^(n + 1) colours. */
function sizeBits(palette: Palette): number {
  return Math.max(0, Math.ceil(Math.log2(palette.length)) - 1)
}

function paletteBytes(palette: Palette): Uint8Array {
  const out = new Uint8Array(3 * 2 ** (sizeBits(palette) + 1))
  palette.forEach((colour, i) => {
    out.set(colour, i * 3)
  })
  return out
}

/** Every eighth row, then those between, then those between, then the rest. */
function interlacedRows(indexes: ArrayLike<number>, width: number, height: number): number[] {
  const out: number[] = []
  for (const [first = 0, step = 1] of [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ]) {
    for (let y = first; y < height; y += step) {
      for (let x = 0; x < width; x++) out.push(indexes[y * width + x] ?? 0)
    }
  }
  return out
}

/** Blocks of at most 255 bytes, each behind its length, and an empty one. */
export function subBlocks(data: Uint8Array): Uint8Array {
  const parts: ArrayLike<number>[] = []
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255)
    parts.push([block.length], block)
  }
  return concat(...parts, [0])
}

function lzw(indexes: ArrayLike<number>, bits: number, keepsFullTable: boolean): Uint8Array {
  const clear = 2 ** bits
  const out: number[] = []
  let held = 0
  let heldBits = 0
  let codeBits = bits + 1
  const put = (code: number) => {
    held |= code << heldBits
    for (heldBits += codeBits; heldBits >= 8; heldBits -= 8) {
      out.push(held & 255)
      held >>>= 8
    }
  }
  // Keys are a prefix's code and the index behind it.
  let table = new Map<number, number>()
  let next = clear + 2
  put(clear)
  let prefix = indexes[0] ?? 0
  for (let i = 1; i < indexes.length; i++) {
    const index = indexes[i] ?? 0
    const known = table.get(prefix * 256 + index)
    if (known !== undefined) {
      prefix = known
      continue
    }
    put(prefix)
    if (next < MAX_CODES) {
      table.set(prefix * 256 + index, next)
      if (next === 2 ** codeBits && codeBits < 12) codeBits++
      next++
    } else if (!keepsFullTable) {
      put(clear)
      table = new Map()
      next = clear + 2
      codeBits = bits + 1
    }
    prefix = index
  }
  put(prefix)
  // The decoder adds one more code behind the last one.
  if (next === 2 ** codeBits && codeBits < 12) codeBits++
  put(clear + 1)
  if (heldBits > 0) out.push(held & 255)
  return Uint8Array.from(out)
}

function uint16(n: number): number[] {
  return [n & 255, n >> 8]
}
