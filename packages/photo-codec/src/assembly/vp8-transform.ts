/** The inverse transforms of VP8 (RFC 6386 section 14). Coefficients have 16 bits, 16 to a block, row by row. */

/** √2 · cos(π/8) − 1 and √2 · sin(π/8), in units of 2⁻¹⁶. */
const COSINE: i32 = 20091
const SINE: i32 = 35468

/** Bytes of a block's coefficients. */
export const BLOCK_BYTES: usize = 32

/** Adds the inverse DCT of the coefficients at `source` to the 4 × 4 predicted samples at `target` (section 14.4). */
export function addBlock(source: usize, target: usize, stride: i32): void {
  const row1 = v128.load_ext<i16>(source, 8)
  const row3 = v128.load_ext<i16>(source, 24)
  const row0 = v128.load_ext<i16>(source)
  const row2 = v128.load_ext<i16>(source, 16)
  const even = i32x4.add(row0, row2)
  const odd = i32x4.sub(row0, row2)
  const low = i32x4.sub(timesSine(row1), timesCosine(row3))
  const high = i32x4.add(timesCosine(row1), timesSine(row3))
  const a = i32x4.add(even, high)
  const b = i32x4.add(odd, low)
  const c = i32x4.sub(odd, low)
  const d = i32x4.sub(even, high)
  // Transposed here, and back after the second pass.
  const ab = v128.shuffle<i32>(a, b, 0, 4, 1, 5)
  const cd = v128.shuffle<i32>(c, d, 0, 4, 1, 5)
  const ab2 = v128.shuffle<i32>(a, b, 2, 6, 3, 7)
  const cd2 = v128.shuffle<i32>(c, d, 2, 6, 3, 7)
  const first = i32x4.add(v128.shuffle<i64>(ab, cd, 0, 2), i32x4.splat(4))
  const second = v128.shuffle<i64>(ab, cd, 1, 3)
  const third = v128.shuffle<i64>(ab2, cd2, 0, 2)
  const fourth = v128.shuffle<i64>(ab2, cd2, 1, 3)
  const even2 = i32x4.add(first, third)
  const odd2 = i32x4.sub(first, third)
  const low2 = i32x4.sub(timesSine(second), timesCosine(fourth))
  const high2 = i32x4.add(timesCosine(second), timesSine(fourth))
  const e = i32x4.shr_s(i32x4.add(even2, high2), 3)
  const f = i32x4.shr_s(i32x4.add(odd2, low2), 3)
  const g = i32x4.shr_s(i32x4.sub(odd2, low2), 3)
  const h = i32x4.shr_s(i32x4.sub(even2, high2), 3)
  const ef = v128.shuffle<i32>(e, f, 0, 4, 1, 5)
  const gh = v128.shuffle<i32>(g, h, 0, 4, 1, 5)
  const ef2 = v128.shuffle<i32>(e, f, 2, 6, 3, 7)
  const gh2 = v128.shuffle<i32>(g, h, 2, 6, 3, 7)
  addRow(target, v128.shuffle<i64>(ef, gh, 0, 2))
  addRow(target + stride, v128.shuffle<i64>(ef, gh, 1, 3))
  addRow(target + 2 * stride, v128.shuffle<i64>(ef2, gh2, 0, 2))
  addRow(target + 3 * stride, v128.shuffle<i64>(ef2, gh2, 1, 3))
}

/** `addBlock` for a block whose only coefficient is DC: all 16 samples change by the same value. */
export function addFlatBlock(source: usize, target: usize, stride: i32): void {
  const value = i32x4.splat((i32(load<i16>(source)) + 4) >> 3)
  addRow(target, value)
  addRow(target + stride, value)
  addRow(target + 2 * stride, value)
  addRow(target + 3 * stride, value)
}

function timesCosine(value: v128): v128 {
  return i32x4.add(i32x4.shr_s(i32x4.mul(value, i32x4.splat(COSINE)), 16), value)
}

function timesSine(value: v128): v128 {
  return i32x4.shr_s(i32x4.mul(value, i32x4.splat(SINE)), 16)
}

/** Adds four differences to four samples. */
function addRow(target: usize, differences: v128): void {
  const samples = i16x8.extend_low_i8x16_u(v128.load32_zero(target))
  const sums = i16x8.add_sat_s(samples, i16x8.narrow_i32x4_s(differences, differences))
  v128.store32_lane(target, i8x16.narrow_i16x8_u(sums, sums), 0)
}

/** Transforms the block Y2 at `source` to the DC coefficients of 16 successive blocks of luma at `target` (section 14.3). */
export function inverseWalshHadamard(source: usize, target: usize): void {
  const row0 = v128.load_ext<i16>(source)
  const row1 = v128.load_ext<i16>(source, 8)
  const row2 = v128.load_ext<i16>(source, 16)
  const row3 = v128.load_ext<i16>(source, 24)
  const outer = i32x4.add(row0, row3)
  const inner = i32x4.add(row1, row2)
  const innerDifference = i32x4.sub(row1, row2)
  const outerDifference = i32x4.sub(row0, row3)
  transformRow(i32x4.add(outer, inner), target)
  transformRow(i32x4.add(outerDifference, innerDifference), target + 4 * BLOCK_BYTES)
  transformRow(i32x4.sub(outer, inner), target + 8 * BLOCK_BYTES)
  transformRow(i32x4.sub(outerDifference, innerDifference), target + 12 * BLOCK_BYTES)
}

/** Stores the DC coefficients of four successive blocks. */
function transformRow(row: v128, target: usize): void {
  const first = i32x4.extract_lane(row, 0) + 3
  const second = i32x4.extract_lane(row, 1)
  const third = i32x4.extract_lane(row, 2)
  const fourth = i32x4.extract_lane(row, 3)
  const outer = first + fourth
  const inner = second + third
  const innerDifference = second - third
  const outerDifference = first - fourth
  store<i16>(target, i16((outer + inner) >> 3))
  store<i16>(target + BLOCK_BYTES, i16((outerDifference + innerDifference) >> 3))
  store<i16>(target + 2 * BLOCK_BYTES, i16((outer - inner) >> 3))
  store<i16>(target + 3 * BLOCK_BYTES, i16((outerDifference - innerDifference) >> 3))
}
