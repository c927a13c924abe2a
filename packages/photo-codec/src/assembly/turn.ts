/**
 * Turns a plane upright by its EXIF orientation (TIFF 6.0, tag 274), some rows at a time.
 *
 * Upright row y, column x is found in the stored plane at row y, column x; from orientation 5 on at row x, column y;
 * in either case counted from the far edge where the axis is mirrored.
 */

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

/** Writes the upright rows `from` to `to` of a stored plane of width × height samples. */
export function turnRows(
  plane: usize,
  planeStride: i32,
  width: i32,
  height: i32,
  orientation: i32,
  from: i32,
  to: i32,
  target: usize,
  targetStride: i32,
): void {
  const across = isMirroredAcross(orientation)
  const down = isMirroredDown(orientation)
  if (!isTransposed(orientation)) {
    for (let y = from; y < to; y++, target += targetStride) {
      const row = plane + usize(down ? height - 1 - y : y) * planeStride
      if (across) for (let x = 0; x < width; x++) store<u8>(target + x, load<u8>(row + width - 1 - x))
      else memory.copy(target, row, width)
    }
    return
  }
  for (let x = 0; x < height; x++) {
    const row = plane + usize(down ? height - 1 - x : x) * planeStride
    for (let y = from; y < to; y++) {
      store<u8>(target + (y - from) * targetStride + x, load<u8>(row + (across ? width - 1 - y : y)))
    }
  }
}
