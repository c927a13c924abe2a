/** PNG samples to RGBA with 8 bits (W3C Portable Network Graphics, third edition, sections 7.2 and 11.2 to 11.3). */

import { create } from './arena'

const GREY: i32 = 0
const RGB: i32 = 2
const PALETTE: i32 = 3
const GREY_ALPHA: i32 = 4
const RGB_ALPHA: i32 = 6

const OPAQUE: u32 = 0xff000000

/** What the samples of a picture mean. */
@unmanaged
export class PngFormat {
  colourType: i32
  /** Bits per sample. */
  depth: i32
  /** 256 RGBA colours. */
  palette: usize
  /** Samples at full depth of the colour that is transparent, 32 bits each; 0 where none is. */
  clear: usize

  /** `palette` is 0 for another colour type, `clear` where no colour is transparent; else it has the three samples. */
  static create(colourType: i32, depth: i32, palette: usize, clear: usize): PngFormat {
    const format = create<PngFormat>()
    format.colourType = colourType
    format.depth = depth
    format.palette = palette
    format.clear = clear
    return format
  }

  /** Whether no pixel can be transparent. */
  get isOpaque(): bool {
    return (this.colourType === GREY || this.colourType === RGB) && this.clear === 0
  }

  /** Bytes of `pixels` packed pixels. */
  bytesFor(pixels: i32): i32 {
    return (pixels * this.pixelBits + 7) >> 3
  }

  /** Distance of like bytes, at least 1. */
  get step(): i32 {
    return max(1, this.pixelBits >> 3)
  }

  private get pixelBits(): i32 {
    return this.samples * this.depth
  }

  private get samples(): i32 {
    if (this.colourType === RGB) return 3
    if (this.colourType === GREY_ALPHA) return 2
    return this.colourType === RGB_ALPHA ? 4 : 1
  }

  /**
   * Unpacks a row of pixels; of 16-bit samples the upper 8 bits are taken. Up to 2 × VECTOR_SLACK bytes
   * after the row are read, and VECTOR_SLACK after the pixels written.
   */
  unpack(row: usize, pixels: i32, rgba: usize): void {
    if (this.colourType === RGB && this.depth === 8 && this.clear === 0) unpackRgb(row, pixels, rgba)
    else if (this.colourType === RGB_ALPHA && this.depth === 8) memory.copy(rgba, row, usize(pixels) * 4)
    else if (this.colourType === PALETTE) this.unpackPalette(row, pixels, rgba)
    else if (this.colourType === GREY || this.colourType === GREY_ALPHA) this.unpackGrey(row, pixels, rgba)
    else this.unpackColour(row, pixels, rgba)
  }

  private unpackPalette(row: usize, pixels: i32, rgba: usize): void {
    for (let i = 0; i < pixels; i++, rgba += 4) {
      const index = this.sampleAt(row, i)
      store<u32>(rgba, load<u32>(this.palette + index * 4))
    }
  }

  private unpackGrey(row: usize, pixels: i32, rgba: usize): void {
    const hasAlpha = this.colourType === GREY_ALPHA
    const samples = this.samples
    const full = this.depth > 8 ? 1 : 255 / ((1 << this.depth) - 1)
    for (let i = 0; i < pixels; i++, rgba += 4) {
      const sample = this.sampleAt(row, i * samples)
      const grey = this.depth === 16 ? sample >> 8 : sample * full
      let alpha = this.clear !== 0 && sample === load<i32>(this.clear) ? 0 : 255
      if (hasAlpha) alpha = this.upper8(row, i * 2 + 1)
      store<u32>(rgba, u32(grey * 0x010101) | (u32(alpha) << 24))
    }
  }

  private unpackColour(row: usize, pixels: i32, rgba: usize): void {
    const samples = this.samples
    for (let i = 0; i < pixels; i++, rgba += 4) {
      const first = i * samples
      store<u8>(rgba, u8(this.upper8(row, first)))
      store<u8>(rgba, u8(this.upper8(row, first + 1)), 1)
      store<u8>(rgba, u8(this.upper8(row, first + 2)), 2)
      let alpha = this.isClear(row, first) ? 0 : 255
      if (samples === 4) alpha = this.upper8(row, first + 3)
      store<u8>(rgba, u8(alpha), 3)
    }
  }

  private isClear(row: usize, first: i32): bool {
    for (let i = 0; i < 3 && this.clear !== 0; i++) {
      if (this.sampleAt(row, first + i) !== load<i32>(this.clear + i * 4)) return false
    }
    return this.clear !== 0
  }

  /** Sample number `index` of 8 or 16 bits, the upper 8 of them. */
  private upper8(row: usize, index: i32): i32 {
    return i32(load<u8>(row + (this.depth === 16 ? index * 2 : index)))
  }

  /** Sample number `index` at its full depth. */
  private sampleAt(row: usize, index: i32): i32 {
    if (this.depth === 8) return i32(load<u8>(row + index))
    if (this.depth === 16) return i32(bswap(load<u16>(row + index * 2)))
    const bit = index * this.depth
    return (i32(load<u8>(row + (bit >> 3))) >> (8 - this.depth - (bit & 7))) & ((1 << this.depth) - 1)
  }
}

/** Four pixels at a time. */
function unpackRgb(row: usize, pixels: i32, rgba: usize): void {
  const spread = i8x16(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1)
  const opaque = i32x4.splat(OPAQUE)
  for (const end = rgba + pixels * 4; rgba < end; rgba += 16, row += 12) {
    v128.store(rgba, v128.or(i8x16.swizzle(v128.load(row), spread), opaque))
  }
}
