/**
 * The blocks at the right and lower edges of a component, which may contain the picture only in part. Encoders fill the
 * rest as they like: some repeat the edge, some cameras leave it black or green. At full size it is simply cut off, but
 * shrinking a block mixes all of its 64 samples. So the filling is first replaced by the last samples of the picture.
 * Resampling extends an edge in the same way.
 *
 * That is linear, hence a product with a matrix along each axis: samples of coefficients, the last of them repeated,
 * coefficients of samples. The cosines are orthonormal, so the way back is the transposed way there.
 */

import { BASIS_STRIDE, basisOf } from './cosines'
import { BLOCK, BLOCK_STRIDE } from './inverse-dct'

/** For 1 to 8 samples of picture: 8 × 8 32-bit floats; row v has what coefficient v gives to each of the new ones. */
const MATRICES: usize = memory.data(9 * 8 * 32, 16)
const MATRIX_STRIDE: usize = 32
let areFilled: bool = false

/** The block after the vertical product. */
const WORK: usize = memory.data(8 * 32, 16)

/**
 * Replaces all but the first `rows` rows and `columns` columns of samples of the whole block in BLOCK. Leaves its
 * n × n lowest frequencies (n = `points`) there.
 */
export function replacePadding(points: i32, rows: i32, columns: i32): void {
  if (!areFilled) fill()
  const down = MATRICES + usize(rows) * 8 * MATRIX_STRIDE
  const across = MATRICES + usize(columns) * 8 * MATRIX_STRIDE
  for (let u = 0; u < points; u++) {
    let left = f32x4.splat(0)
    let right = f32x4.splat(0)
    for (let v = 0; v < 8; v++) {
      const factor = v128.load32_splat(down + usize(v) * MATRIX_STRIDE + usize(u) * 4)
      left = f32x4.add(left, f32x4.mul(factor, v128.load(BLOCK + v * BLOCK_STRIDE)))
      right = f32x4.add(right, f32x4.mul(factor, v128.load(BLOCK + v * BLOCK_STRIDE, 16)))
    }
    v128.store(WORK + u * BLOCK_STRIDE, left)
    v128.store(WORK + u * BLOCK_STRIDE, right, 16)
  }
  for (let row = 0; row < points; row++) {
    let left = f32x4.splat(0)
    let right = f32x4.splat(0)
    for (let v = 0; v < 8; v++) {
      const factor = v128.load32_splat(WORK + row * BLOCK_STRIDE + v * 4)
      left = f32x4.add(left, f32x4.mul(factor, v128.load(across + usize(v) * MATRIX_STRIDE)))
      right = f32x4.add(right, f32x4.mul(factor, v128.load(across + usize(v) * MATRIX_STRIDE, 16)))
    }
    v128.store(BLOCK + row * BLOCK_STRIDE, left)
    v128.store(BLOCK + row * BLOCK_STRIDE, right, 16)
  }
  memory.fill(BLOCK + points * BLOCK_STRIDE, 0, (8 - points) * BLOCK_STRIDE)
}

function fill(): void {
  const basis = basisOf(8)
  for (let length = 1; length <= 8; length++) {
    for (let v = 0; v < 8; v++) {
      for (let u = 0; u < 8; u++) {
        let sum: f32 = 0
        for (let x = 0; x < 8; x++) {
          const sample = load<f32>(basis + usize(v) * BASIS_STRIDE + usize(min(x, length - 1)) * 4)
          sum += load<f32>(basis + usize(u) * BASIS_STRIDE + usize(x) * 4) * sample
        }
        store<f32>(MATRICES + usize(length * 8 + v) * MATRIX_STRIDE + usize(u) * 4, sum)
      }
    }
  }
  areFilled = true
}
