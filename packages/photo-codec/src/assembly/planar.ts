/**
 * Hands decoded lossy WebP to the resamplers of the copies. It comes as rows of luma and of half as many, half as wide
 * rows of chroma, in the narrow range of video (16 to 235, 16 to 240), perhaps with alpha, and perhaps as a part of a
 * larger canvas. It is laid on white or, for a watermark, multiplied by alpha.
 *
 *     startPlanar(canvas, keepsAlpha)
 *     pushPlanar(luma, stride, 2, blue, red, alpha) // two rows of luma and one of chroma, as often as there are any
 *     finishPlanar()
 */

import { allocate, create, VECTOR_SLACK } from './arena'
import { ColourModel, NEUTRAL, planeCount } from './colour'
import { copyAt, countCopies } from './copies'

/** A picture and its place on its canvas; `left` and `top` are even. */
@unmanaged
export class Canvas {
  width: i32
  height: i32
  left: i32
  top: i32
  pictureWidth: i32
  pictureHeight: i32

  static create(): Canvas {
    return create<Canvas>()
  }

  /** Whether the picture covers the whole canvas. */
  get isCovered(): bool {
    return this.pictureWidth === this.width && this.pictureHeight === this.height
  }
}

let canvas: Canvas = changetype<Canvas>(0)
let model: ColourModel = ColourModel.Ycc
/** One row of each plane, and how opaque each sample of a row of chroma is. */
const ROWS: usize = memory.data(4 * 4, 4)
let opacity: usize = 0

const NARROW_BLACK: i32 = 16
/** What makes 219 steps of luma and 224 of chroma 255, less 1, in units of 2⁻¹⁵. */
const LUMA_STRETCH: i16 = 5387
const CHROMA_STRETCH: i16 = 4535

/** Sets the copies up and hands on what of the canvas lies above the picture. `keepsAlpha`: it is a watermark. */
export function startPlanar(newCanvas: Canvas, keepsAlpha: bool): void {
  canvas = newCanvas
  model = keepsAlpha ? ColourModel.Watermark : ColourModel.Ycc
  let reach = 0
  for (let c = 0; c < countCopies(); c++) {
    const copy = copyAt(c)
    copy.prepare(model)
    for (let i = 0; i < planeCount(model); i++) {
      const part = isChroma(i) ? 2 : 1
      const width = (canvas.width + part - 1) / part
      const height = (canvas.height + part - 1) / part
      const exactWidth = f64(canvas.width) / f64(part)
      reach = max(reach, copy.scalePlane(i, width, height, exactWidth, f64(canvas.height) / f64(part)))
    }
  }
  for (let i = 0; i < 4; i++) {
    store<usize>(ROWS + i * 4, allocate(usize(canvas.width) + reach + VECTOR_SLACK * 2))
  }
  opacity = allocate((canvas.width >> 1) + VECTOR_SLACK)
  clearRows()
  pushBlank(canvas.top)
}

/**
 * Takes one or two rows of luma and the row of chroma that belongs to them. `alpha`: as many rows of the picture's
 * width, or 0 for an opaque picture.
 */
export function pushPlanar(
  luma: usize,
  stride: i32,
  count: i32,
  blue: usize,
  red: usize,
  alpha: usize,
): void {
  const width = canvas.pictureWidth
  for (let y = 0; y < count; y++) {
    const row = load<usize>(ROWS) + canvas.left
    widen(luma + y * stride, row, width, NARROW_BLACK, 0, LUMA_STRETCH)
    const alphas: usize = alpha === 0 ? 0 : alpha + usize(y) * width
    if (alphas !== 0) blendLuma(row, alphas, width)
    if (model === ColourModel.Watermark) {
      const target = load<usize>(ROWS, 12) + canvas.left
      if (alphas === 0) memory.fill(target, 255, width)
      else memory.copy(target, alphas, width)
    }
    // Clears what was written past the picture.
    blank(0, canvas.left + width, canvas.width)
    pushRow(0)
    if (model === ColourModel.Watermark) pushRow(3)
  }
  const half = (width + 1) >> 1
  const isFaint = alpha !== 0 || !canvas.isCovered
  if (isFaint) meanOpacity(alpha, width, count)
  for (let i = 1; i < 3; i++) {
    const row = load<usize>(ROWS + i * 4) + (canvas.left >> 1)
    widen(i === 1 ? blue : red, row, half, NEUTRAL, NEUTRAL, CHROMA_STRETCH)
    for (let x = 0; isFaint && x < half; x++) {
      const tint = i32(load<u8>(row + x)) - NEUTRAL
      store<u8>(row + x, u8(NEUTRAL + (tint * i32(load<u8>(opacity + x))) / 255))
    }
    blank(i, (canvas.left >> 1) + half, (canvas.width + 1) >> 1)
    pushRow(i)
  }
  for (let c = 0; c < countCopies(); c++) copyAt(c).drain()
}

/** Hands on what of the canvas lies below the picture. */
export function finishPlanar(): void {
  clearRows()
  pushBlank(canvas.height - canvas.top - canvas.pictureHeight)
}

function isChroma(plane: i32): bool {
  return plane === 1 || plane === 2
}

function pushRow(plane: i32): void {
  for (let c = 0; c < countCopies(); c++)
    copyAt(c)
      .plane(plane)
      .resampler.push(load<usize>(ROWS + plane * 4))
}

function clearRows(): void {
  for (let i = 0; i < 4; i++) blank(i, 0, canvas.width)
}

/** Where nothing is, paper is white; of a watermark nothing is left. */
function blank(plane: i32, from: i32, to: i32): void {
  const value = isChroma(plane) ? NEUTRAL : plane === 0 && model === ColourModel.Ycc ? 255 : 0
  memory.fill(load<usize>(ROWS + plane * 4) + from, u8(value), max(0, to - from))
}

/** So many empty rows; where the picture's height is odd, the first of them has had its chroma. */
function pushBlank(count: i32): void {
  const isOdd = (canvas.height - count) & 1
  for (let y = 0; y < count; y++) {
    pushRow(0)
    if (model === ColourModel.Watermark) pushRow(3)
    const isFirstOfTwo = ((y + isOdd) & 1) === 0
    if (isFirstOfTwo) {
      pushRow(1)
      pushRow(2)
    }
    for (let c = 0; c < countCopies(); c++) copyAt(c).drain()
  }
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

/** The mean alpha of the samples of luma that share one of chroma, of which some may lie beside the picture. */
function meanOpacity(alpha: usize, width: i32, count: i32): void {
  const isOddInside = canvas.left + width < canvas.width
  const samples = count === 1 && canvas.top + canvas.pictureHeight === canvas.height ? 1 : 2
  for (let x = 0; x < width; x += 2) {
    const isPair = x + 1 < width
    let sum = 0
    for (let y = 0; y < count; y++) {
      const row = alpha + usize(y) * width + x
      sum += alpha === 0 ? 255 : i32(load<u8>(row))
      if (isPair) sum += alpha === 0 ? 255 : i32(load<u8>(row, 1))
    }
    const shared = samples * (isPair || isOddInside ? 2 : 1)
    store<u8>(opacity + (x >> 1), u8((sum + (shared >> 1)) / shared))
  }
}
