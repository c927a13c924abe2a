/** Pages of listings by kind, code or date: questions that indexes and counters of `listings` answer. */
import { and, sql } from 'drizzle-orm'
import { type Conditions, isOneOf, whereClause, within } from '../../db/conditions.ts'
import { boundsOf, orderedPage, orderOf, type PageQuery } from '../../db/page.ts'
import { listings } from '../../db/tables/listings.ts'
import { pageFilters, type Sort } from '../../http/request/filters.ts'
import { type Filters, listingFilters } from './schema.ts'
import { hasCode } from './search/search.ts'

/** The filters that need no search. */
type KindFilters = Pick<
  Filters,
  'search' | 'date_created' | 'date_updated' | 'page' | 'per_page' | KindColumn
>

/** What the names in `sort` stand for. Beside the id, each is the first column of an index that has those of the kind, too. */
const KIND_SORTS = {
  id: listings.id,
  date_created: listings.date_created,
  date_updated: listings.date_updated,
}

/** An order that an index of `listings` has. */
type KindSort = Sort<keyof typeof KIND_SORTS>

/** Pages from the first on that are read by an index; it reads all pages before one, too. */
const MAX_PAGE = 20

/** Whether all that is asked for is among these questions. */
export function isKindQuery<F extends Filters>(
  filters: F,
): filters is F & { sort?: KindSort | null | undefined } {
  const sort = filters.sort?.replace('-', '')
  return (
    (filters.page ?? 1) <= MAX_PAGE &&
    (!sort || sort in KIND_SORTS) &&
    SEARCHED.every((name) => filters[name as keyof Filters] == null)
  )
}

/**
 * The statements for a page's ids and for the exact total.
 *
 * The counters in `listing_counts` know how many listings there are of each kind, and so which kinds a filter
 * touches. The newest of each such kind come in order out of an index; merging them reads at most
 * (kinds × page × size) index entries, however many listings there are. Only `search` and the date ranges look at
 * the listings themselves: the former at two, the latter at the matches, in a covering index. Any other order than by id
 * walks its own index until the page is full. Deep pages are searched in memory.
 */
export function pageOfKinds(filters: KindFilters & { sort?: KindSort | null | undefined }): PageQuery {
  const order = orderOf(KIND_SORTS, filters.sort)
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
  const direction = sql.raw(order.direction)
  const first = sql`
    select json_group_array(id) from (
      select id from listings l where ${sql.raw(isSameKind(columns))} order by id ${direction} limit ${offset + limit}
    )`
  const ids = sql`
    select value from
      (select distinct ${sql.raw(columns.join(', '))} from listing_counts where listings > 0 and ${kind}) kind,
      json_each((${first}))
    order by value ${direction} limit ${limit} offset ${offset}`
  return { ids, total, order }
}

type KindColumn = 'category' | 'status' | 'availability' | 'subcategory' | 'subtype'

/** The columns that distinguish the kinds which `filters` ask for: those of one index of `listings`. */
function kindColumns({ subcategory, subtype }: KindFilters): KindColumn[] {
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
  } satisfies Conditions<Pick<KindFilters, KindColumn>>
}

const KIND_CONDITIONS = kindConditions('')

/** For an order that has an index: without statistics, SQLite would rather sort all listings of a category. */
const SCANNED_KIND_CONDITIONS = kindConditions('+')

const OTHER_CONDITIONS = {
  search: (search) =>
    sql`(${hasCode(search)} or id = ${/^[1-9]\d{0,14}$/.test(search) ? Number(search) : null})`,
  date_created: (range) => within(sql.raw('date_created'), range),
  date_updated: (range) => within(sql.raw('date_updated'), range),
} satisfies Conditions<Omit<KindFilters, KindColumn>>

/** What is answered without a search, by the names of filters. */
const QUESTIONS = { ...KIND_CONDITIONS, ...OTHER_CONDITIONS, ...pageFilters, sort: null, fields: null }

/** The filters that only a search knows. */
const SEARCHED = Object.keys(listingFilters.shape).filter((name) => !(name in QUESTIONS))
