/**
 * Computes how mixtures of four inks look in sRGB, from the profile of a photo or without one: a grid in four dimensions
 * that the codec interpolates (`assembly/ink-table.ts`).
 *
 *     const table = makeInkTable(profile) ?? makeAssumedInkTable() // null if the profile is invalid
 */

import type { Curve } from './curves.ts'
import { clamp, follow, type Step, stepTo } from './interpolate.ts'
import { type Lut, readLut, type Triple } from './lut.ts'
import { coverageOf, pressColour } from './press.ts'
import type { IccProfile } from './profile.ts'
import { type Encoding, labToXyz, lightnessOf, srgbConverter, toXyz } from './srgb.ts'

/** A grid over cyan, magenta, yellow and black, in the layout of the codec. */
export interface InkTable {
  /**
   * Two numbers for each of the 256 samples of each ink, where 255 is no ink. The first is the byte offset of the lower
   * node in `nodes`. The second combines two values: the fraction of the way to the next node (in units of 2⁻¹⁵, shifted
   * left by 16) and the distance to that node in bytes.
   */
  axes: Int32Array
  /** Red, green, blue and 255 in units of 1/64 for each node; the last ink varies fastest. */
  nodes: Int16Array
}

const INKS = 4
const SAMPLES = 256
const NODE_BYTES = 8
/** Maximum nodes along an axis: 17⁴ of them take 668 KB. */
const MAX_NODES = 17
/**
 * A coarse grid of Lab is refined up to this many nodes, because colours do not change evenly between its nodes. One of XYZ
 * gets all nodes there may be: light is further from sRGB than Lab is.
 */
const REFINED_NODES = 12
/** Nodes along each axis of the assumed press. */
const ASSUMED_NODES = 9
const FULL_STEP = 0x7fff
const UNITS = 64
/** Nodes may be outside sRGB by half its range, because colours between them may be inside. */
const LEAST = -128
const MOST = 383

/** The black of all perceptual tables since version 4 (ICC.1:2022 section 6.3.4.3). */
const REFERENCE_BLACK: Triple = [0.00336, 0.0034731, 0.00287]
/** Lightest black, in L*, that is mapped to black. */
const LIGHTEST_BLACK = 50

/** The table of a profile for CMYK; null when the profile has no valid one. */
export function makeInkTable(profile: IccProfile): InkTable | null {
  if (profile.space !== 'CMYK') return null
  const lut = readLut(profile.tags.get('A2B0'), INKS)
  if (!lut) return null
  const encoding = profile.connection === 'XYZ ' ? 'xyz' : lut.isLegacy ? 'legacy-lab' : 'lab'
  const finest = encoding === 'xyz' ? MAX_NODES : REFINED_NODES
  const sizes = lut.grid.map((nodes) => nodesAlong(nodes, finest))
  const black = profile.version >= 4 ? REFERENCE_BLACK : blackOf(lut, encoding)
  const toSrgb = srgbConverter(black)
  const steps = sizes.map((size, axis) => placesOf(size).map((place) => stepTo(lut.grid, axis, place)))
  return tableOf(lut.inputs, steps, (cyan, magenta, yellow, key) =>
    toSrgb(toXyz(encoding, lut.finish(mix(lut.sample, cyan, magenta, yellow, key)))),
  )
}

/** The table for pictures without a usable profile: what `pressColour` says, at nodes of equal coverage. */
export function makeAssumedInkTable(): InkTable {
  const axis = placesOf(ASSUMED_NODES)
  return tableOf(new Array<Curve>(INKS).fill(coverageOf), [axis, axis, axis, axis], pressColour)
}

/** Nodes along an axis: those of the profile, with each interval divided evenly if they are few. */
function nodesAlong(nodes: number, finest: number): number {
  const parts = Math.max(1, Math.floor((finest - 1) / (nodes - 1)))
  return Math.min(MAX_NODES, parts * (nodes - 1) + 1)
}

/** Evenly spaced places on an axis, 0–1. */
function placesOf(size: number): number[] {
  return Array.from({ length: size }, (_, i) => i / (size - 1))
}

/**
 * Makes a table.
 * @param inputs a curve for each ink, from its amount to its place on the axis
 * @param axes for each ink, what `colourAt` takes at each node
 * @param colourAt levels of sRGB, which may be outside 0–255
 */
function tableOf<T>(
  inputs: readonly Curve[],
  axes: readonly (readonly T[])[],
  colourAt: (cyan: T, magenta: T, yellow: T, key: T) => Triple,
): InkTable {
  const sizes = axes.map(({ length }) => length)
  return { axes: axesOf(inputs, sizes), nodes: nodesOf(axes, colourAt) }
}

function axesOf(inputs: readonly Curve[], sizes: readonly number[]): Int32Array {
  const axes = new Int32Array(INKS * SAMPLES * 2)
  let stride = NODE_BYTES
  for (let ink = INKS - 1; ink >= 0; ink--) {
    const [curve, size = 2] = [inputs[ink], sizes[ink]]
    for (let sample = 0; sample < SAMPLES; sample++) {
      const position = clamp(curve?.(1 - sample / 255) ?? 0, 0, 1) * (size - 1)
      const below = Math.min(Math.floor(position), size - 2)
      const step = Math.round((position - below) * FULL_STEP)
      axes.set([below * stride, (step << 16) | stride], (ink * SAMPLES + sample) * 2)
    }
    stride *= size
  }
  return axes
}

function nodesOf<T>(
  [cyans = [], magentas = [], yellows = [], blacks = []]: readonly (readonly T[])[],
  colourAt: (cyan: T, magenta: T, yellow: T, key: T) => Triple,
): Int16Array {
  const nodes = new Int16Array(cyans.length * magentas.length * yellows.length * blacks.length * 4)
  let at = 0
  for (const cyan of cyans) {
    for (const magenta of magentas) {
      for (const yellow of yellows) {
        for (const key of blacks) {
          const colour = colourAt(cyan, magenta, yellow, key)
          nodes[at] = Math.round(clamp(colour[0], LEAST, MOST) * UNITS)
          nodes[at + 1] = Math.round(clamp(colour[1], LEAST, MOST) * UNITS)
          nodes[at + 2] = Math.round(clamp(colour[2], LEAST, MOST) * UNITS)
          nodes[at + 3] = 255 * UNITS
          at += 4
        }
      }
    }
  }
  return nodes
}

/** The colour of all four inks together, without its hue. */
function blackOf(lut: Lut, encoding: Encoding): Triple {
  const full = (axis: number) => stepTo(lut.grid, axis, clamp(lut.inputs[axis]?.(1) ?? 1, 0, 1))
  const [, y] = toXyz(encoding, lut.finish(mix(lut.sample, full(0), full(1), full(2), full(3))))
  return labToXyz([clamp(lightnessOf(y), 0, LIGHTEST_BLACK), 0, 0])
}

/**
 * Looks a mixture up in the grid of the profile in the common way: tetrahedral over magenta, yellow and black, the largest
 * fraction first, and linear over cyan.
 */
function mix(sample: Lut['sample'], cyan: Step, magenta: Step, yellow: Step, black: Step): Triple {
  const cell = cyan.offset + magenta.offset + yellow.offset + black.offset
  const ways = [magenta, yellow, black].sort((one, other) => other.part - one.part)
  const out: Triple = [0, 0, 0]
  for (let channel = 0; channel < 3; channel++) {
    const less = follow(sample, cell + channel, ways)
    const more = cyan.part > 0 ? follow(sample, cell + channel + cyan.stride, ways) : less
    out[channel] = less + (more - less) * cyan.part
  }
  return out
}
