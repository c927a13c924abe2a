/** What is built into bedrooms, kitchens and bathrooms. */
import { type Colour, darker, lighter, mix } from './colour.ts'
import type { Panel } from './panel.ts'
import type { Spot } from './spot.ts'
import type { Style } from './style.ts'

const CHINA = 0xfafaf7
const STEEL = 0xc9ced3

export function bed(spot: Spot, width: number, style: Style): void {
  const half = width / 2
  spot.shade(-half, 0, width, 2.15)
  spot.box([-half - 0.12, 0, 0], [width + 0.24, 0.09, 1.2], style.sofa, ({ front }) => {
    for (let seam = 1; seam < 5; seam += 1)
      front.rectangle(((width + 0.24) * seam) / 5, 0.5, 0.014, 0.66, darker(style.sofa, 0.2))
  })
  spot.box([-half, 0.09, 0.08], [width, 2.06, 0.24], style.wood)
  spot.box([-half + 0.02, 0.09, 0.32], [width - 0.04, 2.02, 0.22], 0xf7f4ee)
  spot.box(
    [-half - 0.03, 0.8, 0.28],
    [width + 0.06, 1.36, 0.29],
    lighter(style.feature, 0.35),
    ({ top, front, left }) => {
      top.rectangle(0, 1.06, width + 0.06, 0.3, 0xfbf8f2)
      top.rectangle(0, 0.12, width + 0.06, 0.42, style.textile)
      front.rectangle(0, 0, width + 0.06, 0.05, darker(style.feature, 0.08))
      left.rectangle(0.82, 0, 0.42, 0.29, style.textile)
      for (const y of [0.16, 0.47]) top.rectangle(0, y, width + 0.06, 0.02, lighter(style.textile, 0.35))
    },
  )
  for (const x of [-half + 0.1, 0.06]) {
    spot.box([x, 0.14, 0.54], [half - 0.18, 0.4, 0.15], 0xffffff)
    spot.box([x + 0.1, 0.54, 0.54], [half - 0.4, 0.15, 0.26], lighter(style.sofa, 0.35))
  }
}

export function nightstand(spot: Spot, style: Style): void {
  spot.shade(-0.24, 0, 0.48, 0.4)
  spot.box([-0.24, 0, 0.1], [0.48, 0.4, 0.42], style.wood, ({ front }) => {
    front.rectangle(0.03, 0.22, 0.42, 0.16, lighter(style.wood, 0.1))
    front.disc(0.24, 0.3, 0.02, 0.02, 0xe7c76a)
  })
  spot.thing(-0.15, 0.1, 0.52, 0.3, 0.2, 0.5, () => {
    const panel = spot.upright(0, 0.2, 0.52)
    panel.rectangle(-0.025, 0, 0.05, 0.2, style.accent)
    const shade = panel.shining()
    if (style.sky.isEvening) shade.glow(0, 0.3, 0.7, 0xffd98a, 0.4)
    shade.polygon(
      [
        [-0.16, 0.18],
        [0.16, 0.18],
        [0.1, 0.42],
        [-0.1, 0.42],
      ],
      style.sky.isEvening ? 0xffe9b4 : 0xf4ead2,
    )
  })
}

export function wardrobe(spot: Spot, width: number, colour: Colour): void {
  spot.shade(0, 0, width, 0.6)
  spot.box([0, 0, 0], [width, 0.6, 2.35], colour, ({ front }) => {
    const doors = Math.round(width / 0.55)
    for (let door = 0; door < doors; door += 1) {
      const [x, wide] = [(door * width) / doors, width / doors]
      front.rectangle(x, 0.06, 0.012, 2.27, darker(colour, 0.28))
      front.rectangle(x + 0.09, 0.2, wide - 0.18, 1.98, darker(colour, 0.05))
      front.rectangle(x + (door % 2 ? 0.05 : wide - 0.07), 1, 0.02, 0.28, 0x4a4640)
    }
    front.rectangle(0, 0, width, 0.07, darker(colour, 0.35))
  })
}

