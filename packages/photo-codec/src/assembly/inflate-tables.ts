/**
 * Tables for the codes of deflate (RFC 1951 sections 3.2.5 to 3.2.7). Entries, beyond what `prefix-codes.ts` says:
 *
 *     bits 8–11   how many extra bits follow the code; their value is added to the number
 *     bit 13      END_OF_BLOCK
 *     bit 14      IMPOSSIBLE: no code
 *     bits 16–30  a literal, or a length or distance without the extra bits
 *     bit 31      the number is a literal
 */

import { Failure, fail } from './failure'
import { InflateBits } from './inflate-bits'
import { assignCodes, fillTable, longestCode, takeRepetition } from './prefix-codes'

export const LITERAL: u32 = 1 << 31
export const END_OF_BLOCK: u32 = 1 << 13
export const IMPOSSIBLE: u32 = 1 << 14

/** Bits that look up the first level. */
export const LENGTH_BITS: i32 = 11
export const DISTANCE_BITS: i32 = 8
const ORDER_BITS: i32 = 7

/** Maximum entries of both levels, for 286 and 30 codes of up to 15 bits. `fillTable` refuses more. */
const LENGTH_CAPACITY: i32 = 2400
const DISTANCE_CAPACITY: i32 = 512
export const LENGTH_TABLE_BYTES: usize = 4 * 2400
export const DISTANCE_TABLE_BYTES: usize = 4 * 512

const MAX_LENGTHS: i32 = 286
const MAX_DISTANCES: i32 = 30

/** Entries by symbol: lengths and literals, distances, and the code sizes that describe the codes of both. */
const LENGTH_ENTRIES: usize = memory.data(288 * 4, 4)
const DISTANCE_ENTRIES: usize = memory.data(32 * 4, 4)
const SIZE_ENTRIES: usize = memory.data(19 * 4, 4)
let areEntriesFilled: bool = false

/** Sizes of codes, by symbol. */
const SIZES: usize = memory.data(288 + 32, 4)
const SIZE_TABLE: usize = memory.data(128 * 4, 4)

/** The order in which the sizes of the size codes are stored. */
const ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15])

/** Tables of the fixed codes, kept for all streams: building them takes longer than a block of three bytes. */
export const FIXED_LENGTHS: usize = memory.data(4 * 2400, 4)
export const FIXED_DISTANCES: usize = memory.data(4 * 512, 4)
let areFixedTablesFilled: bool = false

/** Builds the tables of the fixed codes, once. */
export function fillFixedTables(): void {
  if (areFixedTablesFilled) return
  areFixedTablesFilled = true
  fillEntries()
  memory.fill(SIZES, 8, 288)
  memory.fill(SIZES + 144, 9, 112)
  memory.fill(SIZES + 256, 7, 24)
  memory.fill(SIZES + 288, 5, 32)
  buildTable(SIZES, 288, FIXED_LENGTHS, LENGTH_BITS, LENGTH_CAPACITY, LENGTH_ENTRIES)
  buildTable(SIZES + 288, 32, FIXED_DISTANCES, DISTANCE_BITS, DISTANCE_CAPACITY, DISTANCE_ENTRIES)
}

/** Reads the description of a block's dynamic codes and builds their tables. */
export function readTables(bits: InflateBits, lengths: usize, distances: usize): void {
  fillEntries()
  bits.refill()
  const lengthCount = i32(bits.take(5)) + 257
  const distanceCount = i32(bits.take(5)) + 1
  const orderCount = i32(bits.take(4)) + 4
  if (lengthCount > MAX_LENGTHS || distanceCount > MAX_DISTANCES) fail(Failure.Damaged)
  memory.fill(SIZES, 0, 19)
  for (let i = 0; i < orderCount; i++) {
    bits.refill()
    store<u8>(SIZES + load<u8>(ORDER + i), u8(bits.take(3)))
  }
  buildTable(SIZES, 19, SIZE_TABLE, ORDER_BITS, 1 << ORDER_BITS, SIZE_ENTRIES)
  readSizes(bits, lengthCount + distanceCount)
  // Without it the block could not end.
  if (load<u8>(SIZES + 256) === 0) fail(Failure.Damaged)
  buildTable(SIZES, lengthCount, lengths, LENGTH_BITS, LENGTH_CAPACITY, LENGTH_ENTRIES)
  buildTable(
    SIZES + lengthCount,
    distanceCount,
    distances,
    DISTANCE_BITS,
    DISTANCE_CAPACITY,
    DISTANCE_ENTRIES,
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
    const times = takeRepetition(bits, symbol)
    if (i + times > total) fail(Failure.Damaged)
    memory.fill(SIZES + i, size, times)
    i += times
  }
}

function buildTable(sizes: usize, total: i32, table: usize, bits: i32, capacity: i32, entries: usize): void {
  const isComplete = assignCodes(sizes, total)
  // Only a single code of one bit, or none at all, may be incomplete, and never the code of the sizes.
  if (!isComplete && (longestCode > 1 || entries === SIZE_ENTRIES)) fail(Failure.Damaged)
  fillTable(sizes, total, table, bits, capacity, entries)
  for (let i = 0; !isComplete && i < 1 << bits; i++) {
    if (load<u32>(table + (i << 2)) === 0) store<u32>(table + (i << 2), IMPOSSIBLE | 1)
  }
}

/** Fills the entries of all symbols, once. */
function fillEntries(): void {
  if (areEntriesFilled) return
  for (let i = 0; i < 19; i++) store<u32>(SIZE_ENTRIES + i * 4, u32(i) << 16)
  for (let i = 0; i < 256; i++) store<u32>(LENGTH_ENTRIES + i * 4, LITERAL | (u32(i) << 16))
  store<u32>(LENGTH_ENTRIES + 256 * 4, END_OF_BLOCK)
  for (let i = 0; i < 28; i++) {
    const extra = max(0, (i >> 2) - 1)
    const base = i < 8 ? i + 3 : ((4 + (i & 3)) << extra) + 3
    store<u32>(LENGTH_ENTRIES + (257 + i) * 4, (u32(base) << 16) | (u32(extra) << 8))
  }
  store<u32>(LENGTH_ENTRIES + 285 * 4, 258 << 16)
  for (let i = MAX_LENGTHS; i < 288; i++) store<u32>(LENGTH_ENTRIES + i * 4, IMPOSSIBLE)
  for (let i = 0; i < MAX_DISTANCES; i++) {
    const extra = max(0, (i >> 1) - 1)
    const base = i < 4 ? i + 1 : ((2 + (i & 1)) << extra) + 1
    store<u32>(DISTANCE_ENTRIES + i * 4, (u32(base) << 16) | (u32(extra) << 8))
  }
  for (let i = MAX_DISTANCES; i < 32; i++) store<u32>(DISTANCE_ENTRIES + i * 4, IMPOSSIBLE)
  areEntriesFilled = true
}
