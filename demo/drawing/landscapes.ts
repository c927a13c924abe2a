/** Land without a building to sell. */
import type { Random } from '../../fixtures/random.ts'
import { lighter, mix } from './colour.ts'
import { EARTH, type Exterior, GRASS, ground } from './exteriors.ts'
import { window } from './facade.ts'
import * as garden from './garden.ts'
import { Panel } from './panel.ts'
import { Spot } from './spot.ts'
import { tree } from './trees.ts'

/** A piece of land, its borders marked. */
function land(draw: (spot: Spot, floor: Panel, random: Random) => void): Exterior {
  return {
    eye: [-7, -20, 6.5],
    heading: 18,
    horizon: 0.4,
    zoom: 0.8,
    build: (stage, { style, random }) => {
      const floor = ground(stage, mix(GRASS, EARTH, 0.35), style)
      const spot = new Spot(stage, [0, 0, 0])
      garden.meadow(
        new Panel(stage, [0, -18, 0.01], [1, 0, 0], [0, 1, 0]),
        random,
        70,
        60,
        mix(GRASS, EARTH, 0.35),
      )
      draw(spot, floor, random)
    },
  }
}

export const plot = land((spot, floor, random) => {
  floor.rectangle(-40, -13.5, 120, 3.2, 0x8a8d90)
  floor.rectangle(-40, -10.3, 120, 0.3, 0xe5dfd2)
  floor.fade(-10, -8, 20, 22, EARTH, lighter(EARTH, 0.15))
  const corners = [
    [-10, 8],
    [10, 8],
    [10, -14],
    [-10, -14],
  ] as const
  for (const [index, [x, y]] of corners.entries()) {
    const [nextX, nextY] = corners[(index + 1) % 4] ?? [0, 0]
    for (let step = 0; step < 6; step += 1) {
      const share = step / 6
      spot.box(
        [x + (nextX - x) * share - 0.07, y + (nextY - y) * share, 0],
        [0.14, 0.14, 1],
        0xf7f2e6,
        ({ front, left }) => {
          for (const side of [front, left]) side.rectangle(0, 0.72, 0.14, 0.28, 0xd4493a)
        },
      )
    }
  }
  for (let row = 0; row < 6; row += 1)
    tree(spot.from(random.int(-28, 30), -18 - row * 2), random.pick(['olive', 'pine', 'cypress']), 1.1)
  tree(spot.from(6, -9), 'olive', 1.3)
  tree(spot.from(-6, -11), 'bush', 1.2)
})

export const grove = land((spot, floor, random) => {
  for (let row = 0; row < 9; row += 1) {
    floor.rectangle(-60, -8 + row * 5.5, 130, 2.6, mix(EARTH, 0x9a7a50, 0.2), { opacity: 0.75 })
    for (let x = -28; x < 34; x += 5)
      tree(spot.from(x + random.next() * 1.2, 6.6 - row * 5.5), 'olive', 1 + random.next() * 0.3)
  }
})

/** An island; the sea around it is that of the backdrop. */
export const island: Exterior = {
  eye: [-12, -46, 9],
  heading: 15,
  horizon: 0.4,
  zoom: 0.86,
  build: (stage, { style, random }) => {
    const spot = new Spot(stage, [0, 0, 0])
    const floor = spot.floor(0)
    floor.disc(0, 0, 31, 15, 0xffffff, 0.3)
    floor.disc(0, 0.4, 29.6, 14, 0xecdcb4)
    floor.disc(0.5, 1.4, 25, 11, mix(GRASS, EARTH, 0.3))
    floor.disc(2, 3, 15, 6.4, mix(GRASS, EARTH, 0.1))
    for (let at = 0; at < 15; at += 1) {
      const [x, y] = [(random.next() - 0.5) * 40, (random.next() - 0.6) * 12]
      tree(
        spot.from(x, y),
        random.pick(['olive', 'pine', 'bush', 'cypress', 'round']),
        1.2 + random.next() * 0.5,
      )
    }
    spot.box([4, 3, 0], [5, 4, 3], 0xfaf7f0, ({ front }) => {
      window(front, [0.8, 0.9, 1, 1.2], style, { shutters: true })
      front.rectangle(3.2, 0, 1, 2.1, style.accent)
    })
    spot.box([-9, 10, 0.3], [1.8, 8, 0.25], style.wood)
  },
}
