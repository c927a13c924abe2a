/** GIFs of every kind, and their first frames. */

import { type Rgb, scene } from '../fixtures/scene.ts'
import { paletteOf } from './forms.ts'
import { encodeGif, type GifFrame, type GifOptions } from './gif-encoder.ts'
import { fromRaw } from './oracle.ts'
import { type Floors, type SoundPicture, sound } from './picture.ts'

const [WIDTH, HEIGHT] = [203, 131]

/** A scene in as many colours, as one frame unless `frames` makes others of it. */
function gif(
  name: string,
  colours: number,
  floors: Floors,
  options: Partial<GifOptions> = {},
  frames: (frame: GifFrame) => GifFrame[] = (frame) => [frame],
  change: (file: Uint8Array) => Uint8Array = (file) => file,
): SoundPicture {
  const size = { width: options.width ?? WIDTH, height: options.height ?? HEIGHT }
  const picture = () => {
    const { colours: palette, indexes } = paletteOf(scene(size.width, size.height), colours)
    return { palette, ...options, ...size, frames: frames({ indexes }) }
  }
  const [bytes, expected] = [() => change(encodeGif(picture())), () => firstFrame(picture())]
  return sound(`gif/${name}`, { ...size, bytes, expected }, floors)
}

/** A frame that does not fit on its canvas, which therefore grows to these sides. */
function grown(
  name: string,
  [width, height]: readonly [number, number],
  floors: Floors,
  canvas: { width: number; height: number },
  frame: (whole: GifFrame) => GifFrame,
): SoundPicture {
  const { colours: palette, indexes } = paletteOf(scene(WIDTH, HEIGHT), 64)
  const frames = [frame({ indexes, width: WIDTH, height: HEIGHT })]
  const bytes = () => encodeGif({ ...canvas, palette, frames })
  const expected = () => firstFrame({ width, height, palette, frames })
  return sound(`gif/${name}`, { width, height, bytes, expected }, floors)
}

/** The first frame on white. Sharp has black where no frame is, unlike browsers. */
function firstFrame({ width, height, palette, frames: [frame] }: GifOptions): Rgb {
  const data = new Uint8Array(width * height * 3).fill(255)
  if (!frame) throw new Error('No frame')
  const { left = 0, top = 0, width: across = width } = frame
  for (let i = 0; i < frame.indexes.length; i++) {
    const index = frame.indexes[i] ?? 0
    if (index === frame.transparent) continue
    const at = (top + Math.floor(i / across)) * width + left + (i % across)
    data.set((frame.palette ?? palette)[index] ?? [0, 0, 0], at * 3)
  }
  return { width, height, data }
}

/** The part of the scene that a frame in the middle of the canvas shows. */
function inTheMiddle({ indexes }: GifFrame): GifFrame {
  const [left, top, width, height] = [51, 23, 97, 75]
  const part = Array.from(
    { length: width * height },
    (_, i) => indexes[(top + Math.floor(i / width)) * WIDTH + left + (i % width)] ?? 0,
  )
  return { indexes: part, left, top, width, height }
}

/** A frame of which only the upper left part fits on the canvas. */
function stickingOut({ indexes }: GifFrame): GifFrame {
  const [left, top, width, height] = [60, 40, 180, 120]
  const part = Array.from(
    { length: width * height },
    (_, i) => indexes[(Math.floor(i / width) % HEIGHT) * WIDTH + (i % width)] ?? 0,
  )
  return { indexes: part, left, top, width, height }
}

/** Fewer colours than a picture of 64 has indexes. */
const FEW_COLOURS = Array.from({ length: 16 }, (_, i) => [i * 15, 255 - i * 9, (i * 90) % 256] as const)

const reversed = ({ indexes }: GifFrame): GifFrame => ({ indexes: Array.from(indexes).reverse() })

