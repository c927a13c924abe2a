/**
 * Sequential Huffman decoding (ITU-T T.81 annex F.2) of a scan that holds every component: block by block into the
 * inverse transform, a row of MCUs at a time.
 */

import { Failure, fail } from './failure'
import { BitReader, HuffmanTable, LOOKUP_SHIFT, next32, SKIP_SHIFT, signed } from './huffman-table'
import { BLOCK, clearBlock } from './inverse-dct'
import { Scan, ScanPart } from './jpeg-scan'

/** Differences of 8-bit samples need no more bits (ITU-T T.81 table F.1). */
export const MAX_DC_BITS: i32 = 11

/** Gets ready for `decodeMcuRow`, once it is known how much of each block is needed. */
export function prepareSequential(scan: Scan): void {
  for (let i = 0; i < scan.count; i++) {
    const part = scan.part(i)
    if (part.plane.lastKept < 63) part.ac.learnSkips()
  }
}

/** Decodes row `mcuRow` of the MCUs into the bands of its planes. */
export function decodeMcuRow(scan: Scan, mcuRow: i32): void {
  for (let x = 0; x < scan.mcusWide; x++) {
    scan.beginMcu()
    for (let i = 0; i < scan.count; i++) {
      const part = scan.part(i)
      const plane = part.plane
      for (let row = 0; row < plane.v; row++) {
        for (let column = 0; column < plane.h; column++) {
          const across = x * plane.h + column
          const down = mcuRow * plane.v + row
          if (plane.isCut(across, down)) {
            readCutBlock(scan.reader, part)
            plane.writeCutBlock(across, row, down)
          } else {
            const last = readBlock(scan.reader, part)
            plane.writeBlock(last, across, row)
          }
        }
      }
    }
  }
}

/**
 * To be called after the last row of MCUs. A scan may go on after the picture, where its restart intervals tell that it is
 * no damage: the current interval must be whole, those after it do not count.
 */
export function finishSequential(scan: Scan): void {
  const beyond = scan.mcusBeyond
  if (beyond < 0) {
    scan.close()
    return
  }
  for (let x = 0; x < beyond; x++) {
    scan.beginMcu()
    for (let i = 0; i < scan.count; i++) {
      const part = scan.part(i)
      for (let block = part.plane.h * part.plane.v; block > 0; block--) readBlock(scan.reader, part)
    }
  }
  scan.closeSegment()
}

/** Reads the kept coefficients of a block into BLOCK. Returns the zigzag number of the last that is not zero. */
function readBlock(reader: BitReader, part: ScanPart): i32 {
  const plane = part.plane
  clearBlock(plane.points)
  store<f32>(BLOCK, f32(readDc(reader, part)) * load<f32>(plane.scales))
  return readAc(reader, part.ac, plane.places, plane.scales, plane.lastKept)
}

/** Reads all coefficients of a cut block into BLOCK. */
function readCutBlock(reader: BitReader, part: ScanPart): void {
  const plane = part.plane
  clearBlock(8)
  store<f32>(BLOCK, f32(readDc(reader, part)) * load<f32>(plane.scales))
  readAc(reader, part.ac, plane.cutPlaces, plane.scales, 63)
}

/** The next DC coefficient: the one before and a difference. */
export function readDc(reader: BitReader, part: ScanPart): i32 {
  reader.fill()
  let entry = load<i32>(part.dc.lookup + (usize(reader.window >> LOOKUP_SHIFT) << 2))
  if (entry === 0) entry = part.dc.longEntry(reader.window)
  const size = (entry >> 12) & 15
  if (size > MAX_DC_BITS || (entry & 0xf00) !== 0) fail(Failure.Damaged)
  reader.skip(entry & 0xff)
  let difference = entry >> 16
  if (difference === 0 && size > 0) {
    difference = signed(i32(reader.window >> (64 - size)), size)
    reader.skip(size)
  }
  part.dcBefore += difference
  return part.dcBefore
}

/** The 63 AC coefficients of a block: values up to the last that is kept, after it only their lengths. */
function readAc(reader: BitReader, table: HuffmanTable, places: usize, scales: usize, lastKept: i32): i32 {
  const lookup = table.lookup
  let window = reader.window
  let count = reader.count
  let at = reader.at
  let last = 0
  let k = 1
  while (k <= lastKept) {
    if (count < 32) {
      window |= next32(at) << (32 - count)
      at += 4
      count += 32
    }
    let entry = load<i32>(lookup + (usize(window >> LOOKUP_SHIFT) << 2))
    let value = entry >> 16
    if (value === 0) {
      if (entry === 0) entry = table.longEntry(window)
      const size = (entry >> 12) & 15
      const length = entry & 0xff
      window <<= length
      count -= length
      if (size === 0) {
        k = afterZeros(k, entry)
        continue
      }
      value = signed(i32(window >> (64 - size)), size)
      window <<= size
      count -= size
    } else {
      const length = entry & 0xff
      window <<= length
      count -= length
    }
    k += (entry >> 8) & 15
    if (k > 63) fail(Failure.Damaged)
    store<f32>(BLOCK + load<i32>(places + (k << 2)), f32(value) * load<f32>(scales + (k << 2)))
    last = k
    k += 1
  }
  const skips = table.skips
  while (k <= 63) {
    if (count < 32) {
      window |= next32(at) << (32 - count)
      at += 4
      count += 32
    }
    const skip = load<i32>(skips + (usize(window >> SKIP_SHIFT) << 2))
    // What would lead out of the block is read code by code, and judged.
    if (skip !== 0 && k + ((skip >> 8) & 0xff) <= 63) {
      window <<= skip & 0xff
      count -= skip & 0xff
      k += skip >> 16
      continue
    }
    let entry = load<i32>(lookup + (usize(window >> LOOKUP_SHIFT) << 2))
    if (entry === 0) entry = table.longEntry(window)
    const size = (entry >> 12) & 15
    const length = (entry & 0xff) + size
    window <<= length
    count -= length
    if (size === 0 && entry >> 16 === 0) {
      k = afterZeros(k, entry)
    } else {
      k += ((entry >> 8) & 15) + 1
      if (k > 64) fail(Failure.Damaged)
    }
  }
  reader.window = window
  reader.count = count
  reader.at = at
  return last
}

/** Where a block goes on after a code without a value: sixteen zeros, or nothing but zeros to the end. */
function afterZeros(k: i32, entry: i32): i32 {
  const run = (entry >> 8) & 15
  if (run === 15) return k + 16
  if (run !== 0) fail(Failure.Damaged)
  return 64
}
