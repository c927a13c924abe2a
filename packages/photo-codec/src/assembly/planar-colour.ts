/** Rows of narrow-range luma and halved chroma (ITU-R BT.601) whose colours the table of the picture converts. */

import { allocate, VECTOR_SLACK } from './arena'
import { NEUTRAL } from './colour'
import { convertRgb } from './rgb-table'

const BLACK: f32 = 16
/** Narrow luma and chroma to full range. */
const LUMA_GAIN: f32 = 255 / 219
const CHROMA_GAIN: f32 = 255 / 224

/** Two rows of converted luma, and one of each chroma. */
export let convertedLuma: usize = 0
export let convertedStride: i32 = 0
export let convertedBlue: usize = 0
export let convertedRed: usize = 0
/** The pixels that share a sample of chroma. */
let pixels: usize = 0

/** Makes room for rows of `width` samples. */
export function startConversion(width: i32): void {
  convertedStride = width + 1 + VECTOR_SLACK
  convertedLuma = allocate(convertedStride * 2)
  convertedBlue = allocate(convertedStride)
  convertedRed = allocate(convertedStride)
  pixels = allocate(4 * 4)
}

/** Converts one or two rows of `width` samples of luma and the row of chroma that belongs to them. */
export function convertPlanar(
  luma: usize,
  stride: i32,
  count: i32,
  blue: usize,
  red: usize,
  width: i32,
): void {
  for (let x = 0; x < width; x += 2) {
    const across = min(2, width - x)
    const u = CHROMA_GAIN * f32(i32(load<u8>(blue + (x >> 1))) - NEUTRAL)
    const v = CHROMA_GAIN * f32(i32(load<u8>(red + (x >> 1))) - NEUTRAL)
    for (let i = 0; i < across * count; i++) {
      const sample = luma + (i / across) * stride + x + (i % across)
      const y = LUMA_GAIN * (f32(load<u8>(sample)) - BLACK)
      store<u8>(pixels + i * 4, level(y + f32(1.402) * v))
      store<u8>(pixels + i * 4, level(y - f32(0.344136) * u - f32(0.714136) * v), 1)
      store<u8>(pixels + i * 4, level(y + f32(1.772) * u), 2)
    }
    convertRgb(pixels, across * count)
    storeShared(x, across, count)
  }
}

/** Writes the luma of the pixels and their mean chroma. */
function storeShared(x: i32, across: i32, count: i32): void {
  let blues: f32 = 0
  let reds: f32 = 0
  for (let i = 0; i < across * count; i++) {
    const r = f32(load<u8>(pixels + i * 4))
    const g = f32(load<u8>(pixels + i * 4, 1))
    const b = f32(load<u8>(pixels + i * 4, 2))
    const y = f32(0.299) * r + f32(0.587) * g + f32(0.114) * b
    store<u8>(convertedLuma + (i / across) * convertedStride + x + (i % across), level(BLACK + y / LUMA_GAIN))
    blues += b - y
    reds += r - y
  }
  const share = f32(across * count) * CHROMA_GAIN
  store<u8>(convertedBlue + (x >> 1), level(f32(NEUTRAL) + blues / (f32(1.772) * share)))
  store<u8>(convertedRed + (x >> 1), level(f32(NEUTRAL) + reds / (f32(1.402) * share)))
}

function level(value: f32): u8 {
  return u8(i32(max<f32>(0, min<f32>(255, nearest(value)))))
}
