/** Houses and what surrounds them. */
import type { Random } from '../../fixtures/random.ts'
import * as buildings from './buildings.ts'
import { mix } from './colour.ts'
import * as decor from './decor.ts'
import { EARTH, type Exterior, GRASS, ground } from './exteriors.ts'
import * as garden from './garden.ts'
import { Panel } from './panel.ts'
import { Spot } from './spot.ts'
import { tree } from './trees.ts'

export type HouseKind = 'detached' | 'maisonette' | 'farmhouse' | 'villa'

type Form = Omit<buildings.HouseForm, 'floors'>

const HOUSES: Readonly<Record<HouseKind, (random: Random) => Form>> = {
  detached: () => ({ width: 11, depth: 8, roof: 'tiles', walls: 'plaster', door: 1 }),
  maisonette: (random) => ({
    width: 9.4,
    depth: 9,
    roof: random.pick(['tiles', 'flat']),
    walls: 'plaster',
    door: 2,
  }),
  farmhouse: () => ({ width: 11, depth: 7, roof: 'tiles', walls: 'stone', door: 1 }),
  villa: (random) => ({
    width: 10.5,
    depth: 9,
    roof: random.pick(['flat', 'flat', 'tiles']),
    walls: 'plaster',
    wing: 5.5,
    door: 2,
  }),
}

/** A house in a garden, with or without a swimming pool. */
export function house(kind: HouseKind, floors: number, hasPool: boolean): Exterior {
  return {
    eye: hasPool ? [-10.5, -18, 3.6] : [-8.5, -15.5, 2],
    heading: 27,
    horizon: hasPool ? 0.52 : 0.66,
    zoom: 0.88,
    build: (stage, { style, random }) => {
      const chosen = { ...HOUSES[kind](random), floors }
      const spot = new Spot(stage, [0, 0, 0])
      const floor = ground(stage, chosen.walls === 'stone' ? mix(GRASS, EARTH, 0.45) : GRASS, style)
      garden.meadow(new Panel(stage, [0, -16, 0.01], [1, 0, 0], [0, 1, 0]), random, 46, 40, GRASS)
      const half = (chosen.width + (chosen.wing ?? 0)) / 2
      const path = -half + (chosen.width / Math.max(2, Math.round(chosen.width / 3.4))) * (chosen.door + 0.5)
      floor.rectangle(-half - 0.6, -2.2, half * 2 + 1.2, 2.4, 0xe3d8c4)
      if (hasPool) {
        floor.rectangle(-half - 0.6, -10.4, half * 2 + 1.6, 9.4, 0xe3d8c4)
        garden.pool(spot.from(-half + 1.6, 4.1), half * 2 - 3, 4.3, style.sky)
        for (const x of [half - 0.6, half + 0.8]) garden.lounger(spot.from(x - 3.4, 2), style.textile)
        garden.parasol(spot.from(half - 1.2, 2.4), style.accent)
      } else
        for (let step = 0; step < 12; step += 1)
          floor.disc(path - step * 0.18, -2.6 - step * 1.1, 0.75, 0.42, 0xd9ccb4)
      for (const [x, y, size] of [
        [-half - 4, -8, 1.2],
        [half + 3.5, -6, 1.3],
        [half + 7, -12, 1.1],
      ] as const)
        tree(spot.from(x, y), random.pick(['pine', 'cypress', 'olive']), size)
      for (const y of [-13, -15]) tree(spot.from(-half - 7.5, y), 'cypress', 1.2)
      buildings.buildHouse(spot, chosen, style)
      for (const x of [-half + 0.4, half - 0.8]) tree(spot.from(x, 1.2), 'flowers', 1.1)
      tree(spot.from(half + 2.5, 1.5), hasPool ? 'palm' : 'olive', 1.1)
      garden.hedge(spot.from(half + 3.6, 2.4), 9)
      tree(spot.from(-half - 2.2, 2.2), 'bush', 1.5)
    },
  }
}

export const houseboat: Exterior = {
  eye: [-9, -17, 3.2],
  heading: 26,
  horizon: 0.5,
  zoom: 0.84,
  build: (stage, { style }) => {
    const spot = new Spot(stage, [0, 0, 0])
    spot.floor(0).soft(-8, -2.6, 17, 10.5, 1, 0x14304a, 0.4)
    spot.box([-7.4, -7.4, 0], [15, 9.8, 0.7], style.wood, ({ front }) =>
      front.rectangle(0, 0.4, 15, 0.12, style.accent),
    )
    buildings.buildHouse(
      spot.from(0, 0, 0.7),
      { width: 11, depth: 7, floors: 1, roof: 'flat', walls: 'plaster', door: 1 },
      style,
    )
    for (const x of [-6.4, 6.3]) decor.plant(spot.from(x, 1.2, 0.7), 1, style.roof)
    garden.lounger(spot.from(-3.4, 0.3, 0.7), style.textile)
    garden.parasol(spot.from(5.2, 1.2, 0.7), style.textile)
  },
}
