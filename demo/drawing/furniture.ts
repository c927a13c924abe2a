/** What stands in rooms. Each piece has its back at the origin of its spot and faces the front. */
import type { Random } from '../../fixtures/random.ts'
import { type Colour, darker, lighter } from './colour.ts'
import { cushion } from './decor.ts'
import type { Spot } from './spot.ts'
import type { Style } from './style.ts'

export function sofa(spot: Spot, width: number, style: Style): void {
  const [half, colour] = [width / 2, style.sofa]
  spot.shade(-half, 0, width, 0.95)
  const back = lighter(colour, 0.04)
  spot.box([-half, 0, 0.1], [width, 0.25, 0.72], back, ({ front }) => {
    for (const x of [0.2, half])
      front.rectangle(x + 0.02, 0.3, half - 0.24, 0.36, lighter(colour, 0.12), { radius: 0.07 })
  })
  spot.box([-half + 0.2, 0.25, 0.1], [width - 0.4, 0.68, 0.33], colour, ({ front, top }) => {
    front.rectangle(0, 0.17, width - 0.4, 0.012, darker(colour, 0.35))
    front.rectangle(half - 0.206, 0.17, 0.012, 0.16, darker(colour, 0.35))
    top.rectangle(0, 0, width - 0.4, 0.68, lighter(colour, 0.1), { radius: 0.06 })
    top.rectangle(half - 0.206, 0, 0.012, 0.68, darker(colour, 0.2))
  })
  for (const x of [-half, half - 0.2]) spot.box([x, 0.25, 0.1], [0.2, 0.68, 0.5], back)
  cushion(spot, -half + 0.28, style.textile)
  cushion(spot, half - 0.72, lighter(style.feature, 0.3))
}

export function armchair(spot: Spot, colour: Colour): void {
  spot.shade(-0.4, 0, 0.8, 0.8)
  spot.box([-0.4, 0, 0.12], [0.8, 0.2, 0.72], colour)
  spot.box([-0.27, 0.2, 0.12], [0.54, 0.6, 0.32], lighter(colour, 0.12))
  for (const x of [-0.4, 0.27]) spot.box([x, 0.2, 0.12], [0.13, 0.6, 0.46], colour)
}

/** A table of which the spot is the middle. */
export function woodTable(spot: Spot, width: number, depth: number, height: number, colour: Colour): void {
  const [x, y] = [-width / 2, -depth / 2]
  spot.shade(x, y, width, depth, 0.22)
  for (const [legX, legY] of [
    [x + 0.05, y + 0.05],
    [x + width - 0.11, y + 0.05],
    [x + 0.05, y + depth - 0.11],
    [x + width - 0.11, y + depth - 0.11],
  ] as const)
    spot.box([legX, legY, 0], [0.06, 0.06, height - 0.05], darker(colour, 0.2))
  spot.box([x, y, height - 0.05], [width, depth, 0.05], colour, ({ top }) => {
    top.rectangle(0, depth * 0.3, width, 0.01, darker(colour, 0.15))
    top.rectangle(0, depth * 0.66, width, 0.01, darker(colour, 0.15))
  })
}

export function chair(spot: Spot, colour: Colour, wood: Colour): void {
  spot.shade(-0.22, 0, 0.44, 0.46, 0.18)
  for (const x of [-0.21, 0.17]) {
    spot.box([x, 0.02, 0], [0.04, 0.04, 0.45], wood)
    spot.box([x, 0.4, 0], [0.04, 0.04, 0.45], wood)
  }
  spot.box([-0.22, 0, 0.45], [0.44, 0.46, 0.06], colour)
  spot.box([-0.22, 0, 0.51], [0.44, 0.05, 0.42], colour)
}

export function bookcase(spot: Spot, width: number, height: number, style: Style, random: Random): void {
  spot.shade(-width / 2, 0, width, 0.34)
  const books = [style.sofa, style.textile, style.accent, style.feature, 0xf2ead8, 0x2f3d4f, style.roof]
  spot.box([-width / 2, 0, 0], [width, 0.34, height], style.wood, ({ front }) => {
    const rows = Math.round(height / 0.4)
    const row = (height - 0.05) / rows
    for (let shelf = 0; shelf < rows; shelf += 1) {
      const base = 0.05 + shelf * row
      front.rectangle(0.04, base, width - 0.08, row - 0.04, darker(style.wood, 0.45))
      let x = 0.07
      while (x < width - 0.14) {
        const [wide, high] = [0.035 + random.next() * 0.04, row * (0.5 + random.next() * 0.28)]
        if (random.chance(0.84)) front.rectangle(x, base, wide, high, random.pick(books))
        else x += 0.1
        x += wide + 0.004
      }
    }
  })
}

/** A low board with a television. */
export function media(spot: Spot, width: number, style: Style): void {
  spot.shade(-width / 2, 0, width, 0.42)
  spot.box([-width / 2, 0, 0.14], [width, 0.42, 0.36], style.wood, ({ front }) => {
    for (let door = 1; door < 3; door += 1)
      front.rectangle((width * door) / 3, 0, 0.014, 0.36, darker(style.wood, 0.4))
  })
  const screen = width * 0.62
  spot.box([-screen / 2, 0.1, 0.53], [screen, 0.05, screen * 0.57], 0x22262c, ({ front }) => {
    front.rectangle(0.03, 0.03, screen - 0.06, screen * 0.57 - 0.06, 0x2f3a46)
    front.polygon(
      [
        [0.03, screen * 0.57 - 0.03],
        [screen * 0.5, screen * 0.57 - 0.03],
        [screen * 0.2, 0.03],
        [0.03, 0.03],
      ],
      0xffffff,
      0.06,
    )
  })
}
