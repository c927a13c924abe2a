/**
 * Progressive decoding (ITU-T T.81 annex G.2) into the kept coefficients of each plane. Sequential scans that do not
 * hold every component come here, too: to a block they are a DC scan followed by an AC scan without runs of blocks.
 *
 * A refinement has a bit for every coefficient that is known not to be zero, kept or not; so each block has a history
 * of 64 bits beside the n × n that are kept. (Where only the DC coefficient is kept, of all blocks, AC scans are not read at all.)
 */

import { Failure, fail } from './failure'
import { LOOKUP_SHIFT, next32, signed } from './huffman-table'
import { Frame } from './jpeg-frame'
import { Plane } from './jpeg-plane'
import { Scan, ScanPart } from './jpeg-scan'
import { readDc } from './jpeg-sequential'
import { zigzagColumn, zigzagRow } from './zigzag'

/** By zigzag number: the byte offset of a coefficient in its kept block, or NOT_KEPT. */
const OFFSETS: usize = memory.data(64, 16)
/** The same for a cut block, of which everything is kept. */
const CUT_OFFSETS: usize = memory.data(64, 16)
const NOT_KEPT: u8 = 255

/** Decodes a whole scan into the coefficients of its planes. */
export function decodeStoredScan(scan: Scan, frame: Frame): void {
  if (scan.last > 0 && scan.count === 1) mapOffsets(scan.part(0).plane)
  for (let y = 0; y < scan.mcusHigh; y++) {
    for (let x = 0; x < scan.mcusWide; x++) {
      scan.beginMcu()
      if (scan.count === 1) {
        decodeBlock(scan, frame, scan.part(0), x, y)
        continue
      }
      for (let i = 0; i < scan.count; i++) {
        const part = scan.part(i)
        const plane = part.plane
        if (scan.last > 0) mapOffsets(plane)
        for (let row = y * plane.v; row < (y + 1) * plane.v; row++) {
          for (let column = x * plane.h; column < (x + 1) * plane.h; column++) {
            decodeBlock(scan, frame, part, column, row)
          }
        }
      }
    }
  }
  scan.close()
}

function decodeBlock(scan: Scan, frame: Frame, part: ScanPart, column: i32, row: i32): void {
  if (scan.endRun > 0 && scan.high === 0) {
    scan.endRun -= 1
    return
  }
  const plane = part.plane
  const number = usize(row) * plane.paddedWide + column
  const isCut = plane.isCut(column, row)
  const block = isCut ? plane.cutBlock(column, row) : plane.coefficients + number * plane.blockBytes
  const offsets = isCut ? CUT_OFFSETS : OFFSETS
  const history: usize = plane.histories === 0 ? 0 : plane.histories + number * 8
  if (scan.first === 0) {
    if (scan.high === 0) store<i16>(block, i16(readDc(scan.reader, part) << scan.low))
    else refineDc(scan, block)
    if (frame.isProgressive) return
  }
  if (scan.high === 0) readBand(scan, part, block, offsets, history)
  else refineBand(scan, part, block, offsets, history)
}

function mapOffsets(plane: Plane): void {
  const points = plane.points
  for (let k = 0; k < 64; k++) {
    const row = zigzagRow(k)
    const column = zigzagColumn(k)
    const isKept = row < points && column < points
    store<u8>(OFFSETS + k, isKept ? u8((row * points + column) * 2) : NOT_KEPT)
    store<u8>(CUT_OFFSETS + k, u8((row * 8 + column) * 2))
  }
}

/** Stores a coefficient if it is kept, and remembers that it is not zero. Returns the new history. */
function put(block: usize, offsets: usize, k: i32, value: i32, history: u64): u64 {
  const offset = load<u8>(offsets + k)
  if (offset !== NOT_KEPT) store<i16>(block + offset, i16(value))
  return history | (u64(1) << k)
}

function refineDc(scan: Scan, block: usize): void {
  const reader = scan.reader
  reader.fill()
  if (i64(reader.window) < 0) store<i16>(block, i16(i32(load<i16>(block)) | (1 << scan.low)))
  reader.skip(1)
}

