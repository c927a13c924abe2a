/** Buildings in which people work. Their front stands along the spot, its middle at the origin. */

import { STOREY } from './buildings.ts'
import { darker, lighter } from './colour.ts'
import { canopy, glass, window } from './facade.ts'
import { drawLetters, lengthOf } from './letters.ts'
import { castShadow } from './masonry.ts'
import type { Panel } from './panel.ts'
import type { Spot } from './spot.ts'
import type { Style } from './style.ts'

/** A shop with a flat above. */
export function buildShop(spot: Spot, name: string, style: Style): void {
  const [width, depth] = [11, 9]
  const left = -width / 2
  castShadow(spot, left, -depth, width, depth, 7.4)
  const sign = darker(style.accent, 0.1)
  spot.box([left, -depth, 0], [width, depth, 7.2], style.plaster, ({ front, left: side, right }) => {
    front.rectangle(0.3, 0, width - 0.6, 3.3, sign)
    glass(front, [0.6, 0.55, 3.9, 2.6], style, true)
    glass(front, [6.5, 0.55, 3.9, 2.6], style, true)
    display(front.from(0.6, 0.55), 3.9, style)
    display(front.from(6.5, 0.55), 3.9, style)
    glass(front, [4.9, 0.1, 1.2, 2.5], style, true)
    front.rectangle(5.45, 0.1, 0.1, 2.5, sign)
    front.rectangle(0.3, 3.35, width - 0.6, 0.75, lighter(sign, 0.06))
    const size = 0.42
    drawLetters(front, name, (width - lengthOf(name) * size) / 2, 3.5, size, lighter(style.plaster, 0.7))
    for (const x of [1.1, 4.9, 8.6]) window(front, [x, 5, 1.3, 1.6], style, { shutters: true })
    for (const wall of [side, right])
      for (const x of [1.8, 5.4]) window(wall, [x, 4.9, 1.1, 1.5], style, { shutters: true })
  })
  canopy(spot.stage, spot, [left + 0.4, 3.35, width - 0.8], 1.5, style)
  spot.box([left - 0.2, -depth - 0.2, 7.2], [width + 0.4, depth + 0.4, 0.4], lighter(style.plaster, 0.4))
}

/** What a shop window shows. */
function display(pane: Panel, width: number, style: Style): void {
  pane.rectangle(0, 0, width, 0.3, darker(style.wood, 0.2))
  for (let piece = 0; piece < 7; piece += 1) {
    const [x, high] = [0.25 + (piece * (width - 0.6)) / 7, 0.35 + ((piece * 5) % 4) * 0.22]
    const colour = [style.sofa, style.textile, style.roof, style.feature][piece % 4] ?? style.sofa
    pane.rectangle(x, 0.3, 0.3, high, colour, { radius: piece % 2 ? 0.12 : 0 })
  }
  for (const x of [0.3, 0.5, 0.7]) pane.disc(width * x, 2.25, 0.13, 0.13, 0xfffbe8)
}

/** A hall of corrugated sheet with gates. */
export function buildWarehouse(spot: Spot, style: Style): void {
  const [width, depth, height] = [22, 16, 7]
  const left = -width / 2
  castShadow(spot, left, -depth, width, depth, height)
  spot.box(
    [left, -depth, 0],
    [width, depth, height],
    lighter(style.feature, 0.3),
    ({ front, left: side, right }) => {
      for (const [wall, wide] of [
        [front, width],
        [side, depth],
        [right, depth],
      ] as const) {
        for (let rib = 0; rib < wide; rib += 0.4)
          wall.rectangle(rib, 0, 0.13, height, 0x1d2033, { opacity: 0.09 })
        wall.rectangle(0, 0, wide, 1.1, darker(style.plaster, 0.3))
        wall.rectangle(0, height - 0.9, wide, 0.9, style.accent)
      }
      for (const x of [1.8, 8.2, 14.6]) {
        front.rectangle(x - 0.2, 0, 4.8, 4.5, darker(style.accent, 0.3))
        front.fade(x, 0, 4.4, 4.3, 0xc9ccd0, 0xeef0f1)
        for (let slat = 0.4; slat < 4.3; slat += 0.42) front.rectangle(x, slat, 4.4, 0.05, 0x8f979e)
        for (const pane of [0.5, 1.7, 2.9]) glass(front, [x + pane, 2.55, 1, 0.34], style)
      }
      for (let x = 1; x < width - 2; x += 3.4) glass(front, [x, 4.95, 2.4, 0.8], style)
      for (const wall of [side, right])
        for (let x = 1; x < depth - 2; x += 3.4) glass(wall, [x, 4.3, 2.4, 0.9], style)
    },
  )
  spot.box([left - 0.2, -depth - 0.2, height], [width + 0.4, depth + 0.4, 0.3], darker(style.accent, 0.25))
}

/** An office building of glass. */
export function buildTower(spot: Spot, floors: number, style: Style): void {
  const [width, depth] = [15, 13]
  const height = floors * STOREY
  castShadow(spot, -width / 2, -depth, width, depth, height)
  spot.box(
    [-width / 2, -depth, 0],
    [width, depth, height],
    lighter(style.plaster, 0.2),
    ({ front, left, right }) => {
      for (let floor = 0; floor < floors; floor += 1)
        for (const [wall, wide] of [
          [front, width],
          [left, depth],
          [right, depth],
        ] as const) {
          const panes = Math.round(wide / 1.8)
          for (let pane = 0; pane < panes; pane += 1)
            glass(
              wall,
              [
                (pane * wide) / panes + 0.09,
                floor * STOREY + (floor > 0 ? 0.6 : 0.15),
                wide / panes - 0.18,
                floor > 0 ? 2.2 : 2.7,
              ],
              style,
              style.sky.isEvening && (floor * 5 + pane * 3) % 4 > 0,
            )
          wall.rectangle(0, floor * STOREY, wide, 0.2, style.accent)
        }
    },
  )
  spot.box([-width / 2 - 0.2, -depth - 0.2, height], [width + 0.4, depth + 0.4, 0.5], style.accent)
  spot.box([-2.4, 0, 2.9], [4.8, 2.2, 0.2], style.accent)
}
