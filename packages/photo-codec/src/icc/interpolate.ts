/** Interpolation in the grid of a profile, along the edges of the cell around a point. */

import type { Lut } from './lut.ts'

/** Position of a sample on its axis of the grid. */
export interface Step {
  /** Index of the lower node's first sample along this axis. */
  offset: number
  /** Samples from there to the next node. */
  stride: number
  /** Fraction of the way to the next node, 0–1. */
  part: number
}

export function stepTo(grid: readonly number[], axis: number, place: number): Step {
  const stride = grid.slice(axis + 1).reduce((product, size) => product * size, 3)
  const size = grid[axis] ?? 2
  const below = Math.min(Math.floor(place * (size - 1)), size - 2)
  return { offset: below * stride, stride, part: place * (size - 1) - below }
}

/** Interpolates from a sample of the grid along the given edges, in their order. */
export function follow(sample: Lut['sample'], from: number, ways: readonly Step[]): number {
  let at = from
  let value = sample(at)
  let sum = value
  for (const { stride, part } of ways) {
    if (part === 0) break
    at += stride
    const next = sample(at)
    sum += (next - value) * part
    value = next
  }
  return sum
}

/** NaN becomes the lower bound. */
export function clamp(value: number, low: number, high: number): number {
  return value > low ? Math.min(value, high) : low
}
