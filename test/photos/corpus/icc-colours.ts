/**
 * What the profiles of the corpus say that samples look like: a press of its own, whose inks are no sRGB, and a screen.
 *
 *     mft2Element({ channels: 4, nodes: 9, colourAt: (inks) => asLegacyLab(printed(inks)) })
 */

type Xyz = readonly [number, number, number]

const WHITE: Xyz = [0.9642, 1, 0.8249]

/** What of red, green and blue light the inks let through; black and all inks at once stay a dark grey. */
const PASSES: readonly Xyz[] = [
  [0.1, 0.55, 0.75],
  [0.75, 0.12, 0.35],
  [0.97, 0.85, 0.1],
  [0.06, 0.055, 0.05],
]

/** sRGB primaries at D50. */
const PRIMARIES: readonly Xyz[] = [
  [0.43607, 0.22249, 0.01392],
  [0.38515, 0.71687, 0.09708],
  [0.14307, 0.06061, 0.7141],
]

/** XYZ of a mixture of cyan, magenta, yellow and black, 0–1 each. */
export function printed(inks: readonly number[]): Xyz {
  const light = [0, 1, 2].map((channel) =>
    inks.reduce((rest, ink, i) => rest * (1 - ink * (1 - (PASSES[i]?.[channel] ?? 1))), 1),
  )
  return mixed(light)
}

/** XYZ of red, green and blue samples on a screen of gamma 1.8 whose green is a little yellow. */
export function shown([red = 0, green = 0, blue = 0]: readonly number[]): Xyz {
  const light = [red, green, blue].map((value) => value ** 1.8)
  return mixed([0.9 * (light[0] ?? 0) + 0.1 * (light[1] ?? 0), light[1] ?? 0, light[2] ?? 0])
}

function mixed(light: readonly number[]): Xyz {
  const sum = (part: number) =>
    light.reduce((total, value, i) => total + value * (PRIMARIES[i]?.[part] ?? 0), 0)
  return [sum(0), sum(1), sum(2)]
}

/** As XYZ is encoded: 0x8000 for 1. */
export function asXyz(xyz: Xyz): number[] {
  return xyz.map((value) => (value * 32_768) / 65_535)
}

/** As Lab is encoded since version 4, and in 8 bits ever since: 0xFFFF for 100. */
export function asLab(xyz: Xyz): number[] {
  const [lightness, a, b] = lab(xyz)
  return [lightness / 100, (a + 128) / 255, (b + 128) / 255]
}

/** As Lab is encoded in 16-bit tables: 0xFF00 for 100. */
export function asLegacyLab(xyz: Xyz): number[] {
  const [lightness, a, b] = lab(xyz)
  return [(lightness * 652.8) / 65_535, ((a + 128) * 256) / 65_535, ((b + 128) * 256) / 65_535]
}

function lab(xyz: Xyz): Xyz {
  const [x, y, z] = xyz.map((value, i) => {
    const ratio = value / (WHITE[i] ?? 1)
    return ratio > 216 / 24_389 ? Math.cbrt(ratio) : (ratio * 24_389) / 27 / 116 + 16 / 116
  })
  return [116 * (y ?? 0) - 16, 500 * ((x ?? 0) - (y ?? 0)), 200 * ((y ?? 0) - (z ?? 0))]
}
