/** The requested copies of the current photo. */

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
  return changetype<Copy>(load<usize>(COPIES + index * 4))
}

/** Requests one more copy. Returns its number. */
export function addCopy(width: i32, height: i32, orientation: i32): i32 {
  if (copyCount === MAX_COPIES) unreachable()
  store<usize>(COPIES + copyCount * 4, changetype<usize>(Copy.create(width, height, orientation)))
  return copyCount++
}

/** Forgets all copies. */
export function clearCopies(): void {
  copyCount = 0
}
