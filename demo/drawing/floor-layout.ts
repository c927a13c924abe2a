/** How the rooms of a storey lie beside each other. */
import type { RoomKind } from './plan-symbols.ts'

/** A storey: its area in square metres, and its rooms besides the hall. */
export interface Storey {
  readonly area: number
  readonly rooms: readonly RoomKind[]
  /** Where its stairs lead; it is entered by those that lead down. */
  readonly stairs?: 'up' | 'down'
}

/** A room on a plan, in metres from the upper left corner of the building. */
export interface PlannedRoom {
  readonly kind: RoomKind
  readonly x: number
  readonly y: number
  readonly width: number
  readonly depth: number
}

/** How much room each kind takes, in proportion. */
const SHARES: Readonly<Record<RoomKind, number>> = {
  living: 26,
  kitchen: 13,
  bedroom: 14,
  bathroom: 6,
  wc: 4,
  hall: 0,
}

const CORRIDOR = 1.2

/** The rooms of a storey: the areas with the hall between them add up to its area. */
export function layOut({ area, rooms }: Storey): PlannedRoom[] {
  const rows: [RoomKind[], RoomKind[]] = [[], []]
  const total = (row: readonly RoomKind[]) => row.reduce((sum, kind) => sum + SHARES[kind], 0)
  for (const kind of rooms.toSorted((a, b) => SHARES[b] - SHARES[a])) {
    const isSouth = kind === 'living' || kind === 'kitchen' || total(rows[1]) < total(rows[0])
    rows[isSouth ? 1 : 0].push(kind)
  }
  const kitchen = rows[1].indexOf('kitchen')
  const isUneven = total(rows[0]) < 0.4 * (total(rows[0]) + total(rows[1]))
  if (isUneven && kitchen >= 0) rows[0].push(...rows[1].splice(kitchen, 1))
  const width = Math.sqrt(area * 1.4)
  const depth = area / width - CORRIDOR
  const north = (depth * total(rows[0])) / (total(rows[0]) + total(rows[1]))
  const place = (row: readonly RoomKind[], y: number, depth: number) => {
    let x = 0
    return row.map((kind): PlannedRoom => {
      const room = { kind, x, y, depth, width: (width * SHARES[kind]) / total(row) }
      x += room.width
      return room
    })
  }
  return [
    ...place(rows[0], 0, north),
    { kind: 'hall', x: 0, y: north, width, depth: CORRIDOR },
    ...place(rows[1], north + CORRIDOR, depth - north),
  ]
}