/** A row of kitchen cupboards with oven and sink below a splashback. */
export function kitchenRow(spot: Spot, width: number, style: Style): void {
  const wood = mix(style.wood, 0xffffff, 0.2)
  spot.shade(0, 0, width, 0.62)
  const wall = spot.wall()
  tiles(wall, 0, 0.9, width, 0.6, 0.16, lighter(style.feature, 0.45))
  spot.box([0, 0, 0], [width, 0.6, 0.87], style.accent, ({ front }) => {
    fronts(front, width, 0.1, 0.74, style.accent)
    front.rectangle(0, 0, width, 0.1, darker(style.accent, 0.5))
    oven(front, width * 0.62)
  })
  spot.box([-0.02, 0, 0.87], [width + 0.04, 0.64, 0.05], 0xefebe4, ({ top }) => {
    top.rectangle(width * 0.62 + 0.04, 0.08, 0.58, 0.48, 0x23262b, { radius: 0.03 })
    for (const [x, y] of [
      [0.18, 0.2],
      [0.46, 0.2],
      [0.18, 0.44],
      [0.46, 0.44],
    ] as const)
      top.disc(width * 0.62 + x, y, 0.08, 0.08, 0x4a4f57)
    top.rectangle(width * 0.26, 0.1, 0.62, 0.42, darker(STEEL, 0.12), { radius: 0.06 })
    top.rectangle(width * 0.26 + 0.04, 0.13, 0.54, 0.36, darker(STEEL, 0.32), { radius: 0.05 })
  })
  spot.thing(width * 0.26, 0.05, 0.92, 0.6, 0.1, 0.4, () => {
    const tap = spot.from(width * 0.26 + 0.31, 0.08, 0.92).wall()
    tap.rectangle(-0.015, 0, 0.03, 0.3, darker(STEEL, 0.1))
    tap.rectangle(-0.015, 0.28, 0.16, 0.03, STEEL)
    tap.rectangle(0.12, 0.2, 0.025, 0.1, STEEL)
  })
  for (const [x, wide] of [
    [0, width * 0.2],
    [width * 0.82, width * 0.18],
  ] as const)
    spot.box([x, 0, 1.5], [wide, 0.34, 0.75], wood, ({ front }) => fronts(front, wide, 0, 0.75, wood))
  spot.box([width * 0.62, 0, 1.62], [0.66, 0.36, 0.16], STEEL)
  spot.box([width * 0.62 + 0.2, 0, 1.78], [0.26, 0.26, 0.92], STEEL)
}

function fronts(panel: Panel, width: number, low: number, height: number, colour: Colour): void {
  const doors = Math.max(1, Math.round(width / 0.6))
  for (let door = 0; door < doors; door += 1) {
    const [x, wide] = [(door * width) / doors, width / doors]
    panel.rectangle(x + 0.012, low + 0.012, wide - 0.024, height - 0.024, lighter(colour, 0.07))
    panel.rectangle(x + wide / 2 - 0.09, low + height - 0.1, 0.18, 0.02, 0xd9b873)
  }
}

function oven(front: Panel, x: number): void {
  front.rectangle(x, 0.1, 0.66, 0.76, 0x2b2f35)
  front.rectangle(x + 0.06, 0.16, 0.54, 0.44, 0x14171b, { radius: 0.03 })
  front.polygon(
    [
      [x + 0.1, 0.56],
      [x + 0.3, 0.56],
      [x + 0.2, 0.2],
      [x + 0.1, 0.2],
    ],
    0xffffff,
    0.07,
  )
  front.rectangle(x + 0.06, 0.63, 0.54, 0.03, STEEL)
  for (let knob = 0; knob < 4; knob += 1) front.disc(x + 0.12 + knob * 0.14, 0.76, 0.03, 0.03, STEEL)
}

export function fridge(spot: Spot): void {
  spot.shade(0, 0, 0.75, 0.68)
  spot.box([0, 0, 0.03], [0.75, 0.68, 1.95], 0xe6e9eb, ({ front }) => {
    front.rectangle(0, 0.72, 0.75, 0.014, 0x8e979e)
    front.rectangle(0.64, 0.8, 0.025, 0.6, 0x9aa3aa)
    front.rectangle(0.64, 0.35, 0.025, 0.3, 0x9aa3aa)
    front.polygon(
      [
        [0.05, 1.9],
        [0.25, 1.9],
        [0.15, 0.78],
        [0.05, 0.78],
      ],
      0xffffff,
      0.35,
    )
  })
}

