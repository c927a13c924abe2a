/**
 * Huffman tables for reading (ITU-T T.81 annexes C and F.2.2.3), and the bits they are read from.
 *
 * The next eleven bits look up an entry that says at once what nearly every code means:
 *
 *     bits 0–7    bits that the code takes, its value included where the entry knows it
 *     bits 8–11   run: how many zero coefficients come first
 *     bits 12–15  size: how many bits of value follow, where the entry does not know it
 *     bits 16–31  value, never 0 where the entry knows it
 *
 * An entry of 0 stands for the beginning of a code longer than eleven bits.
 *
 * Where a block is shrunk, only lengths count of most of its codes. The next twelve bits then look up how far all the codes
 * lead that are whole within them:
 *
 *     bits 0–7    bits that the codes take, their values included
 *     bits 8–15   coefficients that they stand for, an end of the block not counted
 *     bits 16–31  the same, and 64 for an end of the block
 *
 * An entry of 0 stands for no whole code.
 */

import { allocate, create } from './arena'
import { Failure, fail } from './failure'

const LOOKUP_BITS: i32 = 11
const SKIP_BITS: i32 = 12
/** Bits of the longest code. */
const MAX_CODE_LENGTH: i32 = 16
/** Where the bits that are looked up stand at the upper end of 64. */
export const LOOKUP_SHIFT: i32 = 64 - LOOKUP_BITS
export const SKIP_SHIFT: i32 = 64 - SKIP_BITS
/** What the end of a block leads to, wherever in the block it stands. */
const END_OF_BLOCK: i32 = 64

/** One table of a DHT segment. */
@unmanaged
export class HuffmanTable {
  /** 2,048 entries of 32 bits. */
  lookup: usize
  /** 4,096 entries of 32 bits, once `learnSkips` was called. */
  skips: usize
  /** By length: the first code after the last one of that length, or 0; 17 numbers of 32 bits. */
  private limits: usize
  /** By length: what leads from a code to its symbol; 17 numbers of 32 bits. */
  private offsets: usize
  private symbols: usize

  /** Builds the table from 16 counts by length and the symbols after them. `total` symbols are there to be read. */
  static from(counts: usize, total: i32): HuffmanTable {
    const table = create<HuffmanTable>()
    table.lookup = allocate(4 << LOOKUP_BITS)
    table.limits = allocate(4 * (MAX_CODE_LENGTH + 1))
    table.offsets = allocate(4 * (MAX_CODE_LENGTH + 1))
    table.symbols = allocate(total)
    memory.copy(table.symbols, counts + 16, total)
    let code = 0
    let index = 0
    for (let length = 1; length <= MAX_CODE_LENGTH; length++) {
      const count = i32(load<u8>(counts + length - 1))
      if (code + count > 1 << length) fail(Failure.Damaged)
      store<i32>(table.offsets + length * 4, index - code)
      store<i32>(table.limits + length * 4, count === 0 ? 0 : code + count)
      for (let i = 0; i < count; i++, code++, index++) {
        if (length <= LOOKUP_BITS) table.enter(code, length, i32(load<u8>(table.symbols + index)))
      }
      code <<= 1
    }
    return table
  }

  /** Fills the entries of all bit strings that begin with a code. */
  private enter(code: i32, length: i32, symbol: i32): void {
    const run = symbol >> 4
    const size = symbol & 15
    const free = LOOKUP_BITS - length
    for (let rest = 0; rest < 1 << free; rest++) {
      let entry = (size << 12) | (run << 8) | length
      if (size > 0 && size <= free) {
        entry = (signed(rest >> (free - size), size) << 16) | (run << 8) | (length + size)
      }
      store<i32>(this.lookup + (((code << free) | rest) << 2), entry)
    }
  }

  /** Makes `skips` of `lookup`. */
  learnSkips(): void {
    if (this.skips !== 0) return
    this.skips = allocate(4 << SKIP_BITS)
    for (let bits = 0; bits < 1 << SKIP_BITS; bits++)
      store<i32>(this.skips + (bits << 2), this.skipEntry(bits))
  }

  private skipEntry(bits: i32): i32 {
    let length = 0
    let reach = 0
    while (reach < END_OF_BLOCK) {
      const next = (bits << length) & ((1 << SKIP_BITS) - 1)
      const entry = load<i32>(this.lookup + ((next >> (SKIP_BITS - LOOKUP_BITS)) << 2))
      const size = (entry >> 12) & 15
      const run = (entry >> 8) & 15
      const whole = length + (entry & 0xff) + size
      // The zeros after the bits may have been taken for the rest of a code.
      if (entry === 0 || whole > SKIP_BITS) break
      const hasValue = size > 0 || entry >> 16 !== 0
      if (!hasValue && run === 0) return ((reach + END_OF_BLOCK) << 16) | (reach << 8) | whole
      // A run without value is told from damage when it is met by itself.
      if (!hasValue && run !== 15) break
      length = whole
      reach += run + 1
    }
    return (reach << 16) | (reach << 8) | length
  }

  /** The entry of a code that is longer than the lookup; `window` holds the next bits at its upper end. */
  longEntry(window: u64): i32 {
    for (let length = LOOKUP_BITS + 1; length <= MAX_CODE_LENGTH; length++) {
      const code = i32(window >> (64 - length))
      if (code >= load<i32>(this.limits + length * 4)) continue
      const symbol = i32(load<u8>(this.symbols + code + load<i32>(this.offsets + length * 4)))
      return ((symbol & 15) << 12) | ((symbol >> 4) << 8) | length
    }
    fail(Failure.Damaged)
    return 0
  }
}

/**
 * The bits of a scan between two restart markers, stuffing removed. Block decoders keep `window`, `count` and `at` in
 * local variables for speed.
 */
@unmanaged
export class BitReader {
  /** The next bits at the upper end; zeros below. */
  window: u64
  /** How many bits of the window are filled. */
  count: i32
  /** The next byte to be loaded. */
  at: usize
  /** The end of the data. Reading past it gives meaningless bits; `left` is then negative. */
  end: usize

  /** Starts reading at `from`. */
  open(from: usize, end: usize): void {
    this.window = 0
    this.count = 0
    this.at = from
    this.end = end
  }

  /** Loads bits until at least 32 are there. */
  fill(): void {
    if (this.count >= 32) return
    this.window |= next32(this.at) << (32 - this.count)
    this.at += 4
    this.count += 32
  }

  /** Passes over bits that are there. */
  skip(size: i32): void {
    this.window <<= size
    this.count -= size
  }

  /** Bits that were not read yet; negative when reading has passed the end. */
  get left(): i32 {
    return (i32(this.end) - i32(this.at)) * 8 + this.count
  }
}

/** The next 32 bits after a window, to be shifted into place. */
export function next32(at: usize): u64 {
  return u64(bswap(load<u32>(at)))
}

/** The number that `size` bits stand for: a leading 0 marks the negative half (ITU-T T.81 figure F.12). */
export function signed(bits: i32, size: i32): i32 {
  return bits < 1 << (size - 1) ? bits - (1 << size) + 1 : bits
}
