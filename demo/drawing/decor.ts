/** What makes a home: plants, lamps, pictures, rugs and cushions. */
import { type Colour, darker, lighter, mix } from './colour.ts'
import type { Panel } from './panel.ts'
import type { Spot } from './spot.ts'
import type { Style } from './style.ts'

export function cushion(spot: Spot, x: number, colour: Colour): void {
  spot.thing(x, 0.26, 0.43, 0.44, 0.14, 0.4, () => {
    const face = spot.from(0, 0.4, 0.43).wall()
    face.rectangle(x, 0, 0.44, 0.4, darker(colour, 0.12), { radius: 0.1 })
    face.rectangle(x + 0.02, 0.03, 0.4, 0.37, colour, { radius: 0.1 })
    for (let stripe = 0; stripe < 3; stripe += 1)
      face.rectangle(x + 0.1 + stripe * 0.11, 0.05, 0.02, 0.33, lighter(colour, 0.35))
  })
}

/** Fruit and a vase on a table; the spot is the middle of its top. */
export function tableware(spot: Spot, style: Style): void {
  spot.thing(-0.45, -0.1, 0, 0.9, 0.2, 0.5, () => {
    const vase = spot.upright(-0.2, 0)
    vase.disc(0, 0.02, 0.1, 0.025, 0x000000, 0.15)
    leaves(vase, 0.3, 0.2, 7)
    vase.polygon(
      [
        [-0.06, 0],
        [0.06, 0],
        [0.085, 0.12],
        [0.035, 0.24],
        [-0.035, 0.24],
        [-0.085, 0.12],
      ],
      style.accent,
    )
    const bowl = spot.upright(0.2, 0)
    for (const [x, colour] of [
      [-0.07, 0xe2762f],
      [0.06, 0xe9b33f],
      [0, 0xd9503a],
    ] as const)
      bowl.disc(x, 0.12, 0.055, 0.055, colour)
    bowl.polygon(
      [
        [-0.17, 0.11],
        [0.17, 0.11],
        [0.08, 0.01],
        [-0.08, 0.01],
      ],
      lighter(style.feature, 0.4),
    )
  })
}

function leaves(panel: Panel, foot: number, size: number, count: number, green = 0x5f8f5a): void {
  for (let leaf = 0; leaf < count; leaf += 1) {
    const lean = (leaf / (count - 1)) * 2 - 1
    const [dx, dy] = [lean * size, size * (1.25 - lean * lean * 0.7)]
    const colour = mix(darker(green, 0.15), lighter(green, 0.25), (leaf * 0.37) % 1)
    const [sideX, sideY] = [-dy * 0.2, dx * 0.2]
    panel.polygon(
      [
        [0, foot - 0.1],
        [dx * 0.5 + sideX, foot + dy * 0.5 + sideY],
        [dx, foot + dy],
        [dx * 0.5 - sideX, foot + dy * 0.5 - sideY],
      ],
      colour,
    )
  }
}

export function plant(spot: Spot, size: number, pot: Colour): void {
  spot.shade(-0.2, -0.2, 0.4, 0.4, 0.2)
  spot.thing(-0.2, -0.2, 0, 0.4, 0.4, 1.6 * size, () => {
    const panel = spot.upright(0, 0)
    leaves(panel, 0.55 * size, 0.62 * size, 11)
    leaves(panel, 0.5 * size, 0.4 * size, 7, 0x74a566)
    panel.polygon(
      [
        [-0.13, 0],
        [0.13, 0],
        [0.18, 0.38 * size],
        [-0.18, 0.38 * size],
      ],
      pot,
    )
    panel.polygon(
      [
        [0.04, 0],
        [0.13, 0],
        [0.18, 0.38 * size],
        [0.08, 0.38 * size],
      ],
      darker(pot, 0.14),
    )
  })
}

export function floorLamp(spot: Spot, style: Style): void {
  spot.shade(-0.15, -0.15, 0.3, 0.3, 0.2)
  spot.thing(-0.15, -0.15, 0, 0.3, 0.3, 1.7, () => {
    const panel = spot.upright(0, 0)
    panel.disc(0, 0.02, 0.15, 0.03, 0x33363c)
    panel.rectangle(-0.015, 0, 0.03, 1.4, 0x33363c)
    const shade = panel.shining()
    if (style.sky.isEvening) shade.glow(0, 1.5, 0.9, 0xffd98a, 0.35)
    shade.polygon(
      [
        [-0.22, 1.35],
        [0.22, 1.35],
        [0.15, 1.68],
        [-0.15, 1.68],
      ],
      style.sky.isEvening ? 0xffe9b4 : 0xf4ead2,
    )
  })
}

