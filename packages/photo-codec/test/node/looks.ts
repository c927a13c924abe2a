/**
 * What a picture should look like, by sharp, and how far another one is from it.
 *
 *     const expected = await readLook(bytes)
 *     const { luma, rgb } = psnr(await readLook(output), expected)
 */

import sharp from 'sharp'
import type { Rgb } from '../../fixtures/scene.ts'

/** How near two pictures are, as peak signal-to-noise ratios in dB; the same picture counts as 99. */
export interface Nearness {
  /** Of Y = 0.299 R + 0.587 G + 0.114 B. */
  luma: number
  /** Of all three channels together. */
  rgb: number
}

const SAME = 99

/** The first frame as it is to be seen: upright, in sRGB, on white, fitted if asked. Throws what sharp does by default. */
export async function readLook(bytes: Uint8Array, fit?: sharp.ResizeOptions): Promise<Rgb> {
  const picture = sharp(bytes).autoOrient().flatten({ background: '#fff' }).toColourspace('srgb')
  const { data, info } = await (fit ? picture.resize(fit) : picture)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data: toThree(data, info.channels) }
}

/** A picture as the beginning of a sharp pipeline. */
export function fromRaw({ width, height, data }: Rgb): sharp.Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } })
}

/** How near two pictures of the same size are. */
export function psnr(found: Rgb, expected: Rgb): Nearness {
  const [a, b] = [found.data, expected.data]
  if (a.length !== b.length) throw new Error(`${a.length} samples beside ${b.length}`)
  let luma = 0
  let rgb = 0
  for (let i = 0; i < a.length; i += 3) {
    const red = (a[i] ?? 0) - (b[i] ?? 0)
    const green = (a[i + 1] ?? 0) - (b[i + 1] ?? 0)
    const blue = (a[i + 2] ?? 0) - (b[i + 2] ?? 0)
    luma += (0.299 * red + 0.587 * green + 0.114 * blue) ** 2
    rgb += red * red + green * green + blue * blue
  }
  return { luma: decibels(luma / (a.length / 3)), rgb: decibels(rgb / a.length) }
}

function decibels(meanSquare: number): number {
  return Math.min(SAME, 10 * Math.log10(255 ** 2 / meanSquare))
}

/** Grey samples repeated three times; RGB as it is. */
function toThree(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return data
  if (channels !== 1) throw new Error(`${channels} channels`)
  const out = new Uint8Array(data.length * 3)
  for (let i = 0; i < out.length; i++) out[i] = data[Math.floor(i / 3)] ?? 0
  return out
}
