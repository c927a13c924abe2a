/** How much of each block is needed: n × n samples, n = 1 to 8. */

import { copyAt, countCopies } from './copies'
import { Components, Frame, isScaledApart } from './jpeg-frame'

/**
 * Most memory for coefficients that have to be kept. Where it is not enough, less of each block is kept, at last at the
 * cost of sharpness.
 */
const MAX_COEFFICIENT_BYTES: f64 = 48 * 1024 * 1024
const SHARPNESS_STEP: f64 = 0.9

/**
 * The transform shrinks a photo to n/8; the resampler does the rest. What is left to it should be at least so much,
 * because the transform alone aliases: less costs up to half a decibel, more costs time. Small photos take no time to
 * speak of, very large ones have detail to spare, and where coefficients are kept each one costs more.
 */
const MARGIN: f64 = 1.75
const SMALL_PIXELS: f64 = 4_000_000
const SMALL_MARGIN: f64 = 8
const LARGE_PIXELS: f64 = 16_000_000
const LARGE_MARGIN: f64 = 1.5
/** What little the transform alone does to chroma is invisible. */
const CHROMA_MARGIN: f64 = 1
/** What sizes in whole pixels may be off by, in eighths. */
const ROUNDING: f64 = 0.01

/** How many times the samples that the copies have are to be left to the resampler, in each direction. */
export function marginFor(frame: Frame, components: Components, isStored: bool): f64 {
  const pixels = f64(frame.width) * f64(frame.height)
  let margin = marginForPixels(pixels, isStored)
  if (!isStored) return margin
  if (coefficientBytes(frame, components, margin) > MAX_COEFFICIENT_BYTES) margin = 1
  while (coefficientBytes(frame, components, margin) > MAX_COEFFICIENT_BYTES) margin *= SHARPNESS_STEP
  return margin
}

function marginForPixels(pixels: f64, isStored: bool): f64 {
  if (pixels <= SMALL_PIXELS) return SMALL_MARGIN
  return pixels <= LARGE_PIXELS && !isStored ? MARGIN : LARGE_MARGIN
}

/** How many samples in each direction a block of a plane has to keep for all copies. */
export function pointsFor(frame: Frame, components: Components, index: i32, margin: f64): i32 {
  const isChroma = components === Components.Ycc && index > 0
  const plane = frame.plane(index)
  const part: f64 = isChroma ? 2 : 1
  const factorX = isScaledApart(components) ? f64(frame.maxH) / f64(plane.h) / part : 1
  const factorY = isScaledApart(components) ? f64(frame.maxV) / f64(plane.v) / part : 1
  const wanted = isChroma ? min(margin, CHROMA_MARGIN) : margin
  let points = 1
  for (let c = 0; c < countCopies(); c++) {
    const across = (f64(copyAt(c).width) / f64(frame.width)) * factorX
    const down = (f64(copyAt(c).height) / f64(frame.height)) * factorY
    points = max(points, i32(Math.ceil(8 * wanted * max(across, down) - ROUNDING)))
  }
  return min(8, points)
}

function coefficientBytes(frame: Frame, components: Components, margin: f64): f64 {
  let bytes: f64 = 0
  for (let i = 0; i < frame.count; i++) {
    const plane = frame.plane(i)
    const points = f64(pointsFor(frame, components, i, margin))
    bytes += f64(plane.paddedWide) * f64(plane.paddedHigh) * (points * points * 2 + 8) + f64(plane.cutBytes)
  }
  return bytes
}