/** Every sound GIF of the corpus. */
export const GIFS: readonly SoundPicture[] = [
  gif('plain', 64, [37.3, 24.4, 37.1, 25.3]),
  gif('256-colours', 256, [37.4, 24, 37, 25]),
  gif('full-table', 256, [37.4, 24, 37, 25], { keepsFullTable: true }),
  gif('two-colours', 2, [40.1, 25, 39.8, 27.5]),
  gif('three-colours', 3, [39.5, 24.1, 38.6, 26.7]),
  gif('interlaced', 64, [37.3, 24.4, 37.1, 25.3], {}, (frame) => [{ ...frame, interlaced: true }]),
  gif('transparent', 16, [36.2, 24.2, 36, 25.5], {}, (frame) => [{ ...frame, transparent: 3 }]),
  gif('smaller-frame', 64, [41.7, 29.2, 40.7, 28.5], {}, (frame) => [inTheMiddle(frame)]),
  gif('smaller-frame-interlaced', 64, [41.7, 29.2, 40.7, 28.5], {}, (frame) => [
    { ...inTheMiddle(frame), interlaced: true },
  ]),
  gif('animated', 64, [37.3, 24.4, 37.1, 25.3], {}, (frame) => [frame, reversed(frame), inTheMiddle(frame)]),
  grown(
    'frame-beyond-canvas',
    [240, 160],
    [40.1, 27.9, 39, 27.4],
    { width: WIDTH, height: HEIGHT },
    stickingOut,
  ),
  grown(
    'frame-beyond-canvas-interlaced',
    [240, 160],
    [40.1, 27.9, 39, 27.4],
    { width: WIDTH, height: HEIGHT },
    (frame) => ({ ...stickingOut(frame), interlaced: true }),
  ),
  grown(
    'frame-beyond-canvas-below',
    [240, 171],
    [39.1, 26.2, 38.1, 26.8],
    { width: 240, height: 1 },
    (frame) => ({
      ...frame,
      top: 40,
    }),
  ),
  grown('frame-outside-canvas', [303, 231], [41.5, 28.6, 40.5, 29.5], { width: 64, height: 48 }, (frame) => ({
    ...frame,
    left: 100,
    top: 100,
  })),
  grown(
    'canvas-without-size',
    [WIDTH, HEIGHT],
    [37.3, 24.4, 37, 25.3],
    { width: 0, height: 0 },
    (frame) => frame,
  ),
  gif('colours-beyond-palette', 64, [39.1, 23.6, 39.7, 27.2], { palette: FEW_COLOURS }, (frame) => [
    { ...frame, codeBits: 6 },
  ]),
  gif('colours-beyond-own-palette', 64, [39.1, 23.6, 39.7, 27.2], {}, (frame) => [
    { ...frame, palette: FEW_COLOURS, codeBits: 6 },
  ]),
  ...[9, 10, 11].map((codeBits) =>
    gif(`code-size-${codeBits}`, 64, [37.3, 24.4, 37, 25.3], {}, (frame) => [{ ...frame, codeBits }]),
  ),
  gif('code-size-9-interlaced', 256, [37.4, 24, 36.9, 25], { keepsFullTable: true }, (frame) => [
    { ...frame, codeBits: 9, interlaced: true },
  ]),
  gif(
    'without-trailer',
    64,
    [37.3, 24.4, 37.1, 25.3],
    {},
    (frame) => [frame],
    (file) => file.slice(0, -1),
  ),
  gif(
    'later-frame-cut',
    64,
    [37.3, 24.4, 37.1, 25.3],
    {},
    (frame) => [frame, reversed(frame)],
    (file) => file.slice(0, -2000),
  ),
  gif('own-palette', 8, [39.5, 18.7, 40, 21.2], {}, (frame) => [
    {
      ...frame,
      palette: Array.from({ length: 8 }, (_, i) => [i * 36, 255 - i * 30, (i * 90) % 256] as const),
    },
  ]),
  gif('one-pixel', 2, [42, 42, 42, 42], { width: 1, height: 1 }),
  gif('3x5-interlaced', 4, [29.5, 20.2, 42, 19.6], { width: 3, height: 5 }, (frame) => [
    { ...frame, interlaced: true },
  ]),
  sound(
    'gif/by-sharp',
    { width: 640, height: 480, bytes: () => fromRaw(scene(640, 480)).gif().toBuffer() },
    [39.2, 29.9, 38.2, 27.9],
  ),
]
