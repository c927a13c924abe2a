/**
 * Decodes the inflated data of a PNG, in pieces of any length as they come (W3C Portable Network Graphics, third
 * edition, sections 7 to 9 and 11). Rows are handed on one by one; only an interlaced picture is ever whole in memory.
 */

import { allocate, create, VECTOR_SLACK } from './arena'
import { Failure, fail } from './failure'
import { unfilter } from './png-filters'
import { PngFormat } from './png-pixels'
import { pushRgba, startRgba } from './rgba'

/** Rows are unfiltered with the bytes of the pixel before; the first pixel has zeros there. */
export const FRONT_BYTES: usize = 16

/** Adam7 (section 8.2): for each pass the first column, the first row, and the distances to the next. */
const PASSES: usize = memory.data<u8>([
  0, 0, 8, 8, 4, 0, 8, 8, 0, 4, 4, 8, 2, 0, 4, 4, 0, 2, 2, 4, 1, 0, 2, 2, 0, 1, 1, 2,
])
const PASS_COUNT: i32 = 7

@unmanaged
class PngRows {
  format: PngFormat
  width: i32
  height: i32
  isInterlaced: bool
  /** The pass at hand; 0 for a picture that is not interlaced, PASS_COUNT behind the last. */
  pass: i32
  passWidth: i32
  rowsLeft: i32
  /** Row of the picture that the next row of the pass belongs to. */
  y: i32
  /** The packed row that is being filled, its filter type in front, and the one above. */
  row: usize
  above: usize
  filterType: i32
  rowBytes: i32
  /** Bytes of the row that are there, filter type included. */
  filled: i32
  /** A row of RGBA pixels. */
  rgba: usize
  /** The RGBA pixels of an interlaced picture. */
  raster: usize
}

/** The picture at hand. */
let rows: PngRows = changetype<PngRows>(0)

/** Starts a picture. `format` says what its samples mean. */
export function startPng(
  format: PngFormat,
  width: i32,
  height: i32,
  isInterlaced: bool,
  keepsAlpha: bool,
): void {
  rows = create<PngRows>()
  rows.format = format
  rows.width = width
  rows.height = height
  rows.isInterlaced = isInterlaced
  const longest = usize(format.bytesFor(width)) + FRONT_BYTES + VECTOR_SLACK
  rows.row = allocate(longest) + FRONT_BYTES
  rows.above = allocate(longest) + FRONT_BYTES
  rows.rgba = allocate(usize(width) * 4 + VECTOR_SLACK)
  if (isInterlaced) rows.raster = allocate(usize(width) * height * 4 + VECTOR_SLACK)
  startRgba(width, height, keepsAlpha)
  startPass()
}

/** Takes the next inflated bytes; refuses more than the picture has. */
export function pushPng(bytes: usize, length: usize): void {
  const end = bytes + length
  while (bytes < end) {
    if (rows.pass === PASS_COUNT) fail(Failure.Damaged)
    if (rows.filled === 0) {
      rows.filterType = i32(load<u8>(bytes++))
      rows.filled = 1
    }
    const part = min(usize(rows.rowBytes + 1 - rows.filled), end - bytes)
    memory.copy(rows.row + rows.filled - 1, bytes, part)
    rows.filled += i32(part)
    bytes += part
    if (rows.filled === rows.rowBytes + 1) finishRow()
  }
}

/** Refuses a picture of which rows are missing. */
export function finishPng(): void {
  if (rows.pass < PASS_COUNT) fail(Failure.Truncated)
  for (let y = 0; rows.isInterlaced && y < rows.height; y++) {
    pushRgba(rows.raster + usize(y) * rows.width * 4, rows.format.isOpaque)
  }
}

/** Moves on to the next pass that has pixels. */
function startPass(): void {
  for (; rows.pass < PASS_COUNT; rows.pass++) {
    const pass = PASSES + rows.pass * 4
    const left = i32(load<u8>(pass))
    const top = i32(load<u8>(pass, 1))
    const across = i32(load<u8>(pass, 2))
    const down = i32(load<u8>(pass, 3))
    rows.passWidth = rows.isInterlaced ? (rows.width - left + across - 1) / across : rows.width
    rows.rowsLeft = rows.isInterlaced ? (rows.height - top + down - 1) / down : rows.height
    rows.y = top
    if (rows.passWidth > 0 && rows.rowsLeft > 0) break
  }
  rows.rowBytes = rows.format.bytesFor(rows.passWidth)
  memory.fill(rows.above, 0, rows.rowBytes)
}

function finishRow(): void {
  unfilter(rows.filterType, rows.row, rows.above, rows.rowBytes, rows.format.step)
  rows.format.unpack(rows.row, rows.passWidth, rows.rgba)
  if (rows.isInterlaced) scatter()
  else pushRgba(rows.rgba, rows.format.isOpaque)
  const above = rows.above
  rows.above = rows.row
  rows.row = above
  rows.filled = 0
  rows.rowsLeft -= 1
  if (rows.rowsLeft > 0) return
  rows.pass = rows.isInterlaced ? rows.pass + 1 : PASS_COUNT
  if (rows.pass < PASS_COUNT) startPass()
}

/** Puts the pixels of a pass where they belong. */
function scatter(): void {
  const pass = PASSES + rows.pass * 4
  const step = usize(load<u8>(pass, 2)) * 4
  let place = rows.raster + (usize(rows.y) * rows.width + usize(load<u8>(pass))) * 4
  for (let x = 0; x < rows.passWidth; x++, place += step) store<u32>(place, load<u32>(rows.rgba + x * 4))
  rows.y += i32(load<u8>(pass, 3))
}
