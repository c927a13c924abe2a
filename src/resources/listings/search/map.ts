/** Listings on a map, gathered in the cells of a grid. */
import { z } from 'zod'
import { named } from '../../../fields/values.ts'
import { countedBody } from '../../../http/reply/envelope.ts'
import { listRows, type Rows } from './bits.ts'
import { PER_DEGREE } from './geometry.ts'
import type { ListingIndex, View } from './listing-index.ts'

/** Most cells of a reply. With more, the grid becomes coarser. */
const MAX_CELLS = 500
/** A map of this zoom shows about four by four cells on a tile. */
const FINER = 2
/** The square of Web Mercator ends here, in degrees of latitude. */
const MAX_LATITUDE = 85.0511287798066

export const mapBody = countedBody(
  z
    .array(
      named('MapCell', 'The listings in a cell of the grid', {
        latitude: z.number().describe('Mean of the points in the cell, in degrees'),
        longitude: z.number().describe('Mean of the points in the cell, in degrees'),
        precision: z
          .enum(['exact', 'circle'])
          .nullable()
          .describe('What is known of the point; null if there are several'),
        count: z.int().describe('Number of listings in the cell'),
        id: z.int().nullable().describe('The listing; null if there are several'),
        price: z.int().nullable().describe('Its price; null if there are several, or if it is not shown'),
      }),
    )
    .max(MAX_CELLS)
    .describe('Most listings first; listings without a point only count in `total_results`'),
).meta({ id: 'ListingMapResponse', description: 'Where the listings are' })

export interface MapCell {
  latitude: number
  longitude: number
  precision: 'exact' | 'circle' | null
  count: number
  id: number | null
  price: number | null
}

/** Sums of the points in each cell, by its number. */
interface Grid {
  counts: Uint32Array
  south: Float64Array
  west: Float64Array
  /** A row in each cell. */
  rows: Uint32Array
}

/**
 * Gathers the rows that have a point: in the tiles of Web Mercator at `zoom` + FINER, or at the first lower zoom where they
 * are not too many. The tile that contains another at a lower zoom has its numbers without their last bits.
 */
export function gatherCells(index: ListingIndex, view: View, rows: Rows, zoom: number): MapCell[] {
  const points = index.points(view)
  const list = listRows(rows)
  const [souths, wests] = [points.latitude.sortKeys(list), points.longitude.sortKeys(list)]
  const tiles = 2 ** (zoom + FINER)
  const [lines, columns] = [new Float64Array(list.length), new Float64Array(list.length)]
  for (let at = 0; at < list.length; at++) {
    lines[at] = lineOf((souths[at] ?? 0) / PER_DEGREE, tiles)
    columns[at] = columnOf((wests[at] ?? 0) / PER_DEGREE, tiles)
  }
  for (let side = tiles, width = 1; ; side /= 2, width *= 2) {
    const grid = sumCells({ list, souths, wests, lines, columns }, side, width)
    if (grid) return cellsOf(index, view, grid)
  }
}

/** Rows, their coordinates and their tiles, which are NaN without a point. */
interface Points {
  list: Uint32Array
  souths: Float64Array
  wests: Float64Array
  lines: Float64Array
  columns: Float64Array
}

/** The sums of each cell, `side` in a row and `width` tiles wide; null if there are too many cells. */
function sumCells({ list, souths, wests, lines, columns }: Points, side: number, width: number): Grid | null {
  const places = new Map<number, number>()
  const grid: Grid = {
    counts: new Uint32Array(MAX_CELLS),
    south: new Float64Array(MAX_CELLS),
    west: new Float64Array(MAX_CELLS),
    rows: new Uint32Array(MAX_CELLS),
  }
  for (let at = 0; at < list.length; at++) {
    const number = Math.floor((columns[at] ?? 0) / width) * side + Math.floor((lines[at] ?? 0) / width)
    if (Number.isNaN(number)) continue
    let place = places.get(number)
    if (place === undefined) {
      place = places.size
      if (place === MAX_CELLS) return null
      places.set(number, place)
    }
    grid.counts[place] = (grid.counts[place] ?? 0) + 1
    grid.south[place] = (grid.south[place] ?? 0) + (souths[at] ?? 0)
    grid.west[place] = (grid.west[place] ?? 0) + (wests[at] ?? 0)
    grid.rows[place] = list[at] ?? 0
  }
  return grid
}

/** The cells, most listings first. */
function cellsOf(index: ListingIndex, view: View, { counts, south, west, rows }: Grid): MapCell[] {
  const cells: MapCell[] = []
  for (const [place, count] of counts.entries()) {
    if (count === 0) break
    const row = rows[place] ?? 0
    const isCircle = view === 'shown' && index.columns.is_circle.get(row) === 1
    const [price = Number.NaN] = index.column('price', view).sortKeys(rows.subarray(place, place + 1))
    cells.push({
      latitude: Math.round((south[place] ?? 0) / count) / PER_DEGREE,
      longitude: Math.round((west[place] ?? 0) / count) / PER_DEGREE,
      precision: count > 1 ? null : isCircle ? 'circle' : 'exact',
      count,
      id: count > 1 ? null : index.idOf(row),
      price: count > 1 || Number.isNaN(price) ? null : price,
    })
  }
  return cells.sort(
    (a, b) =>
      b.count - a.count || a.latitude - b.latitude || a.longitude - b.longitude || (a.id ?? 0) - (b.id ?? 0),
  )
}

function columnOf(longitude: number, tiles: number): number {
  return Math.min(Math.floor(((longitude + 180) / 360) * tiles), tiles - 1)
}

function lineOf(latitude: number, tiles: number): number {
  const angle = (Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude)) * Math.PI) / 180
  const line = Math.floor(((1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2) * tiles)
  return Math.max(0, Math.min(line, tiles - 1))
}
