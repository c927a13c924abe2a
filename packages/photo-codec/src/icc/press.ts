/**
 * What four inks look like when a picture has no profile: as an offset press prints them on coated paper. The sixteen
 * colours of full inks on each other are mixed by the areas that they cover, as Neugebauer's equations do it, with the
 * correction for paper that scatters light (J. A. C. Yule and W. J. Nielsen, "The penetration of light into paper and its
 * effect on halftone reproduction", 1951).
 *
 *     pressColour(coverageOf(0.2), 0, 0, 0) // levels of sRGB; outside 0–255 for colours that sRGB lacks
 *
 * The numbers are fitted by least squares to the public-domain profile "Chemical proof", which libvips, and so sharp,
 * assumes too. They differ from it by 2.6 levels on average over all mixtures; common presses differ by 7 from each other.
 */

import type { Triple } from './lut.ts'
import { decodeSrgb, encodeSrgb } from './srgb.ts'

/** Dots of ink spread on paper: an amount covers more than its share of the area. */
const DOT_GAIN = 0.775
/** The factor of Yule and Nielsen. */
const SCATTERING = 1.25

/** Levels of sRGB of all full inks. Cyan is in every other one, magenta in every other pair, black in the second half. */
const FULL_INKS: readonly Triple[] = [
  [255, 255, 255],
  [-135, 156, 220],
  [228, -3, 133],
  [38, 15, 130],
  [251, 225, -45],
  [-101, 149, 60],
  [227, 13, 37],
  [36, 23, 42],
  [-18, -31, 4],
  [12, 5, 21],
  [14, 3, 15],
  [-9, -5, 9],
  [11, 0, 17],
  [0, 1, 10],
  [6, 0, 11],
  [-4, -6, 18],
]

/** Light of the full inks as it mixes within paper. */
const LIGHT = FULL_INKS.map((levels) =>
  levels.map((level) => signedPower(Math.sign(level) * decodeSrgb(Math.abs(level) / 255), 1 / SCATTERING)),
)

/** The part of the paper that an amount of ink covers, 0–1 each. */
export function coverageOf(amount: number): number {
  return amount ** DOT_GAIN
}

/** The levels of sRGB of inks that cover these parts of the paper. */
export function pressColour(cyan: number, magenta: number, yellow: number, key: number): Triple {
  const sum: Triple = [0, 0, 0]
  LIGHT.forEach(([red = 0, green = 0, blue = 0], inks) => {
    const area =
      (inks & 1 ? cyan : 1 - cyan) *
      (inks & 2 ? magenta : 1 - magenta) *
      (inks & 4 ? yellow : 1 - yellow) *
      (inks & 8 ? key : 1 - key)
    sum[0] += area * red
    sum[1] += area * green
    sum[2] += area * blue
  })
  const level = (light: number) => 255 * encodeSrgb(signedPower(light, SCATTERING))
  return [level(sum[0]), level(sum[1]), level(sum[2])]
}

function signedPower(value: number, exponent: number): number {
  return Math.sign(value) * Math.abs(value) ** exponent
}
