/**
 * Writes baseline JPEG with 4:2:0 chroma and Huffman tables made for the picture, row by row.
 *
 *     const encoder = createJpegEncoder({ width, height }, 90, profile)
 *     for (const row of rgbRows) encoder.push(row)
 *     const bytes = encoder.finish()
 *
 * Standards: ITU-T T.81 (coding; annex K.1 quantisers, scaled to a quality as libjpeg does), T.871 (JFIF, colours).
 */

import type { Size } from '../fit.ts'
import { profileSegments } from '../profile.ts'
import { forwardDct, forwardTable, ZIGZAG } from './dct.ts'
import { BitWriter, countsSegment, type HuffmanCode } from './huffman-encode.ts'
import { createTokenWriter, type TokenWriter } from './jpeg-tokens.ts'
import type { RowSink } from './rows.ts'

const MCU = 16

// biome-ignore format: eight rows of eight
const LUMA_QUANTISERS = [
  16, 11, 10, 16, 24, 40, 51, 61,
  12, 12, 14, 19, 26, 58, 60, 55,
  14, 13, 16, 24, 40, 57, 69, 56,
  14, 17, 22, 29, 51, 87, 80, 62,
  18, 22, 37, 56, 68, 109, 103, 77,
  24, 35, 55, 64, 81, 104, 113, 92,
  49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,
]

// biome-ignore format: eight rows of eight
const CHROMA_QUANTISERS = [
  17, 18, 24, 47, 99, 99, 99, 99,
  18, 21, 26, 66, 99, 99, 99, 99,
  24, 26, 56, 99, 99, 99, 99, 99,
  47, 66, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99,
]

/** Takes RGB rows; `finish` gives the file once all have come. */
export interface JpegEncoder extends RowSink {
  finish(): Uint8Array
}

/** An encoder for a picture of `size` at a quality of 1–100, with an ICC profile carried along if there is one. */
export function createJpegEncoder(size: Size, quality: number, profile: Uint8Array | null): JpegEncoder {
  const quantisers = [LUMA_QUANTISERS, CHROMA_QUANTISERS].map((table) => scaleQuantisers(table, quality))
  const writer = new BitWriter()
  const tokens = createTokenWriter(writer, (codes) => {
    writeHeader(writer, size, quantisers, profile, codes)
  })
  const codeBand = createBandCoder(quantisers.map(forwardTable), tokens)
  const band = createBand(size.width)
  let height = 0
  return {
    push(row) {
      band.setLine(height % MCU, row)
      height += 1
      if (height % MCU === 0) codeBand(band)
    },
    finish() {
      if (height !== size.height) throw new Error('JPEG: rows are missing')
      // The last lines are repeated until the row of MCUs is full.
      for (let y = height % MCU; y > 0 && y < MCU; y++) band.repeatLine(y)
      if (height % MCU > 0) codeBand(band)
      tokens.finish()
      writer.flush()
      writer.bytes([0xff, 0xd9])
      return writer.result()
    },
  }
}

/** Sixteen lines of luma and eight of chroma, level-shifted, filled up to whole MCUs by repeating the edge. */
interface Band {
  luma: Float32Array
  chroma: readonly [Float32Array, Float32Array]
  stride: number
  setLine(y: number, row: Uint8Array): void
  repeatLine(y: number): void
}

function createBand(width: number): Band {
  const stride = Math.ceil(width / MCU) * MCU
  const luma = new Float32Array(stride * MCU)
  // Chroma is collected at full size and halved when the band is full.
  const chroma = [new Float32Array(stride * MCU), new Float32Array(stride * MCU)] as const
  const [cb, cr] = chroma
  return {
    luma,
    chroma,
    stride,
    setLine(y, row) {
      let to = y * stride
      for (let from = 0; from < width * 3; from += 3, to++) {
        const red = row[from] as number
        const green = row[from + 1] as number
        const blue = row[from + 2] as number
        luma[to] = 0.299 * red + 0.587 * green + 0.114 * blue - 128
        cb[to] = -0.168735892 * red - 0.331264108 * green + 0.5 * blue
        cr[to] = 0.5 * red - 0.418687589 * green - 0.081312411 * blue
      }
      const end = (y + 1) * stride
      for (const plane of [luma, cb, cr]) plane.fill(plane[to - 1] as number, to, end)
    },
    repeatLine(y) {
      for (const plane of [luma, cb, cr]) plane.copyWithin(y * stride, (y - 1) * stride, y * stride)
    },
  }
}

