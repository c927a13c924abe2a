/**
 * Points are found on the map by the number of their cell, an integer in an ordinary index. A cell is a hundredth of a
 * degree high and wide. Cells of one row are numbered from west to east, and rows from south to north.
 */
import type { SearchFilters } from './filters.ts'

type Box = NonNullable<SearchFilters['bounds']>

/** Cells in a degree. */
const PER_DEGREE = 100
/** Cells in a row, with one for 180° itself. */
const PER_ROW = 360 * PER_DEGREE + 1
const LAST = PER_ROW - 1
/** Rows of a box that are looked up one by one. */
const MAX_ROWS = 150

/** SQL for the number of a point's cell; null without a point. */
export const cellOf = (latitude: string, longitude: string) =>
  `cast((${latitude} + 90) * ${PER_DEGREE} as integer) * ${PER_ROW} + cast((${longitude} + 180) * ${PER_DEGREE} as integer)`

/** Whether a box is low enough to look up its cells. */
export function isSmall({ south, north }: Box): boolean {
  return rowOf(north) - rowOf(south) < MAX_ROWS
}

/** The first and last cell of each strip of a box. It may reach across the date line. No cell is in two strips. */
export function stripsOf({ south, west, north, east }: Box): Span[] {
  const spans = spansOf(west, east)
  const rows = Array.from({ length: rowOf(north) - rowOf(south) + 1 }, (_, index) => rowOf(south) + index)
  return rows.flatMap((row) =>
    spans.map(([first, last]): Span => [row * PER_ROW + first, row * PER_ROW + last]),
  )
}

type Span = [first: number, last: number]

/** The columns of a box, in one or two spans. */
function spansOf(west: number, east: number): Span[] {
  const [from, to] = [columnOf(west), columnOf(east)]
  if (west > east)
    return from <= to
      ? [[0, LAST]]
      : [
          [from, LAST],
          [0, to],
        ]
  // 180° and −180° are the same meridian.
  if (to === LAST && from > 0)
    return [
      [from, to],
      [0, 0],
    ]
  if (from === 0 && west === -180 && to < LAST)
    return [
      [from, to],
      [LAST, LAST],
    ]
  return [[from, to]]
}

/** Computed as SQLite does, so that a bound is never beside the cell of a point on it. */
const rowOf = (latitude: number) => Math.trunc((latitude + 90) * PER_DEGREE)
const columnOf = (longitude: number) => Math.trunc((longitude + 180) * PER_DEGREE)
