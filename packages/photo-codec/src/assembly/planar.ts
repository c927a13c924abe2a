/**
 * Hands decoded lossy WebP to the resamplers of the copies. It comes as rows of luma and of half as many, half as wide
 * rows of chroma, in the narrow range of video (16 to 235, 16 to 240), perhaps with alpha. It is laid on white or, for a
 * watermark, multiplied by alpha.
 *
 *     startPlanar(width, height, keepsAlpha)
 *     pushPlanar(luma, stride, 2, blue, red, alpha) // two rows of luma and one of chroma, as often as there are any
 */

import { allocate, VECTOR_SLACK } from './arena'
import { ColourModel, NEUTRAL, planeCount } from './colour'
import { drainCopies, prepareCopies, pushRow, scalePlane } from './copies'

let pictureWidth: i32 = 0
let model: ColourModel = ColourModel.Ycc
/** One row of each plane, and how opaque each sample of a row of chroma is. */
const ROWS: usize = memory.data(4 * 4, 4)
let opacity: usize = 0

const NARROW_BLACK: i32 = 16
/** What makes 219 steps of luma and 224 of chroma 255, less 1, in units of 2⁻¹⁵. */
const LUMA_STRETCH: i16 = 5387
const CHROMA_STRETCH: i16 = 4535

/** Sets the copies up for a picture of this size. `keepsAlpha`: it is a watermark. */
export function startPlanar(width: i32, height: i32, keepsAlpha: bool): void {
  pictureWidth = width
  model = keepsAlpha ? ColourModel.Watermark : ColourModel.Ycc
  let reach = 0
  prepareCopies(model)
  for (let i = 0; i < planeCount(model); i++) {
    const part = i === 1 || i === 2 ? 2 : 1
    const exactWidth = f64(width) / f64(part)
    const exactHeight = f64(height) / f64(part)
    const rows = (height + part - 1) / part
    reach = max(reach, scalePlane(i, (width + part - 1) / part, rows, exactWidth, exactHeight))
  }
  for (let i = 0; i < 4; i++) {
    store<usize>(ROWS + i * 4, allocate(usize(width) + reach + VECTOR_SLACK * 2))
  }
  opacity = allocate((width >> 1) + VECTOR_SLACK)
}

/** Takes one or two rows of luma and the row of chroma that belongs to them. `alpha`: as many rows, or 0 for an opaque picture. */
export function pushPlanar(
  luma: usize,
  stride: i32,
  count: i32,
  blue: usize,
  red: usize,
  alpha: usize,
): void {
  const width = pictureWidth
  const row = load<usize>(ROWS)
  for (let y = 0; y < count; y++) {
    widen(luma + y * stride, row, width, NARROW_BLACK, 0, LUMA_STRETCH)
    const alphas: usize = alpha === 0 ? 0 : alpha + usize(y) * width
    if (alphas !== 0) blendLuma(row, alphas, width)
    pushRow(0, row)
    if (model !== ColourModel.Watermark) continue
    const alphaRow = load<usize>(ROWS, 12)
    if (alphas === 0) memory.fill(alphaRow, 255, width)
    else memory.copy(alphaRow, alphas, width)
    pushRow(3, alphaRow)
  }
  const half = (width + 1) >> 1
  if (alpha !== 0) meanOpacity(alpha, width, count)
  for (let i = 1; i < 3; i++) {
    const target = load<usize>(ROWS + i * 4)
    widen(i === 1 ? blue : red, target, half, NEUTRAL, NEUTRAL, CHROMA_STRETCH)
    for (let x = 0; alpha !== 0 && x < half; x++) {
      const tint = i32(load<u8>(target + x)) - NEUTRAL
      store<u8>(target + x, u8(NEUTRAL + (tint * i32(load<u8>(opacity + x))) / 255))
    }
    pushRow(i, target)
  }
  drainCopies()
}

/** Stretches samples around `origin` to the full range around `centre`. Both rows need VECTOR_SLACK. */
function widen(source: usize, target: usize, count: i32, origin: i32, centre: i32, stretch: i16): void {
  const from = i16x8.splat(i16(origin))
  const to = i16x8.splat(i16((centre << 6) + 32))
  const factor = i16x8.splat(stretch)
  for (const end = target + count; target < end; target += 16, source += 16) {
    const samples = v128.load(source)
    const low = i16x8.shl(i16x8.sub(i16x8.extend_low_i8x16_u(samples), from), 6)
    const high = i16x8.shl(i16x8.sub(i16x8.extend_high_i8x16_u(samples), from), 6)
    const lowSum = i16x8.add(i16x8.add(low, i16x8.q15mulr_sat_s(low, factor)), to)
    const highSum = i16x8.add(i16x8.add(high, i16x8.q15mulr_sat_s(high, factor)), to)
    v128.store(target, i8x16.narrow_i16x8_u(i16x8.shr_s(lowSum, 6), i16x8.shr_s(highSum, 6)))
  }
}

/** Lays luma on white, or multiplies it. */
function blendLuma(row: usize, alphas: usize, count: i32): void {
  const paper = model === ColourModel.Ycc ? 255 : 0
  for (let x = 0; x < count; x++) {
    const alpha = i32(load<u8>(alphas + x))
    if (alpha === 255) continue
    const ink = abs(i32(load<u8>(row + x)) - paper)
    store<u8>(row + x, u8(abs(paper - (ink * alpha + 127) / 255)))
  }
}

/** The mean alpha of the samples of luma that share one of chroma: of two columns, fewer at an odd edge, and `count` rows. */
function meanOpacity(alpha: usize, width: i32, count: i32): void {
  for (let x = 0; x < width; x += 2) {
    const isPair = x + 1 < width
    let sum = 0
    for (let y = 0; y < count; y++) {
      const row = alpha + usize(y) * width + x
      sum += i32(load<u8>(row))
      if (isPair) sum += i32(load<u8>(row, 1))
    }
    const shared = count * (isPair ? 2 : 1)
    store<u8>(opacity + (x >> 1), u8((sum + (shared >> 1)) / shared))
  }
}
