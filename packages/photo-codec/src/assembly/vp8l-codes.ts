/** The prefix codes of lossless WebPs (RFC 9649 section 3.7.2). */

import { allocate } from './arena'
import { Failure, fail } from './failure'
import { InflateBits } from './inflate-bits'
import {
  assignCodes,
  fillTable,
  longestCode,
  MAX_CODE_LENGTH,
  MAX_SYMBOLS,
  SECOND_LEVEL,
  secondLevelIndex,
  takeRepetition,
  usedSymbols,
} from './prefix-codes'

/** A group has a code each for green (with lengths and the colour cache), red, blue, alpha and distances. */
export const GREEN: usize = 0
export const RED: usize = 8
export const BLUE: usize = 16
export const ALPHA: usize = 24
export const DISTANCE: usize = 32
const CODES_PER_GROUP: i32 = 5
/** For each code where its table is, and the mask of its first level. */
export const GROUP_BYTES: usize = 5 * 8

export const LITERALS: i32 = 256
export const LENGTHS: i32 = 24
const DISTANCES: i32 = 40

const FIRST_LEVEL: i32 = 8
/** Entries of a table in the making: a first level, and for each symbol after it at most twice its share. */
const CAPACITY: i32 = 256 + 2 * (256 + 24 + 2048) + 128
const TABLE: usize = memory.data((256 + 2 * (256 + 24 + 2048) + 128) * 4, 4)
const SIZES: usize = memory.data(256 + 24 + 2048, 4)
/** Entries by symbol: bits 16–30 are the symbol. */
const ENTRIES: usize = memory.data((256 + 24 + 2048) * 4, 4)
let areEntriesFilled: bool = false

/** Sizes of the codes that tell sizes, in the order in which they come, and bits that look them up. */
// biome-ignore format: a table
const ORDER: usize = memory.data<u8>([17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
const ORDER_COUNT: i32 = 19
const ORDER_BITS: i32 = 7
const ORDER_TABLE: usize = memory.data(128 * 4, 4)
const DEFAULT_SIZE: u8 = 8

/** Reads a group of codes to `group`; the colour cache has `cacheBits`, or 0. */
export function readGroup(bits: InflateBits, group: usize, cacheBits: i32): void {
  if (!areEntriesFilled) {
    for (let i = 0; i < MAX_SYMBOLS; i++) store<u32>(ENTRIES + i * 4, u32(i) << 16)
    areEntriesFilled = true
  }
  const greens = LITERALS + LENGTHS + (cacheBits > 0 ? 1 << cacheBits : 0)
  for (let code = 0; code < CODES_PER_GROUP; code++) {
    const total = code === 0 ? greens : code === 4 ? DISTANCES : LITERALS
    readCode(bits, total, group + usize(code) * 8)
  }
}

function readCode(bits: InflateBits, total: i32, place: usize): void {
  memory.fill(SIZES, 0, max(total, LITERALS))
  bits.refill()
  if (bits.take(1) !== 0) readTwoSymbols(bits)
  else readSizes(bits, total)
  const isComplete = assignCodes(SIZES, total)
  if (usedSymbols === 1) {
    // The only symbol needs no bits.
    store<u32>(TABLE, onlySymbol(total))
    keepTable(place, 1, 1)
    return
  }
  if (!isComplete) fail(Failure.Damaged)
  const first = min(FIRST_LEVEL, longestCode)
  keepTable(place, fillTable(SIZES, total, TABLE, first, CAPACITY, ENTRIES), 1 << first)
}

/** Keeps the table in the making: so many entries, of which the first level has `first`. */
function keepTable(place: usize, entries: i32, first: i32): void {
  const table = allocate(usize(entries) << 2)
  memory.copy(table, TABLE, usize(entries) << 2)
  store<usize>(place, table)
  store<u32>(place, first - 1, 4)
}

/** One or two symbols, told by their names. */
function readTwoSymbols(bits: InflateBits): void {
  const isPair = bits.take(1) !== 0
  const size = bits.take(1) === 0 ? 1 : 8
  store<u8>(SIZES + bits.take(size), 1)
  if (isPair) store<u8>(SIZES + bits.take(8), 1)
}

function readSizes(bits: InflateBits, total: i32): void {
  const count = 4 + i32(bits.take(4))
  if (count > ORDER_COUNT) fail(Failure.Damaged)
  for (let i = 0; i < count; i++) {
    bits.refill()
    store<u8>(SIZES + load<u8>(ORDER + i), u8(bits.take(3)))
  }
  const isComplete = assignCodes(SIZES, ORDER_COUNT)
  const isSingle = usedSymbols === 1
  if (!isComplete && !isSingle) fail(Failure.Damaged)
  fillTable(SIZES, ORDER_COUNT, ORDER_TABLE, ORDER_BITS, 1 << ORDER_BITS, ENTRIES)
  const only = isSingle ? onlySymbol(ORDER_COUNT) : 0
  memory.fill(SIZES, 0, ORDER_COUNT)
  bits.refill()
  let most = total
  if (bits.take(1) !== 0) {
    const size = 2 + 2 * i32(bits.take(3))
    most = 2 + i32(bits.take(size))
    if (most > total) fail(Failure.Damaged)
  }
  let before = DEFAULT_SIZE
  for (let i = 0; i < total && most > 0; most--) {
    bits.refill()
    const entry = isSingle ? only : load<u32>(ORDER_TABLE + ((u32(bits.window) & 127) << 2))
    bits.take(entry & 31)
    const symbol = i32(entry >> 16)
    if (symbol <= MAX_CODE_LENGTH) {
      store<u8>(SIZES + i++, u8(symbol))
      if (symbol !== 0) before = u8(symbol)
      continue
    }
    const times = takeRepetition(bits, symbol)
    if (i + times > total) fail(Failure.Damaged)
    memory.fill(SIZES + i, symbol === 16 ? before : 0, times)
    i += times
  }
}

function onlySymbol(total: i32): u32 {
  for (let i = 0; i < total; i++) if (load<u8>(SIZES + i) !== 0) return load<u32>(ENTRIES + i * 4)
  return 0
}

/** The next symbol of a code; up to 15 bits must be in the window. */
export function readSymbol(bits: InflateBits, code: usize): i32 {
  const table = load<usize>(code)
  let entry = load<u32>(table + ((u32(bits.window) & load<u32>(code, 4)) << 2))
  bits.take(entry & 31)
  if ((entry & SECOND_LEVEL) !== 0) {
    entry = load<u32>(table + (secondLevelIndex(entry, bits.window) << 2))
    bits.take(entry & 31)
  }
  return i32(entry >> 16)
}
