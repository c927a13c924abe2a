/** Listings on a map, gathered in the cells of a grid. */
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../../../db/client.ts'
import { batchRequiring } from '../../../db/page.ts'
import { sqlStatement } from '../../../db/statements.ts'
import { countedBody } from '../../../http/reply/envelope.ts'
import { DEFAULT_ZOOM } from './filters.ts'
import { type IndexFilters, type Needs, type SearchView, searchRows } from './source.ts'

/** Most cells of a reply. With more, the grid becomes coarser. */
const MAX_CELLS = 500
/** A map of this zoom shows about four by four cells on a tile. */
const FINER = 2
/** The square of Web Mercator ends here, in degrees of latitude. */
const MAX_LATITUDE = 85.0511287798066

/** The reply with cells. */
export const mapBody = countedBody(
  z
    .array(
      z
        .object({
          latitude: z.number().describe('Mean of the points in the cell, in degrees'),
          longitude: z.number().describe('Mean of the points in the cell, in degrees'),
          precision: z
            .enum(['exact', 'circle'])
            .nullable()
            .describe('What is known of the point; null if there are several'),
          count: z.int().describe('Number of listings in the cell'),
          id: z.int().nullable().describe('The listing; null if there are several'),
          price: z.int().nullable().describe('Its price; null if there are several, or if it is not shown'),
        })
        .meta({ id: 'MapCell', description: 'The listings in a cell of the grid' }),
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

/** Reads the cells and how many listings meet all filters, in one round trip. */
export async function readMap<Filters extends IndexFilters & { zoom?: number | null | undefined }>(
  db: Database,
  view: SearchView<Filters>,
  filters: Filters,
  { condition, columns = [] }: Needs = {},
): Promise<{ total: number; cells: MapCell[] }> {
  const { from, where, requirement } = searchRows(view, filters, {
    condition,
    columns: [...columns, 'latitude', 'longitude', 'price'],
  })
  const found = sql`from ${from} where ${where ?? sql`true`}`
  const { cells, totals } = await batchRequiring(db, requirement, {
    cells: sqlStatement<MapCell>(selectCells(found, view.precision, filters.zoom ?? DEFAULT_ZOOM)),
    totals: sqlStatement<{ total: number }>(sql`select count(*) as total ${found}`),
  })
  return { total: totals[0]?.total ?? 0, cells }
}

/**
 * Selects the cells: the tiles of Web Mercator at `zoom` + FINER, or at the first lower zoom where they are not too many.
 * The tile that contains another at a lower zoom has its numbers without their last bits.
 */
function selectCells(found: SQL, precision: string, zoom: number): SQL {
  const tiles = 2 ** (zoom + FINER)
  const column = `min(cast((longitude + 180) / 360 * ${tiles} as integer), ${tiles - 1})`
  const latitude = `radians(max(-${MAX_LATITUDE}, min(${MAX_LATITUDE}, latitude)))`
  const row = `max(0, min(cast((1 - asinh(tan(${latitude})) / pi()) / 2 * ${tiles} as integer), ${tiles - 1}))`
  return sql`
    with recursive fine as materialized (
      select ${sql.raw(column)} as x, ${sql.raw(row)} as y, count(*) as count, sum(latitude) as south, sum(longitude) as west,
        min(id) as id, min(price) as price
      ${found} and latitude is not null and longitude is not null group by 1, 2
    ),
    bits(bit) as (
      select 0 union all select bit + 1 from bits where bit < ${zoom + FINER}
        and (select count(*) from (select distinct x >> bit, y >> bit from fine limit ${MAX_CELLS + 1})) > ${MAX_CELLS}
    ),
    cells as materialized (
      select sum(count) as count, sum(south) / sum(count) as latitude, sum(west) / sum(count) as longitude,
        iif(sum(count) = 1, min(id), null) as id, iif(sum(count) = 1, min(price), null) as price
      from fine, (select max(bit) as bit from bits) coarse group by x >> coarse.bit, y >> coarse.bit
    )
    select round(latitude, 7) as latitude, round(longitude, 7) as longitude, iif(count = 1, ${sql.raw(precision)}, null) as precision,
      count, id, price
    from cells order by count desc, latitude, longitude, id limit ${MAX_CELLS}`
}
