/** Filling rows of samples up to whole MCUs, which is all that can be encoded. */

import { MCU_SIZE } from './jpeg-encode'

/** Repeats the last sample of each row and the last row until whole MCUs are full. */
export function padRows(rows: usize, stride: i32, width: i32, padded: i32, count: i32, wanted: i32): void {
  for (let y = 0; y < count; y++) {
    const row = rows + y * stride
    memory.fill(row + width, load<u8>(row + width - 1), padded - width)
  }
  for (let y = count; y < wanted; y++) memory.copy(rows + y * stride, rows + (count - 1) * stride, padded)
}

/** A width of pixels filled up to whole MCUs. */
export function paddedWidth(width: i32): i32 {
  return (width + MCU_SIZE - 1) & ~(MCU_SIZE - 1)
}
