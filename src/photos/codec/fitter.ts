/**
 * Shrinks a picture while it streams by: a separable Lanczos filter with three lobes, in the pixels' own (gamma-coded)
 * space, as browsers and libvips do.
 *
 *     const fitter = createFitter({ width: 4000, height: 3000 }, { width: 1920, height: 1440 }, 3, encoder)
 *     for (const row of rows) fitter.push(row)
 */

import type { Size } from '../fit.ts'
import type { RowSink } from './rows.ts'

const LOBES = 3

/** For each target pixel of one axis: where its window of source pixels starts, and the weights, which add up to 1. */
interface Window {
  start: number
  weights: Float64Array
}

/**
 * A sink for rows of `from.width` pixels that pushes rows of `to.width` pixels on. `to` must not be larger than `from`;
 * equal sizes pass the rows on untouched.
 */
export function createFitter(from: Size, to: Size, channels: number, next: RowSink): RowSink {
  if (from.width === to.width && from.height === to.height) return next
  const across = from.width === to.width ? null : packWindows(from.width, to.width)
  const rows = to.width * channels
  const narrow = new Float64Array(rows)
  const down = createVerticalFilter(from.height, to.height, rows, next)
  return {
    push(row) {
      if (across) narrowRow(row, narrow, across, channels)
      else narrow.set(row)
      down(narrow)
    },
  }
}

/** Lanczos windows of one axis; the window grows with the scale so that every source pixel counts. */
function lanczosWindows(from: number, to: number): Window[] {
  const scale = from / to
  const windows: Window[] = []
  for (let i = 0; i < to; i++) {
    const centre = (i + 0.5) * scale
    const start = Math.max(0, Math.ceil(centre - LOBES * scale - 0.5))
    const end = Math.min(from, Math.floor(centre + LOBES * scale - 0.5) + 1)
    const weights = new Float64Array(end - start)
    let sum = 0
    for (let j = start; j < end; j++) {
      const weight = lanczos((j + 0.5 - centre) / scale)
      weights[j - start] = weight
      sum += weight
    }
    windows.push({ start, weights: weights.map((weight) => weight / sum) })
  }
  return windows
}

function lanczos(x: number): number {
  if (x === 0) return 1
  if (Math.abs(x) >= LOBES) return 0
  const turn = Math.PI * x
  return (LOBES * Math.sin(turn) * Math.sin(turn / LOBES)) / (turn * turn)
}

/** The windows of one axis in flat arrays, which the innermost loop reads faster than objects. */
interface PackedWindows {
  starts: Int32Array
  /** Target pixel i owns the weights from `offsets[i]` to `offsets[i + 1]`. */
  offsets: Int32Array
  weights: Float64Array
}

function packWindows(from: number, to: number): PackedWindows {
  const windows = lanczosWindows(from, to)
  const offsets = new Int32Array(to + 1)
  windows.forEach((window, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + window.weights.length
  })
  const weights = new Float64Array(offsets[to] ?? 0)
  windows.forEach((window, i) => {
    weights.set(window.weights, offsets[i])
  })
  return { starts: Int32Array.from(windows, (window) => window.start), offsets, weights }
}

/** One target row across. Written out for three and four channels: this is where a photo spends most of its time. */
function narrowRow(row: Uint8Array, out: Float64Array, windows: PackedWindows, channels: number): void {
  if (channels === 4) narrowRgba(row, out, windows)
  else narrowRgb(row, out, windows)
}

function narrowRgb(row: Uint8Array, out: Float64Array, { starts, offsets, weights }: PackedWindows): void {
  for (let i = 0, to = 0; i < starts.length; i++, to += 3) {
    const end = offsets[i + 1] as number
    let red = 0
    let green = 0
    let blue = 0
    for (let w = offsets[i] as number, from = (starts[i] as number) * 3; w < end; w++, from += 3) {
      const weight = weights[w] as number
      red += weight * (row[from] as number)
      green += weight * (row[from + 1] as number)
      blue += weight * (row[from + 2] as number)
    }
    out[to] = red
    out[to + 1] = green
    out[to + 2] = blue
  }
}

function narrowRgba(row: Uint8Array, out: Float64Array, { starts, offsets, weights }: PackedWindows): void {
  for (let i = 0, to = 0; i < starts.length; i++, to += 4) {
    const end = offsets[i + 1] as number
    let red = 0
    let green = 0
    let blue = 0
    let alpha = 0
    for (let w = offsets[i] as number, from = (starts[i] as number) * 4; w < end; w++, from += 4) {
      const weight = weights[w] as number
      red += weight * (row[from] as number)
      green += weight * (row[from + 1] as number)
      blue += weight * (row[from + 2] as number)
      alpha += weight * (row[from + 3] as number)
    }
    out[to] = red
    out[to + 1] = green
    out[to + 2] = blue
    out[to + 3] = alpha
  }
}

/** Adds each row to the target rows whose windows it falls into; a target row leaves when its window is full. */
function createVerticalFilter(
  from: number,
  to: number,
  length: number,
  next: RowSink,
): (row: Float64Array) => void {
  const windows = from === to ? null : lanczosWindows(from, to)
  const out = new Uint8Array(length)
  const open = new Map<number, Float64Array>()
  const spare: Float64Array[] = []
  let y = 0
  let first = 0
  const emit = (row: Float64Array) => {
    for (let i = 0; i < length; i++) out[i] = clamp(row[i] as number)
    next.push(out)
  }
  return (row) => {
    if (!windows) return emit(row)
    for (let target = first; target < to; target++) {
      const window = windows[target] as Window
      if (window.start > y) break
      const weight = window.weights[y - window.start] as number
      let sum = open.get(target)
      if (!sum) {
        sum = spare.pop()?.fill(0) ?? new Float64Array(length)
        open.set(target, sum)
      }
      addWeighted(sum, row, weight)
      if (y + 1 < window.start + window.weights.length) continue
      emit(sum)
      open.delete(target)
      spare.push(sum)
      first = target + 1
    }
    y += 1
  }
}

function addWeighted(sum: Float64Array, row: Float64Array, weight: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + weight * (row[i] as number)
}

function clamp(value: number): number {
  return value <= 0 ? 0 : value >= 255 ? 255 : (value + 0.5) | 0
}