/** Turns a band into Huffman symbols, MCU by MCU. */
function createBandCoder(tables: Float32Array[], tokens: TokenWriter): (band: Band) => void {
  const block = new Float32Array(64)
  const before = [0, 0, 0]

  const codeBlock = (component: number) => {
    const table = component === 0 ? 0 : 1
    const factors = tables[table] as Float32Array
    forwardDct(block)
    const dc = Math.round((block[0] as number) * (factors[0] as number))
    const difference = dc - (before[component] as number)
    before[component] = dc
    tokens.put(table, bitLength(difference), valueBits(difference))
    let zeros = 0
    for (let k = 1; k < 64; k++) {
      const place = ZIGZAG[k] as number
      const value = Math.round((block[place] as number) * (factors[place] as number))
      if (value === 0) {
        zeros += 1
        continue
      }
      for (; zeros > 15; zeros -= 16) tokens.put(table + 2, 0xf0, 0)
      tokens.put(table + 2, (zeros << 4) | bitLength(value), valueBits(value))
      zeros = 0
    }
    if (zeros > 0) tokens.put(table + 2, 0, 0)
  }

  return (band) => {
    for (let x = 0; x < band.stride; x += MCU) {
      for (const at of [x, x + 8, x + 8 * band.stride, x + 8 * band.stride + 8]) {
        takeBlock(band.luma, at, band.stride, block)
        codeBlock(0)
      }
      band.chroma.forEach((plane, i) => {
        takeHalvedBlock(plane, x, band.stride, block)
        codeBlock(i + 1)
      })
    }
  }
}

function takeBlock(plane: Float32Array, at: number, stride: number, block: Float32Array): void {
  for (let y = 0; y < 8; y++) {
    const from = at + y * stride
    for (let x = 0; x < 8; x++) block[y * 8 + x] = plane[from + x] as number
  }
}

/** A block of 16 × 16 samples as the 8 × 8 averages of its squares of four. */
function takeHalvedBlock(plane: Float32Array, at: number, stride: number, block: Float32Array): void {
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < 8; x++) {
      const from = at + y * 2 * stride + x * 2
      const top = (plane[from] as number) + (plane[from + 1] as number)
      const bottom = (plane[from + stride] as number) + (plane[from + stride + 1] as number)
      block[y * 8 + x] = (top + bottom) / 4
    }
  }
}

/** How many bits a value takes in JPEG's signed form. */
function bitLength(value: number): number {
  return 32 - Math.clz32(Math.abs(value))
}

/** The bits of a value in JPEG's signed form: negative numbers are one less than their two's complement. */
function valueBits(value: number): number {
  return (value < 0 ? value - 1 : value) & ((1 << bitLength(value)) - 1)
}

/** libjpeg's scale: 50 leaves the tables as they are, 100 makes every step 1. */
function scaleQuantisers(table: readonly number[], quality: number): number[] {
  const percent = quality < 50 ? 5000 / quality : 200 - quality * 2
  return table.map((step) => Math.min(255, Math.max(1, Math.floor((step * percent + 50) / 100))))
}

function writeHeader(
  writer: BitWriter,
  { width, height }: Size,
  quantisers: number[][],
  profile: Uint8Array | null,
  codes: readonly HuffmanCode[],
): void {
  writer.bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
  if (profile) writer.bytes(profileSegments(profile))
  quantisers.forEach((table, i) => {
    writer.bytes([0xff, 0xdb, 0, 67, i, ...Array.from(ZIGZAG, (place) => table[place] ?? 1)])
  })
  writer.bytes([0xff, 0xc0, 0, 17, 8, height >> 8, height & 0xff, width >> 8, width & 0xff, 3])
  writer.bytes([1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
  codes.forEach((code, i) => {
    writer.bytes(countsSegment(code, i < 2 ? 0 : 1, i % 2))
  })
  writer.bytes([0xff, 0xda, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0])
}
