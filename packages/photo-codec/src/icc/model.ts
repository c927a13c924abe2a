/**
 * Converts the samples of a profile for grey or RGB to XYZ: by its perceptual table or, without one, by its curves and
 * primaries (ICC.1:2022 section 8).
 *
 *     const colourOf = rgbModel(profile)
 *     colourOf?.([1, 1, 1]) // about [0.9642, 1, 0.8249]
 */

import { viewOf } from '../containers.ts'
import { type Curve, readCurve, readFixed } from './curves.ts'
import { interpolate } from './interpolate.ts'
import { readLut, type Triple } from './lut.ts'
import { type IccProfile, typeOf } from './profile.ts'
import { toXyz } from './srgb.ts'

/** XYZ of samples of 0–1; white has Y = 1. */
export type ColourModel = (samples: readonly number[]) => Triple

/** The model of a table for `channels` channels; null when the profile has no valid one. */
export function tableModel(profile: IccProfile, channels: number): ColourModel | null {
  const lut = readLut(profile.tags.get('A2B0'), channels)
  if (!lut) return null
  const encoding = profile.connection === 'XYZ ' ? 'xyz' : lut.isLegacy ? 'legacy-lab' : 'lab'
  return (samples) => toXyz(encoding, interpolate(lut, samples))
}

/** The model of an RGB profile; null when it has no valid one. */
export function rgbModel(profile: IccProfile): ColourModel | null {
  return tableModel(profile, 3) ?? matrixModel(profile)
}

function matrixModel({ tags }: IccProfile): ColourModel | null {
  const channels: { curve: Curve; primary: Triple }[] = []
  for (const channel of ['r', 'g', 'b']) {
    const curve = readCurve(tags.get(`${channel}TRC`) ?? NOTHING)?.curve
    const primary = readXyz(tags.get(`${channel}XYZ`) ?? NOTHING)
    if (!curve || !primary) return null
    channels.push({ curve, primary })
  }
  return (samples) => {
    const sum: Triple = [0, 0, 0]
    channels.forEach(({ curve, primary: [x, y, z] }, i) => {
      const light = curve(samples[i] ?? 0)
      sum[0] += light * x
      sum[1] += light * y
      sum[2] += light * z
    })
    return sum
  }
}

const NOTHING = new Uint8Array(0)

function readXyz(element: Uint8Array): Triple | null {
  if (element.length < 20 || typeOf(element) !== 'XYZ ') return null
  const view = viewOf(element)
  return [readFixed(view, 8), readFixed(view, 12), readFixed(view, 16)]
}
