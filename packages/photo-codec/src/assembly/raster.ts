/**
 * A picture as rows of RGBA pixels, all opaque: what an encoder of another format than JPEG takes.
 *
 * Chroma is of half the size, and its samples lie between the pixels. So a pixel has 9 parts of the nearest sample, 3 of
 * each next to it and 1 of the one across, as in libjpeg's "fancy upsampling". An odd row needs chroma of the row below;
 * where that has not come yet, the row waits.
 */

import { allocate, create, VECTOR_SLACK } from './arena'
import { NEUTRAL } from './colour'
import { McuRow } from './jpeg-encode'
import { paddedWidth } from './padding'

/** Pixels that are made at a time, and the bytes that may be written after the last. */
const GROUP: i32 = 16
const SLACK_BYTES: usize = 64

/** Samples have 6 bits after the point while they are added up, mixed chroma has 4. */
const BITS: i32 = 6
const MIXED_BITS: i32 = 4
const HALF: i16 = 32

/** What of chroma is in red, green and blue, in units of 2⁻¹⁵ (ITU-T T.871 section 7); of red and blue the part above 1. */
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
  /** The row of luma that waits, and the last row of each chroma plane. */
  private luma: usize
  private blue: usize
  private red: usize
  /** Chroma of a row, mixed with the row next to it: 16 bits each, with one more sample on either side. */
  private blues: usize
  private reds: usize

  static create(width: i32, height: i32): Raster {
    const raster = create<Raster>()
    const padded = paddedWidth(width)
    raster.width = width
    raster.height = height
    raster.pixels = allocate(usize(width) * height * 4 + SLACK_BYTES)
    raster.luma = allocate(padded + VECTOR_SLACK)
    raster.blue = allocate((padded >> 1) + VECTOR_SLACK)
    raster.red = allocate((padded >> 1) + VECTOR_SLACK)
    raster.blues = allocate(padded + 4 + VECTOR_SLACK)
    raster.reds = allocate(padded + 4 + VECTOR_SLACK)
    return raster
  }

  /**
   * Takes the rows from `from`, which is even, to `to`, in this order. All of them are padded to a multiple of 16 samples
   * of luma; only the last rows may be an odd number.
   */
  put(rows: McuRow, from: i32, to: i32): void {
    const chromaStride = rows.chromaStride
    const blue = rows.blue
    const red = rows.red
    if (from > 0) this.putRow(from - 1, this.luma, this.blue, this.red, blue, red)
    const isLast = to === this.height
    for (let y = from; y < to; y++) {
      const near = ((y - from) >> 1) * chromaStride
      let nextBlue = blue + near
      let nextRed = red + near
      if ((y & 1) === 1) {
        if (y + 1 < to) {
          nextBlue += chromaStride
          nextRed += chromaStride
        } else if (!isLast) break
      } else if (y > from) {
        nextBlue -= chromaStride
        nextRed -= chromaStride
      } else if (from > 0) {
        nextBlue = this.blue
        nextRed = this.red
      }
      this.putRow(y, rows.luma + (y - from) * rows.lumaStride, blue + near, red + near, nextBlue, nextRed)
    }
    if (isLast) return
    // The last row is kept for the rows that follow.
    const last = to - 1 - from
    const padded = paddedWidth(this.width)
    memory.copy(this.luma, rows.luma + last * rows.lumaStride, padded)
    memory.copy(this.blue, blue + (last >> 1) * chromaStride, padded >> 1)
    memory.copy(this.red, red + (last >> 1) * chromaStride, padded >> 1)
  }

  /** Makes row `y` of luma, the row of chroma nearest to it and the one next to that. */
  private putRow(y: i32, luma: usize, blue: usize, red: usize, nextBlue: usize, nextRed: usize): void {
    const samples = paddedWidth(this.width) >> 1
    mixRows(blue, nextBlue, samples, this.blues)
    mixRows(red, nextRed, samples, this.reds)
    let target = this.pixels + usize(y) * this.width * 4
    // The last pixels of a row may be written into the next one, which follows.
    for (let x = 0; x < this.width; x += GROUP, target += GROUP * 4) {
      storeGroup(target, v128.load(luma + x), this.blues + x + 2, this.reds + x + 2)
    }
  }
}

