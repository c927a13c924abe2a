/** Parts of the outside of buildings. */
import { darker, lighter, mix } from './colour.ts'
import type { Panel } from './panel.ts'
import type { Spot } from './spot.ts'
import type { Stage, Vector } from './stage.ts'
import type { Style } from './style.ts'

/** Left, bottom, width and height on a wall. */
export type WallArea = readonly [x: number, y: number, width: number, height: number]

/** A pane of glass that reflects the sky, or shows the lamps behind it. */
export function glass(
  wall: Panel,
  [x, y, width, height]: WallArea,
  style: Style,
  isLit = style.sky.isEvening,
): void {
  if (isLit) {
    wall.shining().fade(x, y, width, height, 0xffd98c, 0xfff0c2)
    wall.rectangle(x, y, width * 0.2, height, 0xe8b872, { opacity: 0.55 })
    wall.rectangle(x + width * 0.8, y, width * 0.2, height, 0xe8b872, { opacity: 0.55 })
  } else {
    const reflection = mix(style.sky.colours[0], 0x2c4254, 0.55)
    wall.fade(x, y, width, height, mix(reflection, style.sky.colours[2], 0.35), reflection)
    wall.polygon(
      [
        [x + width * 0.1, y],
        [x + width * 0.4, y],
        [x + width * 0.75, y + height],
        [x + width * 0.45, y + height],
      ],
      0xffffff,
      0.16,
    )
  }
}

/** A window or, from the ground up, a glazed door. */
export function window(
  wall: Panel,
  area: WallArea,
  style: Style,
  options: { shutters?: boolean; isLit?: boolean } = {},
): void {
  const [x, y, width, height] = area
  wall.rectangle(x - 0.1, y - 0.1, width + 0.2, height + 0.2, lighter(style.plaster, 0.45))
  wall.rectangle(x, y, width, height, style.frame)
  const panes = Math.max(1, Math.round(width / 0.75))
  for (let pane = 0; pane < panes; pane += 1)
    glass(
      wall,
      [x + 0.06 + (pane * (width - 0.06)) / panes, y + 0.06, (width - 0.06) / panes - 0.06, height - 0.12],
      style,
      options.isLit ?? style.sky.isEvening,
    )
  wall.rectangle(x, y + height - 0.16, width, 0.16, 0x1d1830, { opacity: 0.22 })
  wall.rectangle(x - 0.14, y - 0.16, width + 0.28, 0.08, lighter(style.plaster, 0.6))
  if (!options.shutters) return
  const wide = width / 2
  for (const left of [x - wide - 0.04, x + width + 0.04]) {
    wall.rectangle(left + 0.05, y - 0.07, wide, height, 0x1d1830, { opacity: 0.2 })
    wall.rectangle(left, y, wide, height, style.accent)
    for (let slat = 0.08; slat < height - 0.08; slat += 0.11)
      wall.rectangle(left + 0.06, y + slat, wide - 0.12, 0.045, darker(style.accent, 0.22))
  }
}

/** A front door in a wall, with a lamp beside it. */
export function frontDoor(wall: Panel, x: number, style: Style): void {
  wall.rectangle(x - 0.16, 0, 1.42, 2.5, lighter(style.plaster, 0.5))
  wall.fade(x, 0, 1.1, 2.3, darker(style.accent, 0.15), style.accent)
  for (const [low, high] of [
    [0.2, 0.7],
    [1.05, 1],
  ] as const)
    wall.rectangle(x + 0.2, low, 0.7, high, lighter(style.accent, 0.12))
  wall.disc(x + 0.98, 1.05, 0.045, 0.045, 0xe7c76a)
  const lamp = wall.shining()
  if (style.sky.isEvening) lamp.glow(x + 1.6, 1.95, 1.1, 0xffd58a, 0.4)
  lamp.rectangle(x + 1.52, 1.85, 0.16, 0.26, style.sky.isEvening ? 0xfff0c4 : 0xf3ead6)
}

/** A balcony before a wall: a slab, a railing, flowers, and an awning if it has one. */
export function facadeBalcony(
  spot: Spot,
  [x, z, width]: Vector,
  style: Style,
  awning: boolean,
  flowers: boolean,
): void {
  const depth = 1.3
  spot.wall().soft(x + 0.2, z - 0.9, width, 0.7, 0.15, 0x1d1830, 0.3)
  spot.box([x, 0, z - 0.16], [width, depth, 0.16], lighter(style.plaster, 0.35))
  const inner = spot.from(0, depth - 0.05, z)
  inner.thing(x, -0.02, 0, width, 0.04, 1, () => {
    const front = inner.wall()
    if (style.frame < 0x808080) {
      front.rectangle(x, 0, width, 0.92, mix(style.sky.colours[1], 0xffffff, 0.4), { opacity: 0.42 })
      front.polygon(
        [
          [x + width * 0.3, 0],
          [x + width * 0.38, 0],
          [x + width * 0.48, 0.92],
          [x + width * 0.4, 0.92],
        ],
        0xffffff,
        0.3,
      )
    } else
      for (let bar = 0; bar <= width; bar += 0.16)
        front.rectangle(x + Math.min(bar, width - 0.03), 0, 0.03, 0.92, darker(style.accent, 0.3))
    front.rectangle(x, 0.9, width, 0.06, darker(style.accent, 0.35))
    if (flowers)
      for (let flower = 0; flower < 26; flower += 1)
        front.disc(
          x + 0.25 + ((flower * 0.7549) % 1) * width * 0.42,
          0.72 + ((flower * 0.5698) % 1) * 0.34,
          0.09,
          0.08,
          flower % 3 === 0 ? 0xd9527f : flower % 3 === 1 ? 0x5f9151 : 0x7fae63,
        )
  })
  if (awning) canopy(spot.stage, spot, [x + 0.1, z + 2.5, width - 0.2], depth + 0.1, style)
}

/** A striped awning that slopes down from a wall. */
export function canopy(stage: Stage, spot: Spot, [x, z, width]: Vector, depth: number, style: Style): void {
  spot.thing(x, 0, z - 0.8, width, depth, 0.8, () => {
    const stripes = Math.max(3, Math.round(width / 0.45))
    const corner = (share: number, isOut: boolean, drop = 0) =>
      spot.at(x + width * share, isOut ? depth : 0.02, z - (isOut ? 0.62 : 0) - drop)
    const colours = [style.textile, lighter(style.plaster, 0.55)] as const
    for (let stripe = 0; stripe < stripes; stripe += 1) {
      const [from, to] = [stripe / stripes, (stripe + 1) / stripes]
      const colour = colours[stripe % 2 ? 1 : 0]
      stage.polygon(
        [corner(from, false), corner(to, false), corner(to, true), corner(from, true)],
        colour,
        1,
        0.95,
      )
      stage.polygon(
        [corner(from, true), corner(to, true), corner(to, true, 0.2), corner(from, true, 0.2)],
        darker(colour, 0.1),
        1,
        0.7,
      )
    }
  })
}
