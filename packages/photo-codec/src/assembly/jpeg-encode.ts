/**
 * Encodes a baseline JPEG at 4:2:0, a row of MCUs at a time: each MCU is four blocks of luma and one each of the chroma
 * components. What is left of them are tokens; `jpeg-write.ts` makes a file of those.
 */

import { allocate, create } from './arena'
import { forwardDct, QUANTISED } from './forward-dct'
import { FREQUENCY_BYTES } from './huffman-code'
import { CHROMA_TABLE, LUMA_TABLE, reciprocals } from './quantisers'
import { TOKEN_BYTES, Tokens } from './tokens'
import { zigzagColumn, zigzagRow } from './zigzag'

/** Samples of an MCU in each direction, and of its chroma blocks. */
export const MCU_SIZE: i32 = 16
export const BLOCK_SIZE: i32 = 8
const BLOCKS_PER_MCU: usize = 6

/** A zero run of 16, and the end of a block. */
const ZERO_RUN: i32 = 0xf0
const END_OF_BLOCK: i32 = 0

/** By zigzag number: where `forwardDct` leaves the coefficient, as a byte offset. */
const PLACES: usize = memory.data(64, 16)
let arePlacesFilled: bool = false
/** The coefficients of a block in zigzag order, 16 bits each. */
const SORTED: usize = memory.data(128, 16)

/** Counts of symbols for four tables, and what they were before a row. */
const COUNTS_BYTES: usize = 4 * FREQUENCY_BYTES
const BEFORE_BYTES: usize = 3 * 4
const COUNTS_BEFORE: usize = memory.data(4 * 257 * 4, 16)

/** 16 rows of luma and 8 of each chroma component, padded to whole MCUs. */
@unmanaged
export class McuRow {
  luma: usize
  blue: usize
  red: usize
  lumaStride: i32
  chromaStride: i32
}

/** One JPEG in the making. */
@unmanaged
export class Encoder {
  width: i32
  height: i32
  /** 50 to 100. */
  quality: i32
  tokens: Tokens
  private lumaFactors: usize
  private chromaFactors: usize
  /** Counts of symbols: luma DC, luma AC, chroma DC, chroma AC. */
  private frequencies: usize
  /** DC coefficients of the blocks before: luma, blue and red, 32 bits each. */
  private before: usize

  static create(width: i32, height: i32, quality: i32): Encoder {
    const encoder = create<Encoder>()
    encoder.width = width
    encoder.height = height
    encoder.quality = quality
    encoder.tokens = Tokens.create()
    encoder.lumaFactors = reciprocals(LUMA_TABLE, quality)
    encoder.chromaFactors = reciprocals(CHROMA_TABLE, quality)
    encoder.frequencies = allocate(COUNTS_BYTES)
    encoder.before = allocate(BEFORE_BYTES)
    fillPlaces()
    return encoder
  }

  /** The counts of a table's DC or AC symbols. */
  frequenciesOf(table: i32, isAc: bool): usize {
    return this.frequencies + usize(table * 2 + i32(isAc)) * FREQUENCY_BYTES
  }

  /** Takes the next row of MCUs. */
  push(row: McuRow): void {
    const below = row.luma + BLOCK_SIZE * row.lumaStride
    for (let x = 0; x < this.width; x += MCU_SIZE) {
      let at = this.tokens.reserve(BLOCKS_PER_MCU * 64)
      at = this.pushBlock(0, row.luma + x, row.lumaStride, at)
      at = this.pushBlock(0, row.luma + x + BLOCK_SIZE, row.lumaStride, at)
      at = this.pushBlock(0, below + x, row.lumaStride, at)
      at = this.pushBlock(0, below + x + BLOCK_SIZE, row.lumaStride, at)
      at = this.pushBlock(1, row.blue + (x >> 1), row.chromaStride, at)
      at = this.pushBlock(2, row.red + (x >> 1), row.chromaStride, at)
      this.tokens.commit(at)
    }
  }

  /** Whether the same rows would become the same tokens in both. */
  continuesLike(other: Encoder): bool {
    return memory.compare(this.before, other.before, BEFORE_BYTES) === 0
  }

