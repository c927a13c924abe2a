/**
 * A PNG encoder that writes every colour type, depth, filter and interlacing of the W3C standard.
 *
 *     encodePng({ width: 3, height: 1, colourType: 0, depth: 1, samples: Uint16Array.of(0, 1, 0) })
 */

import { deflateSync } from 'node:zlib'
import { concat, uint32 } from '../bytes.ts'
import { assemblePng, pngChunk } from '../containers.ts'

/** Samples of a picture and how they are to be written. */
export interface PngOptions {
  width: number
  height: number
  /** 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA. */
  colourType: keyof typeof CHANNELS
  /** Bits per sample. */
  depth: 1 | 2 | 4 | 8 | 16
  /** Row by row, the channels of a pixel together, each from 0 to 2^depth − 1. */
  samples: Uint16Array
  /** Filter 0–4 of every row; unless given, the rows take turns with all five. */
  filter?: number
  interlaced?: boolean
  /** Chunks between IHDR and IDAT. */
  before?: Uint8Array[]
  /** Chunks between IDAT and IEND. */
  after?: Uint8Array[]
  /** The filtered rows as zlib data; zlib's own unless given. */
  deflate?: (rows: Uint8Array) => Uint8Array
  /** Bytes in each IDAT chunk; all in one unless given. */
  idatBytes?: number
}

const CHANNELS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** First column and row, and the steps, of each Adam7 pass. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** A PNG file. */
export function encodePng(options: PngOptions): Uint8Array {
  const { before = [], after = [], deflate = deflateSync, idatBytes = Number.POSITIVE_INFINITY } = options
  const data = deflate(filteredRows(options))
  const idats: Uint8Array[] = []
  for (let at = 0; at < data.length; at += idatBytes) {
    idats.push(pngChunk('IDAT', data.subarray(at, at + idatBytes)))
  }
  return assemblePng([pngHeader(options), ...before, ...idats, ...after])
}

/** The IHDR chunk. */
export function pngHeader({
  width,
  height,
  depth,
  colourType,
  interlaced = false,
}: Omit<PngOptions, 'samples'>) {
  return pngChunk(
    'IHDR',
    concat(uint32(width), uint32(height), [depth, colourType, 0, 0, interlaced ? 1 : 0]),
  )
}

/** All rows with their filter bytes, pass after pass, ready for zlib. */
export function filteredRows(options: PngOptions): Uint8Array {
  const { width, height, depth, colourType, filter, interlaced } = options
  const pixelBytes = Math.max(1, (CHANNELS[colourType] * depth) >> 3)
  const rows: Uint8Array[] = []
  for (const [left, top, right, down] of interlaced ? PASSES : ([[0, 0, 1, 1]] as const)) {
    if (left >= width) continue
    let above = new Uint8Array(0)
    for (let y = top; y < height; y += down) {
      const row = packRow(options, y, left, right)
      const kind = filter ?? rows.length % 5
      rows.push(concat([kind], applyFilter(kind, row, above, pixelBytes)))
      above = row
    }
  }
  return concat(...rows)
}

/** Samples of one row, from a column on in steps, packed from the high bit of each byte. */
function packRow({ width, depth, colourType, samples }: PngOptions, y: number, left: number, step: number) {
  const channels = CHANNELS[colourType]
  const pixels = Math.ceil((width - left) / step)
  const row = new Uint8Array(Math.ceil((pixels * channels * depth) / 8))
  for (let i = 0; i < pixels * channels; i++) {
    const x = left + Math.floor(i / channels) * step
    const sample = samples[(y * width + x) * channels + (i % channels)] ?? 0
    if (depth === 16) row.set([sample >> 8, sample & 255], i * 2)
    else row[(i * depth) >> 3] = (row[(i * depth) >> 3] ?? 0) | (sample << (8 - depth - ((i * depth) & 7)))
  }
  return row
}

function applyFilter(kind: number, row: Uint8Array, above: Uint8Array, pixelBytes: number): Uint8Array {
  return row.map((value, i) => {
    const a = row[i - pixelBytes] ?? 0
    const b = above[i] ?? 0
    const c = above[i - pixelBytes] ?? 0
    return value - ([0, a, b, (a + b) >> 1, paeth(a, b, c)][kind] ?? 0)
  })
}

/** Whichever of left, above and above left is nearest to left + above − above left; the first wins a tie. */
function paeth(a: number, b: number, c: number): number {
  const [toA, toB, toC] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)]
  if (toA <= toB && toA <= toC) return a
  return toB <= toC ? b : c
}
