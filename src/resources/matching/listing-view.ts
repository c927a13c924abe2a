/** A listing as matching reads it: the values that criteria refer to, and the SQL that reads them. */
import { type SQL, sql } from 'drizzle-orm'
import type { Availability, Category, ListingStatus } from '../../catalogue/property-enums.ts'
import { hasChanges } from '../../db/rows.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'

/** SQL for the value that a criterion refers to, by criterion. */
export const VALUE_COLUMNS = {
  subcategories: 'l.subcategory',
  subtypes: 'l.subtype',
  price: 'l.price',
  price_per_sqm: 'l.price_per_sqm',
  size: 'l.size',
  year_built: 'l.year_built',
  rooms: 'l.rooms',
  floor: 'l.floor',
  bathrooms_total: 'l.bathrooms',
  property_condition: 'l.property_condition',
  orientation: `l.extra ->> 'orientation'`,
  heating_type: `l.details ->> 'heating_type'`,
  heating_source: `l.details ->> 'heating_source'`,
  construction_type: `l.details ->> 'construction_type'`,
  garden: `l.details ->> 'garden'`,
  garden_size: `l.extra ->> 'garden_size'`,
  land_size: `l.details ->> 'land_size'`,
  parking_total: `l.details ->> 'parking_total'`,
  build_ratio: `l.details ->> 'build_ratio'`,
  coverage_ratio: `l.details ->> 'coverage_ratio'`,
  yield: `l.extra ->> 'yield'`,
  shortterm_unit: `l.extra ->> 'shortterm_unit'`,
  shortterm_max_guests: `l.extra ->> 'shortterm_max_guests'`,
} as const

/** SQL for the list that a criterion refers to, by criterion. */
export const LIST_COLUMNS = {
  features: 'select value from json_each(l.features)',
  positioning: 'select value from json_each(l.positioning)',
  view: 'select value from json_each(l.view)',
  listing_tags: 'select tag_id as value from listing_tag_links where listing_id = l.id order by position',
} as const

/**
 * Columns that only the limits of requests refer to: a change matters to those requests of which it crosses a limit.
 * Not `floor`, which counts beside an elevator, too.
 */
const LIMITED_COLUMNS = ['price', 'price_per_sqm', 'size', 'year_built', 'rooms'] as const

/** A change of such a column. */
export interface Move {
  column: (typeof LIMITED_COLUMNS)[number]
  from: unknown
  to: unknown
}

/** The columns and lists of a listing that matching reads. */
const READ = new Set([
  ...[
    'category',
    'availability',
    'area_level1',
    'area_level2',
    'area_level3',
    'latitude',
    'longitude',
    'tags',
  ],
  ...[VALUE_COLUMNS, LIST_COLUMNS]
    .flatMap((columns) => Object.values<string>(columns))
    .flatMap((source) => [...source.matchAll(/\bl\.(\w+)/g)].map(([, column]) => column)),
])

/** What a write changes for matching, if that is nothing but values with limits; otherwise null. */
export function movesOf(changes: object, current: object): Move[] | null {
  const stored = new Map<string, unknown>(Object.entries(current))
  const changed = Object.entries(changes).filter(
    ([name, value]) => READ.has(name) && hasChanges({ [name]: value }, current),
  )
  const moves = changed.flatMap(([name, to]): Move[] => {
    const column = LIMITED_COLUMNS.find((limited) => limited === name)
    return column ? [{ column, from: stored.get(name), to }] : []
  })
  return moves.length === changed.length ? moves : null
}

export type ValueName = keyof typeof VALUE_COLUMNS
export type ListName = keyof typeof LIST_COLUMNS

interface ListingBase extends Record<ValueName, string | number | null> {
  id: number
  version: number
  status: ListingStatus
  category: Category
  availability: Availability
  area_level1: number | null
  area_level2: number | null
  area_level3: number | null
  latitude: number | null
  longitude: number | null
}

/** What matching needs of a listing. Values and lists have the names of the criteria that refer to them. */
export interface CandidateListing extends ListingBase, Record<ListName, (string | number)[]> {}

/** A candidate as the database returns it: lists are JSON. */
export type CandidateRow = ListingBase & Record<ListName, string>

/**
 * The statement that reads the listings with `ids` for matching.
 * @param ids a list of ids, or a select of them
 */
export function selectCandidates(ids: SQL): Statement<CandidateRow> {
  const values = Object.entries(VALUE_COLUMNS).map(([name, value]) => `${value} as "${name}"`)
  const lists = Object.entries(LIST_COLUMNS).map(
    ([name, rows]) => `(select json_group_array(value) from (${rows})) as "${name}"`,
  )
  return sqlStatement(sql`select l.id, l.version, l.status, l.category, l.availability,
    l.area_level1, l.area_level2, l.area_level3, l.latitude, l.longitude,
    ${sql.raw([...values, ...lists].join(', '))}
    from listings l where l.id in (${ids})`)
}

/** Reads the result of `selectCandidates`. */
export function readCandidates(rows: CandidateRow[]): CandidateListing[] {
  return rows.map(({ features, positioning, view, listing_tags, ...row }) => ({
    ...row,
    features: JSON.parse(features),
    positioning: JSON.parse(positioning),
    view: JSON.parse(view),
    listing_tags: JSON.parse(listing_tags),
  }))
}
