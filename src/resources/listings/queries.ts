/** Reading listings: whole records, and the pages of a list. */
import { and, getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { type Conditions, isOneOf, whereClause, within } from '../../db/conditions.ts'
import {
  boundsOf,
  jsonList,
  jsonOf,
  linkedIds,
  orderedPage,
  orderOf,
  type Page,
  type PageQuery,
  readPage,
} from '../../db/page.ts'
import { prepared, preparedAround, type Statement, select } from '../../db/statements.ts'
import { listing_contacts, listing_tag_links, listing_users, listings } from '../../db/tables/listings.ts'
import type { listingFilters } from './schema.ts'

export interface Area {
  id: number
  level: number
  parent_id: number | null
  name_el: string
  name_en: string
  full_name_el: string
  full_name_en: string
}

export interface Translation {
  language_id: number
  title: string | null
  description: string | null
}

const LINK = 'listing_id = listings.id'

/** SQL for an `Area`, as JSON of a row of `locations`. */
export const areaObject = `json_object('id', id, 'level', level, 'parent_id', parent_id, 'name_el', name_el,
  'name_en', name_en, 'full_name_el', full_name_el, 'full_name_en', full_name_en)`

const area = (level: number) =>
  jsonOf<Area | null>(`select ${areaObject} from locations where locations.id = listings.area_level${level}`)

/** Everything that a listing is read with. */
export const FIELDS = {
  ...getTableColumns(listings),
  tags: linkedIds(listings, listing_tag_links),
  contacts: linkedIds(listings, listing_contacts),
  users: linkedIds(listings, listing_users),
  area1: area(1),
  area2: area(2),
  area3: area(3),
  translations: jsonList<Translation>(
    'listing_translations',
    `json_object('language_id', language_id, 'title', title, 'description', description)`,
    LINK,
    'language_id',
  ),
  photos: jsonList<ListingRow['photos'][number]>(
    'listing_photos',
    `json_object('original_image', original_image, 'watermark_image', watermark_image)`,
    LINK,
    'ordernum',
  ),
  panoramas: jsonList<ListingRow['panoramas'][number]>(
    'listing_panoramas',
    `json_object('image', image, 'thumb', thumb)`,
    LINK,
    'ordernum',
  ),
}

/** Whole listings, everything that belongs to them in sub-selects: one statement. */
export function selectListings(rest: SQL): Statement<ListingRow> {
  return select(FIELDS, sql`from ${listings} ${rest}`)
}

/** A stored listing with everything that belongs to it. */
export interface ListingRow extends InferSelectModel<typeof listings> {
  tags: number[]
  contacts: number[]
  users: number[]
  area1: Area | null
  area2: Area | null
  area3: Area | null
  translations: Translation[]
  photos: { original_image: string | null; watermark_image: string | null }[]
  panoramas: { image: string; thumb: string | null }[]
}

/** The listing `id`. */
export const selectListing = prepared(() =>
  selectListings(sql`where ${listings.id} = ${sql.placeholder('id')}`),
)

/** The listings of one page, and how many match in all; one round trip. */
export function findPage(db: Database, filters: Filters): Promise<Page<ListingRow>> {
  return readPage(db, listings, pageQuery(filters), selectPage)
}

const selectPage = preparedAround(selectListings)

export type Filters = z.output<typeof listingFilters>

/** What the names in `sort` stand for. Beside the id, each is the first column of an index that has those of the kind, too. */
const SORTS = {
  id: listings.id,
  date_created: listings.date_created,
  date_updated: listings.date_updated,
}

/** Most ids merged of one kind: they are one JSON value, and D1 has none above 2 MB. */
const MAX_MERGED = 100_000

/**
 * The statements for a page's ids and for the exact total.
 *
 * The counters in `listing_counts` know how many listings there are of each kind, and so which kinds a filter
 * touches. The newest of each such kind come in order out of an index; merging them reads at most
 * (kinds × page × size) index entries, however many listings there are. Pages beyond `MAX_MERGED` are found by the
 * plain condition. Only `search` and the date ranges look at the listings themselves: the former at two, the latter
 * at the matches, in a covering index. Any other order than by id walks its own index until the page is full.
 */
export function pageQuery(filters: Filters): PageQuery {
  const order = orderOf(SORTS, filters.sort)
  const kind = whereClause(KIND_CONDITIONS, filters)
  const other = whereClause(OTHER_CONDITIONS, filters)
  const where = and(other, order.by ? whereClause(SCANNED_KIND_CONDITIONS, filters) : kind)
  const simple = orderedPage(listings, where, filters, order)
  if (other) return simple
  const total = sql`select coalesce(sum(listings), 0) as total from listing_counts where ${kind ?? sql`true`}`
  const columns = kindColumns(filters)
  const isOneKind = columns.every((column) => filters[column]?.length === 1)
  if (!kind || isOneKind || order.by) return { ...simple, total }
  const { limit, offset } = boundsOf(filters)
  const end = offset + limit
  if (end > MAX_MERGED) return { ...simple, total }
  const direction = sql.raw(order.direction)
  const first = sql`
    select json_group_array(id) from (
      select id from listings l where ${sql.raw(isSameKind(columns))} order by id ${direction} limit ${end}
    )`
  const ids = sql`
    select value from
      (select distinct ${sql.raw(columns.join(', '))} from listing_counts where listings > 0 and ${kind}) kind,
      json_each((${first}))
    order by value ${direction} limit ${limit} offset ${offset}`
  return { ids, total, order }
}

type KindColumn = 'category' | 'status' | 'availability' | 'subcategory' | 'subtype'

/** The columns that tell the kinds apart which `filters` ask for: those of one index of `listings`. */
function kindColumns({ subcategory, subtype }: Filters): KindColumn[] {
  const columns: KindColumn[] = ['category', 'status', 'availability']
  if (subtype) return [...columns, 'subcategory', 'subtype']
  return subcategory ? [...columns, 'subcategory'] : columns
}

/**
 * Whether the listing `l` is of the kind `kind`. PUT may clear the subcategory of a listing that keeps its subtype, and
 * listing_counts holds '' for null. Without `subtype` the subcategory itself is filtered, so it is never null: `=` then
 * allows the partial index of the listings that have one, and `is` would not.
 */
function isSameKind(columns: KindColumn[]): string {
  const conditions = columns.map((column) =>
    column === 'subcategory' && columns.includes('subtype')
      ? `l.subcategory is nullif(kind.subcategory, '')`
      : `l.${column} = kind.${column}`,
  )
  return conditions.join(' and ')
}

/** @param sign `+` before a column keeps SQLite from using an index for it */
const kindConditions = (sign: '' | '+') => {
  const column = (name: KindColumn) => sql.raw(sign + name)
  return {
    category: (values) => isOneOf(column('category'), values),
    availability: (values) => isOneOf(column('availability'), values),
    subcategory: (values) => isOneOf(column('subcategory'), values),
    subtype: (ids) =>
      isOneOf(
        column('subtype'),
        // In listing_counts 0 stands for "no subtype", and no id is 0.
        ids.filter((id) => id !== 0),
      ),
    status: (values) => isOneOf(column('status'), values),
  } satisfies Conditions<Pick<Filters, KindColumn>>
}

const KIND_CONDITIONS = kindConditions('')

/** For an order that has an index: without statistics, SQLite would rather sort all listings of a category. */
const SCANNED_KIND_CONDITIONS = kindConditions('+')

const OTHER_CONDITIONS = {
  search: (search) =>
    sql`(code = ${search} or id = ${/^[1-9]\d{0,14}$/.test(search) ? Number(search) : null})`,
  date_created: (range) => within(sql.raw('date_created'), range),
  date_updated: (range) => within(sql.raw('date_updated'), range),
} satisfies Conditions<Omit<Filters, KindColumn>>
