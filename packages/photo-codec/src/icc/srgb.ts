/**
 * Converts the colours of a profile to sRGB: perceptual or relative, with black mapped to black (ICC.1:2022 section 6.3.4;
 * black point compensation as in ISO 18619).
 *
 *     const convert = srgbConverter(blackPoint)
 *     convert(toXyz('lab', [0.5, 0.502, 0.502])) // about [119, 119, 119]; outside 0–255 for colours that sRGB lacks
 */

import type { Triple } from './lut.ts'

/** How a profile encodes colours: XYZ to 1.99997, Lab to 100 and ±128, or Lab as before version 4. */
export type Encoding = 'xyz' | 'lab' | 'legacy-lab'

/** White of the connection space: D50. */
const WHITE: Triple = [0.9642, 1, 0.8249]

/** XYZ of D50 to linear sRGB, adapted by Bradford's method (IEC 61966-2-1). */
const TO_LINEAR: readonly [Triple, Triple, Triple] = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
]

/** XYZ of an encoded colour; white has Y = 1. */
export function toXyz(encoding: Encoding, [x, y, z]: Triple): Triple {
  if (encoding === 'xyz') {
    const scale = 65_535 / 32_768
    return [x * scale, y * scale, z * scale]
  }
  const lightness = encoding === 'lab' ? 100 : (100 * 65_535) / 65_280
  const chroma = encoding === 'lab' ? 255 : 65_535 / 256
  return labToXyz([x * lightness, y * chroma - 128, z * chroma - 128])
}

/** XYZ of a Lab colour (CIE 15). */
export function labToXyz([lightness, a, b]: Triple): Triple {
  const middle = (lightness + 16) / 116
  return [WHITE[0] * cubed(middle + a / 500), WHITE[1] * cubed(middle), WHITE[2] * cubed(middle - b / 200)]
}

/** L* of a Y. */
export function lightnessOf(y: number): number {
  return y > 216 / 24_389 ? 116 * Math.cbrt(y) - 16 : (24_389 / 27) * y
}

function cubed(value: number): number {
  return value > 6 / 29 ? value ** 3 : (value - 4 / 29) * 3 * (6 / 29) ** 2
}

/** A function from XYZ colours to levels of sRGB (0–255, not rounded, not clipped) that maps `black` to black. */
export function srgbConverter(black: Triple): (colour: Triple) => Triple {
  const scales = WHITE.map((white, i) => white / (white - (black[i] ?? 0)))
  const rows = TO_LINEAR.map((row) => row.map((weight, i) => weight * (scales[i] ?? 1)))
  const level = (row: readonly number[], x: number, y: number, z: number) =>
    255 * encodeSrgb((row[0] ?? 0) * x + (row[1] ?? 0) * y + (row[2] ?? 0) * z)
  const [red = [], green = [], blue = []] = rows
  return (colour) => {
    const x = colour[0] - black[0]
    const y = colour[1] - black[1]
    const z = colour[2] - black[2]
    return [level(red, x, y, z), level(green, x, y, z), level(blue, x, y, z)]
  }
}

/** The transfer function of sRGB, mirrored below zero. */
export function encodeSrgb(linear: number): number {
  const amount = Math.abs(linear)
  const level = amount > 0.0031308 ? 1.055 * amount ** (1 / 2.4) - 0.055 : amount * 12.92
  return linear < 0 ? -level : level
}

/** The inverse of `encodeSrgb`, for 0–1. */
export function decodeSrgb(level: number): number {
  return level > 0.04045 ? ((level + 0.055) / 1.055) ** 2.4 : level / 12.92
}
