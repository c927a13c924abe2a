/**
 * What a picture should look like, by sharp, and how far another one is from it.
 *
 *     const expected = await resize(await readRgb(bytes), 400, 300)
 *     const { luma, rgb } = psnr(await readRgb(output), expected)
 */

import sharp from 'sharp'
import type { Rgb } from '../fixtures/scene.ts'

/** How near two pictures are, as peak signal-to-noise ratios in dB; the same picture counts as 99. */
export interface Nearness {
  /** Of Y = 0.299 R + 0.587 G + 0.114 B. */
  luma: number
  /** Of all three channels together. */
  rgb: number
}

const SAME = 99

/** The first frame, upright, in the numbers of its own colour profile, on white. */
export async function readRgb(bytes: Uint8Array): Promise<Rgb> {
  const { data, info } = await sharp(bytes, { ignoreIcc: true, failOn: 'none', limitInputPixels: false })
    .autoOrient()
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data: toThree(data, info.channels) }
}

/** The first frame as it is to be seen: upright, in sRGB, on white, fitted if asked. Throws what sharp does by default. */
export async function readLook(bytes: Uint8Array, fit?: sharp.ResizeOptions): Promise<Rgb> {
  const picture = sharp(bytes).autoOrient().flatten({ background: '#fff' }).toColourspace('srgb')
  const { data, info } = await (fit ? picture.resize(fit) : picture)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data: toThree(data, info.channels) }
}

/** A CMYK JPEG in sRGB, converted by lcms through its profile, or else through the one that libvips assumes. */
export async function readInks(bytes: Uint8Array): Promise<Rgb> {
  const { data, info } = await sharp(bytes).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data: toThree(data, info.channels) }
}

/** Resized to exactly this many pixels by Lanczos of three lobes. */
export async function resize(picture: Rgb, width: number, height: number): Promise<Rgb> {
  if (picture.width === width && picture.height === height) return picture
  const { data, info } = await fromRaw(picture)
    .resize({ width, height, fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: false })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width, height, data: toThree(data, info.channels) }
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

/**
 * How far a picture seems to lie to one side of where it should, across or down, luma and chroma apart: the difference
 * in dB between its likeness to the expected picture half a pixel to the one side and half a pixel to the other. About 0
 * when all is in place, however much the two pictures differ in sharpness.
 */
export function leaning(found: Rgb, expected: Rgb): { luma: number; chroma: number } {
  const [part, wanted] = [middle(found), middle(expected)]
  const [a, b] = [opponents(part), opponents(wanted)]
  const lean = (channels: readonly number[], step: number) => {
    let [after, before] = [0, 0]
    for (const channel of channels) {
      const sums = errorsBeside(a[channel] ?? NO_SAMPLES, b[channel] ?? NO_SAMPLES, wanted, step)
      after += sums.after
      before += sums.before
    }
    return Math.abs(10 * Math.log10(after / before))
  }
  const worst = (channels: readonly number[]) => Math.max(lean(channels, 1), lean(channels, wanted.width))
  return { luma: worst([0]), chroma: worst([1, 2]) }
}

const NO_SAMPLES = new Float32Array(0)

/** Squared errors of `found` against what lies half of `step` after each expected sample, and half of it before. */
function errorsBeside(
  found: Float32Array,
  expected: Float32Array,
  { width, height }: Rgb,
  step: number,
): { after: number; before: number } {
  let [after, before] = [0, 0]
  for (let y = 1; y < height - 1; y++) {
    for (let at = y * width + 1; at < (y + 1) * width - 1; at++) {
      const [sample, here] = [found[at] ?? 0, expected[at] ?? 0]
      after += (sample - (here + (expected[at + step] ?? 0)) / 2) ** 2
      before += (sample - (here + (expected[at - step] ?? 0)) / 2) ** 2
    }
  }
  return { after, before }
}

/** At most 512 × 512 pixels of a picture, which is enough to look at. */
function middle({ width, height, data }: Rgb): Rgb {
  const [across, down] = [Math.min(width, 512), Math.min(height, 512)]
  const [left, top] = [(width - across) >> 1, (height - down) >> 1]
  const out = new Uint8Array(across * down * 3)
  for (let y = 0; y < down; y++) {
    const from = ((top + y) * width + left) * 3
    out.set(data.subarray(from, from + across * 3), y * across * 3)
  }
  return { width: across, height: down, data: out }
}

/** Luma, blue less luma, red less luma. */
function opponents({ data }: Rgb): Float32Array[] {
  const pixels = data.length / 3
  const [lumas, blues, reds] = [new Float32Array(pixels), new Float32Array(pixels), new Float32Array(pixels)]
  for (let i = 0; i < pixels; i++) {
    const [red, blue] = [data[i * 3] ?? 0, data[i * 3 + 2] ?? 0]
    const luma = 0.299 * red + 0.587 * (data[i * 3 + 1] ?? 0) + 0.114 * blue
    lumas[i] = luma
    blues[i] = blue - luma
    reds[i] = red - luma
  }
  return [lumas, blues, reds]
}
