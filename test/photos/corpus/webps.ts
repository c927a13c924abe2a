/** WebPs of every kind, and their first frames. */

import type sharp from 'sharp'
import { concat, uint24 } from '../bytes.ts'
import { exif, riff, riffChunk, toAnimatedWebp } from '../containers.ts'
import { alphaOf, displayP3, storedAs } from './forms.ts'
import { fromRaw } from './oracle.ts'
import { type Floors, type SoundPicture, sound } from './picture.ts'
import { scene } from './scene.ts'

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
