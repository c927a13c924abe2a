/** Unpacks the codes of a deflate block (RFC 1951 section 3.2.3). */

import { Failure, fail } from './failure'
import { InflateBits } from './inflate-bits'
import { DISTANCE_BITS, END_OF_BLOCK, IMPOSSIBLE, LENGTH_BITS } from './inflate-tables'
import { SECOND_LEVEL, secondLevelIndex } from './prefix-codes'

/** Most bytes written past the limit: three literals and a match of 258 bytes, copied in steps of 16. */
export const OVERSHOOT: usize = 3 + 258 + 16

/** Maximum bits of the code of a distance and its extra bits. */
const MAX_DISTANCE_BITS: i32 = 15 + 13

const LENGTH_MASK: u32 = (1 << LENGTH_BITS) - 1
const DISTANCE_MASK: u32 = (1 << DISTANCE_BITS) - 1

/** Whether the last call of `unpackCodes` reached the end of the block. */
export let hasBlockEnded: bool = false

/**
 * Unpacks literals and matches from `start` on, until the block ends or `limit` is reached. Up to OVERSHOOT bytes past
 * `limit` may be written. `buffer`: the first byte that a match may refer to. Returns where the output ends. The state of
 * the reader is kept in local variables for speed.
 */
export function unpackCodes(
  bits: InflateBits,
  lengths: usize,
  distances: usize,
  buffer: usize,
  start: usize,
  limit: usize,
): usize {
  hasBlockEnded = false
  // A shift uses only the lowest six bits of its operand. Bits 4 to 7 of an entry are zero, so the entry itself shifts by
  // the length of its code. Where eight bytes are left, they are loaded at once and fill the window to 56 bits or more.
  const fast = bits.end - 8
  let window = bits.window
  let count = bits.count
  let at = bits.at
  let out = start
  while (out < limit) {
    if (at <= fast) {
      window |= load<u64>(at) << count
      at += (63 - count) >> 3
      count |= 56
    } else {
      bits.window = window
      bits.count = count
      bits.at = at
      bits.refill()
      window = bits.window
      count = bits.count
      at = bits.at
    }
    let entry = load<u32>(lengths + ((u32(window) & LENGTH_MASK) << 2))
    // Three literals of the first level take at most 33 bits, and the length after them at most 20 more.
    if (i32(entry) < 0) {
      store<u8>(out++, u8(entry >> 16))
      window >>= u64(entry)
      count -= entry & 31
      entry = load<u32>(lengths + ((u32(window) & LENGTH_MASK) << 2))
      if (i32(entry) < 0) {
        store<u8>(out++, u8(entry >> 16))
        window >>= u64(entry)
        count -= entry & 31
        entry = load<u32>(lengths + ((u32(window) & LENGTH_MASK) << 2))
        if (i32(entry) < 0) {
          store<u8>(out++, u8(entry >> 16))
          window >>= u64(entry)
          count -= entry & 31
          entry = load<u32>(lengths + ((u32(window) & LENGTH_MASK) << 2))
        }
      }
    }
    if ((entry & SECOND_LEVEL) !== 0) {
      window >>= LENGTH_BITS
      count -= LENGTH_BITS
      entry = load<u32>(lengths + (secondLevelIndex(entry, window) << 2))
    }
    window >>= u64(entry)
    count -= entry & 31
    if (i32(entry) < 0) {
      store<u8>(out++, u8(entry >> 16))
      continue
    }
    if ((entry & (END_OF_BLOCK | IMPOSSIBLE)) !== 0) {
      if ((entry & IMPOSSIBLE) !== 0) fail(Failure.Damaged)
      hasBlockEnded = true
      break
    }
    let extra = (entry >> 8) & 15
    const length = (entry >> 16) + (u32(window) & ((1 << extra) - 1))
    window >>= extra
    count -= extra
    if (count < MAX_DISTANCE_BITS) {
      if (at <= fast) {
        window |= load<u64>(at) << count
        at += (63 - count) >> 3
        count |= 56
      } else {
        bits.window = window
        bits.count = count
        bits.at = at
        bits.refill()
        window = bits.window
        count = bits.count
        at = bits.at
      }
    }
    entry = load<u32>(distances + ((u32(window) & DISTANCE_MASK) << 2))
    if ((entry & SECOND_LEVEL) !== 0) {
      window >>= DISTANCE_BITS
      count -= DISTANCE_BITS
      entry = load<u32>(distances + (secondLevelIndex(entry, window) << 2))
    }
    if ((entry & IMPOSSIBLE) !== 0) fail(Failure.Damaged)
    window >>= u64(entry)
    count -= entry & 31
    extra = (entry >> 8) & 15
    const distance = usize((entry >> 16) + (u32(window) & ((1 << extra) - 1)))
    window >>= extra
    count -= extra
    if (distance > out - buffer) fail(Failure.Damaged)
    const stop = out + length
    let source = out - distance
    if (distance >= 16) {
      for (; out < stop; source += 16, out += 16) v128.store(out, v128.load(source))
    } else {
      // A pattern of `period` bytes also repeats after twice as many: it grows until eight bytes do not overlap.
      for (let period = distance; period < 8; period <<= 1) {
        store<u64>(out, load<u64>(source))
        out += period
      }
      for (; out < stop; source += 8, out += 8) store<u64>(out, load<u64>(source))
    }
    out = stop
  }
  bits.window = window
  bits.count = count
  bits.at = at
  if (bits.place > bits.end) fail(Failure.Truncated)
  return out
}