/** Three parts of one row and one of the other, with the first and last sample repeated. */
function mixRows(near: usize, next: usize, count: i32, target: usize): void {
  const three = i16x8.splat(3)
  for (let x = 0; x < count; x += 8) {
    const sums = i16x8.add(i16x8.mul(v128.load_ext<u8>(near + x), three), v128.load_ext<u8>(next + x))
    v128.store(target + 2 + x * 2, sums)
  }
  store<i16>(target, load<i16>(target + 2))
  store<i16>(target + 2 + count * 2, load<i16>(target + count * 2))
}

/** Makes 16 pixels of luma and of mixed chroma, eight samples each. */
function storeGroup(target: usize, luma: v128, blues: usize, reds: usize): void {
  const lowLuma = i16x8.shl(i16x8.extend_low_i8x16_u(luma), BITS)
  const highLuma = i16x8.shl(i16x8.extend_high_i8x16_u(luma), BITS)
  const evenBlue = centred(blues, -2)
  const oddBlue = centred(blues, 2)
  const evenRed = centred(reds, -2)
  const oddRed = centred(reds, 2)
  const lowBlue = v128.shuffle<i16>(evenBlue, oddBlue, 0, 8, 1, 9, 2, 10, 3, 11)
  const highBlue = v128.shuffle<i16>(evenBlue, oddBlue, 4, 12, 5, 13, 6, 14, 7, 15)
  const lowRed = v128.shuffle<i16>(evenRed, oddRed, 0, 8, 1, 9, 2, 10, 3, 11)
  const highRed = v128.shuffle<i16>(evenRed, oddRed, 4, 12, 5, 13, 6, 14, 7, 15)
  storePixels(
    target,
    rounded(i16x8.add(lowLuma, redTint(lowRed)), i16x8.add(highLuma, redTint(highRed))),
    rounded(
      i16x8.sub(lowLuma, greenShade(lowBlue, lowRed)),
      i16x8.sub(highLuma, greenShade(highBlue, highRed)),
    ),
    rounded(i16x8.add(lowLuma, blueTint(lowBlue)), i16x8.add(highLuma, blueTint(highBlue))),
  )
}

/** Three parts of eight samples and one of those `step` bytes away, counted from the neutral value. */
function centred(samples: usize, step: i32): v128 {
  const sums = i16x8.add(i16x8.mul(v128.load(samples), i16x8.splat(3)), v128.load(samples + step))
  return i16x8.shl(i16x8.sub(sums, i16x8.splat(i16(NEUTRAL << MIXED_BITS))), BITS - MIXED_BITS)
}

function redTint(reds: v128): v128 {
  return i16x8.add(reds, i16x8.q15mulr_sat_s(reds, i16x8.splat(RED_OF_RED)))
}

function blueTint(blues: v128): v128 {
  return i16x8.add(blues, i16x8.q15mulr_sat_s(blues, i16x8.splat(BLUE_OF_BLUE)))
}

function greenShade(blues: v128, reds: v128): v128 {
  return i16x8.add(
    i16x8.q15mulr_sat_s(blues, i16x8.splat(GREEN_OF_BLUE)),
    i16x8.q15mulr_sat_s(reds, i16x8.splat(GREEN_OF_RED)),
  )
}

/** Sixteen samples without the bits after the point. */
function rounded(low: v128, high: v128): v128 {
  const half = i16x8.splat(HALF)
  return i8x16.narrow_i16x8_u(
    i16x8.shr_s(i16x8.add(low, half), BITS),
    i16x8.shr_s(i16x8.add(high, half), BITS),
  )
}

/** Interleaves sixteen samples of each channel with an alpha of 255. */
function storePixels(target: usize, red: v128, green: v128, blue: v128): void {
  storeHalf(target, red, green, blue)
  storeHalf(target + 32, upper(red), upper(green), upper(blue))
}

/** Interleaves the first eight of sixteen samples. */
function storeHalf(target: usize, red: v128, green: v128, blue: v128): void {
  const redGreen = v128.shuffle<i8>(red, green, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
  const blueAlpha = v128.or(i16x8.extend_low_i8x16_u(blue), i16x8.splat(i16(0xff00)))
  v128.store(target, v128.shuffle<i16>(redGreen, blueAlpha, 0, 8, 1, 9, 2, 10, 3, 11))
  v128.store(target, v128.shuffle<i16>(redGreen, blueAlpha, 4, 12, 5, 13, 6, 14, 7, 15), 16)
}

function upper(samples: v128): v128 {
  return v128.shuffle<i64>(samples, samples, 1, 1)
}
