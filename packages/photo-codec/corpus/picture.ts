/**
 * What a picture of the corpus is.
 *
 *     sound('gif/plain', { width: 320, height: 243, bytes: () => encodeGif(…) }, [41.2, 39.0, 38.1, 36.2])
 */

import type { Rgb } from '../fixtures/scene.ts'
import { readRgb } from './oracle.ts'

/**
 * Least likeness of the stored picture to what it should be, in dB: of luma and of RGB at the larger bound, then the same
 * at the smaller one. Each is what was measured, or what a JPEG of the expected picture by sharp has if that is less,
 * minus 1 dB. Where fewer than 1,000 pixels are stored, rounding weighs more: there it is minus 3 dB, and at most 42.
 */
export type Floors = readonly [luma: number, rgb: number, smallLuma: number, smallRgb: number]

/** A picture that must be accepted. */
export interface SoundPicture {
  /** Format and kind, as a path without an extension. */
  name: string
  /** Size in pixels once upright. */
  width: number
  height: number
  bytes: () => Promise<Uint8Array>
  /** What it looks like, upright and at full size. */
  expected: () => Promise<Rgb>
  floors: Floors
  /** Set for photos as cameras make them: how much larger than sharp's the stored file may be, in percent. */
  growth?: number
}

/** A file that must be refused. */
export interface DamagedPicture {
  name: string
  bytes: () => Promise<Uint8Array>
}

type Make<T> = () => T | Promise<T>

/** A picture whose file is generated on first use, and cached. By default it must look as sharp reads it. */
export function sound(
  name: string,
  picture: {
    width: number
    height: number
    bytes: Make<Uint8Array>
    expected?: (bytes: Uint8Array) => Rgb | Promise<Rgb>
    growth?: number
  },
  floors: Floors,
): SoundPicture {
  const { expected = readRgb, ...rest } = picture
  const bytes = once(picture.bytes)
  return { name, ...rest, bytes, expected: once(async () => expected(await bytes())), floors }
}

/** A damaged file that is generated on first use. */
export function damaged(name: string, bytes: Make<Uint8Array>): DamagedPicture {
  return { name, bytes: once(bytes) }
}

function once<T>(make: Make<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= Promise.resolve().then(make)
    return made
  }
}

/** A file cut at several places, the last one a byte before its end. */
export function cutUp(name: string, file: Make<Uint8Array>): DamagedPicture[] {
  const whole = once(file)
  const places = [0.2, 0.4, 0.6, 0.8, 0.95, 0.99]
  return [
    ...places.map((part) =>
      damaged(`${name}-cut-at-${part * 100}-percent`, async () => {
        const bytes = await whole()
        return bytes.slice(0, Math.floor(bytes.length * part))
      }),
    ),
    damaged(`${name}-cut-by-1-byte`, async () => (await whole()).slice(0, -1)),
  ]
}
