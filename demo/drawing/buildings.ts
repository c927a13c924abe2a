/** Buildings. Their front stands along the spot, its middle at the origin. */
import type { Random } from '../../fixtures/random.ts'
import { darker, lighter } from './colour.ts'
import { facadeBalcony, frontDoor, glass, window } from './facade.ts'
import { castShadow, stones, tiledRoof } from './masonry.ts'
import type { Panel } from './panel.ts'
import type { Sides, Spot } from './spot.ts'
import type { Style } from './style.ts'

export const STOREY = 3.1

/** A city block of flats: a shop or entrance below, balconies above, a set-back top floor. */
export function buildFlats(spot: Spot, bays: number, floors: number, style: Style, random: Random): void {
  const [bay, depth] = [3.6, 12]
  const width = bays * bay
  const left = -width / 2
  castShadow(spot, left, -depth, width, depth, floors * STOREY)
  const upper = spot.from(0, 0, STOREY)
  spot.box([left, -depth, 0], [width, depth - 0.6, STOREY], darker(style.plaster, 0.12), (sides) => {
    const front = sides.front
    for (let at = 0; at < bays; at += 1) {
      if (at === Math.floor(bays / 2)) window(front, [at * bay + 0.5, 0.05, 2.4, 2.5], style, { isLit: true })
      else glass(front, [at * bay + 0.25, 0.35, bay - 0.5, 2.3], style)
    }
  })
  const height = (floors - 2) * STOREY
  upper.box([left, -depth, 0], [width, depth, height], style.plaster, ({ front, left: side, right }) => {
    for (let floor = 0; floor < floors - 2; floor += 1) {
      const low = floor * STOREY
      front.rectangle(0, low, width, 0.1, lighter(style.plaster, 0.5))
      for (let at = 0; at < bays; at += 1) {
        const isDoor = at % 2 === 0
        const area = isDoor
          ? ([at * bay + 0.7, low + 0.1, 2.1, 2.3] as const)
          : ([at * bay + 1.1, low + 0.9, 1.3, 1.5] as const)
        window(front, area, style, { shutters: !isDoor, isLit: style.sky.isEvening && random.chance(0.6) })
      }
      for (const wall of [side, right])
        for (const x of [2.2, 7.6])
          window(wall, [x, low + 0.9, 1.1, 1.4], style, {
            shutters: true,
            isLit: style.sky.isEvening && random.chance(0.5),
          })
    }
  })
  for (let floor = 0; floor < floors - 2; floor += 1)
    for (let at = 0; at < bays; at += 2) {
      const wide = Math.min(bay * 2 - 0.7, width - at * bay)
      facadeBalcony(
        upper,
        [left + at * bay + 0.15, floor * STOREY, wide],
        style,
        random.chance(0.4),
        random.chance(0.6),
      )
    }
  const top = upper.from(0, -2.2, height)
  const [topWidth, topDepth] = [width - 2.6, depth - 4]
  top.box([left + 1.3, -topDepth, 0], [topWidth, topDepth, 2.8], lighter(style.plaster, 0.3), ({ front }) => {
    for (let at = 0; at + 1 < bays; at += 1) window(front, [at * bay + 0.4, 0.05, 2.4, 2.3], style)
  })
  top.box([left + 1, -topDepth - 0.2, 2.8], [topWidth + 0.6, topDepth + 1, 0.18], lighter(style.plaster, 0.5))
  upper.box([left, -0.12, height], [width, 0.12, 0.8], lighter(style.plaster, 0.2))
}

/** What makes a house. */
export interface HouseForm {
  readonly width: number
  readonly depth: number
  readonly floors: number
  readonly roof: 'tiles' | 'flat'
  readonly walls: 'plaster' | 'stone'
  /** A lower wing to the right, this wide. */
  readonly wing?: number
  /** Where the door is, counted from the left. */
  readonly door: number
}

/** A house with one or more floors; a wing has a terrace on top. */
export function buildHouse(spot: Spot, form: HouseForm, style: Style): void {
  const { width, depth, floors, wing = 0 } = form
  const left = -(width + wing) / 2
  const height = floors * STOREY
  castShadow(spot, left, -depth, width, depth, height)
  if (wing > 0) castShadow(spot, left + width, -depth, wing, depth - 1, STOREY)
  const cover = (side: Panel, wide: number) => {
    if (form.walls === 'stone') stones(side, [0, 0, wide, height], 0xcdb594)
    side.rectangle(0, 0, wide, 0.4, darker(style.plaster, 0.25), { opacity: 0.5 })
  }
  const bays = Math.max(2, Math.round(width / 3.4))
  const bay = width / bays
  spot.box([left, -depth, 0], [width, depth, height], style.plaster, (sides) => {
    cover(sides.front, width)
    cover(sides.left, depth)
    cover(sides.right, depth)
    for (let floor = 0; floor < floors; floor += 1) houseFloor(sides, form, floor, bay, bays, style)
  })
  const door = left + form.door * bay + bay / 2 - 0.55
  spot.box([door - 0.35, 0, 2.62], [1.8, 1, 0.12], style.roof)
  spot.box([door - 0.3, 0, 0], [1.7, 0.9, 0.12], 0xd9cfbf)
  for (let floor = 1; floor < floors; floor += 1)
    facadeBalcony(
      spot,
      [left + 0.2, floor * STOREY, width * 0.62],
      style,
      floor === floors - 1 && form.roof === 'flat',
      true,
    )
  if (form.roof === 'tiles')
    tiledRoof(spot, [left, -depth, height], [width, depth, Math.min(width, depth) * 0.26], style.roof)
  else
    spot.box(
      [left - 0.25, -depth - 0.25, height],
      [width + 0.5, depth + 0.5, 0.32],
      lighter(style.plaster, 0.45),
    )
  if (wing === 0) return
  spot.box(
    [left + width, -depth, 0],
    [wing, depth - 1, STOREY],
    lighter(style.plaster, 0.12),
    ({ front, right }) => {
      window(front, [0.5, 0.1, wing - 1, 2.4], style)
      window(right, [1.5, 0.9, 1.6, 1.4], style)
    },
  )
  const roof = spot.from(left + width, 0, STOREY)
  roof.box([0, -depth - 0.2, 0], [wing + 0.3, depth - 0.5, 0.2], lighter(style.plaster, 0.5))
}

function houseFloor(
  { front, left, right }: Sides,
  form: HouseForm,
  floor: number,
  bay: number,
  bays: number,
  style: Style,
): void {
  const low = floor * STOREY
  const shutters = form.roof === 'tiles'
  for (let at = 0; at < bays; at += 1) {
    if (floor === 0 && at === form.door) {
      frontDoor(front, at * bay + bay / 2 - 0.55, style)
      continue
    }
    const isTall = (floor > 0 && at < bays * 0.6) || (!shutters && floor === 0)
    const wide = isTall ? Math.min(bay - 1, shutters ? 1.3 : 2.6) : 1.25
    const x = at * bay + (bay - wide) / 2
    window(front, isTall ? [x, low + 0.1, wide, 2.25] : [x, low + 0.95, wide, 1.4], style, {
      shutters: shutters && bay > 2.9,
    })
  }
  for (const side of [left, right])
    for (let x = 1.6; x < form.depth - 2; x += 3.4)
      window(side, [x, low + 0.95, 1.1, 1.35], style, { shutters })
}
