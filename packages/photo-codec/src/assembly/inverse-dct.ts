/**
 * The inverse transform of a block, scaled: n × n coefficients become n × n samples (n = 1 to 8), by two products with
 * the basis in `cosines.ts`. Rows and columns that hold only zeros are left out, which is most of them in most blocks.
 */

import { BASIS_STRIDE } from './cosines'

/** From one row of BLOCK to the next: eight 32-bit floats. */
export const BLOCK_STRIDE: i32 = 32
/** Where coefficients are put that are not kept: after the block. */
export const SPARE: i32 = 8 * BLOCK_STRIDE
/** The coefficients of the current block, dequantised, row by row: 32-bit floats. */
export const BLOCK: usize = memory.data(SPARE + 16, 16)

/** The block after the vertical pass. */
const WORK: usize = memory.data(8 * 32, 16)

/** Added to the constant coefficient, it lifts every sample by 128 (ITU-T T.81 A.3.1): 128 / basis(0, 0)². */
const LEVEL_SHIFT: f32 = 1024
const CONSTANT_BASIS: f32 = 0.125

/** Zeros for the next block of n × n coefficients. */
export function clearBlock(points: i32): void {
  const zero = f32x4.splat(0)
  for (let row = BLOCK; row < BLOCK + points * BLOCK_STRIDE; row += BLOCK_STRIDE) {
    v128.store(row, zero)
    v128.store(row, zero, 16)
  }
}

/**
 * Writes n × n samples to `target`, of which only the first `rows` rows and `columns` columns of coefficients differ
 * from zero. Up to 7 bytes to the right of the samples are written, too: the next block's place.
 */
export function transformBlock(
  basis: usize,
  points: i32,
  rows: i32,
  columns: i32,
  target: usize,
  stride: i32,
): void {
  store<f32>(BLOCK, load<f32>(BLOCK) + LEVEL_SHIFT)
  if (rows === 1 && columns === 1) {
    fillBlock(points, target, stride)
  } else if (points <= 4) {
    transformNarrow(basis, points, target, stride)
  } else {
    if (columns <= 4) transformFourColumns(basis, points, rows)
    else transformEightColumns(basis, points, rows)
    writeWideRows(basis, points, columns, target, stride)
  }
}

function fillBlock(points: i32, target: usize, stride: i32): void {
  const level = f32x4.splat(load<f32>(BLOCK) * CONSTANT_BASIS)
  const samples = toSamples(level, level)
  for (let y = 0; y < points; y++, target += stride) v128.store64_lane(target, samples, 0)
}

/**
 * The vertical pass for four columns. Rows mirrored about the middle share the sums of even and odd frequencies:
 * their cosines are the same, but for the sign of the odd ones.
 */
function transformFourColumns(basis: usize, points: i32, rows: i32): void {
  const end = BLOCK + rows * BLOCK_STRIDE
  let top = WORK
  let bottom = WORK + (points - 1) * BLOCK_STRIDE
  for (; top <= bottom; top += BLOCK_STRIDE, bottom -= BLOCK_STRIDE, basis += 4) {
    let even = f32x4.splat(0)
    let odd = f32x4.splat(0)
    // A last row without a partner is followed by zeros: of the block or, after row n, of the basis.
    for (let row = BLOCK, cosines = basis; row < end; row += 2 * BLOCK_STRIDE, cosines += 2 * BASIS_STRIDE) {
      even = f32x4.add(even, f32x4.mul(v128.load(row), v128.load32_splat(cosines)))
      odd = f32x4.add(odd, f32x4.mul(v128.load(row, 32), v128.load32_splat(cosines, 32)))
    }
    v128.store(bottom, f32x4.sub(even, odd))
    v128.store(top, f32x4.add(even, odd))
  }
}

/** The same for eight columns. */
function transformEightColumns(basis: usize, points: i32, rows: i32): void {
  const end = BLOCK + rows * BLOCK_STRIDE
  let top = WORK
  let bottom = WORK + (points - 1) * BLOCK_STRIDE
  for (; top <= bottom; top += BLOCK_STRIDE, bottom -= BLOCK_STRIDE, basis += 4) {
    let evenLeft = f32x4.splat(0)
    let evenRight = f32x4.splat(0)
    let oddLeft = f32x4.splat(0)
    let oddRight = f32x4.splat(0)
    for (let row = BLOCK, cosines = basis; row < end; row += 2 * BLOCK_STRIDE, cosines += 2 * BASIS_STRIDE) {
      const even = v128.load32_splat(cosines)
      const odd = v128.load32_splat(cosines, 32)
      evenLeft = f32x4.add(evenLeft, f32x4.mul(v128.load(row), even))
      evenRight = f32x4.add(evenRight, f32x4.mul(v128.load(row, 16), even))
      oddLeft = f32x4.add(oddLeft, f32x4.mul(v128.load(row, 32), odd))
      oddRight = f32x4.add(oddRight, f32x4.mul(v128.load(row, 48), odd))
    }
    v128.store(bottom, f32x4.sub(evenLeft, oddLeft))
    v128.store(bottom, f32x4.sub(evenRight, oddRight), 16)
    v128.store(top, f32x4.add(evenLeft, oddLeft))
    v128.store(top, f32x4.add(evenRight, oddRight), 16)
  }
}

