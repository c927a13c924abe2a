/** GIFs and WebPs that are truncated, damaged, or made to harm decoders. */

import { bytesOf, concat, uint24, uint32le } from '../fixtures/bytes.ts'
import { riff, riffChunk, toAnimatedWebp } from '../fixtures/containers.ts'
import { scene } from '../fixtures/scene.ts'
import { alphaOf, paletteOf } from './forms.ts'
import { encodeGif, subBlocks } from './gif-encoder.ts'
import { fromRaw } from './oracle.ts'
import { cutUp, type DamagedPicture, damaged } from './picture.ts'

const [WIDTH, HEIGHT] = [61, 43]

/** Where the parts of the GIF below begin: its canvas, its one frame's sizes, and the LZW code size. */
const GIF = { canvas: 6, palette: 13, frame: 13 + 3 * 64 + 8 + 1, codeSize: 13 + 3 * 64 + 8 + 10 }

function gif(interlaced = false): Uint8Array {
  const { colours, indexes } = paletteOf(scene(WIDTH, HEIGHT), 64)
  return encodeGif({ width: WIDTH, height: HEIGHT, palette: colours, frames: [{ indexes, interlaced }] })
}

/** The file without its trailer, the empty sub-block and the end code of the frame: those need not be there. */
const withoutEnd = (interlaced = false) => gif(interlaced).slice(0, -4)

function gifWith(at: number, ...bytes: number[]): Uint8Array {
  const file = gif()
  file.set(bytes, at)
  return file
}

/** The frame's data replaced by these bytes. */
const gifOf = (...data: number[]) =>
  concat(gif().subarray(0, GIF.codeSize + 1), subBlocks(Uint8Array.from(data)), [0x3b])

const lossy = () => fromRaw(scene(WIDTH, HEIGHT)).webp().toBuffer()
const lossless = () => fromRaw(scene(WIDTH, HEIGHT)).webp({ lossless: true }).toBuffer()
const withAlpha = () => {
  const alpha = Buffer.from(alphaOf(scene(WIDTH, HEIGHT)))
  return fromRaw(scene(WIDTH, HEIGHT))
    .joinChannel(alpha, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
    .webp()
    .toBuffer()
}

async function animated(x = 0, canvas: readonly [number, number] = [WIDTH, HEIGHT]) {
  const frame = { still: await lossless(), x, y: 0, width: WIDTH, height: HEIGHT }
  return toAnimatedWebp(...canvas, [frame, frame])
}

/** A WebP with bytes replaced; offset 12 is the header of the first chunk. */
async function webpWith(file: Promise<Uint8Array>, at: number, ...bytes: number[]): Promise<Uint8Array> {
  const webp = Uint8Array.from(await file)
  webp.set(bytes, at)
  return webp
}

/** The lossy picture behind an extended header for another size. */
async function extended(width: number, height: number) {
  const header = riffChunk('VP8X', concat(new Uint8Array(4), uint24(width - 1), uint24(height - 1)))
  return riff(header, (await lossy()).subarray(12))
}

/** Every GIF and WebP of the corpus that must be refused. */
export const DAMAGED_OTHERS: readonly DamagedPicture[] = [
  ...cutUp('gif/plain', withoutEnd),
  ...cutUp('gif/interlaced', () => withoutEnd(true)),
  damaged('gif/canvas-of-65535x65535', () => gifWith(GIF.canvas, 255, 255, 255, 255)),
  damaged('gif/canvas-of-8001x8000', () =>
    gifWith(GIF.canvas, ...[8001, 8000].flatMap((n) => [n & 255, n >> 8])),
  ),
  damaged('gif/frame-of-65535x65535', () => gifWith(GIF.frame + 4, 255, 255, 255, 255)),
  damaged('gif/frame-without-width', () => gifWith(GIF.frame + 4, 0, 0)),
  damaged('gif/frame-beyond-65535', () => gifWith(GIF.frame, 255, 255)),
  damaged('gif/cut-in-descriptor', () => gif().slice(0, GIF.codeSize - 1)),
  damaged('gif/code-size-0', () => gifWith(GIF.codeSize, 0)),
  damaged('gif/code-size-12', () => gifWith(GIF.codeSize, 12)),
  damaged('gif/code-size-255', () => gifWith(GIF.codeSize, 255)),
  damaged('gif/no-palette', () => {
    const file = gif()
    return concat(
      file.subarray(0, 10),
      [(file[10] ?? 0) & 0x7f],
      file.subarray(11, 13),
      file.subarray(GIF.palette + 192),
    )
  }),
  // Seven bits each: clear (64) and then a code that nobody has defined.
  damaged('gif/code-not-defined', () => gifOf(64 | ((100 << 7) & 255), 100 >> 1)),
  damaged('gif/ends-at-once', () => gifOf(64 | ((65 << 7) & 255), 65 >> 1)),
  damaged('gif/no-data', () => gifOf()),
  damaged('gif/no-frame', () => concat(gif().subarray(0, GIF.palette + 192), [0x3b])),

  ...cutUp('webp/lossy', lossy),
  ...cutUp('webp/lossless', lossless),
  ...cutUp('webp/alpha', withAlpha),
  ...cutUp('webp/animated', animated),
  damaged('webp/riff-longer-than-file', () => webpWith(lossy(), 4, ...uint32le(1_000_000))),
  damaged('webp/riff-of-4-gigabytes', () => webpWith(lossy(), 4, 255, 255, 255, 255)),
  damaged('webp/chunk-longer-than-file', () => webpWith(lossy(), 16, ...uint32le(1_000_000))),
  damaged('webp/lossy-without-width', () => webpWith(lossy(), 26, 0, 0)),
  damaged('webp/lossy-16383x16383', () => webpWith(lossy(), 26, 0xff, 0x3f, 0xff, 0x3f)),
  damaged('webp/lossy-no-key-frame', () => webpWith(lossy(), 20, 1)),
  damaged('webp/lossy-partition-beyond-end', () => webpWith(lossy(), 20, 0xf0, 0xff, 0xff)),
  damaged('webp/lossless-16384x16384', () => webpWith(lossless(), 21, 0xff, 0xff, 0xff, 0x0f)),
  damaged('webp/lossless-signature', () => webpWith(lossless(), 20, 0x2e)),
  damaged('webp/lossless-version', () => webpWith(lossless(), 24, 0xe0)),
  damaged('webp/lossless-garbage', () => webpWith(lossless(), 25, ...new Array<number>(40).fill(0xff))),
  damaged('webp/canvas-of-16777216x16777216', () => extended(0x1000000, 0x1000000)),
  damaged('webp/canvas-of-another-size', () => extended(WIDTH + 1, HEIGHT)),
  damaged('webp/frame-sticks-out', () => animated(2)),
  damaged('webp/frame-larger-than-canvas', () => animated(0, [30, 20])),
  damaged('webp/header-only', () => riff(riffChunk('VP8X', new Uint8Array(10)))),
  damaged('webp/no-chunk', () => riff()),
  damaged('webp/alpha-garbage', async () => {
    const webp = Uint8Array.from(await withAlpha())
    const at = Buffer.from(webp).indexOf(bytesOf('ALPH')) + 8
    webp.fill(0xff, at, at + 60)
    return webp
  }),
]
