/**
 * Huffman tables of deflate (RFC 1951 sections 3.2.5 to 3.2.7). The next bits look up an entry of 32 bits:
 *
 *     bits 0–4    bits that the code takes, at this level
 *     bits 8–11   bits behind the code, which are added to the number; of a second level: bits that look it up
 *     bit 12      SECOND_LEVEL: the code goes on, in the part of the table that begins at entry number `bits 16–30`
 *     bit 13      END_OF_BLOCK
 *     bit 14      IMPOSSIBLE: no code
 *     bits 16–30  a length or distance, without what is added, or a literal
 *     bit 31      the number is a literal
 */

import { Failure, fail } from './failure'
import { InflateBits } from './inflate-bits'

export const LITERAL: u32 = 1 << 31
export const SECOND_LEVEL: u32 = 1 << 12
export const END_OF_BLOCK: u32 = 1 << 13
export const IMPOSSIBLE: u32 = 1 << 14

/** Bits that look up the first level. */
export const LENGTH_BITS: i32 = 11
export const DISTANCE_BITS: i32 = 8
const ORDER_BITS: i32 = 7

/** Entries of both levels at most, for 286 and 30 codes of up to 15 bits. The builder makes sure. */
const LENGTH_ENTRIES: i32 = 2400
const DISTANCE_ENTRIES: i32 = 512
export const LENGTH_TABLE_BYTES: usize = 4 * 2400
export const DISTANCE_TABLE_BYTES: usize = 4 * 512

const MOST_LENGTHS: i32 = 286
const MOST_DISTANCES: i32 = 30
const LONGEST_CODE: i32 = 15

enum Alphabet {
  Lengths = 0,
  Distances = 1,
  /** The codes in which the sizes of the other two are written. */
  Sizes = 2,
}

/** Sizes of codes, by symbol; the codes themselves, mirrored; how many there are of each size; the next of each size. */
const SIZES: usize = memory.data(288 + 32, 4)
const CODES: usize = memory.data((288 + 32) * 2, 4)
const COUNTS: usize = memory.data(16 * 4, 4)
const NEXT: usize = memory.data(16 * 4, 4)
const SIZE_TABLE: usize = memory.data(128 * 4, 4)

/** The order in which the sizes of the size codes stand. */
const ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15])

/** The codes that need no description. */
export function fillFixedTables(lengths: usize, distances: usize): void {
  memory.fill(SIZES, 8, 288)
  memory.fill(SIZES + 144, 9, 112)
  memory.fill(SIZES + 256, 7, 24)
  memory.fill(SIZES + 288, 5, 32)
  buildTable(SIZES, 288, lengths, LENGTH_BITS, LENGTH_ENTRIES, Alphabet.Lengths)
  buildTable(SIZES + 288, 32, distances, DISTANCE_BITS, DISTANCE_ENTRIES, Alphabet.Distances)
}

/** Reads the description of a block's codes. */
export function readTables(bits: InflateBits, lengths: usize, distances: usize): void {
  bits.refill()
  const lengthCount = i32(bits.take(5)) + 257
  const distanceCount = i32(bits.take(5)) + 1
  const orderCount = i32(bits.take(4)) + 4
  if (lengthCount > MOST_LENGTHS || distanceCount > MOST_DISTANCES) fail(Failure.Damaged)
  memory.fill(SIZES, 0, 19)
  for (let i = 0; i < orderCount; i++) {
    bits.refill()
    store<u8>(SIZES + load<u8>(ORDER + i), u8(bits.take(3)))
  }
  buildTable(SIZES, 19, SIZE_TABLE, ORDER_BITS, 1 << ORDER_BITS, Alphabet.Sizes)
  readSizes(bits, lengthCount + distanceCount)
  // Without it the block could not end.
  if (load<u8>(SIZES + 256) === 0) fail(Failure.Damaged)
  buildTable(SIZES, lengthCount, lengths, LENGTH_BITS, LENGTH_ENTRIES, Alphabet.Lengths)
  buildTable(
    SIZES + lengthCount,
    distanceCount,
    distances,
    DISTANCE_BITS,
    DISTANCE_ENTRIES,
    Alphabet.Distances,
  )
}

function readSizes(bits: InflateBits, total: i32): void {
  for (let i = 0; i < total; ) {
    bits.refill()
    const entry = load<u32>(SIZE_TABLE + ((u32(bits.window) & ((1 << ORDER_BITS) - 1)) << 2))
    if ((entry & IMPOSSIBLE) !== 0) fail(Failure.Damaged)
    bits.take(entry & 31)
    const symbol = i32(entry >> 16)
    if (symbol < 16) {
      store<u8>(SIZES + i++, u8(symbol))
      continue
    }
    if (symbol === 16 && i === 0) fail(Failure.Damaged)
    const size = symbol === 16 ? load<u8>(SIZES + i - 1) : u8(0)
    const times = symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7)
    if (i + i32(times) > total) fail(Failure.Damaged)
    memory.fill(SIZES + i, size, times)
    i += i32(times)
  }
}

