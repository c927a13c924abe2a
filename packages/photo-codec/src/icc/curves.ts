/**
 * One-dimensional curves of a profile: formulas and tables (ICC.1:2022 sections 10.6 and 10.18).
 *
 *     const read = readCurve(element)
 *     read?.curve(0.5) // 0.2140…
 */

import { viewOf } from '../containers.ts'
import { typeOf } from './profile.ts'

/** Maps 0–1 to (usually) 0–1. The result is always finite. */
export type Curve = (value: number) => number

/** The samples of a curve's table and how they are stored. */
export interface SampleTable {
  count: number
  /** Bytes of a sample. */
  width: 1 | 2
}

/** Maximum samples of a curve, as in other software. */
const MAX_SAMPLES = 32_767

/** Parameters of a formula, by its kind. */
const FORMULA_NUMBERS = [1, 3, 4, 5, 7]

/** Reads a `curv` or `para` element; `length` is its length in bytes. Null when it is damaged. */
export function readCurve(element: Uint8Array): { curve: Curve; length: number } | null {
  if (element.length < 12) return null
  if (typeOf(element) === 'curv') return readCurv(element)
  return typeOf(element) === 'para' ? readFormula(element) : null
}

/** A curve through evenly spaced samples, linear between them. `bytes` must contain all of them. */
export function tableCurve(bytes: Uint8Array, { count, width }: SampleTable): Curve {
  const view = viewOf(bytes)
  const samples = Float64Array.from({ length: count }, (_, i) =>
    width === 1 ? view.getUint8(i) / 255 : view.getUint16(i * 2) / 65_535,
  )
  return (value) => {
    const position = Math.max(0, Math.min(1, value)) * (count - 1)
    const below = Math.min(Math.floor(position), count - 2)
    const [from = 0, to = 0] = [samples[below], samples[below + 1]]
    return from + (to - from) * (position - below)
  }
}

function readCurv(element: Uint8Array): { curve: Curve; length: number } | null {
  const count = viewOf(element).getUint32(8)
  const length = 12 + count * 2
  if (count > MAX_SAMPLES || length > element.length) return null
  if (count === 0) return { curve: (value) => value, length }
  if (count === 1) return { curve: formula(0, [viewOf(element).getUint16(12) / 256]), length }
  return { curve: tableCurve(element.subarray(12, length), { count, width: 2 }), length }
}

function readFormula(element: Uint8Array): { curve: Curve; length: number } | null {
  const view = viewOf(element)
  const kind = view.getUint16(8)
  const length = 12 + (FORMULA_NUMBERS[kind] ?? Number.POSITIVE_INFINITY) * 4
  if (length > element.length) return null
  const numbers = Array.from({ length: (length - 12) / 4 }, (_, i) => readFixed(view, 12 + i * 4))
  return { curve: formula(kind, numbers), length }
}

/** A signed fixed-point number: 16 bits before the point and 16 after it. */
export function readFixed(view: DataView, at: number): number {
  return view.getInt32(at) / 65_536
}

/** Table 68 of the standard: a power above a limit, a straight line below. */
function formula(kind: number, numbers: readonly number[]): Curve {
  const [g = 1, a = 1, b = 0, c = 0] = numbers
  const [, , , , d = 0, e = 0, f = 0] = numbers
  const [limit, slope, above, below] = (
    [
      [0, 0, 0, 0],
      [-b / a, 0, 0, 0],
      [-b / a, 0, c, c],
      [d, c, 0, 0],
      [d, c, e, f],
    ] as const
  )[kind] ?? [0, 0, 0, 0]
  return (value) => finite(value >= limit ? (a * value + b) ** g + above : slope * value + below)
}

/** Results are clamped to this, because a power may be infinite. */
const LARGEST = 1e6

function finite(value: number): number {
  return Number.isNaN(value) ? 0 : Math.max(-LARGEST, Math.min(LARGEST, value))
}
