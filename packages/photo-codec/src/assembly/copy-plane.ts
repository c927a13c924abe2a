/**
 * One plane of a copy, and how it is turned upright by its EXIF orientation (TIFF 6.0, tag 274), some rows at a time.
 *
 * Upright row y, column x is found in the stored plane at row y, column x; from orientation 5 on at row x, column y;
 * in either case counted from the far edge where the axis is mirrored.
 */

import { Resampler } from './resample'

/** One plane of a copy. */
@unmanaged
export class CopyPlane {
  resampler: Resampler
  /** Samples of the fitted plane, as stored. */
  width: i32
  height: i32
  /** Rows of the upright plane in a row of MCUs, and samples in such a row. */
  rowsPerMcu: i32
  paddedWidth: i32
  /** Bytes after a row of the photo's plane that are read. */
  reach: i32
  isMirroredAcross: bool
  isMirroredDown: bool
  ring: usize
  ringStride: i32
  ringRows: i32
  /** A row of MCUs. */
  rows: usize
  rowsStride: i32
}

/** Whether rows become columns. */
export function isTransposed(orientation: i32): bool {
  return orientation >= 5
}

/** Whether stored columns are read from right to left. */
export function isMirroredAcross(orientation: i32): bool {
  return orientation === 2 || orientation === 3 || orientation === 7 || orientation === 8
}

/** Whether stored rows are read from the bottom up. */
export function isMirroredDown(orientation: i32): bool {
  return orientation === 3 || orientation === 4 || orientation === 6 || orientation === 7
}

/** Writes the upright rows `from` to `to` of a plane that is stored in its ring to its rows. */
export function turnRows(plane: CopyPlane, orientation: i32, from: i32, to: i32): void {
  const width = plane.width
  const height = plane.height
  const stride = plane.ringStride
  const across = plane.isMirroredAcross
  const down = plane.isMirroredDown
  let target = plane.rows
  if (!isTransposed(orientation)) {
    for (let y = from; y < to; y++, target += plane.rowsStride) {
      const row = plane.ring + usize(down ? height - 1 - y : y) * stride
      if (across) for (let x = 0; x < width; x++) store<u8>(target + x, load<u8>(row + width - 1 - x))
      else memory.copy(target, row, width)
    }
    return
  }
  const targetStride = plane.rowsStride
  for (let x = 0; x < height; x++) {
    const row = plane.ring + usize(down ? height - 1 - x : x) * stride
    for (let y = from; y < to; y++) {
      store<u8>(target + (y - from) * targetStride + x, load<u8>(row + (across ? width - 1 - y : y)))
    }
  }
}