/** Fills a table for `total` symbols whose sizes are at `sizes`; `capacity` is its room in entries. */
function buildTable(
  sizes: usize,
  total: i32,
  table: usize,
  bits: i32,
  capacity: i32,
  alphabet: Alphabet,
): void {
  const isComplete = assignCodes(sizes, total, alphabet)
  const first = 1 << bits
  memory.fill(table, 0, usize(first) << 2)
  // Where a code is longer than the first level, its entry there holds for now how many bits it needs behind.
  for (let symbol = 0; symbol < total; symbol++) {
    const more = i32(load<u8>(sizes + symbol)) - bits
    if (more <= 0) continue
    const place = table + ((i32(load<u16>(CODES + symbol * 2)) & (first - 1)) << 2)
    if (u32(more) > load<u32>(place)) store<u32>(place, more)
  }
  let used = first
  for (let symbol = 0; symbol < total; symbol++) {
    const size = i32(load<u8>(sizes + symbol))
    if (size === 0) continue
    const code = i32(load<u16>(CODES + symbol * 2))
    const entry = entryOf(symbol, alphabet)
    if (size <= bits) {
      for (let i = code; i < first; i += 1 << size) store<u32>(table + (i << 2), entry | size)
      continue
    }
    const place = table + ((code & (first - 1)) << 2)
    let parent = load<u32>(place)
    if ((parent & SECOND_LEVEL) === 0) {
      const more = parent
      if (used + (1 << more) > capacity) fail(Failure.Damaged)
      parent = SECOND_LEVEL | (u32(used) << 16) | (more << 8) | bits
      store<u32>(place, parent)
      used += 1 << more
    }
    const second = table + ((parent >> 16) << 2)
    const length = 1 << ((parent >> 8) & 15)
    for (let i = code >> bits; i < length; i += 1 << (size - bits)) {
      store<u32>(second + (i << 2), entry | (size - bits))
    }
  }
  if (isComplete) return
  for (let i = 0; i < first; i++) {
    if (load<u32>(table + (i << 2)) === 0) store<u32>(table + (i << 2), IMPOSSIBLE | 1)
  }
}

/** Finds the code of each symbol. Refuses sizes that leave codes over, unless there is one code of one bit, or none. */
function assignCodes(sizes: usize, total: i32, alphabet: Alphabet): bool {
  memory.fill(COUNTS, 0, 16 * 4)
  for (let i = 0; i < total; i++) {
    const place = COUNTS + (usize(load<u8>(sizes + i)) << 2)
    store<i32>(place, load<i32>(place) + 1)
  }
  store<i32>(COUNTS, 0)
  let left = 1
  let longest = 0
  let code = 0
  for (let size = 1; size <= LONGEST_CODE; size++) {
    const count = load<i32>(COUNTS + size * 4)
    code = (code + load<i32>(COUNTS + (size - 1) * 4)) << 1
    store<i32>(NEXT + size * 4, code)
    left = left * 2 - count
    if (left < 0) fail(Failure.Damaged)
    if (count > 0) longest = size
  }
  if (left > 0 && (longest > 1 || alphabet === Alphabet.Sizes)) fail(Failure.Damaged)
  for (let i = 0; i < total; i++) {
    const size = i32(load<u8>(sizes + i))
    if (size === 0) continue
    const next = load<i32>(NEXT + size * 4)
    store<i32>(NEXT + size * 4, next + 1)
    store<u16>(CODES + i * 2, u16(mirrored(next, size)))
  }
  return left === 0
}

/** What a symbol means; without the bits of its code. */
function entryOf(symbol: i32, alphabet: Alphabet): u32 {
  if (alphabet === Alphabet.Sizes) return u32(symbol) << 16
  if (alphabet === Alphabet.Distances) {
    if (symbol >= MOST_DISTANCES) return IMPOSSIBLE
    const extra = max(0, (symbol >> 1) - 1)
    const base = symbol < 4 ? symbol + 1 : ((2 + (symbol & 1)) << extra) + 1
    return (u32(base) << 16) | (u32(extra) << 8)
  }
  if (symbol < 256) return LITERAL | (u32(symbol) << 16)
  if (symbol === 256) return END_OF_BLOCK
  if (symbol >= MOST_LENGTHS) return IMPOSSIBLE
  const step = symbol - 257
  if (step === 28) return 258 << 16
  const extra = max(0, (step >> 2) - 1)
  const base = step < 8 ? step + 3 : ((4 + (step & 3)) << extra) + 3
  return (u32(base) << 16) | (u32(extra) << 8)
}

/** A code of `size` bits, last bit first. */
function mirrored(code: i32, size: i32): i32 {
  let bits = ((code & 0x5555) << 1) | ((code >> 1) & 0x5555)
  bits = ((bits & 0x3333) << 2) | ((bits >> 2) & 0x3333)
  bits = ((bits & 0x0f0f) << 4) | ((bits >> 4) & 0x0f0f)
  bits = ((bits & 0x00ff) << 8) | ((bits >> 8) & 0x00ff)
  return bits >> (16 - size)
}
