/** Properties from outside. */
import type { Random } from '../../fixtures/random.ts'
import * as buildings from './buildings.ts'
import { type Colour, darker, mix } from './colour.ts'
import * as garden from './garden.ts'
import type { Home } from './interiors.ts'
import { Panel } from './panel.ts'
import { Spot } from './spot.ts'
import type { Stage, Vector } from './stage.ts'
import type { Style } from './style.ts'
import { tree } from './trees.ts'
import * as workplaces from './workplaces.ts'

/** What is photographed from outside, and from where. */
export interface Exterior {
  readonly eye: Vector
  readonly heading: number
  readonly horizon?: number
  readonly zoom?: number
  /** Whether there is something to read in it. */
  readonly hasLetters?: boolean
  readonly build: (stage: Stage, home: Home) => void
}

export const GRASS = 0x9dbb72

export const EARTH = 0xcdb283

export function ground(stage: Stage, colour: Colour, style: Style): Panel {
  const floor = new Panel(stage, [0, 0, 0], [1, 0, 0], [0, 1, 0])
  floor.fade(-400, -40, 800, 500, colour, mix(colour, style.sky.colours[2], 0.35))
  return floor
}

/** A street along the front: paving, kerb and road. */
function street(stage: Stage, style: Style): Spot {
  const floor = ground(stage, 0xc9c2b4, style)
  floor.rectangle(-90, -4.2, 180, 5.2, 0xd8d0c2)
  for (let x = -40; x < 40; x += 1.2) floor.rectangle(x, -4.2, 0.03, 5.2, 0xbdb4a5)
  for (let y = -3.2; y < 1; y += 1) floor.rectangle(-90, y, 180, 0.03, 0xbdb4a5)
  floor.rectangle(-90, -4.5, 180, 0.3, 0xefe9de)
  floor.rectangle(-90, -40, 180, 35.5, 0x74787e)
  for (let x = -60; x < 60; x += 5) floor.rectangle(x, -9, 2.6, 0.16, 0xf0ece0)
  return new Spot(stage, [0, 0, 0])
}

/** Neighbours at both sides, so that a building stands in a town. */
function neighbours(spot: Spot, gap: number, style: Style, random: Random): void {
  for (const side of [-1, 1]) {
    const height = random.int(8, 14)
    const colour = random.pick([0xe9dcc8, 0xdfd2c4, 0xeee6d8])
    spot.box([side * (gap + 7) - 7, -12, 0], [14, 11, height], colour, ({ front, left, right }) => {
      for (const wall of [front, left, right])
        for (let z = 1; z < height - 2; z += 3)
          for (let x = 1.2; x < 12.4; x += 3)
            wall.rectangle(
              x,
              z,
              1.3,
              1.6,
              style.sky.isEvening && random.chance(0.4) ? 0xffd98c : darker(colour, 0.42),
            )
    })
  }
}

export const flats: Exterior = {
  eye: [-13, -22, 3],
  heading: 27,
  horizon: 0.74,
  zoom: 0.78,
  build: (stage, { style, random }) => {
    const spot = street(stage, style)
    const [bays, floors] = [random.pick([4, 5]), random.pick([5, 6])]
    neighbours(spot, bays * 1.8 + 0.4, style, random)
    buildings.buildFlats(spot, bays, floors, style, random)
    for (const x of [-10.5, -3.5, 8]) tree(spot.from(x, 3.4), random.pick(['round', 'olive']), 0.9)
    garden.car(spot.from(-2, 4.9), style.textile)
    garden.car(spot.from(8.5, 4.9), style.sofa)
  },
}

export const shop: Exterior = {
  eye: [-6.5, -14.5, 1.9],
  heading: 22,
  horizon: 0.66,
  hasLetters: true,
  zoom: 0.84,
  build: (stage, { style, random }) => {
    const spot = street(stage, style)
    neighbours(spot, 5.8, style, random)
    workplaces.buildShop(
      spot,
      random.pick(['ΑΝΘΗ & ΔΩΡΑ', 'ΒΙΒΛΙΑ', 'CAFE ΕΣΤΙΑ', 'ΦΟΥΡΝΟΣ', 'DELI', 'ΚΕΡΑΜΙΚΑ']),
      style,
    )
    for (const x of [-4.6, 4.8]) tree(spot.from(x, 1.2), 'bush', 0.8)
    tree(spot.from(7.4, 3), 'olive', 0.95)
  },
}

export const warehouse: Exterior = {
  eye: [-15, -24, 3],
  heading: 28,
  horizon: 0.6,
  zoom: 0.86,
  build: (stage, { style }) => {
    const floor = ground(stage, 0xb9b6ae, style)
    for (let x = -12; x < 20; x += 4.4) floor.rectangle(x, -9, 0.12, 6, 0xf4f0e4)
    const spot = new Spot(stage, [0, 0, 0])
    workplaces.buildWarehouse(spot, style)
    garden.car(spot.from(-2, 4.5), style.textile)
    garden.car(spot.from(7, 6), 0xf3f1ec)
    for (const y of [-4, -9, -14]) tree(spot.from(-14.5, y), 'cypress', 1)
    garden.hedge(spot.from(13, 0), 12)
  },
}

export const office: Exterior = {
  eye: [-13, -21, 3],
  heading: 28,
  horizon: 0.72,
  zoom: 0.78,
  build: (stage, { style, random }) => {
    const spot = street(stage, style)
    neighbours(spot, 8.4, style, random)
    workplaces.buildTower(spot, random.pick([4, 5]), style)
    for (const x of [-9, 9.5]) tree(spot.from(x, 3.2), 'round', 1)
    garden.car(spot.from(-1, 4.9), style.accent)
  },
}
