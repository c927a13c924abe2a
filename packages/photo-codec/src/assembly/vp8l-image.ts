/**
 * The entropy-coded images of lossless WebPs (RFC 9649 sections 3.6 and 3.7): rows of ARGB pixels, one at a time. A
 * match refers back by less than 2²⁰ pixels, so no more than twice as many are kept, however large the picture is.
 */

import { allocate, create, VECTOR_SLACK } from './arena'
import { Failure, fail } from './failure'
import { InflateBits } from './inflate-bits'
import {
  ALPHA,
  BLUE,
  DISTANCE,
  GREEN,
  GROUP_BYTES,
  LENGTHS,
  LITERALS,
  RED,
  readGroup,
  readSymbol,
} from './vp8l-codes'

const HISTORY: usize = 1 << 20
const MAX_GROUPS: i32 = 1 << 16
const HASH: u32 = 0x1e35a7bd
const MAX_CACHE_BITS: i32 = 11

/** Distances to pixels near by, the most likely first: rows above, and 8 less columns to the left, four bits each. */
// biome-ignore format: a table
const NEAR: usize = memory.data<u8>([
  0x18, 0x07, 0x17, 0x19, 0x28, 0x06, 0x27, 0x29, 0x16, 0x1a, 0x26, 0x2a, 0x38, 0x05, 0x37,
  0x39, 0x15, 0x1b, 0x36, 0x3a, 0x25, 0x2b, 0x48, 0x04, 0x47, 0x49, 0x14, 0x1c, 0x35, 0x3b,
  0x46, 0x4a, 0x24, 0x2c, 0x58, 0x45, 0x4b, 0x34, 0x3c, 0x03, 0x57, 0x59, 0x13, 0x1d, 0x56,
  0x5a, 0x23, 0x2d, 0x44, 0x4c, 0x55, 0x5b, 0x33, 0x3d, 0x68, 0x02, 0x67, 0x69, 0x12, 0x1e,
  0x66, 0x6a, 0x22, 0x2e, 0x54, 0x5c, 0x43, 0x4d, 0x65, 0x6b, 0x32, 0x3e, 0x78, 0x01, 0x77,
  0x79, 0x53, 0x5d, 0x11, 0x1f, 0x64, 0x6c, 0x42, 0x4e, 0x76, 0x7a, 0x21, 0x2f, 0x75, 0x7b,
  0x31, 0x3f, 0x63, 0x6d, 0x52, 0x5e, 0x00, 0x74, 0x7c, 0x41, 0x4f, 0x10, 0x20, 0x62, 0x6e,
  0x30, 0x73, 0x7d, 0x51, 0x5f, 0x40, 0x72, 0x7e, 0x61, 0x6f, 0x50, 0x71, 0x7f, 0x60, 0x70,
])
const NEAR_COUNT: i32 = 120

/** The size in tiles of 2^bits pixels. */
export function tilesOf(length: i32, bits: i32): i32 {
  return (length + (1 << bits) - 1) >> bits
}

@unmanaged
export class CodedImage {
  private bits: InflateBits
  private width: i32
  private height: i32
  private cacheBits: i32
  private cache: usize
  /** Groups of codes, one after another, and for each tile the number of its group; 0 where there is one group. */
  private groups: usize
  private tiles: usize
  private tileBits: i32
  private tilesAcross: i32
  private y: i32
  /** Pixels that are there, the next one, and where the room for them ends. */
  private pixels: usize
  private out: usize
  private limit: usize
  /** What is left of the current match. */
  private pending: i32
  private distance: usize

  /** Starts reading an image. `isMain`: it is the picture itself, which may have several groups of codes. */
  static open(bits: InflateBits, width: i32, height: i32, isMain: bool): CodedImage {
    const image = create<CodedImage>()
    image.bits = bits
    image.width = width
    image.height = height
    bits.refill()
    if (bits.take(1) !== 0) {
      image.cacheBits = i32(bits.take(4))
      if (image.cacheBits < 1 || image.cacheBits > MAX_CACHE_BITS) fail(Failure.Damaged)
      image.cache = allocate(usize(4) << image.cacheBits)
    }
    const groups = isMain && bits.take(1) !== 0 ? image.readTiles() : 1
    image.groups = allocate(usize(groups) * GROUP_BYTES)
    for (let i = 0; i < groups; i++) readGroup(bits, image.groups + usize(i) * GROUP_BYTES, image.cacheBits)
    const kept = min(usize(width) * height, 2 * HISTORY + usize(width))
    image.pixels = allocate(kept * 4 + VECTOR_SLACK)
    image.out = image.pixels
    image.limit = image.pixels + kept * 4
    return image
  }

  /** All pixels of an image that is kept whole: that of a transform, a sixteenth of the picture at most, or a palette. */
  static readWhole(bits: InflateBits, width: i32, height: i32): usize {
    const image = CodedImage.open(bits, width, height, false)
    const whole = allocate(usize(width) * height * 4 + VECTOR_SLACK)
    for (let y = 0; y < height; y++) {
      memory.copy(whole + usize(y) * width * 4, image.nextRow(), usize(width) * 4)
    }
    return whole
  }

