/** Undoes the transforms of lossless WebPs, a row at a time (RFC 9649 section 3.5). Pixels are ARGB in 32 bits. */

import { allocate, create, VECTOR_SLACK } from './arena'
import { InflateBits } from './inflate-bits'
import { CodedImage, tilesOf } from './vp8l-image'
import { addPredicted } from './vp8l-predict'

export const PREDICTION: i32 = 0
export const CROSS_COLOUR: i32 = 1
export const SUBTRACT_GREEN: i32 = 2
export const PALETTE: i32 = 3

const BLACK: u32 = 0xff000000

@unmanaged
export class Transform {
  kind: i32
  /** Pixels of a row once it is undone. */
  private width: i32
  private tileBits: i32
  private tilesAcross: i32
  /** A pixel for each tile, or the palette. */
  private data: usize
  private colours: i32
  /** The row before, and room for one pixel more. */
  private above: usize

  /** Reads a transform of a picture whose rows have `width` pixels. */
  static read(bits: InflateBits, kind: i32, width: i32, height: i32): Transform {
    const transform = create<Transform>()
    transform.kind = kind
    transform.width = width
    if (kind === PREDICTION || kind === CROSS_COLOUR) {
      transform.tileBits = 2 + i32(bits.take(3))
      transform.tilesAcross = tilesOf(width, transform.tileBits)
      const down = tilesOf(height, transform.tileBits)
      transform.data = CodedImage.readWhole(bits, transform.tilesAcross, down)
    }
    if (kind === PREDICTION) transform.above = allocate(usize(width + 1) * 4 + VECTOR_SLACK)
    if (kind === PALETTE) transform.readPalette(bits)
    return transform
  }

  private readPalette(bits: InflateBits): void {
    this.colours = i32(bits.take(8)) + 1
    this.data = CodedImage.readWhole(bits, this.colours, 1)
    // Each colour is told by what it differs from the one before.
    for (let i = 1; i < this.colours; i++) {
      const place = this.data + i * 4
      store<u32>(place, addPixels(load<u32>(place), load<u32>(place - 4)))
    }
    this.tileBits = this.colours > 16 ? 0 : this.colours > 4 ? 1 : this.colours > 2 ? 2 : 3
  }

  /** Pixels of a row before it is undone: those of a small palette share a pixel. */
  get packedWidth(): i32 {
    return this.kind === PALETTE ? tilesOf(this.width, this.tileBits) : this.width
  }

  /** Undoes row number `y` in place. */
  undo(row: usize, y: i32): void {
    if (this.kind === PREDICTION) this.predict(row, y)
    else if (this.kind === CROSS_COLOUR) this.addColours(row, y)
    else if (this.kind === SUBTRACT_GREEN) addGreen(row, this.width)
    else this.lookUp(row)
  }

  private predict(row: usize, y: i32): void {
    const above = this.above
    if (y === 0) {
      store<u32>(row, addPixels(load<u32>(row), BLACK))
      addPredicted(1, row, above, 1, this.width)
    } else {
      store<u32>(row, addPixels(load<u32>(row), load<u32>(above)))
      // To the upper right of the last pixel is the first one of this row.
      store<u32>(above + usize(this.width) * 4, load<u32>(row))
      const modes = this.data + usize(y >> this.tileBits) * this.tilesAcross * 4
      for (let from = 1; from < this.width; ) {
        const tile = from >> this.tileBits
        const to = min(this.width, (tile + 1) << this.tileBits)
        addPredicted((load<i32>(modes + tile * 4) >> 8) & 15, row, above, from, to)
        from = to
      }
    }
    memory.copy(above, row, usize(this.width) * 4)
  }

  private addColours(row: usize, y: i32): void {
    const tiles = this.data + usize(y >> this.tileBits) * this.tilesAcross * 4
    for (let x = 0; x < this.width; x++) {
      const factors = load<u32>(tiles + (x >> this.tileBits) * 4)
      const place = row + x * 4
      const pixel = load<u32>(place)
      const green = i32(i8(pixel >> 8))
      const red = u8(i32(pixel >> 16) + part(factors, green))
      let blue = i32(pixel) + part(factors >> 8, green)
      blue += part(factors >> 16, i32(i8(red)))
      store<u32>(place, (pixel & 0xff00ff00) | (u32(red) << 16) | u32(u8(blue)))
    }
  }

  /** Goes from the right to the left, as what is looked up takes more room. */
  private lookUp(row: usize): void {
    const size = 8 >> this.tileBits
    const mask = (1 << size) - 1
    for (let x = this.width - 1; x >= 0; x--) {
      const packed = (load<i32>(row + (x >> this.tileBits) * 4) >> 8) & 255
      const index = (packed >> ((x & ((1 << this.tileBits) - 1)) * size)) & mask
      store<u32>(row + x * 4, index < this.colours ? load<u32>(this.data + index * 4) : 0)
    }
  }
}

/** What a channel takes from another one: both are signed, the factor is in units of 1/32. */
function part(factor: u32, channel: i32): i32 {
  return (i32(i8(factor)) * channel) >> 5
}

function addGreen(row: usize, width: i32): void {
  const green = i8x16(1, -1, 1, -1, 5, -1, 5, -1, 9, -1, 9, -1, 13, -1, 13, -1)
  for (const end = row + width * 4; row < end; row += 16) {
    const pixels = v128.load(row)
    v128.store(row, i8x16.add(pixels, i8x16.swizzle(pixels, green)))
  }
}

/** The sums of all four channels. */
function addPixels(a: u32, b: u32): u32 {
  const outer = (a & 0xff00ff00) + (b & 0xff00ff00)
  const inner = (a & 0x00ff00ff) + (b & 0x00ff00ff)
  return (outer & 0xff00ff00) | (inner & 0x00ff00ff)
}
