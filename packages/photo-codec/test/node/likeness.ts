/**
 * Whether a stored photo looks as it should, and if not, what is wrong.
 *
 *     itIsFaithful(JPEGS)
 *     expect(flaws(found, expected, { luma: 41.2, rgb: 38.1 })).toEqual([])
 */

import sharp from 'sharp'
import { expect, it } from 'vitest'
import { leaning, type Nearness, psnr, readRgb, resize } from '../../corpus/oracle.ts'
import type { SoundPicture } from '../../corpus/picture.ts'
import type { Rgb } from '../../fixtures/scene.ts'
import { processPhoto } from '../../src/process.ts'

/** The bound that the service uses, in pixels. */
export const LARGE = 1920

/** A bound that shrinks every picture but the tiniest, by a ratio that is nothing round. */
export function smallBound({ width, height }: SoundPicture): number {
  return Math.min(397, Math.ceil(Math.max(width, height) * 0.37))
}

/** The floors for one of the two bounds. */
export function floorsFor({ floors }: SoundPicture, maxSide: number): Nearness {
  const [luma, rgb, smallLuma, smallRgb] = floors
  return maxSide === LARGE ? { luma, rgb } : { luma: smallLuma, rgb: smallRgb }
}

/** Most that a picture may lean to one side, in dB; chroma half a sample off leans by 3 dB and more. */
const MAX_LEANING = 1

/** Fewest pixels along the shorter side for a lean to mean anything. */
const LEANING_FROM = 48

const stored = new Map<string, ReturnType<typeof storeAnew>>()

/** A picture as it is stored within a bound, and what is in that file; kept for the next test that asks. */
export function store(picture: SoundPicture, maxSide: number) {
  const key = `${picture.name} ${maxSide}`
  const result = stored.get(key) ?? storeAnew(picture, maxSide)
  stored.set(key, result)
  return result
}

async function storeAnew(picture: SoundPicture, maxSide: number) {
  const { original, width, height } = processPhoto(await picture.bytes(), { maxSide, watermark: null })
  const scale = Math.min(1, maxSide / Math.max(picture.width, picture.height))
  const size = [picture.width, picture.height].map((side) => Math.max(1, Math.round(side * scale)))
  const expected = await resize(await picture.expected(), size[0] ?? 1, size[1] ?? 1)
  return { file: original, width, height, found: await readRgb(original), expected }
}

/** Everything that is wrong with a picture, in words; nothing when it is faithful. */
export function flaws(found: Rgb, expected: Rgb, floors: Nearness): string[] {
  if (found.width !== expected.width || found.height !== expected.height) {
    return [`${found.width} × ${found.height} pixels instead of ${expected.width} × ${expected.height}`]
  }
  const near = psnr(found, expected)
  const out: string[] = []
  for (const key of ['luma', 'rgb'] as const) {
    if (near[key] < floors[key]) out.push(`${key}: ${near[key].toFixed(2)} dB, less than ${floors[key]}`)
  }
  if (Math.min(found.width, found.height) >= LEANING_FROM) {
    const lean = leaning(found, expected)
    for (const key of ['luma', 'chroma'] as const) {
      if (lean[key] > MAX_LEANING) out.push(`${key} lies to one side: ${lean[key].toFixed(2)} dB`)
    }
  }
  return out
}

/** Tests of pictures at both bounds: size, likeness, and what else is in the file. */
export function itIsFaithful(pictures: readonly SoundPicture[]): void {
  it.each(pictures)('is kept as it looks: $name', async (picture) => {
    for (const bound of [LARGE, smallBound(picture)]) {
      const { file, width, height, found, expected } = await store(picture, bound)
      expect({ width, height }).toEqual({ width: expected.width, height: expected.height })
      expect(flaws(found, expected, floorsFor(picture, bound)), `within ${bound}`).toEqual([])
      const { format, space, exif, xmp, chromaSubsampling } = await sharp(file).metadata()
      expect({ format, space, exif, xmp, chromaSubsampling }).toEqual({
        format: 'jpeg',
        space: 'srgb',
        chromaSubsampling: '4:2:0',
      })
    }
  })

  const wide = pictures.filter(({ width, height }) => Math.min(width, height) >= LEANING_FROM)
  it.each(wide)('would be noticed a pixel off: $name', async (picture) => {
    const bound = smallBound(picture)
    const { found, expected } = await store(picture, bound)
    for (const step of [1, -1, expected.width, -expected.width]) {
      expect(flaws(found, shifted(expected, step, 1, 1), floorsFor(picture, bound))).not.toEqual([])
    }
  })
}

/**
 * A picture whose every pixel takes a part (0–1) of its luma and of its chroma from the pixel `step` further on: 1 for
 * the right neighbour, the width for the one below.
 */
export function shifted({ width, height, data }: Rgb, step: number, luma: number, chroma: number): Rgb {
  const lumaAt = (at: number) =>
    0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0)
  const out = new Uint8Array(data.length)
  for (let at = 0; at < data.length; at += 3) {
    const from = Math.max(0, Math.min(data.length - 3, at + step * 3))
    const [here, there] = [lumaAt(at), lumaAt(from)]
    const mixed = here + (there - here) * luma
    for (let channel = 0; channel < 3; channel++) {
      const [own, other] = [(data[at + channel] ?? 0) - here, (data[from + channel] ?? 0) - there]
      out[at + channel] = Math.max(0, Math.min(255, Math.round(mixed + own + (other - own) * chroma)))
    }
  }
  return { width, height, data: out }
}
