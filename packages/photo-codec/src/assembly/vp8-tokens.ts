/** Reads the coefficients of VP8 blocks (RFC 6386 section 13). */

import { BoolReader } from './vp8-bits'
import { BANDS, CONTEXTS, NODES } from './vp8-tables'

/** Kinds of blocks that have probabilities of their own: luma whose DC is in Y2, Y2, chroma, luma with its DC. */
export const WITHOUT_DC: i32 = 0
export const Y2: i32 = 1
export const CHROMA: i32 = 2
export const WITH_DC: i32 = 3

const BAND_BYTES: i32 = CONTEXTS * NODES
const KIND_BYTES: i32 = BANDS * BAND_BYTES

/** The place of each coefficient in zigzag order, as a byte offset; and where the probabilities of its band begin. */
const PLACES: usize = memory.data<u8>([0, 2, 8, 16, 10, 4, 6, 12, 18, 24, 26, 20, 14, 22, 28, 30])
// biome-ignore format: a table
const BAND_OFFSETS: usize = memory.data<u16>([
  0, 33, 66, 99, 198, 132, 165, 198, 198, 198, 198, 198, 198, 198, 198, 231, 0,
])

/** Probabilities of the bits of large numbers, in four categories; zeros end them. */
const CATEGORY_BYTES: usize = 12
// biome-ignore format: a table
const CATEGORIES: usize = memory.data<u8>([
  173, 148, 140, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  176, 155, 140, 135, 0, 0, 0, 0, 0, 0, 0, 0,
  180, 157, 141, 134, 130, 0, 0, 0, 0, 0, 0, 0,
  254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129, 0,
])

/**
 * Reads a block's coefficients from number `first` on and writes those that are not zero, times their factor, to
 * `target`. Returns one more than the number of the last one; `first` when there is none. The state of the reader is
 * kept in local variables, which is what makes this fast.
 */
export function readBlock(
  reader: BoolReader,
  probabilities: usize,
  kind: i32,
  context: i32,
  first: i32,
  dcFactor: i32,
  acFactor: i32,
  target: usize,
): i32 {
  const bands = probabilities + kind * KIND_BYTES
  const fast = reader.end - 8
  let value = reader.value
  let bits = reader.bits
  let range = reader.range
  let n = first
  let nodes = bands + bandOffset(n) + context * NODES
  while (n < 16) {
    // Four bits and more take up to 28.
    if (bits < 32) {
      if (reader.at <= fast) {
        value |= bswap(load<u64>(reader.at)) >> bits
        reader.at += (63 - bits) >> 3
        bits |= 56
      } else {
        reader.value = value
        reader.bits = bits
        reader.refill()
        value = reader.value
        bits = reader.bits
      }
    }
    // Is there anything more?
    let split = 1 + (((range - 1) * u32(load<u8>(nodes))) >> 8)
    let limit = u64(split) << 56
    if (value < limit) {
      const shift = clz(split) - 24
      range = split << shift
      value <<= shift
      bits -= shift
      break
    }
    value -= limit
    range -= split
    let shift = clz(range) - 24
    range <<= shift
    value <<= shift
    bits -= shift
    // Is it zero?
    split = 1 + (((range - 1) * u32(load<u8>(nodes, 1))) >> 8)
    limit = u64(split) << 56
    while (value < limit) {
      shift = clz(split) - 24
      range = split << shift
      value <<= shift
      bits -= shift
      n += 1
      if (n === 16) break
      nodes = bands + bandOffset(n)
      if (bits < 32) {
        reader.value = value
        reader.bits = bits
        reader.refill()
        value = reader.value
        bits = reader.bits
      }
      split = 1 + (((range - 1) * u32(load<u8>(nodes, 1))) >> 8)
      limit = u64(split) << 56
    }
    if (n === 16) break
    value -= limit
    range -= split
    shift = clz(range) - 24
    range <<= shift
    value <<= shift
    bits -= shift
    // Is it one?
    split = 1 + (((range - 1) * u32(load<u8>(nodes, 2))) >> 8)
    limit = u64(split) << 56
    let magnitude = 1
    let next = NODES
    if (value < limit) {
      shift = clz(split) - 24
      range = split << shift
      value <<= shift
      bits -= shift
    } else {
      reader.value = value - limit
      range -= split
      shift = clz(range) - 24
      reader.range = range << shift
      reader.value <<= shift
      reader.bits = bits - shift
      magnitude = readLarge(reader, nodes)
      // The sign comes yet.
      if (reader.bits < 16) reader.refill()
      value = reader.value
      bits = reader.bits
      range = reader.range
      next = 2 * NODES
    }
    split = (range + 1) >> 1
    limit = u64(split) << 56
    const isNegative = value >= limit
    value -= isNegative ? limit : 0
    range = isNegative ? range - split : split
    shift = clz(range) - 24
    range <<= shift
    value <<= shift
    bits -= shift
    const factor = n === 0 ? dcFactor : acFactor
    store<i16>(target + load<u8>(PLACES + n), i16((isNegative ? -magnitude : magnitude) * factor))
    n += 1
    nodes = bands + bandOffset(n) + next
  }
  reader.value = value
  reader.bits = bits
  reader.range = range
  return n
}

function bandOffset(n: i32): usize {
  return load<u16>(BAND_OFFSETS + n * 2)
}

/** A number of 2 or more. */
function readLarge(reader: BoolReader, nodes: usize): i32 {
  if (reader.bit(load<u8>(nodes, 3)) === 0) {
    if (reader.bit(load<u8>(nodes, 4)) === 0) return 2
    return 3 + reader.bit(load<u8>(nodes, 5))
  }
  if (reader.bit(load<u8>(nodes, 6)) === 0) {
    if (reader.bit(load<u8>(nodes, 7)) === 0) return 5 + reader.bit(159)
    const upper = reader.bit(165)
    return 7 + 2 * upper + reader.bit(145)
  }
  const upper = reader.bit(load<u8>(nodes, 8))
  const category = 2 * upper + reader.bit(load<u8>(nodes + 9 + upper))
  let rest = 0
  for (let at = CATEGORIES + usize(category) * CATEGORY_BYTES; load<u8>(at) !== 0; at++) {
    rest = 2 * rest + reader.bit(load<u8>(at))
  }
  return rest + 3 + (8 << category)
}
