/**
 * The colour spaces of pictures, and their conversion to Y′CbCr (ITU-T T.871 section 7). Only Y′CbCr is scaled and encoded.
 */

/** Models that pictures are scaled in. */
export enum ColourModel {
  Grey = 0,
  /** Luma and two chroma components, which need no more than half the size in the output. */
  Ycc = 1,
  /** Luma, chroma and alpha of a watermark; all at full size, luma and chroma multiplied by alpha. */
  Watermark = 2,
}

/** The value of a chroma sample without colour. */
export const NEUTRAL: i32 = 128

/** Sample planes that a picture is scaled in. */
export function planeCount(model: ColourModel): i32 {
  if (model === ColourModel.Grey) return 1
  return model === ColourModel.Ycc ? 3 : 4
}

/** Whether a plane is scaled to half the size of the picture. */
export function isHalved(model: ColourModel, plane: i32): bool {
  return model === ColourModel.Ycc && plane > 0
}

/** Weights of R′G′B′ in Y′, Cb and Cr in units of 2⁻¹⁵ (ITU-T T.871 section 7). */
const LUMA = i16x8(9798, 19235, 3735, 0, 9798, 19235, 3735, 0)
const BLUE_DIFFERENCE = i16x8(-5529, -10855, 16384, 0, -5529, -10855, 16384, 0)
const RED_DIFFERENCE = i16x8(16384, -13720, -2664, 0, 16384, -13720, -2664, 0)
const WEIGHT_BITS: i32 = 15

/**
 * Converts `count` RGBA pixels to one sample each of luma and chroma; alpha is not looked at. All four areas are touched up to
 * VECTOR_SLACK bytes after their end.
 */
export function convertRgba(rgba: usize, count: i32, luma: usize, blue: usize, red: usize): void {
  const rounding = i32x4.splat(1 << (WEIGHT_BITS - 1))
  const neutral = i32x4.splat((NEUTRAL << WEIGHT_BITS) + (1 << (WEIGHT_BITS - 1)))
  for (const end = rgba + count * 4; rgba < end; rgba += 16, luma += 4, blue += 4, red += 4) {
    const first = v128.load_ext<u8>(rgba)
    const second = v128.load_ext<u8>(rgba, 8)
    storeFour(luma, first, second, LUMA, rounding)
    storeFour(blue, first, second, BLUE_DIFFERENCE, neutral)
    storeFour(red, first, second, RED_DIFFERENCE, neutral)
  }
}

/** The weighted sums of four pixels of 4 × 16 bits. */
function storeFour(target: usize, first: v128, second: v128, weights: v128, offset: v128): void {
  const left = i32x4.dot_i16x8_s(first, weights)
  const right = i32x4.dot_i16x8_s(second, weights)
  const sums = i32x4.add(
    v128.shuffle<i32>(left, right, 0, 2, 4, 6),
    v128.shuffle<i32>(left, right, 1, 3, 5, 7),
  )
  const samples = i32x4.shr_s(i32x4.add(sums, offset), WEIGHT_BITS)
  const words = i16x8.narrow_i32x4_s(samples, samples)
  v128.store32_lane(target, i8x16.narrow_i16x8_u(words, words), 0)
}

/** Lays `count` RGBA pixels on white paper, in place. */
export function flatten(rgba: usize, count: i32): void {
  for (const end = rgba + count * 4; rgba < end; rgba += 4) {
    const alpha = i32(load<u8>(rgba, 3))
    if (alpha === 255) continue
    for (let channel: usize = 0; channel < 3; channel++) {
      const ink = 255 - i32(load<u8>(rgba + channel))
      store<u8>(rgba + channel, u8(255 - (ink * alpha + 127) / 255))
    }
  }
}

/** Multiplies luma, and chroma counted from its neutral value, by alpha; takes `count` alphas out of RGBA pixels. */
export function premultiply(
  rgba: usize,
  count: i32,
  luma: usize,
  blue: usize,
  red: usize,
  alphas: usize,
): void {
  for (let i = 0; i < count; i++) {
    const alpha = i32(load<u8>(rgba + i * 4, 3))
    store<u8>(alphas + i, u8(alpha))
    if (alpha === 255) continue
    store<u8>(luma + i, u8((i32(load<u8>(luma + i)) * alpha + 127) / 255))
    store<u8>(blue + i, scaleChroma(load<u8>(blue + i), alpha))
    store<u8>(red + i, scaleChroma(load<u8>(red + i), alpha))
  }
}

function scaleChroma(sample: u8, alpha: i32): u8 {
  return u8(NEUTRAL + ((i32(sample) - NEUTRAL) * alpha) / 255)
}