/** A lamp below a ceiling; the spot is on the floor under it. */
export function pendant(spot: Spot, ceiling: number, height: number, style: Style): void {
  spot.thing(-0.25, -0.25, height, 0.5, 0.5, ceiling - height, () => {
    const panel = spot.upright(0, 0)
    panel.rectangle(-0.008, height + 0.2, 0.016, ceiling - height - 0.2, 0x3a3d42)
    const lamp = panel.shining()
    if (style.sky.isEvening) lamp.glow(0, height, 0.8, 0xffdc94, 0.35)
    lamp.disc(0, height + 0.02, 0.19, 0.035, style.sky.isEvening ? 0xfff3cf : 0xf6ecd6)
    panel.polygon(
      [
        [-0.23, height],
        [0.23, height],
        [0.17, height + 0.14],
        [0.05, height + 0.23],
        [-0.05, height + 0.23],
        [-0.17, height + 0.14],
      ],
      style.accent,
    )
    panel.polygon(
      [
        [-0.23, height],
        [-0.1, height],
        [-0.07, height + 0.18],
        [-0.17, height + 0.14],
      ],
      lighter(style.accent, 0.18),
    )
  })
}

/** A picture on a wall; the panel is the wall. */
export function picture(
  wall: Panel,
  x: number,
  y: number,
  width: number,
  height: number,
  style: Style,
  motif: number,
): void {
  wall.soft(x + 0.03, y - 0.05, width, height, 0.05, 0x1d1830, 0.3)
  wall.rectangle(x, y, width, height, darker(style.wood, 0.25))
  wall.rectangle(x + 0.035, y + 0.035, width - 0.07, height - 0.07, 0xfaf6ec)
  const [left, low, wide, high] = [x + 0.09, y + 0.09, width - 0.18, height - 0.18]
  wall.fade(left, low, wide, high, lighter(style.feature, 0.55), lighter(style.textile, 0.6))
  if (motif % 2 === 0) {
    wall.disc(left + wide * 0.66, low + high * 0.68, high * 0.13, high * 0.13, style.textile)
    wall.polygon(
      [
        [left, low],
        [left + wide, low],
        [left + wide, low + high * 0.3],
        [left + wide * 0.62, low + high * 0.46],
        [left + wide * 0.3, low + high * 0.24],
        [left, low + high * 0.4],
      ],
      style.sofa,
    )
    wall.polygon(
      [
        [left, low],
        [left + wide, low],
        [left + wide, low + high * 0.14],
        [left + wide * 0.45, low + high * 0.26],
        [left, low + high * 0.12],
      ],
      darker(style.sofa, 0.3),
    )
  } else {
    wall.disc(left + wide * 0.42, low + high * 0.55, wide * 0.26, wide * 0.26, style.accent)
    wall.disc(left + wide * 0.64, low + high * 0.36, wide * 0.2, wide * 0.2, style.textile, 0.85)
    wall.rectangle(left + wide * 0.15, low + high * 0.16, wide * 0.7, 0.015, darker(style.wood, 0.3))
  }
}

/** A rug; the spot is its middle. */
export function rug(spot: Spot, width: number, depth: number, style: Style): void {
  const floor = spot.floor(0.005)
  floor.rectangle(-width / 2, -depth / 2, width, depth, lighter(style.feature, 0.25))
  floor.rectangle(-width / 2 + 0.1, -depth / 2 + 0.1, width - 0.2, depth - 0.2, style.textile, {
    opacity: 0.55,
  })
  floor.rectangle(-width / 2 + 0.15, -depth / 2 + 0.15, width - 0.3, depth - 0.3, lighter(style.feature, 0.4))
  for (let x = -width / 2 + 0.5; x < width / 2 - 0.3; x += 0.5)
    for (let y = -depth / 2 + 0.4; y < depth / 2 - 0.3; y += 0.45)
      floor.polygon(
        [
          [x - 0.13, y],
          [x, y - 0.11],
          [x + 0.13, y],
          [x, y + 0.11],
        ],
        style.textile,
        0.4,
      )
}
