/** GIFs of every kind, and their first frames. */

import { paletteOf } from './forms.ts'
import { encodeGif, type GifFrame, type GifOptions } from './gif-encoder.ts'
import { fromRaw } from './oracle.ts'
import { type Floors, type SoundPicture, sound } from './picture.ts'
import { type Rgb, scene } from './scene.ts'

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
  const { width = WIDTH, height = HEIGHT } = options
  const picture = () => {
    const { colours: palette, indexes } = paletteOf(scene(width, height), colours)
    return { ...options, width, height, palette, frames: frames({ indexes }) }
  }
  const [bytes, expected] = [() => change(encodeGif(picture())), () => firstFrame(picture())]
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
    const [x, y] = [left + (i % across), top + Math.floor(i / across)]
    if (x >= width || y >= height) continue
    const at = y * width + x
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

/** A frame of which only the upper left part lies on the canvas. */
function stickingOut({ indexes }: GifFrame): GifFrame {
  const [left, top, width, height] = [60, 40, 180, 120]
  const part = Array.from(
    { length: width * height },
    (_, i) => indexes[(Math.floor(i / width) % HEIGHT) * WIDTH + (i % width)] ?? 0,
  )
  return { indexes: part, left, top, width, height }
}

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
  gif('frame-beyond-canvas', 64, [39, 27, 38, 27], {}, (frame) => [stickingOut(frame)]),
  gif('frame-beyond-canvas-interlaced', 64, [39, 27, 38, 27], {}, (frame) => [
    { ...stickingOut(frame), interlaced: true },
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
