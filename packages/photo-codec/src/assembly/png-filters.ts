/** Undoes the filters of PNG rows (W3C Portable Network Graphics, third edition, section 9). */

import { Failure, fail } from './failure'

const NONE: i32 = 0
const SUB: i32 = 1
const UP: i32 = 2
const AVERAGE: i32 = 3
const PAETH: i32 = 4

/**
 * Undoes the filter of the `length` bytes at `source`. `step` is the distance of like bytes, 1 to 8. In front of `above`
 * there are eight zeros. VECTOR_SLACK bytes may be read after `source` and `above`, and written after `row`.
 */
export function unfilter(type: i32, source: usize, row: usize, above: usize, length: i32, step: i32): void {
  if (type === NONE) memory.copy(row, source, length)
  else if (type === SUB) undoSub(source, row, length, step)
  else if (type === UP) undoUp(source, row, above, length)
  else if (type === AVERAGE) undoAverage(source, row, above, length, step)
  else if (type === PAETH) undoPaeth(source, row, above, length, step)
  else fail(Failure.Damaged)
}

function undoUp(source: usize, row: usize, above: usize, length: i32): void {
  for (const end = row + length; row < end; row += 16, source += 16, above += 16) {
    v128.store(row, i8x16.add(v128.load(source), v128.load(above)))
  }
}

// The others go from pixel to pixel. Eight bytes are written for each; the next pixel overwrites those that are not its
// own.

function undoSub(source: usize, row: usize, length: i32, step: i32): void {
  let left = i8x16.splat(0)
  for (const end = row + length; row < end; row += step, source += step) {
    left = i8x16.add(v128.load64_zero(source), left)
    v128.store64_lane(row, left, 0)
  }
}

/**
 * Adds the mean of left and up, rounded down. The vector instruction rounds up, so all that is added is inverted: a pixel
 * waits for two instructions on the one before.
 */
function undoAverage(source: usize, row: usize, above: usize, length: i32, step: i32): void {
  let inverted = i8x16.splat(-1)
  for (const end = row + length; row < end; row += step, source += step, above += step) {
    const mean = i8x16.avgr_u(inverted, v128.not(v128.load64_zero(above)))
    inverted = i8x16.sub(mean, v128.load64_zero(source))
    v128.store64_lane(row, v128.not(inverted), 0)
  }
}

/**
 * Adds whichever neighbour is nearest to left + up − corner, in 16-bit lanes. Where left + up is at least as far below
 * three corners as the larger of the two, that is the smaller one; where it is as far above, the larger; else the corner.
 */
function undoPaeth(source: usize, row: usize, above: usize, length: i32, step: i32): void {
  const three = i16x8.splat(3)
  let left = i16x8.splat(0)
  let corner = i16x8.splat(0)
  for (const end = row + length; row < end; row += step, source += step, above += step) {
    const up = v128.load_ext<u8>(above)
    const value = v128.load_ext<u8>(source)
    const limit = i16x8.sub(i16x8.sub(i16x8.mul(corner, three), up), left)
    const less = i16x8.min_s(left, up)
    const more = i16x8.max_s(left, up)
    const isLess = i16x8.le_s(more, limit)
    const isMore = i16x8.le_s(limit, less)
    const outer = v128.or(v128.and(less, isLess), v128.and(more, isMore))
    const nearest = v128.or(outer, v128.andnot(corner, v128.or(isLess, isMore)))
    // The upper byte of each lane is zero and stays so.
    left = i8x16.add(value, nearest)
    corner = up
    v128.store64_lane(row, i8x16.narrow_i16x8_u(left, left), 0)
  }
}
