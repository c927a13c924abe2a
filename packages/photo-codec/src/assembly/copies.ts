/** The requested copies of the current photo. */

import { objectAt, putObject } from './arena'
import { ColourModel } from './colour'
import { Copy } from './copy'

const MAX_COPIES: i32 = 2
const COPIES: usize = memory.data(2 * 4, 4)
let copyCount: i32 = 0

/** How many copies are requested. */
export function countCopies(): i32 {
  return copyCount
}

/** The copy with this number, from 0. */
export function copyAt(index: i32): Copy {
  if (index < 0 || index >= copyCount) unreachable()
  return objectAt<Copy>(COPIES, index)
}

/** Requests one more copy. Returns its number. */
export function addCopy(width: i32, height: i32, orientation: i32): i32 {
  if (copyCount === MAX_COPIES) unreachable()
  putObject(COPIES, copyCount, Copy.create(width, height, orientation))
  return copyCount++
}

/** Forgets all copies. */
export function clearCopies(): void {
  copyCount = 0
}

/** Makes room for the planes of a colour model in all copies. */
export function prepareCopies(model: ColourModel): void {
  for (let i = 0; i < copyCount; i++) copyAt(i).prepare(model)
}

/** Sets up scaling of a plane in all copies, see `Copy.scalePlane`. Returns how many bytes after a row will be read. */
export function scalePlane(index: i32, width: i32, height: i32, exactWidth: f64, exactHeight: f64): i32 {
  let reach = 0
  for (let i = 0; i < copyCount; i++) {
    reach = max(reach, copyAt(i).scalePlane(index, width, height, exactWidth, exactHeight))
  }
  return reach
}

/** Hands the next row of a plane to all copies. */
export function pushRow(plane: i32, row: usize): void {
  for (let i = 0; i < copyCount; i++) copyAt(i).plane(plane).resampler.push(row)
}

/** Lets all copies encode what is complete. Between two calls no plane may get ahead of another by more than RING_ROWS. */
export function drainCopies(): void {
  for (let i = 0; i < copyCount; i++) copyAt(i).drain()
}

/** Lets all copies encode the rest. */
export function finishCopies(): void {
  for (let i = 0; i < copyCount; i++) copyAt(i).finish()
}
