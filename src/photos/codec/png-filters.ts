/** Undoes the filters of PNG rows (W3C Portable Network Graphics, third edition, section 9). */

import { Failure, fail } from './failure'

const NONE: i32 = 0
const SUB: i32 = 1
const UP: i32 = 2
const AVERAGE: i32 = 3
const PAETH: i32 = 4

/**
 * Undoes the filter of the `length` bytes at `source`. `step` is the distance of like bytes, 1 to 8. In front of `above`
 * there are eight zeros. VECTOR_SLACK bytes may be read behind `source` and `above`, and written behind `row`.
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

/** Adds the mean of left and up, rounded down: the vector instruction rounds up. */
function undoAverage(source: usize, row: usize, above: usize, length: i32, step: i32): void {
  const ones = i8x16.splat(1)
  let left = i8x16.splat(0)
  for (const end = row + length; row < end; row += step, source += step, above += step) {
    const up = v128.load64_zero(above)
    const odd = v128.and(v128.xor(left, up), ones)
    const mean = i8x16.sub(i8x16.avgr_u(left, up), odd)
    left = i8x16.add(v128.load64_zero(source), mean)
    v128.store64_lane(row, left, 0)
  }
}

/** Adds whichever neighbour is nearest to left + up − corner, in 16-bit lanes. */
function undoPaeth(source: usize, row: usize, above: usize, length: i32, step: i32): void {
  const bytes = i16x8.splat(255)
  let left = i16x8.splat(0)
  let corner = i16x8.splat(0)
  for (const end = row + length; row < end; row += step, source += step, above += step) {
    const up = v128.load_ext<u8>(above)
    const value = v128.load_ext<u8>(source)
    const upward = i16x8.sub(up, corner)
    const leftward = i16x8.sub(left, corner)
    const toLeft = i16x8.abs(upward)
    const toUp = i16x8.abs(leftward)
    const toCorner = i16x8.abs(i16x8.add(upward, leftward))
    const least = i16x8.min_s(toCorner, i16x8.min_s(toLeft, toUp))
    const upOrCorner = v128.bitselect(up, corner, i16x8.eq(least, toUp))
    const nearest = v128.bitselect(left, upOrCorner, i16x8.eq(least, toLeft))
    left = v128.and(i16x8.add(value, nearest), bytes)
    corner = up
    v128.store64_lane(row, i8x16.narrow_i16x8_u(left, left), 0)
  }
}
