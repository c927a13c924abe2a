/** WebPs of every kind, and their first frames. */

import type sharp from 'sharp'
import { concat, uint24 } from '../fixtures/bytes.ts'
import { exif, riff, riffChunk, toAnimatedWebp } from '../fixtures/containers.ts'
import { scene } from '../fixtures/scene.ts'
import { alphaOf, displayP3, paletteOf, storedAs } from './forms.ts'
import { fromRaw } from './oracle.ts'
import { type Floors, type SoundPicture, sound } from './picture.ts'

type Options = sharp.WebpOptions

const ODD = [333, 251] as const

/** A scene as sharp writes it. */
function still([width, height]: readonly [number, number], options: Options = {}) {
  return fromRaw(scene(width, height)).webp(options).toBuffer()
}

function webp(name: string, size: readonly [number, number], options: Options, floors: Floors) {
  const [width, height] = size
  return sound(`webp/${name}`, { width, height, bytes: () => still(size, options) }, floors)
}

/** A scene with transparency. */
function transparent(
  name: string,
  [width, height]: readonly [number, number],
  options: Options,
  floors: Floors,
) {
  const bytes = () => {
    const picture = scene(width, height)
    const alpha = alphaOf(picture)
    return fromRaw(picture)
      .joinChannel(Buffer.from(alpha), { raw: { width, height, channels: 1 } })
      .webp(options)
      .toBuffer()
  }
  return sound(`webp/${name}`, { width, height, bytes }, floors)
}

/** A scene on a larger canvas, followed by another frame. */
function animated(name: string, options: Options, [x, y]: readonly [number, number], floors: Floors) {
  const [width, height] = [ODD[0] + x * 2, ODD[1] + y * 2]
  const bytes = async () => {
    const frame = { width: ODD[0], height: ODD[1] }
    const [first, second] = [
      await still(ODD, options),
      await fromRaw(scene(...ODD, 2))
        .webp()
        .toBuffer(),
    ]
    return toAnimatedWebp(width, height, [
      { ...frame, still: first, x, y },
      { ...frame, still: second, x: 0, y: 0 },
    ])
  }
  return sound(`webp/${name}`, { width, height, bytes }, floors)
}

/** A lossless WebP of so many colours, which share bytes where there are few. */
function paletted(colours: number) {
  const bytes = async () => {
    const [width, height] = ODD
    const palette = paletteOf(scene(width, height), colours)
    const rgb = new Uint8Array(palette.indexes.length * 3)
    palette.indexes.forEach((index, i) => {
      rgb.set(palette.colours[index] ?? [0, 0, 0], i * 3)
    })
    return fromRaw({ width, height, data: rgb }).webp({ lossless: true }).toBuffer()
  }
  return sound(`webp/lossless-${colours}-colours`, { width: ODD[0], height: ODD[1], bytes }, PALETTE_FLOORS)
}

const PALETTE_FLOORS: Floors = [36, 23, 36, 24]

/** The shortest of all: every code of one symbol, which is 0 or 1 and takes no bits. */
function oneColour(width: number, height: number): Uint8Array {
  const bits = [
    [0x2f, 8],
    [width - 1, 14],
    [height - 1, 14],
    // No alpha, version 0; no transform, no colour cache, one group of codes.
    [0, 1 + 3 + 1 + 1 + 1],
    // Five codes: told by name, one symbol, of one bit; red is 1.
    ...[0, 1, 0, 0, 0].map((symbol) => [1 | (symbol << 3), 4]),
  ]
  const out = new Uint8Array(8)
  let at = 0
  for (const [value = 0, size = 0] of bits) {
    for (let i = 0; i < size; i++, at++) out[at >> 3] = (out[at >> 3] ?? 0) | (((value >> i) & 1) << (at & 7))
  }
  return out
}

/** An extended WebP with this metadata; `flags` announce it. */
async function extended(
  picture: Uint8Array,
  [width, height]: readonly [number, number],
  flags: number,
  chunks: { before?: Uint8Array; after?: Uint8Array },
) {
  const header = riffChunk('VP8X', concat([flags, 0, 0, 0], uint24(width - 1), uint24(height - 1)))
  const { before, after } = chunks
  return riff(header, ...(before ? [before] : []), picture.subarray(12), ...(after ? [after] : []))
}

/** Every sound WebP of the corpus. */
export const WEBPS: readonly SoundPicture[] = [
  webp('lossy', [640, 480], { quality: 90 }, [40.5, 36.6, 38.3, 29.5]),
  webp('lossy-1601x1203', [1601, 1203], { quality: 80 }, [42.7, 39.4, 37.6, 30.2]),
  webp('lossy-one-pixel', [1, 1], {}, [42, 42, 42, 42]),
  webp('lossy-17x33', [17, 33], {}, [33.4, 27.8, 32.2, 23.9]),
  webp('lossless', ODD, { lossless: true }, [38.8, 27, 36.9, 26]),
  webp('near-lossless', ODD, { nearLossless: true, quality: 60 }, [38.8, 27, 36.9, 26]),
  transparent('lossy-alpha', ODD, { quality: 90 }, [39.6, 34.9, 37.5, 28.7]),
  transparent('lossless-alpha', ODD, { lossless: true }, [39.4, 28.5, 37.5, 27.1]),
  webp('lossy-rough', ODD, { quality: 3 }, [40, 34, 37, 27]),
  webp('lossy-fine', ODD, { quality: 100 }, [38.8, 27, 36.9, 26]),
  webp('lossy-smart-subsample', ODD, { quality: 80, smartSubsample: true }, [38.8, 33, 36.9, 27]),
  transparent('lossy-alpha-raw', ODD, { quality: 90, effort: 0 }, [39.6, 34.9, 37.5, 28.7]),
  transparent('lossy-alpha-rough', ODD, { quality: 90, alphaQuality: 20 }, [39, 34.5, 37, 28.4]),
  animated('animated-lossy-on-larger-canvas', { quality: 90 }, [20, 14], [39.5, 34.3, 37, 27.6]),
  ...[2, 4, 16, 200].map((colours) => paletted(colours)),
  sound(
    'webp/lossless-of-8-bytes',
    { width: 55, height: 34, bytes: () => riff(riffChunk('VP8L', oneColour(55, 34))) },
    [42, 42, 42, 42],
  ),
  sound(
    'webp/lossless-longer-than-its-window',
    {
      width: 1601,
      height: 1203,
      bytes: async () => new Uint8Array(await still([1601, 1203], { lossless: true, effort: 0 })),
    },
    [40.8, 33.6, 37.4, 29.5],
  ),
  animated('animated-lossy', { quality: 90 }, [0, 0], [39.1, 34.3, 37, 27.6]),
  animated('animated-lossless', { lossless: true }, [0, 0], [38.8, 27, 36.9, 26]),
  animated('animated-on-larger-canvas', { lossless: true }, [20, 14], [39.5, 27.7, 37.4, 26.4]),
  sound(
    'webp/display-p3',
    {
      width: 333,
      height: 251,
      bytes: async () =>
        extended(await still(ODD), ODD, 0x20, { before: riffChunk('ICCP', await displayP3()) }),
    },
    [39.4, 34.3, 37, 27.6],
  ),
  sound(
    'webp/orientation-6',
    {
      width: 333,
      height: 251,
      bytes: async () => {
        const picture = await fromRaw(storedAs(scene(...ODD), 6))
          .webp({ lossless: true })
          .toBuffer()
        return extended(picture, [251, 333], 0x08, { after: riffChunk('EXIF', exif(6)) })
      },
      expected: () => scene(...ODD),
    },
    [38.8, 27, 36.9, 26],
  ),
]
