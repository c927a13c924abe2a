/**
 * A scene like a photo: smooth sky, rough ground, hard edges in strong colours, strokes like text, and the noise of a
 * sensor. The same size and seed always give the same bytes.
 *
 *     const { width, height, data } = scene(640, 480)
 */

import { seeded } from '../../../scripts/demo/random.ts'

/** A picture as RGB bytes, row by row. */
export interface Rgb {
  width: number
  height: number
  data: Uint8Array
}

type Colour = readonly [number, number, number]

/** Side of the square tiles that hold noise, a power of two. */
const TILE = 256

/** Strong colours, as chroma that is out of place shows best between them. */
const PAINTS: readonly Colour[] = [
  [201, 42, 36],
  [32, 70, 190],
  [238, 196, 40],
  [28, 128, 62],
  [240, 238, 230],
  [24, 22, 28],
  [226, 120, 30],
  [140, 50, 150],
]

const drawn = new Map<string, Rgb>()

/** A scene of this size in pixels; kept, as large ones take a second. */
export function scene(width: number, height: number, seed = 1): Rgb {
  const key = `${width}x${height}/${seed}`
  const known = drawn.get(key)
  if (known) return known
  const picture = { width, height, data: new Uint8Array(width * height * 3) }
  paintGround(picture)
  const cell = Math.min(width, height)
  for (let top = 0; top < height; top += cell) {
    for (let left = 0; left < width; left += cell) {
      furnish(picture, left, top, cell, seed * 1000 + (left + top) / cell)
    }
  }
  roughen(picture, seed)
  drawn.set(key, picture)
  return picture
}

/** Sky above hills above grass, everything in gradients. */
function paintGround({ width, height, data }: Rgb): void {
  for (let x = 0; x < width; x++) {
    const u = x / width
    const hills = height * (0.55 + 0.08 * Math.sin(u * 9) + 0.03 * Math.sin(u * 31))
    for (let y = 0; y < height; y++) {
      const v = y / height
      const at = (y * width + x) * 3
      const isSky = y < hills
      data[at] = isSky ? 90 + 130 * v + 25 * u : 70 + 60 * v
      data[at + 1] = isSky ? 140 + 80 * v : 150 - 60 * v + 20 * u
      data[at + 2] = isSky ? 225 - 30 * v : 50 + 30 * u
    }
  }
}

/** Houses, discs, bars and text inside a square cell. */
function furnish(picture: Rgb, left: number, top: number, cell: number, seed: number): void {
  const random = seeded(seed)
  const at = (part: number) => Math.round(part * cell)
  const paint = () => random.pick(PAINTS)
  for (let i = 0; i < 5; i++) {
    const [x, y] = [left + at(random.next() * 0.8), top + at(0.3 + random.next() * 0.4)]
    const [w, h] = [at(0.08 + random.next() * 0.15), at(0.1 + random.next() * 0.2)]
    fill(picture, x, y, w, h, paint())
    for (let n = 0; n < 6; n++) {
      fill(
        picture,
        x + at(0.01 + (n % 3) * 0.04),
        y + at(0.02 + (n >> 1) * 0.05),
        at(0.02),
        at(0.03),
        paint(),
      )
    }
    for (let row = 0, tiles = paint(); row < w / 2; row++) {
      if (row % Math.max(1, at(0.012)) === 0) tiles = paint()
      fill(picture, x + row, y - row, w - 2 * row, 1, tiles)
    }
  }
  for (let i = 0; i < 4; i++)
    disc(picture, left + at(random.next()), top + at(random.next()), at(0.05), paint())
  for (let i = 0; i < 30; i++) {
    fill(
      picture,
      left + at(0.02 + i * 0.012),
      top + at(0.86),
      at(0.006),
      at(0.12),
      i % 2 ? paint() : [250, 250, 250],
    )
  }
  fill(picture, left + at(0.45), top + at(0.7), at(0.5), at(0.28), [246, 244, 238])
  const pen = Math.max(1, at(0.003))
  for (let line = 0; line < 7; line++) {
    for (let letter = 0; letter < 24; letter++) {
      const [x, y] = [left + at(0.47 + letter * 0.019), top + at(0.72 + line * 0.035)]
      const ink = line % 3 === 2 ? paint() : PAINTS[5]
      for (let stroke = 0; stroke < 3; stroke++) {
        const isDown = random.chance(0.5)
        const [dx, dy] = [at(random.int(0, 2) * 0.005), at(random.int(0, 2) * 0.009)]
        fill(picture, x + dx, y + dy, isDown ? pen : at(0.012), isDown ? at(0.02) : pen, ink)
      }
    }
  }
}

function fill(picture: Rgb, x: number, y: number, w: number, h: number, colour: Colour = [0, 0, 0]): void {
  const right = Math.min(picture.width, x + Math.max(1, w))
  const bottom = Math.min(picture.height, y + Math.max(1, h))
  for (let row = Math.max(0, y); row < bottom; row++) {
    for (let column = Math.max(0, x); column < right; column++) {
      picture.data.set(colour, (row * picture.width + column) * 3)
    }
  }
}

function disc(picture: Rgb, x: number, y: number, radius: number, colour: Colour): void {
  for (let dy = -radius; dy <= radius; dy++) {
    const half = Math.floor(Math.sqrt(radius * radius - dy * dy))
    if (half > 0) fill(picture, x - half, y + dy, half * 2, 1, colour)
  }
}

/** Adds texture, more of it in some places than in others, and noise of its own to each channel. */
function roughen({ width, height, data }: Rgb, seed: number): void {
  const white = whiteNoise(seed)
  const fine = smooth(white, 1, 60)
  const coarse = smooth(smooth(white, 6, 255), 6, 255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3
      const here = tileIndex(x, y)
      const strength = Math.abs(coarse[tileIndex(x >> 2, y >> 2)] ?? 0) / 40
      const texture = (fine[tileIndex(y, x)] ?? 0) * strength * 0.3 + (coarse[here] ?? 0) * 0.12
      for (let channel = 0; channel < 3; channel++) {
        const noise = (white[tileIndex(x + channel * 71, y + channel * 37 + (x >> 8) * 13)] ?? 0) * 0.022
        data[at + channel] = Math.max(
          0,
          Math.min(255, Math.round((data[at + channel] ?? 0) + texture + noise)),
        )
      }
    }
  }
}

function tileIndex(x: number, y: number): number {
  return (y & (TILE - 1)) * TILE + (x & (TILE - 1))
}

/** Values from −128 to 127 that cluster around 0. */
function whiteNoise(seed: number): Float32Array {
  const random = seeded(seed ^ 0x5eed)
  return Float32Array.from({ length: TILE * TILE }, () => (random.next() + random.next() - 1) * 128)
}

/** The tile averaged over a square, then stretched so that its largest value is `peak`. */
function smooth(tile: Float32Array, radius: number, peak: number): Float32Array {
  const out = new Float32Array(tile.length)
  for (let y = 0; y < TILE; y++) {
    for (let x = 0; x < TILE; x++) {
      let sum = 0
      for (let dy = -radius; dy <= radius; dy++) {
        for (let dx = -radius; dx <= radius; dx++) sum += tile[tileIndex(x + dx, y + dy)] ?? 0
      }
      out[tileIndex(x, y)] = sum
    }
  }
  const largest = out.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return out.map((value) => (value * peak) / largest)
}
