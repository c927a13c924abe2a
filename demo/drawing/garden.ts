/** What stands and lies around buildings. */
import type { Random } from '../../fixtures/random.ts'
import { type Colour, darker, lighter, mix } from './colour.ts'
import type { Panel } from './panel.ts'
import type { Spot } from './spot.ts'
import type { Style } from './style.ts'

/** A hedge along the front of a spot. */
export function hedge(spot: Spot, width: number, height = 0.9): void {
  spot.shade(0, 0, width, 0.6, 0.3)
  spot.box([0, 0, 0], [width, 0.6, height], 0x648f55, ({ front }) => {
    for (let leaf = 0; leaf < width * 9; leaf += 1)
      front.disc(
        ((leaf * 0.7549) % 1) * (width - 0.2) + 0.1,
        ((leaf * 0.5698) % 1) * (height - 0.2) + 0.1,
        0.07,
        0.06,
        leaf % 2 ? 0x7fa96a : 0x547d49,
      )
  })
}

/** A swimming pool set into the ground, its corner at the spot. */
export function pool(spot: Spot, width: number, depth: number, sky: Style['sky']): void {
  const floor = spot.floor(0.02)
  floor.rectangle(-0.8, -depth - 0.8, width + 1.6, depth + 1.6, 0xe9dfcc)
  for (let x = 0; x < width + 1.6; x += 0.8)
    floor.rectangle(-0.8 + x, -depth - 0.8, 0.025, depth + 1.6, 0xcfc2ab)
  floor.rectangle(-0.25, -depth - 0.25, width + 0.5, depth + 0.5, 0xf8f4ea)
  const water = sky.isEvening ? 0x4aa5bd : 0x3db4d3
  floor.shining().fade(0, -depth, width, depth, lighter(water, 0.28), mix(water, sky.colours[1], 0.3))
  floor.rectangle(0, -0.22, width, 0.22, darker(water, 0.25))
  const light = floor.shining()
  for (let glint = 0; glint < 22; glint += 1)
    light.disc(
      0.5 + ((glint * 0.7549) % 1) * (width - 1),
      -depth * (0.08 + 0.84 * ((glint * 0.5698) % 1)),
      0.36,
      0.035,
      0xffffff,
      0.4,
    )
}

export function lounger(spot: Spot, colour: Colour): void {
  spot.shade(-0.35, 0, 0.7, 1.9, 0.25)
  spot.box([-0.33, 0.5, 0.22], [0.66, 1.4, 0.08], 0xf7f3ea)
  spot.box([-0.33, 0, 0.3], [0.66, 0.5, 0.42], colour)
  for (const x of [-0.3, 0.24]) spot.box([x, 1.7, 0], [0.06, 0.06, 0.22], 0x8a6a4a)
}

export function parasol(spot: Spot, colour: Colour): void {
  const floor = spot.floor(0.03)
  floor.disc(0.6, 0.3, 1.3, 0.7, 0x1b2238, 0.18)
  spot.thing(-0.3, -0.3, 0, 0.6, 0.6, 2.7, () => {
    const panel = spot.upright(0, 0)
    panel.rectangle(-0.03, 0, 0.06, 2.5, 0x9a7a58)
    for (let part = 0; part < 6; part += 1) {
      const [from, to] = [-1.3 + (part * 2.6) / 6, -1.3 + ((part + 1) * 2.6) / 6]
      panel.polygon(
        [
          [from, 2.1],
          [to, 2.1],
          [to * 0.1, 2.75],
          [from * 0.1, 2.75],
        ],
        part % 2 ? colour : 0xfaf6ec,
      )
    }
  })
}

/** Blades of grass and flowers on a lawn. */
export function meadow(floor: Panel, random: Random, width: number, depth: number, colour: Colour): void {
  for (let tuft = 0; tuft < 240; tuft += 1) {
    const [x, y] = [(random.next() - 0.5) * width, random.next() * depth]
    floor.disc(
      x,
      y,
      0.1 + random.next() * 0.35,
      0.05 + random.next() * 0.1,
      random.chance(0.5) ? lighter(colour, 0.13) : darker(colour, 0.09),
      0.7,
    )
  }
}

/** A car, its left rear corner at the spot. */
export function car(spot: Spot, colour: Colour): void {
  spot.shade(0, 0, 4.2, 1.7, 0.45)
  spot.thing(0, 0, 0, 4.2, 1.7, 1.5, () => {
    spot.box([0, 0, 0.3], [4.2, 1.7, 0.52], colour)
    const side = spot.wall(1.7)
    spot.box([0.75, 0.12, 0.82], [2.3, 1.46, 0.56], darker(colour, 0.12))
    const glass = spot.wall(1.59)
    for (const x of [0.85, 1.98]) glass.rectangle(x, 0.88, 1, 0.42, 0x9fc0cf, { radius: 0.06 })
    for (const x of [0.85, 3.3]) {
      side.disc(x, 0.32, 0.34, 0.34, 0x24272c)
      side.disc(x, 0.32, 0.17, 0.17, 0xc9ced3)
    }
    side.rectangle(4, 0.55, 0.18, 0.12, 0xfff1bf)
    side.rectangle(0.02, 0.55, 0.14, 0.12, 0xd4493a)
    side.rectangle(2.03, 0.35, 0.012, 0.46, darker(colour, 0.3))
  })
}
