/**
 * The forms of a picture that encoders accept: separate channels, inks, palettes, rotated as by a camera.
 *
 *     const [y, cb, cr] = toYcc(planesOf(scene(640, 480)))
 */

import sharp from 'sharp'
import type { Rgb } from '../fixtures/scene.ts'
import { fromRaw } from './oracle.ts'

/** A picture's channels apart. */
export function planesOf({ data }: Rgb): [Uint8Array, Uint8Array, Uint8Array] {
  const plane = (channel: number) => {
    // A loop, as `Uint8Array.from` takes ten times as long.
    const out = new Uint8Array(data.length / 3)
    for (let i = 0; i < out.length; i++) out[i] = data[i * 3 + channel] ?? 0
    return out
  }
  return [plane(0), plane(1), plane(2)]
}

/** Y, Cb and Cr as JFIF defines them. */
export function toYcc([red, green, blue]: readonly [Uint8Array, Uint8Array, Uint8Array]) {
  const combine = (r: number, g: number, b: number, offset: number) => {
    const out = new Uint8Array(red.length)
    for (let i = 0; i < out.length; i++) {
      const value = r * (red[i] ?? 0) + g * (green[i] ?? 0) + b * (blue[i] ?? 0) + offset
      out[i] = Math.max(0, Math.min(255, Math.round(value)))
    }
    return out
  }
  return [
    combine(0.299, 0.587, 0.114, 0),
    combine(-0.168736, -0.331264, 0.5, 128),
    combine(0.5, -0.418688, -0.081312, 128),
  ] as const
}

/** Light that passes the four inks, 255 for no ink, as Adobe writes them: red is C · K / 255. */
export function toCmyk([red, green, blue]: readonly [Uint8Array, Uint8Array, Uint8Array]) {
  const key = red.map((value, i) => Math.min(255, Math.max(value, green[i] ?? 0, blue[i] ?? 0) + 20))
  const ink = (plane: Uint8Array) => plane.map((value, i) => Math.round((value * 255) / (key[i] ?? 255)))
  return [ink(red), ink(green), ink(blue), key] as const
}

/** A scene as sharp's JPEG, at quality 92 unless `options` say otherwise. */
export function sharpJpeg(picture: Rgb, options: Parameters<ReturnType<typeof fromRaw>['jpeg']>[0] = {}) {
  return fromRaw(picture)
    .jpeg({ quality: 92, ...options })
    .toBuffer()
}

/** How the pixels of an upright picture are stored when a camera writes this EXIF orientation (1–8). */
export function storedAs({ width, height, data }: Rgb, orientation: number): Rgb {
  const isTurned = orientation >= 5
  const [w, h] = isTurned ? [height, width] : [width, height]
  const out = new Uint8Array(data.length)
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      // TIFF 6.0: which sides of the upright picture the first row and the first column are.
      const [across, down] = isTurned ? [y, x] : [x, y]
      const fromX = [2, 3, 6, 7].includes(orientation) ? width - 1 - across : across
      const fromY = [3, 4, 7, 8].includes(orientation) ? height - 1 - down : down
      const from = (fromY * width + fromX) * 3
      out.set(data.subarray(from, from + 3), (y * w + x) * 3)
    }
  }
  return { width: w, height: h, data: out }
}

/** A picture drawn with at most `count` of its own colours, each pixel with the nearest. */
export function paletteOf({ data }: Rgb, count: number) {
  const pixels = data.length / 3
  const colours = Array.from({ length: count }, (_, i) => {
    const at = Math.floor(((i + 0.5) * pixels) / count) * 3
    return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0] as const
  })
  const indexes = Uint8Array.from({ length: pixels }, (_, i) => {
    const [r, g, b] = [data[i * 3] ?? 0, data[i * 3 + 1] ?? 0, data[i * 3 + 2] ?? 0]
    let best = 0
    let least = Number.POSITIVE_INFINITY
    colours.forEach(([red, green, blue], index) => {
      const distance = (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2
      if (distance >= least) return
      least = distance
      best = index
    })
    return best
  })
  return { colours, indexes }
}

/** Opaque in the middle, ever less towards the right, not at all in the left corner. */
export function alphaOf({ width, height }: Rgb): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [(i % width) / width, Math.floor(i / width) / height]
    if (x + y < 0.4) return 0
    return x < 0.6 ? 255 : Math.round(255 * (1.6 - x) * (1 - y * 0.5)) & 255
  })
}

/** The Display P3 profile as sharp has it. */
export function displayP3(): Promise<Uint8Array> {
  return profileBySharp(fromRaw({ width: 1, height: 1, data: new Uint8Array(3) }).withIccProfile('p3'))
}

/** The profile of a press as sharp has it: CMYK, 961 KB, most of it the measurements it was made of. */
export function pressProfile(): Promise<Uint8Array> {
  const pixel = fromRaw({ width: 1, height: 1, data: new Uint8Array(3) })
  return profileBySharp(pixel.toColourspace('cmyk').withIccProfile('cmyk'))
}

async function profileBySharp(picture: sharp.Sharp): Promise<Uint8Array> {
  const { icc } = await sharp(await picture.jpeg().toBuffer()).metadata()
  if (!icc) throw new Error('No profile')
  return icc
}
