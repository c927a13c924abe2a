/** Windows as they are seen from inside, and what lies outside. */
import { type Colour, darker, lighter, mix } from './colour.ts'
import type { Panel } from './panel.ts'
import type { Spot } from './spot.ts'
import type { Style } from './style.ts'

/** What is seen through windows. */
export type Outlook = 'sea' | 'city' | 'hills'

/** Light of a window on the floor, from the east or west. */
export function sunbeam(
  floor: Panel,
  x: number,
  y: number,
  reach: number,
  width: number,
  style: Style,
): void {
  const colour = style.sky.isEvening ? 0xffb15c : 0xfff0c4
  for (const part of [0, 0.52])
    floor.polygon(
      [
        [x, y + width * part],
        [x, y + width * (part + 0.46)],
        [x + reach, y + width * (part + 0.46) - Math.abs(reach) * 0.35],
        [x + reach, y + width * part - Math.abs(reach) * 0.35],
      ],
      colour,
      0.3,
    )
}

/** A window or glazed door in a wall, with what is seen through it. */
export function glazing(
  spot: Spot,
  [x, y, width, height]: readonly [number, number, number, number],
  outlook: Outlook,
  style: Style,
): void {
  const wall = spot.wall()
  wall.rectangle(
    x - 0.05,
    y - (y > 0.1 ? 0.05 : 0),
    width + 0.1,
    height + (y > 0.1 ? 0.1 : 0.05),
    style.frame,
  )
  view(wall.from(x, y).shining(), width, height, 1.35 - y, outlook, style)
  const panes = Math.max(2, Math.round(width / 0.9))
  for (let pane = 0; pane <= panes; pane += 1) {
    const middle = x + (width * pane) / panes
    wall.rectangle(Math.max(x, Math.min(x + width - 0.06, middle - 0.03)), y, 0.06, height, style.frame)
  }
  wall.rectangle(x, y + height - 0.06, width, 0.06, style.frame)
  wall.rectangle(x, y, width, 0.06, style.frame)
  wall.polygon(
    [
      [x + 0.1, y + 0.1],
      [x + width * 0.22, y + 0.1],
      [x + width * 0.42, y + height - 0.1],
      [x + width * 0.28, y + height - 0.1],
    ],
    0xffffff,
    0.1,
  )
  if (y > 0.1) spot.box([x - 0.1, 0, y - 0.08], [width + 0.2, 0.14, 0.05], lighter(style.wall, 0.5))
}

/** What lies outside; `eyeLevel` is the height of the horizon in the window. */
function view(
  pane: Panel,
  width: number,
  height: number,
  eyeLevel: number,
  outlook: Outlook,
  style: Style,
): void {
  const { colours, sea, isEvening, cloud } = style.sky
  const level = Math.max(0.15, Math.min(eyeLevel, height * 0.6))
  pane.fade(0, 0, width, height, colours[2], mix(colours[1], colours[0], 0.4))
  for (const [at, high] of [
    [0.3, 0.82],
    [0.7, 0.72],
  ] as const)
    pane.rectangle(width * (at - 0.14), height * high, width * 0.28, height * 0.05, cloud, {
      opacity: 0.5,
      radius: height * 0.025,
    })
  const ridge = (top: number, swing: number, colour: Colour) =>
    pane.polygon(
      [
        [0, 0],
        [width, 0],
        ...Array.from({ length: 25 }, (_, step) => {
          const share = 1 - step / 24
          const wave = Math.sin(share * 7 + top * 9) * swing + Math.sin(share * 17 + top) * swing * 0.3
          return [share * width, Math.min(height, Math.max(0.02, top + wave))] as const
        }),
      ],
      colour,
    )
  const haze = mix(colours[2], colours[1], 0.6)
  ridge(level + 0.14, 0.07, mix(0x6f86a3, haze, 0.55))
  if (outlook === 'sea') {
    pane.fade(0, 0, width, level, darker(sea, 0.12), mix(sea, colours[2], 0.45))
    for (let glint = 0; glint < 9; glint += 1)
      pane.rectangle(
        width * (0.12 + ((glint * 37) % 70) / 100),
        level * (0.25 + glint * 0.08),
        width * 0.1,
        0.008,
        0xffffff,
        { opacity: 0.4 },
      )
    pane.polygon(
      [
        [width * 0.62, level * 0.72],
        [width * 0.62, level * 0.72 + 0.16],
        [width * 0.62 + 0.08, level * 0.72],
      ],
      0xffffff,
    )
    ridge(level * 0.22, 0.05, isEvening ? 0x4b5b52 : 0x6f9565)
  } else if (outlook === 'city') {
    for (let house = 0; house < 9; house += 1) {
      const [left, high] = [(house / 9) * width, level * (0.62 + ((house * 29) % 45) / 100)]
      const colour = mix(
        [0xf0e7d8, 0xe2d5c3, 0xd9cbbd, 0xeadfcc][house % 4] ?? 0xffffff,
        isEvening ? 0x7d6f94 : haze,
        isEvening ? 0.55 : 0.15,
      )
      pane.rectangle(left, 0, Math.min(width / 8, width - left), high, colour)
      for (let row = 0; high - 0.13 - row * 0.13 > 0.03; row += 1)
        for (let column = 0; column < 2; column += 1)
          pane.rectangle(
            left + width * (0.02 + column * 0.045),
            high - 0.1 - row * 0.13,
            width * 0.022,
            0.06,
            isEvening && (house + row * 3 + column) % 3 ? 0xffdf95 : darker(colour, 0.4),
          )
    }
  } else {
    ridge(level, 0.1, isEvening ? 0x6d6a7c : 0x8fa97c)
    ridge(level * 0.6, 0.08, isEvening ? 0x545a60 : 0x6f9462)
    ridge(level * 0.3, 0.05, isEvening ? 0x40504d : 0x517a4d)
  }
}

/** Curtains on both sides of a window. */
export function curtains(spot: Spot, x: number, width: number, top: number, colour: Colour): void {
  const wall = spot.wall(0.06)
  wall.rectangle(x - 0.4, top, width + 0.8, 0.035, darker(colour, 0.5))
  for (const left of [x - 0.36, x + width - 0.06])
    for (const [fold, light] of [0, 0.6, 1, 0.5, 0.15, 0.8, 0.4].entries()) {
      const shade = mix(darker(colour, 0.12), lighter(colour, 0.2), light)
      wall.rectangle(left + fold * 0.06, 0.04, 0.06, top - 0.04, shade)
    }
}
