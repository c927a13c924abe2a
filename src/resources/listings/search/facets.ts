/** Facets: how many listings each value of a field has under the filters, its own left out. */
import { z } from 'zod'
import type { Availability } from '../../../catalogue/property-enums.ts'
import { AREAS } from '../../../db/areas.ts'
import { named } from '../../../fields/values.ts'
import { type Counted, countedBody } from '../../../http/reply/envelope.ts'
import { countRows, listRows, noRows, type Rows } from './bits.ts'
import { CodeColumn, KeysColumn } from './columns.ts'
import { DEFAULT_FACETS, FACETS, FIELDS, type FieldName } from './fields.ts'
import type { ListingIndex, View } from './listing-index.ts'
import { type Criteria, findRowsWithout, type Searcher } from './matching.ts'

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

const area = z
  .array(
    named('AreaCount', 'A place, and how many listings are in it', {
      value: z.int().describe('Id of the location'),
      name_el: z.string().describe('Name in Greek'),
      name_en: z.string().describe('Name in English'),
      count,
    }),
  )
  .optional()

const bands = z
  .array(
    named('PriceBand', 'A band of prices, and how many listings are in it', {
      min: z.int().describe('From this price on'),
      max: z.int().nullable().describe('Below this price; null means no limit'),
      count,
    }),
  )
  .optional()
  .describe('Ascending; absent unless `availability` is a single value')

const shapeOf = (name: FieldName) => {
  const doc = `Values of the filter \`${name}\``
  const { kind } = FIELDS[name]
  if (name === 'price') return bands
  if (kind === 'places') return area.describe(doc)
  if (kind === 'keys') return values(z.string(), `${doc}; a listing counts for each that it has`)
  return kind === 'choice' ? values(z.string(), doc) : values(z.int(), doc)
}

export const facetsBody = countedBody(
  named(
    'ListingFacets',
    `For each facet, the values that listings have: most first, at most ${MAX_VALUES}. Each is counted ` +
      'under all filters but its own; `areas` belongs to all three levels.',
    Object.fromEntries(FACETS.map((name) => [name, shapeOf(name)])),
  ),
).meta({ id: 'ListingFacetsResponse', description: 'How many listings each value has' })

/** Counts the facets `names`, and how many listings meet all filters. */
export function countFacets(
  index: ListingIndex,
  searcher: Searcher,
  criteria: Criteria,
  names: readonly FieldName[] | null | undefined,
): Counted {
  const starts = bandsFor(criteria.availability)
  const wanted = FACETS.filter(
    (name) => (names ?? DEFAULT_FACETS).includes(name) && (name !== 'price' || starts),
  )
  const without = wanted.map((name) => (isArea(name) ? [name, 'areas'] : [name]))
  const [all, ...found] = findRowsWithout(index, searcher, criteria, [[], ...without])
  // Most facets have the same rows: those whose own filter is not set.
  const lists = new Map<Rows | undefined, Uint32Array>()
  const listOf = (rows: Rows | undefined) => {
    const list = lists.get(rows) ?? listRows(rows ?? noRows(0))
    lists.set(rows, list)
    return list
  }
  const data = wanted.map((name, at) => {
    const rows = listOf(found[at])
    return [
      name,
      starts && name === 'price'
        ? countBands(index, searcher.view, rows, starts)
        : countValues(index, searcher.view, name, rows),
    ]
  })
  return { total: all ? countRows(all) : 0, data: Object.fromEntries(data) }
}

const isArea = (name: FieldName) => AREAS.some((level) => level === name)

/** Where the bands begin; null unless there is one availability, as rents and prices do not compare. */
function bandsFor(availability: Criteria['availability']): readonly number[] | null {
  const [offered] = availability?.length === 1 ? availability : []
  if (!offered) return null
  return SALES.has(offered) ? SALE_BANDS : RENT_BANDS
}

interface Count {
  value: string | number
  count: number
}

/** The values of a column, most first; those of the same count as numbers, or by code point. */
function countValues(index: ListingIndex, view: View, name: FieldName, rows: Uint32Array): object[] {
  const sorted = countsOf(index, view, name, rows).sort(
    (a, b) => b.count - a.count || (a.value < b.value ? -1 : 1),
  )
  if (!isArea(name)) return sorted.slice(0, MAX_VALUES)
  return sorted
    .flatMap(({ value, count }) => {
      const place = index.places.get(Number(value))
      return place ? { value, name_el: place.name_el, name_en: place.name_en, count } : []
    })
    .slice(0, MAX_VALUES)
}

function countsOf(index: ListingIndex, view: View, name: FieldName, rows: Uint32Array): Count[] {
  const column = index.column(name, view)
  if (column instanceof KeysColumn) {
    const counts = column.count(rows)
    return column.keys
      .flatMap((value, at) => ({ value, count: counts[at] ?? 0 }))
      .filter(({ count }) => count > 0)
  }
  if (!(column instanceof CodeColumn)) throw new Error(`${name} cannot be counted`)
  const counts = column.count(rows)
  // Code 0 stands for null.
  return column.values
    .map((value, at) => ({ value, count: counts[at + 1] ?? 0 }))
    .filter(({ count }) => count > 0)
}

/** The bands that prices are in, ascending. A bound belongs to the band above it. */
function countBands(index: ListingIndex, view: View, rows: Uint32Array, starts: readonly number[]): object[] {
  const counts = new Uint32Array(starts.length)
  for (const price of index.column('price', view).sortKeys(rows)) {
    if (Number.isNaN(price)) continue
    let band = 0
    while (band + 1 < starts.length && price >= (starts[band + 1] ?? 0)) band++
    counts[band] = (counts[band] ?? 0) + 1
  }
  return starts.flatMap((min, band) => {
    const count = counts[band] ?? 0
    return count > 0 ? { min, max: starts[band + 1] ?? null, count } : []
  })
}