/** First scan of a band (G.1.2.2): coefficients that were zero up to now. */
function readBand(scan: Scan, part: ScanPart, block: usize, offsets: usize, historyAt: usize): void {
  const reader = scan.reader
  const table = part.ac
  const lookup = table.lookup
  const last = scan.last
  const low = scan.low
  let window = reader.window
  let count = reader.count
  let at = reader.at
  let history: u64 = historyAt === 0 ? 0 : load<u64>(historyAt)
  for (let k = max(1, scan.first); k <= last; k++) {
    if (count < 32) {
      window |= next32(at) << (32 - count)
      at += 4
      count += 32
    }
    let entry = load<i32>(lookup + (usize(window >> LOOKUP_SHIFT) << 2))
    if (entry === 0) entry = table.longEntry(window)
    const run = (entry >> 8) & 15
    const size = (entry >> 12) & 15
    const length = entry & 0xff
    let value = entry >> 16
    window <<= length
    count -= length
    if (value === 0) {
      if (size === 0 && run < 15) {
        if (run > 0 && scan.isSequential) fail(Failure.Damaged)
        scan.endRun = (1 << run) - 1
        if (run > 0) {
          scan.endRun += i32(window >> (64 - run))
          window <<= run
          count -= run
        }
        break
      }
      if (size > 0) {
        value = signed(i32(window >> (64 - size)), size)
        window <<= size
        count -= size
      }
    }
    k += run
    if (value === 0) continue
    if (k > last) fail(Failure.Damaged)
    history = put(block, offsets, k, value << low, history)
  }
  if (historyAt !== 0) store<u64>(historyAt, history)
  reader.window = window
  reader.count = count
  reader.at = at
}

/** Later scans of a band (G.1.2.3): one more bit for what is not zero, and coefficients that were zero up to now. */
function refineBand(scan: Scan, part: ScanPart, block: usize, offsets: usize, historyAt: usize): void {
  const reader = scan.reader
  const table = part.ac
  const last = scan.last
  const bit = 1 << scan.low
  const before = load<u64>(historyAt)
  const band = (~u64(0) >> (63 - last)) & (~u64(0) << scan.first)
  if (scan.endRun > 0 && (before & band) === 0) {
    scan.endRun -= 1
    return
  }
  let history = before
  let window = reader.window
  let count = reader.count
  let at = reader.at
  let k = scan.first
  while (k <= last) {
    // How many zeros stay zeros, and what is put after them; inside a run of ended blocks, all and nothing.
    let zeros = 64
    let fresh = 0
    if (scan.endRun === 0) {
      if (count < 32) {
        window |= next32(at) << (32 - count)
        at += 4
        count += 32
      }
      let entry = load<i32>(table.lookup + (usize(window >> LOOKUP_SHIFT) << 2))
      if (entry === 0) entry = table.longEntry(window)
      const run = (entry >> 8) & 15
      const isKnown = entry >> 16 !== 0
      // The only value that may follow is one bit, which the entry then may or may not know.
      const size = isKnown ? 1 : (entry >> 12) & 15
      if (size > 1 || entry >> 16 > 1 || entry >> 16 < -1) fail(Failure.Damaged)
      const length = isKnown ? (entry & 0xff) - 1 : entry & 0xff
      window <<= length
      count -= length
      if (size === 1) {
        zeros = run
        fresh = i64(window) < 0 ? bit : -bit
        window <<= 1
        count -= 1
      } else if (run === 15) {
        zeros = 15
      } else {
        scan.endRun = 1 << run
        if (run > 0) {
          scan.endRun += i32(window >> (64 - run))
          window <<= run
          count -= run
        }
      }
    }
    for (; k <= last; k++) {
      if (((before >> k) & 1) === 0) {
        if (zeros === 0) break
        zeros -= 1
        continue
      }
      if (count < 1) {
        window |= next32(at) << 32
        at += 4
        count += 32
      }
      if (i64(window) < 0) refine(block, offsets, k, bit)
      window <<= 1
      count -= 1
    }
    if (fresh !== 0) {
      if (k > last) fail(Failure.Damaged)
      history = put(block, offsets, k, fresh, history)
    }
    k += 1
  }
  if (scan.endRun > 0) scan.endRun -= 1
  store<u64>(historyAt, history)
  reader.window = window
  reader.count = count
  reader.at = at
}

function refine(block: usize, offsets: usize, k: i32, bit: i32): void {
  const offset = load<u8>(offsets + k)
  if (offset === NOT_KEPT) return
  const value = i32(load<i16>(block + offset))
  if ((value & bit) === 0) store<i16>(block + offset, i16(value > 0 ? value + bit : value - bit))
}
