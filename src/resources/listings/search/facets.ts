/** Facets: how many listings each value of a field has under the filters, its own left out. */
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Availability } from '../../../catalogue/enums.ts'
import { type AREAS, AREAS as LEVELS } from '../../../db/areas.ts'
import type { Database } from '../../../db/client.ts'
import { batchRequiring } from '../../../db/page.ts'
import { sqlStatement } from '../../../db/statements.ts'
import { countedBody } from '../../../http/reply/envelope.ts'
import type { CommonSearchFilters } from './conditions.ts'
import { DEFAULT_FACETS, FACETS, type Facet } from './filters.ts'
import { type Needs, type Rows, type SearchView, searchRows } from './source.ts'

/** Most values of a facet. */
const MAX_VALUES = 200

/** Where the bands of prices begin; the last has no end. */
const SALE_BANDS = [0, 50, 100, 150, 200, 300, 500, 750, 1000, 2000].map((thousands) => thousands * 1000)
const RENT_BANDS = [0, 300, 500, 700, 1000, 1500, 2000, 3000]

const SALES: ReadonlySet<Availability> = new Set<Availability>(['sale', 'auction'])

const count = z.int().describe('Number of listings')
const values = <T extends z.ZodType>(value: T, doc: string) =>
  z
    .array(z.object({ value: value.describe('The value'), count }))
    .optional()
    .describe(doc)
const text = (doc: string) => values(z.string(), doc)
const number = (doc: string) => values(z.int(), doc)

const area = z
  .array(
    z
      .object({
        value: z.int().describe('Id of the location'),
        name_el: z.string().describe('Name in Greek'),
        name_en: z.string().describe('Name in English'),
        count,
      })
      .meta({ id: 'AreaCount', description: 'A place, and how many listings are in it' }),
  )
  .optional()
const areas = (doc: string) => area.describe(doc)

const bands = z
  .array(
    z
      .object({
        min: z.int().describe('From this price on'),
        max: z.int().nullable().describe('Below this price; null means no limit'),
        count,
      })
      .meta({ id: 'PriceBand', description: 'A band of prices, and how many listings are in it' }),
  )
  .optional()
  .describe('Ascending; absent unless `availability` is a single value')

/** The reply with facets. */
export const facetsBody = countedBody(
  z
    .object({
      category: text('Kinds of property'),
      subcategory: text('Subcategories'),
      availability: text('How they are offered'),
      area_level1: areas('Regions'),
      area_level2: areas('Municipalities or districts'),
      area_level3: areas('Neighbourhoods'),
      rooms: number('Numbers of bedrooms'),
      price: bands,
      subtype: number('Ids from the subtypes lookup'),
      property_condition: text('Conditions'),
      energy_class: text('Energy classes'),
      features: text('Feature keys; a listing counts for each that it has'),
      store_id: number('Ids from `/api/stores`'),
    })
    .meta({
      id: 'ListingFacets',
      description:
        `For each facet, the values that listings have: most first, at most ${MAX_VALUES}. Each is counted ` +
        'under all filters but its own; `areas` belongs to all three levels.',
    }),
).meta({ id: 'ListingFacetsResponse', description: 'How many listings each value has' })

/** The filters that facets heed. */
type FacetFilters = CommonSearchFilters & { facets?: readonly Facet[] | null | undefined }

/** Facets by name, and how many listings meet all filters. */
export interface Facets {
  total: number
  data: Partial<Record<Facet, object[]>>
}

/** Counts the facets in one round trip. */
export async function readFacets<Filters extends FacetFilters>(
  db: Database,
  view: SearchView<Filters>,
  filters: Filters,
  { condition, columns = [] }: Needs = {},
): Promise<Facets> {
  const rowsFor = (facet: Facet | null) =>
    searchRows(view, facet ? withoutOwn(filters, facet) : filters, {
      condition,
      columns: facet ? [...columns, facet] : columns,
    })
  const { availability } = filters
  const [offered] = availability?.length === 1 ? availability : []
  const starts = offered && (SALES.has(offered) ? SALE_BANDS : RENT_BANDS)
  const wanted = FACETS.filter((facet) => (filters.facets ?? DEFAULT_FACETS).includes(facet))
  const counted = wanted.filter((facet) => facet !== 'price' || starts)
  const all = rowsFor(null)
  const { facets, totals } = await batchRequiring(db, all.requirement, {
    facets: counted.map((facet) => sqlStatement<Count>(selectCounts(facet, rowsFor(facet), starts ?? []))),
    totals: sqlStatement<{ total: number }>(sql`select count(*) as total ${fromRows(all)}`),
  })
  const entries = counted.map((facet, index) => {
    const found = facets[index] ?? []
    return [facet, facet === 'price' ? bandsOf(found, starts ?? []) : found]
  })
  return { total: totals[0]?.total ?? 0, data: Object.fromEntries(entries) }
}

interface Count {
  value: number | string
  count: number
}

/** The filters without those of the facet itself. */
function withoutOwn<Filters extends FacetFilters>(filters: Filters, facet: Facet): Filters {
  return { ...filters, [facet]: null, ...(isArea(facet) ? { areas: null } : {}) }
}

const isArea = (facet: Facet): facet is (typeof AREAS)[number] => LEVELS.some((level) => level === facet)

const fromRows = ({ from, where }: Rows) => sql`from ${from} where ${where ?? sql`true`}`

/** Selects the values of a facet with their counts, most first. Values are sorted as numbers, or by code point. */
function selectCounts(facet: Facet, rows: Rows, starts: number[]): SQL {
  const order = sql`order by count desc, value limit ${MAX_VALUES}`
  const column = sql.raw(facet)
  const found = fromRows(rows)
  if (facet === 'features')
    return sql`select one.value, count(*) as count from (select features ${found}) listing, json_each(listing.features) one
      group by one.value ${order}`
  const value = facet === 'price' ? bandOf(starts) : column
  const counts = sql`select ${value} as value, count(*) as count ${found} and ${column} is not null group by 1`
  if (!isArea(facet)) return sql`${counts} ${order}`
  return sql`select value, name_el, name_en, count from (${counts}) area join locations on id = value ${order}`
}

/** SQL for the number of the band that a price is in. A bound belongs to the band above it. */
function bandOf(starts: number[]): SQL {
  const cases = starts.map((_, index) => {
    const next = starts[index + 1]
    return next === undefined ? `else ${index}` : `when price < ${next} then ${index}`
  })
  return sql.raw(`case ${cases.join(' ')} end`)
}

function bandsOf(counts: Count[], starts: number[]): object[] {
  const ascending = counts.toSorted((a, b) => Number(a.value) - Number(b.value))
  return ascending.map(({ value, count }) => {
    const band = Number(value)
    return { min: starts[band], max: starts[band + 1] ?? null, count }
  })
}