/**
 * Both passes for two to four points, all in registers: with so little to do, telling which rows and columns are zero
 * takes longer than multiplying them. What of four rows and columns lies beyond n is multiplied by zeros of the basis.
 */
function transformNarrow(basis: usize, points: i32, target: usize, stride: i32): void {
  const first = v128.load(BLOCK)
  const second = v128.load(BLOCK, 32)
  const third = v128.load(BLOCK, 64)
  const fourth = v128.load(BLOCK, 96)
  const outerEven = f32x4.add(
    f32x4.mul(first, v128.load32_splat(basis)),
    f32x4.mul(third, v128.load32_splat(basis, 64)),
  )
  const outerOdd = f32x4.add(
    f32x4.mul(second, v128.load32_splat(basis, 32)),
    f32x4.mul(fourth, v128.load32_splat(basis, 96)),
  )
  const top = sumRow(f32x4.add(outerEven, outerOdd), basis)
  const bottom = sumRow(f32x4.sub(outerEven, outerOdd), basis)
  if (points === 2) {
    const samples = toSamples(top, bottom)
    v128.store32_lane(target, samples, 0)
    v128.store32_lane(target + stride, samples, 1)
    return
  }
  const innerEven = f32x4.add(
    f32x4.mul(first, v128.load32_splat(basis, 4)),
    f32x4.mul(third, v128.load32_splat(basis, 68)),
  )
  const innerOdd = f32x4.add(
    f32x4.mul(second, v128.load32_splat(basis, 36)),
    f32x4.mul(fourth, v128.load32_splat(basis, 100)),
  )
  const upper = toSamples(top, sumRow(f32x4.add(innerEven, innerOdd), basis))
  v128.store32_lane(target, upper, 0)
  v128.store32_lane(target + stride, upper, 1)
  if (points === 3) {
    v128.store32_lane(target + 2 * stride, toSamples(bottom, bottom), 0)
    return
  }
  const lower = toSamples(sumRow(f32x4.sub(innerEven, innerOdd), basis), bottom)
  v128.store32_lane(target + 2 * stride, lower, 0)
  v128.store32_lane(target + 3 * stride, lower, 1)
}

/** The horizontal pass for a row of four. */
function sumRow(row: v128, basis: usize): v128 {
  return f32x4.add(
    f32x4.add(
      f32x4.add(
        f32x4.mul(v128.shuffle<i32>(row, row, 0, 0, 0, 0), v128.load(basis)),
        f32x4.mul(v128.shuffle<i32>(row, row, 1, 1, 1, 1), v128.load(basis, 32)),
      ),
      f32x4.mul(v128.shuffle<i32>(row, row, 2, 2, 2, 2), v128.load(basis, 64)),
    ),
    f32x4.mul(v128.shuffle<i32>(row, row, 3, 3, 3, 3), v128.load(basis, 96)),
  )
}

/** The horizontal pass for up to eight samples per row, two rows at a time. */
function writeWideRows(basis: usize, points: i32, columns: i32, target: usize, stride: i32): void {
  const end = basis + usize(columns) * BASIS_STRIDE
  for (let y = 0; y < points; y += 2, target += 2 * stride) {
    let factors = WORK + y * BLOCK_STRIDE
    let left = f32x4.splat(0)
    let right = f32x4.splat(0)
    let nextLeft = f32x4.splat(0)
    let nextRight = f32x4.splat(0)
    for (let cosines = basis; cosines < end; cosines += BASIS_STRIDE, factors += 4) {
      const leftCosines = v128.load(cosines)
      const rightCosines = v128.load(cosines, 16)
      const factor = v128.load32_splat(factors)
      const nextFactor = v128.load32_splat(factors, 32)
      left = f32x4.add(left, f32x4.mul(factor, leftCosines))
      right = f32x4.add(right, f32x4.mul(factor, rightCosines))
      nextLeft = f32x4.add(nextLeft, f32x4.mul(nextFactor, leftCosines))
      nextRight = f32x4.add(nextRight, f32x4.mul(nextFactor, rightCosines))
    }
    v128.store64_lane(target, toSamples(left, right), 0)
    if (y + 1 < points) v128.store64_lane(target + stride, toSamples(nextLeft, nextRight), 0)
  }
}

/** Eight samples of 0–255 in the lower half. */
function toSamples(low: v128, high: v128): v128 {
  const words = i16x8.narrow_i32x4_s(
    i32x4.trunc_sat_f32x4_s(f32x4.nearest(low)),
    i32x4.trunc_sat_f32x4_s(f32x4.nearest(high)),
  )
  return i8x16.narrow_i16x8_u(words, words)
}