/** Tiles on a wall, each a little different. */
export function tiles(
  wall: Panel,
  x: number,
  y: number,
  width: number,
  height: number,
  size: number,
  colour: Colour,
): void {
  wall.rectangle(x, y, width, height, darker(colour, 0.1))
  const [columns, rows] = [Math.round(width / size), Math.round(height / size)]
  const [wide, high] = [width / columns, height / rows]
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const shade = ((row * 7 + column * 11) % 9) / 9
      wall.rectangle(
        x + column * wide + 0.006,
        y + row * high + 0.006,
        wide - 0.012,
        high - 0.012,
        mix(darker(colour, 0.03), lighter(colour, 0.22), shade),
      )
    }
}

export function bathtub(spot: Spot, width: number): void {
  spot.shade(0, 0, width, 0.78)
  spot.box([0, 0, 0], [width, 0.78, 0.56], CHINA, ({ top, front }) => {
    front.rectangle(0.05, 0.06, width - 0.1, 0.42, darker(CHINA, 0.05), { radius: 0.05 })
    top.rectangle(0.07, 0.07, width - 0.14, 0.64, darker(CHINA, 0.16), { radius: 0.22 })
    top.rectangle(0.1, 0.09, width - 0.2, 0.6, 0xb9dfe4, { radius: 0.2 })
    top.disc(width * 0.35, 0.4, 0.22, 0.1, 0xffffff, 0.4)
  })
}

/** A washbasin on a cupboard, with a round mirror. */
export function washbasin(spot: Spot, style: Style): void {
  spot.shade(-0.55, 0, 1.1, 0.5, 0.2)
  const wall = spot.wall()
  wall.disc(0.02, 1.56, 0.47, 0.47, 0x1d1830, 0.16)
  wall.disc(0, 1.6, 0.46, 0.46, 0xc9a45c)
  wall.disc(0, 1.6, 0.43, 0.43, style.sky.isEvening ? 0xd9cbd6 : 0xcfe2ea)
  wall.polygon(
    [
      [-0.28, 1.4],
      [-0.1, 1.98],
      [0.08, 2],
      [-0.14, 1.28],
    ],
    0xffffff,
    0.45,
  )
  spot.box([-0.55, 0, 0.3], [1.1, 0.48, 0.48], style.wood, ({ front }) => {
    front.rectangle(0.545, 0.02, 0.012, 0.44, darker(style.wood, 0.4))
    for (const x of [0.42, 0.62]) front.rectangle(x, 0.2, 0.05, 0.1, 0xe2c27a)
  })
  spot.box([-0.57, 0, 0.78], [1.14, 0.5, 0.04], 0xefebe4)
  spot.box([-0.26, 0.08, 0.82], [0.52, 0.36, 0.13], CHINA, ({ top }) => {
    top.rectangle(0.04, 0.04, 0.44, 0.28, 0xdfe5e6, { radius: 0.1 })
  })
}

export function toilet(spot: Spot): void {
  spot.shade(-0.19, 0, 0.38, 0.62, 0.22)
  spot.box([-0.2, 0, 0.38], [0.4, 0.18, 0.42], CHINA)
  spot.box([-0.18, 0, 0], [0.36, 0.56, 0.38], CHINA)
  spot.box([-0.2, 0.18, 0.38], [0.4, 0.42, 0.04], 0xffffff)
}

/** A towel that hangs on a wall. */
export function towel(wall: Panel, x: number, top: number, colour: Colour): void {
  wall.rectangle(x - 0.08, top, 0.66, 0.025, 0x9aa1a6)
  wall.soft(x + 0.02, top - 0.72, 0.5, 0.72, 0.04, 0x1d1830, 0.2)
  wall.rectangle(x, top - 0.7, 0.5, 0.72, colour)
  for (const low of [0.1, 0.16]) wall.rectangle(x, top - 0.7 + low, 0.5, 0.03, lighter(colour, 0.4))
}
