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
/** Rows of a box that are looked up one by one. */
const MAX_ROWS = 150

/** SQL for the number of a point's cell; null without a point. */
export const cellOf = (latitude: string, longitude: string) =>
  `cast((${latitude} + 90) * ${PER_DEGREE} as integer) * ${PER_ROW} + cast((${longitude} + 180) * ${PER_DEGREE} as integer)`

/** Whether a box is low enough to look up its cells. */
export function isSmall({ south, north }: Box): boolean {
  return rowOf(north) - rowOf(south) < MAX_ROWS
}

/** The first and last cell of each strip of a box. It may reach across the date line. */
export function stripsOf({ south, west, north, east }: Box): [first: number, last: number][] {
  const crosses = west > east
  const spans: [number, number][] = crosses
    ? [
        [columnOf(west), PER_ROW - 1],
        [0, columnOf(east)],
      ]
    : [[columnOf(west), columnOf(east)]]
  // 180° and −180° are the same meridian.
  if (!crosses && east === 180) spans.push([0, 0])
  if (!crosses && west === -180) spans.push([PER_ROW - 1, PER_ROW - 1])
  const rows = Array.from({ length: rowOf(north) - rowOf(south) + 1 }, (_, index) => rowOf(south) + index)
  return rows.flatMap((row) =>
    spans.map(([first, last]): [number, number] => [row * PER_ROW + first, row * PER_ROW + last]),
  )
}

/** Computed as SQLite does, so that a bound is never beside the cell of a point on it. */
const rowOf = (latitude: number) => Math.trunc((latitude + 90) * PER_DEGREE)
const columnOf = (longitude: number) => Math.trunc((longitude + 180) * PER_DEGREE)
