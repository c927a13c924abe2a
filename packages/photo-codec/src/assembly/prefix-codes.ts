/**
 * Tables for prefix codes that are read lowest bit first, as deflate (RFC 1951 section 3.2.2) and WebP (RFC 9649 section
 * 3.7.2) have them. The next bits look up the entry of a symbol: 32 bits, of which bits 0–4 hold the length of its code.
 * Where a code is longer than the first level, the entry there is:
 *
 *     bits 0–4    bits of the first level
 *     bits 8–11   bits that look up the second level
 *     bit 12      SECOND_LEVEL
 *     bits 16–30  the entry at which that part of the table begins
 */

import { Failure, fail } from './failure'
import { InflateBits } from './inflate-bits'

export const SECOND_LEVEL: u32 = 1 << 12
/** Bits of the longest code. */
export const MAX_CODE_LENGTH: i32 = 15

/** Maximum symbols of a code: those of WebP's green, lengths and colour cache. */
export const MAX_SYMBOLS: i32 = 256 + 24 + 2048

/** The codes, mirrored; how many there are of each size; the next of each size. */
const CODES: usize = memory.data((256 + 24 + 2048) * 2, 4)
const COUNTS: usize = memory.data(16 * 4, 4)
const NEXT: usize = memory.data(16 * 4, 4)

/** The size of the longest code that was assigned, and how many symbols have one. */
export let longestCode: i32 = 0
export let usedSymbols: i32 = 0

/**
 * Finds the code of each of `total` symbols, whose sizes are bytes of at most MAX_CODE_LENGTH. Fails if the sizes need more
 * codes than exist. Returns whether every code is used.
 */
export function assignCodes(sizes: usize, total: i32): bool {
  memory.fill(COUNTS, 0, 16 * 4)
  for (let i = 0; i < total; i++) {
    const place = COUNTS + (usize(load<u8>(sizes + i)) << 2)
    store<i32>(place, load<i32>(place) + 1)
  }
  usedSymbols = total - load<i32>(COUNTS)
  store<i32>(COUNTS, 0)
  let left = 1
  let code = 0
  longestCode = 0
  for (let size = 1; size <= MAX_CODE_LENGTH; size++) {
    const count = load<i32>(COUNTS + size * 4)
    code = (code + load<i32>(COUNTS + (size - 1) * 4)) << 1
    store<i32>(NEXT + size * 4, code)
    left = left * 2 - count
    if (left < 0) fail(Failure.Damaged)
    if (count > 0) longestCode = size
  }
  for (let i = 0; i < total; i++) {
    const size = i32(load<u8>(sizes + i))
    if (size === 0) continue
    const next = load<i32>(NEXT + size * 4)
    store<i32>(NEXT + size * 4, next + 1)
    store<u16>(CODES + i * 2, u16(mirrored(next, size)))
  }
  return left === 0
}

/**
 * Fills a table for the codes that were assigned last. `bits` look up its first level, `capacity` is its room in
 * entries; `entries` has one for each symbol. Entries without a code are 0. Returns how many entries there are.
 */
export function fillTable(
  sizes: usize,
  total: i32,
  table: usize,
  bits: i32,
  capacity: i32,
  entries: usize,
): i32 {
  const first = 1 << bits
  memory.fill(table, 0, usize(first) << 2)
  // Where codes are longer than the first level, their entry there first holds how many further bits they need at most.
  for (let symbol = 0; longestCode > bits && symbol < total; symbol++) {
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
    const entry = load<u32>(entries + symbol * 4)
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
  return used
}

/** The index of the second-level entry that the next bits of the window select. */
export function secondLevelIndex(parent: u32, window: u64): u32 {
  return (parent >> 16) + (u32(window) & ((1 << ((parent >> 8) & 15)) - 1))
}

/** How many sizes a symbol of 16 or more stands for: the one before again, or zeros. Both formats have the same ones. */
export function takeRepetition(bits: InflateBits, symbol: i32): i32 {
  if (symbol === 16) return 3 + i32(bits.take(2))
  return symbol === 17 ? 3 + i32(bits.take(3)) : 11 + i32(bits.take(7))
}

/** A code of `size` bits, last bit first. */
function mirrored(code: i32, size: i32): i32 {
  let bits = ((code & 0x5555) << 1) | ((code >> 1) & 0x5555)
  bits = ((bits & 0x3333) << 2) | ((bits >> 2) & 0x3333)
  bits = ((bits & 0x0f0f) << 4) | ((bits >> 4) & 0x0f0f)
  bits = ((bits & 0x00ff) << 8) | ((bits >> 8) & 0x00ff)
  return bits >> (16 - size)
}
