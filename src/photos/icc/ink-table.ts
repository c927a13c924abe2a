/**
 * What every mixture of four inks looks like in sRGB, by the profile of a photo: a grid in four dimensions that the codec
 * interpolates (`codec/ink-table.ts`).
 *
 *     const table = makeInkTable(profile) // null where the profile is of no use
 */

import type { Curve } from './curves.ts'
import { type Lut, readLut, type Triple } from './lut.ts'
import type { IccProfile } from './profile.ts'
import { type Encoding, labToXyz, lightnessOf, toSrgb, toXyz } from './srgb.ts'

/** A grid over cyan, magenta, yellow and black, as the codec wants it. */
export interface InkTable {
  /**
   * For each ink and each of its 256 samples, 255 being no ink, two numbers: the byte offset of the node below in `nodes`, and how far it is
   * to the next one, in units of 2⁻¹⁵, shifted left by 16, with the distance of that in bytes.
   */
  axes: Int32Array
  /** Red, green, blue and 255 in units of 1/64 for each node, the last ink varying fastest. */
  nodes: Int16Array
}

const INKS = 4
const SAMPLES = 256
const NODE_BYTES = 8
/** Most nodes along an axis: 17⁴ of them take 668 KB. */
const MAX_NODES = 17
/** A coarse grid is refined up to so many, as colours do not change evenly between its nodes. */
const REFINED_NODES = 12
const FULL_STEP = 0x7fff
const UNITS = 64
/** Nodes may lie outside sRGB by half its range: what is between them may be within. */
const LEAST = -128
const MOST = 383

/** The black of all perceptual tables since version 4 (ICC.1:2022 section 6.3.4.3). */
const REFERENCE_BLACK: Triple = [0.00336, 0.0034731, 0.00287]
/** Lightest black that is made black. */
const LIGHTEST_BLACK = 50

/** The table of a profile for CMYK; null when it has none that is sound. */
export function makeInkTable(profile: IccProfile): InkTable | null {
  if (profile.space !== 'CMYK') return null
  const lut = readLut(profile.tags.get('A2B0'), INKS)
  if (!lut) return null
  const encoding = profile.connection === 'XYZ ' ? 'xyz' : lut.isLegacy ? 'legacy-lab' : 'lab'
  const sizes = lut.grid.map(nodesAlong)
  const black = profile.version >= 4 ? REFERENCE_BLACK : blackOf(lut, encoding)
  return { axes: axesOf(lut.inputs, sizes), nodes: nodesOf(lut, encoding, sizes, black) }
}

/** As many nodes as the profile has along an axis, or its distances divided evenly, so that none of them is missed. */
function nodesAlong(nodes: number): number {
  const parts = Math.max(1, Math.floor((REFINED_NODES - 1) / (nodes - 1)))
  return Math.min(MAX_NODES, parts * (nodes - 1) + 1)
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

function nodesOf(lut: Lut, encoding: Encoding, sizes: readonly number[], black: Triple): Int16Array {
  const [cyans = 2, magentas = 2, yellows = 2, blacks = 2] = sizes
  const nodes = new Int16Array(cyans * magentas * yellows * blacks * 4)
  const mixtureAt = interpolator(lut)
  let at = 0
  for (let c = 0; c < cyans; c++) {
    for (let m = 0; m < magentas; m++) {
      for (let y = 0; y < yellows; y++) {
        for (let k = 0; k < blacks; k++, at += 4) {
          const place = [c / (cyans - 1), m / (magentas - 1), y / (yellows - 1), k / (blacks - 1)]
          const colour = toSrgb(toXyz(encoding, lut.finish(mixtureAt(place))), black)
          for (let i = 0; i < 3; i++) nodes[at + i] = Math.round(clamp(colour[i] ?? 0, LEAST, MOST) * UNITS)
          nodes[at + 3] = 255 * UNITS
        }
      }
    }
  }
  return nodes
}

/** What the profile makes of all four inks at once, without its hue. */
function blackOf(lut: Lut, encoding: Encoding): Triple {
  const full = lut.inputs.map((curve) => clamp(curve(1), 0, 1))
  const [, y] = toXyz(encoding, lut.finish(interpolator(lut)(full)))
  return labToXyz([clamp(lightnessOf(y), 0, LIGHTEST_BLACK), 0, 0])
}

/**
 * Looks a mixture of 0–1 up in the profile's grid as everyone does: along the edges of the cell around it, that of the
 * most advanced ink first, and cyan by itself on top of that.
 */
function interpolator({ grid, sample }: Lut): (place: readonly number[]) => Triple {
  const strides = grid.map((_, axis) => grid.slice(axis + 1).reduce((product, size) => product * size, 3))
  return (place) => {
    let cell = 0
    const steps = grid.map((size, axis) => {
      const position = (place[axis] ?? 0) * (size - 1)
      const below = Math.min(Math.floor(position), size - 2)
      const stride = strides[axis] ?? 0
      cell += below * stride
      return { stride, part: position - below }
    })
    const [cyan, ...others] = steps
    others.sort((one, other) => other.part - one.part)
    const along = (channel: number, from: number) => {
      let at = from + channel
      let value = sample(at)
      let sum = value
      for (const { stride, part } of others) {
        if (part === 0) break
        at += stride
        const next = sample(at)
        sum += (next - value) * part
        value = next
      }
      return sum
    }
    const mix = (channel: number) => {
      const below = along(channel, cell)
      return cyan?.part ? below + (along(channel, cell + cyan.stride) - below) * cyan.part : below
    }
    return [mix(0), mix(1), mix(2)]
  }
}

/** NaN becomes the lower bound. */
function clamp(value: number, low: number, high: number): number {
  return value > low ? Math.min(value, high) : low
}