  /** Takes rows like `push`, for `other` as well, which must continue like this one: they are encoded only once. */
  pushForBoth(other: Encoder, row: McuRow): void {
    const chunk = this.tokens.last
    const from = chunk.end
    memory.copy(COUNTS_BEFORE, this.frequencies, COUNTS_BYTES)
    this.push(row)
    other.tokens.share(chunk, from)
    for (let i: usize = 0; i < COUNTS_BYTES; i += 4) {
      const added = load<u32>(this.frequencies + i) - load<u32>(COUNTS_BEFORE + i)
      store<u32>(other.frequencies + i, load<u32>(other.frequencies + i) + added)
    }
    memory.copy(other.before, this.before, BEFORE_BYTES)
  }

  /** Transforms a block, writes and counts its tokens (ITU-T T.81 annex F.1.2). Returns where they end. */
  private pushBlock(component: usize, samples: usize, stride: i32, at: usize): usize {
    const table = component === 0 ? LUMA_TABLE : CHROMA_TABLE
    forwardDct(samples, stride, component === 0 ? this.lumaFactors : this.chromaFactors)
    const before = this.before + component * 4
    const dc = i32(load<i16>(QUANTISED))
    at = put(at, dc - load<i32>(before), 0, this.frequenciesOf(table, false))
    store<i32>(before, dc)
    const frequencies = this.frequenciesOf(table, true)
    let filled = sortBlock() & ~1
    let k = 1
    while (filled !== 0) {
      const next = i32(ctz(filled))
      filled &= filled - 1
      let zeros = next - k
      for (; zeros > 15; zeros -= 16) at = putSymbol(at, ZERO_RUN, frequencies)
      at = put(at, i32(load<i16>(SORTED + next * 2)), zeros, frequencies)
      k = next + 1
    }
    return k < 64 ? putSymbol(at, END_OF_BLOCK, frequencies) : at
  }
}

/** A value after a run of zeros: the bits of a negative one are those of the value less one. */
function put(at: usize, value: i32, zeros: i32, frequencies: usize): usize {
  const size = 32 - i32(clz(abs(value)))
  const bits = (value + (value >> 31)) & ((1 << size) - 1)
  const symbol = (zeros << 4) | size
  count(symbol, frequencies)
  store<u32>(at, u32((bits << 8) | symbol))
  return at + TOKEN_BYTES
}

function putSymbol(at: usize, symbol: i32, frequencies: usize): usize {
  count(symbol, frequencies)
  store<u32>(at, u32(symbol))
  return at + TOKEN_BYTES
}

function count(symbol: i32, frequencies: usize): void {
  const place = frequencies + symbol * 4
  store<u32>(place, load<u32>(place) + 1)
}

/** Brings the block into zigzag order. Returns a bit for each coefficient that is not zero. */
function sortBlock(): u64 {
  const zero = i16x8.splat(0)
  let filled: u64 = 0
  for (let k: usize = 0; k < 64; k += 8) {
    let group = i16x8.splat(coefficientAt(k))
    group = i16x8.replace_lane(group, 1, coefficientAt(k + 1))
    group = i16x8.replace_lane(group, 2, coefficientAt(k + 2))
    group = i16x8.replace_lane(group, 3, coefficientAt(k + 3))
    group = i16x8.replace_lane(group, 4, coefficientAt(k + 4))
    group = i16x8.replace_lane(group, 5, coefficientAt(k + 5))
    group = i16x8.replace_lane(group, 6, coefficientAt(k + 6))
    group = i16x8.replace_lane(group, 7, coefficientAt(k + 7))
    v128.store(SORTED + k * 2, group)
    filled |= u64(i16x8.bitmask(i16x8.ne(group, zero))) << k
  }
  return filled
}

function coefficientAt(k: usize): i16 {
  return load<i16>(QUANTISED + load<u8>(PLACES + k))
}

function fillPlaces(): void {
  if (arePlacesFilled) return
  for (let k = 0; k < 64; k++) store<u8>(PLACES + k, u8((zigzagColumn(k) * 8 + zigzagRow(k)) * 2))
  arePlacesFilled = true
}
