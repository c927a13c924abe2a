/** The optimal Huffman code of at most 16 bits for symbols that were counted (ITU-T T.81 annex K.2). */

import { allocate, create } from './arena'

/** Counts of 256 symbols and of a reserved one, which takes the code of all ones: JPEG does not allow it. */
export const FREQUENCY_BYTES: usize = 257 * 4
const RESERVED: i32 = 256
const LONGEST: i32 = 16
/** The longest code before lengths are limited. A longer one needs Fibonacci counts whose sum exceeds 32 bits. */
const LONGEST_UNLIMITED: i32 = 48

@unmanaged
export class HuffmanCode {
  /** Numbers of codes by length, from 1: 16 bytes. The symbols follow in the order of their codes. */
  counts: usize
  /** How many symbols have a code. */
  total: i32
  /** By symbol: code << 8 | length; 32 bits. */
  codes: usize

  /** Builds the code from 257 counts of 32 bits, and overwrites them. The last one is for the reserved symbol. */
  static from(frequencies: usize): HuffmanCode {
    const code = create<HuffmanCode>()
    code.counts = allocate(16 + 256)
    code.codes = allocate(256 * 4)
    const lengths = allocate(257)
    findLengths(frequencies, lengths)
    code.limitLengths(lengths)
    code.assignCodes()
    return code
  }

  /** Counts the codes of each length, shortens those above 16 bits, and sorts the symbols by length (K.2, K.3, K.4). */
  private limitLengths(lengths: usize): void {
    const counts = allocate((LONGEST_UNLIMITED + 1) * 4)
    for (let symbol = 0; symbol <= RESERVED; symbol++) {
      const place = counts + usize(load<u8>(lengths + symbol)) * 4
      store<i32>(place, load<i32>(place) + 1)
    }
    for (let length = LONGEST_UNLIMITED; length > LONGEST; length--) {
      while (load<i32>(counts + length * 4) > 0) {
        let shorter = length - 2
        while (load<i32>(counts + shorter * 4) === 0) shorter -= 1
        add(counts, length, -2)
        add(counts, length - 1, 1)
        add(counts, shorter + 1, 2)
        add(counts, shorter, -1)
      }
    }
    // The reserved symbol has the last of the longest codes, which stays unused.
    let longest = LONGEST
    while (load<i32>(counts + longest * 4) === 0) longest -= 1
    add(counts, longest, -1)
    for (let length = 1; length <= LONGEST; length++) {
      store<u8>(this.counts + length - 1, u8(load<i32>(counts + length * 4)))
    }
    const symbols = this.counts + 16
    for (let length = 1; length <= LONGEST_UNLIMITED; length++) {
      for (let symbol = 0; symbol < RESERVED; symbol++) {
        if (i32(load<u8>(lengths + symbol)) === length) store<u8>(symbols + this.total++, u8(symbol))
      }
    }
  }

  /** Assigns consecutive codes to the symbols in their order (ITU-T T.81 annex C). */
  private assignCodes(): void {
    let code = 0
    let index = 0
    for (let length = 1; length <= LONGEST; length++) {
      for (let i = i32(load<u8>(this.counts + length - 1)); i > 0; i--, index++, code++) {
        const symbol = usize(load<u8>(this.counts + 16 + index))
        store<u32>(this.codes + symbol * 4, u32((code << 8) | length))
      }
      code <<= 1
    }
  }
}

/**
 * Finds the length of each symbol's code (K.1): joins the two rarest branches until one is left. `others` links the
 * symbols of a branch.
 */
function findLengths(frequencies: usize, lengths: usize): void {
  const others = allocate(257 * 4)
  for (let symbol = 0; symbol <= RESERVED; symbol++) store<i32>(others + symbol * 4, -1)
  store<u32>(frequencies + RESERVED * 4, 1)
  for (;;) {
    const rarest = findRarest(frequencies, -1)
    const second = findRarest(frequencies, rarest)
    if (second < 0) return
    const sum = load<u32>(frequencies + rarest * 4) + load<u32>(frequencies + second * 4)
    store<u32>(frequencies + rarest * 4, sum)
    store<u32>(frequencies + second * 4, 0)
    const last = lengthen(lengths, others, rarest)
    store<i32>(others + last * 4, second)
    lengthen(lengths, others, second)
  }
}

/** The symbol with the smallest count above zero, the last of several; -1 when there is none but `except`. */
function findRarest(frequencies: usize, except: i32): i32 {
  let rarest = -1
  let least: u32 = u32.MAX_VALUE
  for (let symbol = 0; symbol <= RESERVED; symbol++) {
    const count = load<u32>(frequencies + symbol * 4)
    if (count === 0 || count > least || symbol === except) continue
    least = count
    rarest = symbol
  }
  return rarest
}

/** Adds a bit to all codes of a branch. Returns the last symbol of the branch. */
function lengthen(lengths: usize, others: usize, first: i32): i32 {
  let last = first
  for (let symbol = first; symbol >= 0; symbol = load<i32>(others + symbol * 4)) {
    store<u8>(lengths + symbol, load<u8>(lengths + symbol) + 1)
    last = symbol
  }
  return last
}

function add(counts: usize, length: i32, by: i32): void {
  const place = counts + length * 4
  store<i32>(place, load<i32>(place) + by)
}