  /** Reads which group of codes each tile has. Returns how many groups there are. */
  private readTiles(): i32 {
    this.tileBits = 2 + i32(this.bits.take(3))
    this.tilesAcross = tilesOf(this.width, this.tileBits)
    const down = tilesOf(this.height, this.tileBits)
    const image = CodedImage.open(this.bits, this.tilesAcross, down, false)
    this.tiles = allocate(usize(this.tilesAcross) * down * 2)
    let most = 0
    for (let y = 0; y < down; y++) {
      const row = image.nextRow()
      for (let x = 0; x < this.tilesAcross; x++) {
        const group = (load<i32>(row + x * 4) >> 8) & (MAX_GROUPS - 1)
        store<u16>(this.tiles + (usize(y) * this.tilesAcross + x) * 2, u16(group))
        most = max(most, group)
      }
    }
    this.bits.refill()
    return most + 1
  }

  /** Decodes the next row. Returns the address of its pixels, which is valid until the next call. */
  nextRow(): usize {
    if (this.y >= this.height) unreachable()
    this.makeRoom()
    const start = this.out
    const end = start + usize(this.width) * 4
    let group = this.groups
    for (let at = start; at < end; ) {
      if (this.pending > 0) {
        at = this.copyMatch(at, end)
        continue
      }
      const x = i32((at - start) >> 2)
      let stop = end
      if (this.tiles !== 0) {
        const tile = usize(this.y >> this.tileBits) * this.tilesAcross + (x >> this.tileBits)
        group = this.groups + usize(load<u16>(this.tiles + tile * 2)) * GROUP_BYTES
        stop = min(end, start + (usize((x >> this.tileBits) + 1) << this.tileBits) * 4)
      }
      at = this.readPixels(group, at, stop)
    }
    this.out = end
    this.y += 1
    return start
  }

  /** Moves the history to the front where there is no room for a row. */
  private makeRoom(): void {
    if (this.out + usize(this.width) * 4 <= this.limit) return
    const history = min(HISTORY * 4, this.out - this.pixels)
    memory.copy(this.pixels, this.out - history, history)
    this.out = this.pixels + history
  }

  /** Reads pixels up to `stop` or to the next match. Returns where they end. */
  private readPixels(group: usize, from: usize, stop: usize): usize {
    const bits = this.bits
    let at = from
    while (at < stop) {
      bits.refill()
      const green = readSymbol(bits, group + GREEN)
      if (green < LITERALS) {
        const red = readSymbol(bits, group + RED)
        bits.refill()
        const blue = readSymbol(bits, group + BLUE)
        const alpha = readSymbol(bits, group + ALPHA)
        this.keep(at, u32(blue | (green << 8) | (red << 16) | (alpha << 24)))
        at += 4
      } else if (green < LITERALS + LENGTHS) {
        const length = this.readNumber(green - LITERALS)
        bits.refill()
        this.startMatch(length, this.readNumber(readSymbol(bits, group + DISTANCE)), at)
        return at
      } else {
        const index = green - LITERALS - LENGTHS
        if (this.cache === 0 || index >= 1 << this.cacheBits) fail(Failure.Damaged)
        this.keep(at, load<u32>(this.cache + index * 4))
        at += 4
      }
    }
    return at
  }

  private keep(at: usize, pixel: u32): void {
    store<u32>(at, pixel)
    if (this.cache !== 0) store<u32>(this.cache + (((pixel * HASH) >> (32 - this.cacheBits)) << 2), pixel)
  }

  /** A length or a distance code (section 3.6.2.2). */
  private readNumber(symbol: i32): i32 {
    if (symbol < 4) return symbol + 1
    const extra = (symbol - 2) >> 1
    return ((2 + (symbol & 1)) << extra) + i32(this.bits.take(extra)) + 1
  }

  private startMatch(length: i32, code: i32, at: usize): void {
    let distance = code - NEAR_COUNT
    if (code <= NEAR_COUNT) {
      const near = i32(load<u8>(NEAR + code - 1))
      distance = max(1, (near >> 4) * this.width + 8 - (near & 15))
    }
    if (usize(distance) * 4 > at - this.pixels) fail(Failure.Damaged)
    this.pending = length
    this.distance = usize(distance) * 4
  }

  /** Repeats pixels up to the end of the row or of the match. Returns where they end. */
  private copyMatch(from: usize, end: usize): usize {
    const stop = min(end, from + usize(this.pending) * 4)
    this.pending -= i32((stop - from) >> 2)
    if (this.pending > 0 && this.y === this.height - 1) fail(Failure.Damaged)
    const distance = this.distance
    if (this.cache === 0) {
      for (let at = from; at < stop; at += 4) store<u32>(at, load<u32>(at - distance))
    } else for (let at = from; at < stop; at += 4) this.keep(at, load<u32>(at - distance))
    return stop
  }
}
