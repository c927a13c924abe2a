/** Undoes the filters of PNG rows (W3C Portable Network Graphics, third edition, section 9). */

import { Failure, fail } from './failure'

const NONE: i32 = 0
const SUB: i32 = 1
const UP: i32 = 2
const AVERAGE: i32 = 3
const PAETH: i32 = 4

/**
 * Undoes a row's filter in place. `step` is the distance of like bytes; in front of both rows there are as many zeros,
 * and VECTOR_SLACK bytes behind them may be touched.
 */
export function unfilter(type: i32, row: usize, above: usize, length: i32, step: i32): void {
  const end = row + length
  if (type === NONE) return
  if (type === SUB) {
    for (let at = row; at < end; at++) store<u8>(at, load<u8>(at) + load<u8>(at - step))
  } else if (type === UP) {
    for (let at = row; at < end; at += 16, above += 16) {
      v128.store(at, i8x16.add(v128.load(at), v128.load(above)))
    }
  } else if (type === AVERAGE) {
    for (let at = row; at < end; at++, above++) {
      const mean = (u32(load<u8>(at - step)) + u32(load<u8>(above))) >> 1
      store<u8>(at, load<u8>(at) + u8(mean))
    }
  } else if (type === PAETH) {
    if (step === 3 || step === 4) undoPaethOfPixels(row, above, end, step)
    else undoPaeth(row, above, end, step)
  } else fail(Failure.Damaged)
}

/** Adds whichever neighbour is nearest to left + up − corner. */
function undoPaeth(row: usize, above: usize, end: usize, step: i32): void {
  for (let at = row; at < end; at++, above++) {
    const left = i32(load<u8>(at - step))
    const up = i32(load<u8>(above))
    const corner = i32(load<u8>(above - step))
    const toLeft = abs(up - corner)
    const toUp = abs(left - corner)
    const toCorner = abs(left + up - corner - corner)
    const nearest = toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
    store<u8>(at, load<u8>(at) + u8(nearest))
  }
}

/** The same for three or four bytes at a time, in 16-bit lanes. */
function undoPaethOfPixels(row: usize, above: usize, end: usize, step: i32): void {
  const bytes = i16x8.splat(255)
  let left = i16x8.splat(0)
  let corner = i16x8.splat(0)
  for (let at = row; at < end; at += step, above += step) {
    const up = i16x8.extend_low_i8x16_u(v128.load32_zero(above))
    const value = i16x8.extend_low_i8x16_u(v128.load32_zero(at))
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
    const packed = i8x16.narrow_i16x8_u(left, left)
    v128.store16_lane(at, packed, 0)
    if (step === 4) v128.store16_lane(at, packed, 1, 2)
    else v128.store8_lane(at, packed, 2, 2)
  }
}
