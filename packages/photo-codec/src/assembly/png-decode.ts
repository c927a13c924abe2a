/**
 * Decodes the data of a PNG (W3C Portable Network Graphics, third edition, sections 7 to 11), row by row.
 *
 * The passes of an interlaced picture follow each other, but each row combines rows of several passes. So the data are
 * first unpacked up to the start of the last pass, and each pass gets its own inflater at its start. All inflaters then
 * advance together, and the picture is never whole in memory.
 */

import { allocate, allocateList, create, objectAt, putObject, VECTOR_SLACK } from './arena'
import { finishCopies } from './copies'
import { Inflater } from './inflate'
import { unfilter } from './png-filters'
import { PngFormat } from './png-pixels'
import { pushRgba, startRgba } from './rgba'

/** Rows are unfiltered with the bytes of the pixel before; the first pixel has zeros there. */
const FRONT_BYTES: usize = 16

/** Adam7 (section 8.2): for each pass the first column, the first row, and the distances to the next. */
const PASSES: usize = memory.data<u8>([
  0, 0, 8, 8, 4, 0, 8, 8, 0, 4, 4, 8, 2, 0, 4, 4, 0, 2, 2, 4, 1, 0, 2, 2, 0, 1, 1, 2,
])
const PASS_COUNT: i32 = 7

/** One pass of a picture, or all of one that is not interlaced. */
@unmanaged
class Pass {
  private inflater: Inflater
  private format: PngFormat
  private width: i32
  private rowBytes: i32
  /** The current packed row, and the one above. */
  private row: usize
  private above: usize

  static create(inflater: Inflater, format: PngFormat, width: i32): Pass {
    const pass = create<Pass>()
    pass.inflater = inflater
    pass.format = format
    pass.width = width
    pass.rowBytes = format.bytesFor(width)
    pass.row = allocate(usize(pass.rowBytes) + FRONT_BYTES + 2 * VECTOR_SLACK) + FRONT_BYTES
    pass.above = allocate(usize(pass.rowBytes) + FRONT_BYTES + 2 * VECTOR_SLACK) + FRONT_BYTES
    return pass
  }

  /** Unpacks the next row to RGBA pixels; VECTOR_SLACK bytes after them may be written. */
  nextRow(rgba: usize): void {
    const packed = this.inflater.next(usize(this.rowBytes) + 1)
    unfilter(i32(load<u8>(packed)), packed + 1, this.row, this.above, this.rowBytes, this.format.step)
    this.format.unpack(this.row, this.width, rgba)
    const above = this.above
    this.above = this.row
    this.row = above
  }
}

/**
 * Decodes a PNG of `length` bytes of zlib data. `palette`: 256 RGBA colours, or 0. `clear`: three samples of 32 bits that
 * make a pixel transparent, or 0. Refuses data of which rows are missing.
 */
export function decodePng(
  width: i32,
  height: i32,
  colourType: i32,
  depth: i32,
  isInterlaced: bool,
  palette: usize,
  clear: usize,
  data: usize,
  length: usize,
  keepsAlpha: bool,
): void {
  const format = PngFormat.create(colourType, depth, palette, clear)
  const inflater = Inflater.create(data, length, usize(format.bytesFor(width)) + 1)
  const rgba = allocate(usize(width) * 4 + VECTOR_SLACK)
  startRgba(width, height, keepsAlpha)
  if (isInterlaced) decodePasses(inflater, format, width, height, rgba)
  else {
    const rows = Pass.create(inflater, format, width)
    for (let y = 0; y < height; y++) {
      rows.nextRow(rgba)
      pushRgba(rgba, format.isOpaque)
    }
  }
  finishCopies()
}

function decodePasses(inflater: Inflater, format: PngFormat, width: i32, height: i32, rgba: usize): void {
  const passes = allocateList(PASS_COUNT)
  const pixels = allocate(usize(width) * 4 + VECTOR_SLACK)
  for (let i = 0; i < PASS_COUNT; i++) {
    const columns = pixelsOf(i, 0, width)
    const rows = pixelsOf(i, 1, height)
    if (columns === 0 || rows === 0) continue
    // The last pass that has pixels need not be read in advance.
    const isLast = i === lastPass(width, height)
    putObject(passes, i, Pass.create(isLast ? inflater : inflater.clone(), format, columns))
    const rowBytes = usize(format.bytesFor(columns)) + 1
    for (let y = 0; y < rows && !isLast; y++) inflater.next(rowBytes)
  }
  for (let y = 0; y < height; y++) {
    for (let i = 0; i < PASS_COUNT; i++) {
      const pass = objectAt<Pass>(passes, i)
      const layout = PASSES + i * 4
      const top = i32(load<u8>(layout, 1))
      const down = i32(load<u8>(layout, 3))
      if (changetype<usize>(pass) === 0 || y < top || (y - top) % down !== 0) continue
      pass.nextRow(pixels)
      scatter(pixels, pixelsOf(i, 0, width), rgba, i32(load<u8>(layout)), i32(load<u8>(layout, 2)))
    }
    pushRgba(rgba, format.isOpaque)
  }
}

/** Columns (axis 0) or rows (axis 1) that a pass takes of so many. */
function pixelsOf(pass: i32, axis: i32, length: i32): i32 {
  const layout = PASSES + pass * 4 + axis
  const first = i32(load<u8>(layout))
  const distance = i32(load<u8>(layout, 2))
  return length > first ? (length - first + distance - 1) / distance : 0
}

function lastPass(width: i32, height: i32): i32 {
  let last = PASS_COUNT - 1
  while (last > 0 && (pixelsOf(last, 0, width) === 0 || pixelsOf(last, 1, height) === 0)) last -= 1
  return last
}

/** Puts every pixel of a row where it belongs: from column `first` on, every `distance`th. */
function scatter(pixels: usize, count: i32, rgba: usize, first: i32, distance: i32): void {
  let place = rgba + first * 4
  for (let x = 0; x < count; x++, place += distance * 4) store<u32>(place, load<u32>(pixels + x * 4))
}
