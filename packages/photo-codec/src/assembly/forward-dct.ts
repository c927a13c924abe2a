/**
 * The forward transform of 8 × 8 samples, quantised. The one-dimensional transform is that of Arai, Agui and Nakajima
 * ("A Fast DCT-SQ Scheme for Images", 1988): 5 multiplications, with a scale for each frequency that is left to the
 * quantiser. Four columns are transformed at a time.
 */

/** The quantised coefficients: 64 of 16 bits, column by column. */
export const QUANTISED: usize = memory.data(128, 16)

/** The block, eight rows of eight 32-bit floats, and the same after a pass. */
const BLOCK: usize = memory.data(256, 16)
const WORK: usize = memory.data(256, 16)
const ROW_BYTES: usize = 32

/** Constants of the scheme: cos(π/4), cos(3π/8), cos(π/8) − cos(3π/8), cos(π/8) + cos(3π/8). */
const C4: f32 = f32(Math.SQRT1_2)
const C6: f32 = 0.382683433
const C2_MINUS_C6: f32 = 0.5411961
const C2_PLUS_C6: f32 = 1.306562965

/** Transforms the block at `samples`; `factors` as made by `reciprocals`. */
export function forwardDct(samples: usize, stride: i32, factors: usize): void {
  const middle = i16x8.splat(128)
  for (let row = BLOCK; row < BLOCK + 8 * ROW_BYTES; row += ROW_BYTES, samples += stride) {
    const levels = i16x8.sub(v128.load_ext<u8>(samples), middle)
    v128.store(row, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(levels)))
    v128.store(row, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(levels)), 16)
  }
  transformFour(BLOCK, WORK)
  transformFour(BLOCK + 16, WORK + 16)
  transpose(WORK, BLOCK)
  transformFour(BLOCK, WORK)
  transformFour(BLOCK + 16, WORK + 16)
  for (let i: usize = 0; i < 256; i += 32) {
    const low = f32x4.nearest(f32x4.mul(v128.load(WORK + i), v128.load(factors + i)))
    const high = f32x4.nearest(f32x4.mul(v128.load(WORK + i, 16), v128.load(factors + i, 16)))
    const words = i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(low), i32x4.trunc_sat_f32x4_s(high))
    v128.store(QUANTISED + (i >> 1), words)
  }
}

/** Transforms four columns of eight. */
function transformFour(source: usize, target: usize): void {
  const x0 = v128.load(source)
  const x1 = v128.load(source, 32)
  const x2 = v128.load(source, 64)
  const x3 = v128.load(source, 96)
  const x4 = v128.load(source, 128)
  const x5 = v128.load(source, 160)
  const x6 = v128.load(source, 192)
  const x7 = v128.load(source, 224)
  const sum07 = f32x4.add(x0, x7)
  const sum16 = f32x4.add(x1, x6)
  const sum25 = f32x4.add(x2, x5)
  const sum34 = f32x4.add(x3, x4)

  // Even frequencies.
  const outer = f32x4.add(sum07, sum34)
  const inner = f32x4.add(sum16, sum25)
  const outerDifference = f32x4.sub(sum07, sum34)
  const innerDifference = f32x4.sub(sum16, sum25)
  const rotated = f32x4.mul(f32x4.add(innerDifference, outerDifference), f32x4.splat(C4))
  v128.store(target, f32x4.add(outer, inner))
  v128.store(target, f32x4.sub(outer, inner), 128)
  v128.store(target, f32x4.add(outerDifference, rotated), 64)
  v128.store(target, f32x4.sub(outerDifference, rotated), 192)

  // Odd frequencies.
  const difference07 = f32x4.sub(x0, x7)
  const difference16 = f32x4.sub(x1, x6)
  const difference25 = f32x4.sub(x2, x5)
  const difference34 = f32x4.sub(x3, x4)
  const low = f32x4.add(difference34, difference25)
  const middle = f32x4.mul(f32x4.add(difference25, difference16), f32x4.splat(C4))
  const high = f32x4.add(difference16, difference07)
  const shared = f32x4.mul(f32x4.sub(low, high), f32x4.splat(C6))
  const lowRotated = f32x4.add(f32x4.mul(low, f32x4.splat(C2_MINUS_C6)), shared)
  const highRotated = f32x4.add(f32x4.mul(high, f32x4.splat(C2_PLUS_C6)), shared)
  const plus = f32x4.add(difference07, middle)
  const minus = f32x4.sub(difference07, middle)
  v128.store(target, f32x4.add(plus, highRotated), 32)
  v128.store(target, f32x4.sub(minus, lowRotated), 96)
  v128.store(target, f32x4.add(minus, lowRotated), 160)
  v128.store(target, f32x4.sub(plus, highRotated), 224)
}

/** Transposes 8 × 8 floats, four quarters at a time. */
function transpose(source: usize, target: usize): void {
  transposeQuarter(source, target)
  transposeQuarter(source + 16, target + 128)
  transposeQuarter(source + 128, target + 16)
  transposeQuarter(source + 144, target + 144)
}

function transposeQuarter(source: usize, target: usize): void {
  const a = v128.load(source)
  const b = v128.load(source, 32)
  const c = v128.load(source, 64)
  const d = v128.load(source, 96)
  const abLow = v128.shuffle<i32>(a, b, 0, 4, 1, 5)
  const abHigh = v128.shuffle<i32>(a, b, 2, 6, 3, 7)
  const cdLow = v128.shuffle<i32>(c, d, 0, 4, 1, 5)
  const cdHigh = v128.shuffle<i32>(c, d, 2, 6, 3, 7)
  v128.store(target, v128.shuffle<i64>(abLow, cdLow, 0, 2))
  v128.store(target, v128.shuffle<i64>(abLow, cdLow, 1, 3), 32)
  v128.store(target, v128.shuffle<i64>(abHigh, cdHigh, 0, 2), 64)
  v128.store(target, v128.shuffle<i64>(abHigh, cdHigh, 1, 3), 96)
}
