/**
 * Converts a profile for grey pixels to one for RGB pixels: stored photos have three components, which are equal in a
 * grey photo.
 */

import { bytesOf, joinBytes, viewOf } from '../containers.ts'
import { buildProfile } from './anonymous.ts'
import { type Curve, readCurve } from './curves.ts'
import { clamp } from './interpolate.ts'
import type { IccProfile } from './profile.ts'
import { labToXyz } from './srgb.ts'

/** Primaries of sRGB, in units of 2⁻¹⁶. Any primaries whose sum is the white of D50 would do. */
const PRIMARIES: readonly (readonly [signature: string, x: number, y: number, z: number])[] = [
  ['rXYZ', 0x6fa2, 0x38f5, 0x0390],
  ['gXYZ', 0x6299, 0xb785, 0x18da],
  ['bXYZ', 0x249b, 0x0f86, 0xb6c3],
]
const WHITE = ['wtpt', 0xf6d6, 0x10000, 0xd32d] as const

/** Samples of a curve that has to be computed. */
const SAMPLES = 1024

/** The anonymous RGB profile with the tone curve of a grey one; null when that has no valid curve. */
export function profileOfGrey(grey: IccProfile): Uint8Array | null {
  const tone = toneOf(grey)
  if (!tone) return null
  const model = { ...grey, bytes: grey.bytes.slice(), connection: 'XYZ ' }
  model.bytes.set(bytesOf('XYZ '), 20)
  return buildProfile(
    model,
    new Map([
      ...[...PRIMARIES, WHITE].map(([signature, ...xyz]) => [signature, colourElement(xyz)] as const),
      ...['rTRC', 'gTRC', 'bTRC'].map((signature) => [signature, tone] as const),
    ]),
  )
}

/** The curve from samples to luminance. */
function toneOf(grey: IccProfile): Uint8Array | null {
  const element = grey.tags.get('kTRC')
  const read = element && readCurve(element)
  if (!element || !read) return null
  if (grey.connection === 'XYZ ') return element.subarray(0, read.length)
  return sampledCurve((value) => labToXyz([100 * read.curve(value), 0, 0])[1])
}

function sampledCurve(luminance: Curve): Uint8Array {
  const out = new Uint8Array(12 + SAMPLES * 2)
  const view = viewOf(out)
  out.set(bytesOf('curv'))
  view.setUint32(8, SAMPLES)
  for (let i = 0; i < SAMPLES; i++) {
    view.setUint16(12 + i * 2, Math.round(clamp(luminance(i / (SAMPLES - 1)), 0, 1) * 65_535))
  }
  return out
}

function colourElement(xyz: readonly number[]): Uint8Array {
  const out = joinBytes([bytesOf('XYZ '), new Uint8Array(16)])
  xyz.forEach((value, i) => {
    viewOf(out).setInt32(8 + i * 4, value)
  })
  return out
}
