/**
 * A picture as rows of RGBA pixels, all opaque: what an encoder of another format than JPEG takes. Chroma is of half the
 * size; each of its samples colours 2 × 2 pixels (ITU-T T.871 section 7).
 */

import { allocate, create } from './arena'
import { NEUTRAL } from './colour'

/** Pixels that are made at a time, and the bytes that may be written after the last. */
const GROUP: i32 = 16
const SLACK_BYTES: usize = 64

/** Samples have 6 bits after the point while they are added up. */
const BITS: i32 = 6
const HALF: i16 = 32

/** What of chroma is in red, green and blue, in units of 2⁻¹⁵; of red and blue the part above 1. */
const RED_OF_RED: i16 = 13173
const GREEN_OF_BLUE: i16 = 11277
const GREEN_OF_RED: i16 = 23401
const BLUE_OF_BLUE: i16 = 25297

/** The pixels of one picture. */
@unmanaged
export class Raster {
  width: i32
  height: i32
  pixels: usize

  static create(width: i32, height: i32): Raster {
    const raster = create<Raster>()
    raster.width = width
    raster.height = height
    raster.pixels = allocate(usize(width) * height * 4 + SLACK_BYTES)
    return raster
  }

  /**
   * Takes the rows from `from` to `to`, in this order, as a row may write into the one after it. All of them are padded
   * to a multiple of 16 samples of luma.
   */
  put(luma: usize, lumaStride: i32, blue: usize, red: usize, chromaStride: i32, from: i32, to: i32): void {
    for (let y = from; y < to; y++) {
      const chroma = ((y - from) >> 1) * chromaStride
      const target = this.pixels + usize(y) * this.width * 4
      putRow(luma + (y - from) * lumaStride, blue + chroma, red + chroma, this.width, target)
    }
  }
}

function putRow(luma: usize, blue: usize, red: usize, width: i32, target: usize): void {
  for (let x = 0; x < width; x += GROUP, target += GROUP * 4) {
    const y = v128.load(luma + x)
    const blues = centred(blue + (x >> 1))
    const reds = centred(red + (x >> 1))
    const redTint = i16x8.add(reds, i16x8.q15mulr_sat_s(reds, i16x8.splat(RED_OF_RED)))
    const blueTint = i16x8.add(blues, i16x8.q15mulr_sat_s(blues, i16x8.splat(BLUE_OF_BLUE)))
    const greenTint = i16x8.neg(
      i16x8.add(
        i16x8.q15mulr_sat_s(blues, i16x8.splat(GREEN_OF_BLUE)),
        i16x8.q15mulr_sat_s(reds, i16x8.splat(GREEN_OF_RED)),
      ),
    )
    storePixels(target, tinted(y, redTint), tinted(y, greenTint), tinted(y, blueTint))
  }
}

/** Eight samples of chroma counted from their neutral value, with BITS after the point. */
function centred(samples: usize): v128 {
  return i16x8.shl(i16x8.sub(v128.load_ext<u8>(samples), i16x8.splat(i16(NEUTRAL))), BITS)
}

/** Sixteen samples of luma, each two of them with one of eight tints. */
function tinted(luma: v128, tints: v128): v128 {
  const half = i16x8.splat(HALF)
  const low = i16x8.shl(i16x8.extend_low_i8x16_u(luma), BITS)
  const high = i16x8.shl(i16x8.extend_high_i8x16_u(luma), BITS)
  const lowTints = v128.shuffle<i16>(tints, tints, 0, 0, 1, 1, 2, 2, 3, 3)
  const highTints = v128.shuffle<i16>(tints, tints, 4, 4, 5, 5, 6, 6, 7, 7)
  return i8x16.narrow_i16x8_u(
    i16x8.shr_s(i16x8.add(i16x8.add(low, lowTints), half), BITS),
    i16x8.shr_s(i16x8.add(i16x8.add(high, highTints), half), BITS),
  )
}

/** Interleaves sixteen samples of each channel with an alpha of 255. */
function storePixels(target: usize, red: v128, green: v128, blue: v128): void {
  const alpha = i8x16.splat(-1)
  const lowRedGreen = v128.shuffle<i8>(red, green, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
  const highRedGreen = v128.shuffle<i8>(
    red,
    green,
    8,
    24,
    9,
    25,
    10,
    26,
    11,
    27,
    12,
    28,
    13,
    29,
    14,
    30,
    15,
    31,
  )
  const lowBlueAlpha = v128.shuffle<i8>(blue, alpha, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
  const highBlueAlpha = v128.shuffle<i8>(
    blue,
    alpha,
    8,
    24,
    9,
    25,
    10,
    26,
    11,
    27,
    12,
    28,
    13,
    29,
    14,
    30,
    15,
    31,
  )
  v128.store(target, v128.shuffle<i16>(lowRedGreen, lowBlueAlpha, 0, 8, 1, 9, 2, 10, 3, 11))
  v128.store(target, v128.shuffle<i16>(lowRedGreen, lowBlueAlpha, 4, 12, 5, 13, 6, 14, 7, 15), 16)
  v128.store(target, v128.shuffle<i16>(highRedGreen, highBlueAlpha, 0, 8, 1, 9, 2, 10, 3, 11), 32)
  v128.store(target, v128.shuffle<i16>(highRedGreen, highBlueAlpha, 4, 12, 5, 13, 6, 14, 7, 15), 48)
}
