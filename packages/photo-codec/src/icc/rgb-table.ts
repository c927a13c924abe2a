/**
 * Computes how red, green and blue samples of linear light look in sRGB: a grid in three dimensions that the codec
 * interpolates (`assembly/rgb-table.ts`). Eight bits of linear light are too coarse for shadows, above all in a JPEG, which
 * rounds once more. So such a profile is not kept; the pixels are converted.
 *
 *     const table = makeRgbTable(profile) // null if the samples are not of linear light
 */

import { clamp } from './interpolate.ts'
import { type ColourModel, rgbModel } from './model.ts'
import type { IccProfile } from './profile.ts'
import { decodeSrgb, encodeSrgb, lightnessOf, linearSrgb } from './srgb.ts'

/** A grid over red, green and blue, in the layout of the codec. */
export interface RgbTable {
  /**
   * Two numbers for each of SAMPLES positions between 0 and 1 of each channel. The first is the byte offset of the lower
   * node in `nodes`. The second combines two values: the fraction of the way to the next node (in units of 1/FULL_STEP,
   * shifted left by 16) and the distance to that node in bytes.
   */
  axes: Int32Array
  /** Red, green and blue light and 0 for each node; blue varies fastest. White is 1; values may be outside sRGB. */
  nodes: Float32Array
  /** The level of sRGB for each of 65,536 amounts of light. */
  levels: Uint8Array
}

const CHANNELS = 3
/** 13 bits: neighbours in the darkest of linear light are 0.4 levels of sRGB apart. */
const SAMPLES = 8193
/** Along each axis, evenly spaced to the eye; 575 KB in all. */
const NODES = 33
const NODE_BYTES = 16
const FULL_STEP = 0x7fff
const AMOUNTS = 65_536
/** Light is clamped to this, in both directions. */
const MAX_LIGHT = 1000

/** A clearly visible step between neighbouring levels of grey, in L*. Steps of sRGB have 0.5, of gamma 1.8 0.8. */
const COARSE_STEP = 1.5

/** The table of an RGB profile whose levels are too coarse in shadows; null for other profiles. */
export function makeRgbTable(profile: IccProfile): RgbTable | null {
  const colourOf = rgbModel(profile)
  return colourOf && isCoarse(colourOf) ? makeTable(colourOf) : null
}

function makeTable(colourOf: ColourModel): RgbTable {
  const levels = Uint8Array.from({ length: AMOUNTS }, (_, i) =>
    Math.round(255 * encodeSrgb(i / (AMOUNTS - 1))),
  )
  return { axes: makeAxes(), nodes: makeNodes(colourOf), levels }
}

function isCoarse(colourOf: ColourModel): boolean {
  const lightness = Array.from({ length: 256 }, (_, level) => {
    const grey = level / 255
    return lightnessOf(colourOf([grey, grey, grey])[1])
  })
  return lightness.some((value, i) => i > 0 && value - (lightness[i - 1] ?? value) > COARSE_STEP)
}

function makeAxes(): Int32Array {
  const axes = new Int32Array(CHANNELS * SAMPLES * 2)
  for (let sample = 0; sample < SAMPLES; sample++) {
    const position = encodeSrgb(sample / (SAMPLES - 1)) * (NODES - 1)
    const below = Math.min(Math.floor(position), NODES - 2)
    const step = Math.round((position - below) * FULL_STEP)
    for (let channel = 0; channel < CHANNELS; channel++) {
      const stride = NODE_BYTES * NODES ** (CHANNELS - 1 - channel)
      axes.set([below * stride, (step << 16) | stride], (channel * SAMPLES + sample) * 2)
    }
  }
  return axes
}

function makeNodes(colourOf: ColourModel): Float32Array {
  const places = Array.from({ length: NODES }, (_, i) => decodeSrgb(i / (NODES - 1)))
  const nodes = new Float32Array(NODES ** CHANNELS * 4)
  let at = 0
  for (const red of places) {
    for (const green of places) {
      for (const blue of places) {
        const light = linearSrgb(colourOf([red, green, blue]))
        nodes.set(
          light.map((amount) => clamp(amount, -MAX_LIGHT, MAX_LIGHT)),
          at,
        )
        at += CHANNELS + 1
      }
    }
  }
  return nodes
}
