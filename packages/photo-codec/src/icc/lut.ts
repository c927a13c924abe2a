/**
 * The table of a profile that turns device samples into colours: `lut8Type`, `lut16Type` and `lutAToBType`
 * (ICC.1:2022 sections 10.10 to 10.12).
 *
 *     inks ── inputs (a curve each) ── grid, interpolated ── finish (curves, matrix) ── encoded XYZ or Lab
 */

import { viewOf } from '../containers.ts'
import { type Curve, readCurve, readFixed, type SampleTable, tableCurve } from './curves.ts'
import { typeOf } from './profile.ts'

/** Three numbers of 0–1: an encoded colour, or an intermediate value. */
export type Triple = [number, number, number]

/** A table from device samples to colours. */
export interface Lut {
  /** A curve for each channel. */
  inputs: readonly Curve[]
  /** Nodes along the axis of each channel, at least 2. */
  grid: readonly number[]
  /** A sample of the grid, 0–1. Each node has three samples; the last channel varies fastest. */
  sample: (index: number) => number
  /** Converts interpolated values to a colour as the profile encodes it. */
  finish: (values: Triple) => Triple
  /** Whether Lab is encoded as before version 4: 0xFF00 for 100. */
  isLegacy: boolean
}

/** Colours have three parts. */
const OUTPUTS = 3

/** Curves that change nothing. */
const STRAIGHT: readonly Curve[] = new Array<Curve>(OUTPUTS).fill((value) => value)

/** The identity grid: its eight nodes contain their own positions. */
const NO_CHANGE: Pick<Lut, 'grid' | 'sample'> = {
  grid: [2, 2, 2],
  sample: (index) => (Math.floor(index / OUTPUTS) >> (OUTPUTS - 1 - (index % OUTPUTS))) & 1,
}

/** Reads a table for `channels` channels; null when it is damaged or of another type. */
export function readLut(element: Uint8Array | undefined, channels: number): Lut | null {
  if (!element || element.length < 32 || element[8] !== channels || element[9] !== OUTPUTS) return null
  if (typeOf(element) === 'mft1') return readTables(element, channels, 1)
  if (typeOf(element) === 'mft2') return readTables(element, channels, 2)
  return typeOf(element) === 'mAB ' ? readStages(element, channels) : null
}

/** Bytes of a `mft1` or `mft2` element with all its tables; null when it is shorter. */
export function tablesLength(element: Uint8Array): number | null {
  const width = typeOf(element) === 'mft1' ? 1 : 2
  const [channels = 0, outputs = 0, nodes = 0] = element.subarray(8, 11)
  const counts = tableCounts(element, width)
  if (!counts || channels < 1 || outputs < 1 || nodes < 2) return null
  const samples = counts.input * channels + nodes ** channels * outputs + counts.output * outputs
  const length = counts.start + samples * width
  return length <= element.length ? length : null
}

/** Samples of each curve, and the offset of the first one. The matrix before them is for XYZ samples only. */
function tableCounts(element: Uint8Array, width: 1 | 2) {
  if (width === 1) return { input: 256, output: 256, start: 48 }
  if (element.length < 52) return null
  const [input, output] = [viewOf(element).getUint16(48), viewOf(element).getUint16(50)]
  return input < 2 || output < 2 ? null : { input, output, start: 52 }
}

function readTables(element: Uint8Array, channels: number, width: 1 | 2): Lut | null {
  const length = tablesLength(element)
  const counts = tableCounts(element, width)
  if (length === null || !counts) return null
  const nodes = element[10] ?? 0
  const afterInputs = counts.start + counts.input * channels * width
  const afterGrid = afterInputs + nodes ** channels * OUTPUTS * width
  const curve = (from: number, count: number, index: number): Curve =>
    tableCurve(element.subarray(from + index * count * width), { count, width })
  const outputs = [0, 1, 2].map((index) => curve(afterGrid, counts.output, index))
  return {
    inputs: Array.from({ length: channels }, (_, index) => curve(counts.start, counts.input, index)),
    grid: new Array<number>(channels).fill(nodes),
    sample: samplesOf(element.subarray(afterInputs, afterGrid), width),
    finish: (values) => bend(outputs, values),
    isLegacy: width === 2,
  }
}

/** Reads `mAB `: curves, grid, curves, matrix, curves. The last curves are required; so is the grid, except for 3 channels. */
function readStages(element: Uint8Array, channels: number): Lut | null {
  const view = viewOf(element)
  const [atB, atMatrix, atM, atGrid, atA] = [12, 16, 20, 24, 28].map((at) => view.getUint32(at))
  const last = readCurves(element, atB, OUTPUTS)
  const middle = atM ? readCurves(element, atM, OUTPUTS) : []
  const isPlain = !atGrid && channels === OUTPUTS
  const first = atA ? readCurves(element, atA, channels) : isPlain ? STRAIGHT : null
  const grid = isPlain ? NO_CHANGE : readGrid(element, atGrid, channels)
  const matrix = atMatrix ? readMatrix(element, atMatrix) : (values: Triple) => values
  if (!last || !middle || !first || !grid || !matrix) return null
  return {
    inputs: first,
    ...grid,
    finish: (values) => bend(last, matrix(bend(middle, values))),
    isLegacy: false,
  }
}

function readGrid(element: Uint8Array, at: number | undefined, channels: number) {
  if (!at || at + 20 > element.length) return null
  const grid = [...element.subarray(at, at + channels)]
  const width = element[at + 16]
  if (grid.some((nodes) => nodes < 2) || (width !== 1 && width !== 2)) return null
  const samples = grid.reduce((product, nodes) => product * nodes, OUTPUTS)
  const end = at + 20 + samples * width
  return end > element.length ? null : { grid, sample: samplesOf(element.subarray(at + 20, end), width) }
}

/** Reads consecutive curves, each aligned to four bytes. */
function readCurves(element: Uint8Array, from: number | undefined, count: number): Curve[] | null {
  const curves: Curve[] = []
  let at = from ?? 0
  for (let i = 0; i < count; i++) {
    const read = at > 0 ? readCurve(element.subarray(at)) : null
    if (!read) return null
    curves.push(read.curve)
    at += (read.length + 3) & ~3
  }
  return curves
}

function readMatrix(element: Uint8Array, at: number): ((values: Triple) => Triple) | null {
  if (at + 48 > element.length) return null
  const numbers = Array.from({ length: 12 }, (_, i) => readFixed(viewOf(element), at + i * 4))
  const row = (i: number, [x, y, z]: Triple) =>
    (numbers[i * 3] ?? 0) * x +
    (numbers[i * 3 + 1] ?? 0) * y +
    (numbers[i * 3 + 2] ?? 0) * z +
    (numbers[9 + i] ?? 0)
  return (values) => [row(0, values), row(1, values), row(2, values)]
}

function samplesOf(bytes: Uint8Array, width: SampleTable['width']): (index: number) => number {
  const view = viewOf(bytes)
  return width === 1 ? (index) => view.getUint8(index) / 255 : (index) => view.getUint16(index * 2) / 65_535
}

/** Applies to each value its curve, if there is one. */
function bend([first, second, third]: readonly Curve[], [x, y, z]: Triple): Triple {
  return first && second && third ? [first(x), second(y), third(z)] : [x, y, z]
}
