import type { Random } from '../fixtures/random.ts'
import { type Canvas, type Colour, disc, gradient, mix, polygon, rectangle } from './raster.ts'

const HORIZON = 560

/** Draws the sky, the horizon, and the ground for everything else. */
export function drawSurroundings(canvas: Canvas, random: Random, backdrop: Backdrop, ground: Ground): void {
  const [high, low] = random.pick(SKIES)
  gradient(canvas, 0, HORIZON + 40, high, low)
  const sun = random.int(150, 1_130)
  for (const [radius, alpha] of [
    [90, 0.12],
    [62, 0.25],
    [40, 0.9],
  ] as const)
    disc(canvas, sun, 150, radius, radius, 0xfff4cf, alpha)
  for (let cloud = 0; cloud < 3; cloud += 1)
    drawCloud(canvas, random, random.int(80, 1_200), random.int(70, 260))
  BACKDROPS[backdrop](canvas, random)
  const [far, near] = GROUNDS[ground]
  gradient(canvas, HORIZON + 60, canvas.height, far, near)
  if (ground === 'street') drawRoad(canvas)
}

export type Backdrop = 'hills' | 'sea' | 'city'
export type Ground = 'grass' | 'earth' | 'street'

const SKIES: readonly (readonly [Colour, Colour])[] = [
  [0x3f8fd6, 0xd6ecfa],
  [0x5a9fd4, 0xf6e8d0],
  [0x5b6fb3, 0xf7c59f],
  [0x2f7fc4, 0xbfe3f5],
]

const GROUNDS: Readonly<Record<Ground, readonly [Colour, Colour]>> = {
  grass: [0x8fb56a, 0x5c8a45],
  earth: [0xc9ad7c, 0xa5854f],
  street: [0xb9b4aa, 0xd0ccc4],
}

const BACKDROPS: Readonly<Record<Backdrop, (canvas: Canvas, random: Random) => void>> = {
  hills: (canvas, random) => {
    drawRidge(canvas, random, 430, 60, 0x8aa3b8)
    drawRidge(canvas, random, 510, 45, 0x74936f)
  },
  sea: (canvas, random) => {
    drawRidge(canvas, random, 470, 40, 0x93a9bd)
    gradient(canvas, 510, HORIZON + 60, 0x2d7fae, 0x6cc0cf)
    const sail = random.int(100, 1_100)
    polygon(canvas, [sail, 470, sail + 34, 530, sail, 530], 0xffffff)
    polygon(canvas, [sail - 14, 534, sail + 40, 534, sail + 30, 546, sail - 6, 546], 0x7a4a2b)
  },
  city: (canvas, random) => {
    drawRidge(canvas, random, 440, 50, 0x9fb0c0)
    for (let x = -20; x < canvas.width; x += random.int(70, 120)) {
      const height = random.int(60, 190)
      const wall = mix(0xe9e4da, 0xb8b6b4, random.next())
      rectangle(canvas, x, HORIZON + 60 - height, 110, height, wall)
      for (let y = HORIZON + 74 - height; y < HORIZON + 40; y += 26)
        for (let window = 12; window < 100; window += 26)
          rectangle(canvas, x + window, y, 13, 13, 0x6f8596, 0.8)
    }
  },
}

function drawCloud(canvas: Canvas, random: Random, x: number, y: number): void {
  for (let puff = 0; puff < 5; puff += 1)
    disc(
      canvas,
      x + puff * 34,
      y + random.int(-10, 10),
      random.int(34, 58),
      random.int(16, 26),
      0xffffff,
      0.32,
    )
}

function drawRidge(canvas: Canvas, random: Random, top: number, swing: number, colour: Colour): void {
  const phase = random.next() * 6
  const outline = [0, canvas.height]
  for (let x = 0; x <= canvas.width; x += 16)
    outline.push(x, top + Math.sin(x / 170 + phase) * swing + Math.sin(x / 61 + phase * 2) * swing * 0.3)
  polygon(canvas, [...outline, canvas.width, canvas.height], colour)
}

function drawRoad(canvas: Canvas): void {
  rectangle(canvas, 0, 800, canvas.width, 12, 0x9a958c)
  rectangle(canvas, 0, 812, canvas.width, canvas.height - 812, 0x5d6066)
  for (let x = 20; x < canvas.width; x += 160) rectangle(canvas, x, 880, 90, 9, 0xf2efe4)
}

/** A round tree whose trunk meets the ground at `foot`. */
export function drawTree(canvas: Canvas, random: Random, x: number, foot: number, size = 1): void {
  disc(canvas, x, foot, 80 * size, 12 * size, 0x000000, 0.2)
  const [low, high, top] = [12 * size, 7 * size, foot - 120 * size]
  polygon(canvas, [x - low, foot, x + low, foot, x + high, top, x - high, top], 0x6b4b2f)
  for (let leaf = 0; leaf < 9; leaf += 1) {
    const green = mix(0x4a7a3f, 0x8fae6b, random.next())
    const spread = 62 * size
    disc(
      canvas,
      x + (random.next() - 0.5) * 2 * spread,
      foot - 160 * size + (random.next() - 0.5) * 1.4 * spread,
      44 * size,
      38 * size,
      green,
    )
  }
}

/** A cypress whose trunk meets the ground at `foot`. */
export function drawCypress(canvas: Canvas, x: number, foot: number): void {
  disc(canvas, x, foot, 40, 9, 0x000000, 0.2)
  rectangle(canvas, x - 6, foot - 40, 12, 40, 0x5d432b)
  polygon(
    canvas,
    [x - 30, foot - 26, x - 22, foot - 180, x, foot - 290, x + 22, foot - 180, x + 30, foot - 26],
    0x2f5a38,
  )
  polygon(
    canvas,
    [x, foot - 26, x + 4, foot - 180, x, foot - 290, x + 22, foot - 180, x + 30, foot - 26],
    0x24482d,
  )
}
