import { darker, lighter } from './colour.ts'
import * as decor from './decor.ts'
import type { Exterior } from './exteriors.ts'
import { canopy, window } from './facade.ts'
import * as furniture from './furniture.ts'
import * as garden from './garden.ts'
import type { Interior } from './interiors.ts'
import { Panel } from './panel.ts'
import { Spot } from './spot.ts'
import type { Style } from './style.ts'

/** What is seen from a balcony. */
export const balcony: Exterior = {
  eye: [-2.1, -3.9, 1.7],
  heading: 20,
  horizon: 0.42,
  zoom: 0.66,
  build: (stage, { style, random }) => {
    const spot = new Spot(stage, [0, 0, 0])
    const floor = spot.floor()
    floor.rectangle(-3, -6, 9, 6.6, lighter(style.roof, 0.35))
    for (let x = -3; x < 6; x += 0.5)
      for (let y = -6; y < 0.6; y += 0.5)
        if (Math.round((x + y) * 2) % 2 === 0) floor.rectangle(x, y, 0.5, 0.5, lighter(style.roof, 0.48))
    floor.soft(-3, -0.2, 9, 0.4, 0.3, 0x1d1830, 0.25)
    railing(spot.from(0, -0.55), -3, 6, style)
    railing(spot.from(3.9, 0).turned(3), -0.6, 6, style)
    const wall = new Spot(stage, [-3, -6, 0], [0, 1, 0], [1, 0, 0])
    wall.box([0, -0.4, 0], [6.4, 0.4, 2.9], style.plaster, ({ front }) => {
      window(front, [2.9, 0.05, 1.5, 2.3], style, { shutters: true })
    })
    const table = spot.from(1.25, 1.15)
    furniture.woodTable(table, 0.8, 0.8, 0.72, style.wood)
    decor.tableware(table.from(0, 0, 0.72), style)
    furniture.chair(table.from(-0.95, 0).turned(1), style.textile, style.wood)
    furniture.chair(table.from(0.95, 0).turned(3), style.textile, style.wood)
    decor.plant(spot.from(-2.3, 0), 0.9, style.accent)
    decor.plant(spot.from(3.3, 0), 1.1, style.roof)
    decor.plant(spot.from(2.75, -0.15), 0.7, style.textile)
    canopy(stage, new Spot(stage, [0, -6, 0], [1, 0, 0], [0, 1, 0]).turned(2), [-6.2, 3.15, 9.4], 5.2, style)
    if (random.chance(0.5)) garden.lounger(spot.from(2.9, 2.6), style.textile)
  },
}

function railing(spot: Spot, from: number, to: number, style: Style): void {
  spot.thing(from, -0.03, 0, to - from, 0.06, 1.1, () => {
    const front = spot.wall()
    if (style.frame < 0x808080) front.rectangle(from, 0.08, to - from, 0.95, 0xffffff, { opacity: 0.24 })
    else
      for (let x = from; x < to; x += 0.13) front.rectangle(x, 0.06, 0.028, 0.98, darker(style.accent, 0.35))
    for (const z of [0.06, 1.02]) front.rectangle(from, z, to - from, 0.055, darker(style.accent, 0.4))
  })
}

/** A roof terrace above the sea. */
export const terrace: Interior = {
  eye: [0.6, 0.5, 1.6],
  middle: [3.7, 2.4, 1.6],
  heading: 120,
  isOutside: true,
  build: (stage, { style }) => {
    const [width, depth] = [8, 6]
    const floor = new Panel(stage, [0, 0, 0], [1, 0, 0], [0, 1, 0])
    floor.rectangle(0, 0, width, depth, lighter(style.roof, 0.5))
    for (let x = 0; x < width; x += 0.5)
      for (let y = 0; y < depth; y += 0.5)
        if (Math.round((x + y) * 2) % 2 === 0) floor.rectangle(x, y, 0.5, 0.5, lighter(style.roof, 0.38))
    const north = new Spot(stage, [0, depth, 0])
    north.box([-0.2, -0.2, 0], [width + 0.4, 0.2, 2.9], style.plaster, ({ front }) => {
      for (const x of [1, 4.6]) window(front, [x, 0.05, 2.4, 2.3], style)
    })
    for (const [x, y, wide, deep] of [
      [0, depth, width, 0.2],
      [-0.2, 0, 0.2, depth + 0.2],
      [width, 0, 0.2, depth + 0.2],
    ] as const)
      north.box([x, y, 0], [wide, deep, 0.95], lighter(style.plaster, 0.2))
    canopy(stage, north, [0.4, 2.75, 7.2], 2, style)
    const middle = north.from(6.2, 3.6)
    furniture.woodTable(middle, 1.2, 0.9, 0.74, style.wood)
    decor.tableware(middle.from(0, 0, 0.74), style)
    furniture.chair(middle.from(-1, 0).turned(1), style.textile, style.wood)
    furniture.chair(middle.from(1, 0).turned(3), style.textile, style.wood)
    furniture.sofa(north.from(1.0, 5.6).turned(2), 1.6, style)
    for (const [x, y] of [
      [0.5, 0.8],
      [7.5, 0.8],
      [7.5, 5.5],
      [3.4, 5.5],
    ] as const)
      decor.plant(north.from(x, y), 1.1, style.accent)
    for (const y of [1.5, 3]) garden.lounger(north.from(0.3, y).turned(1), style.textile)
  },
}
