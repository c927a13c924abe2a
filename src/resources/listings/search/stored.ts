/** Lists of all listings, for keys that see what is stored. */
import { type SQLWrapper, sql } from 'drizzle-orm'
import type { Database } from '../../../db/client.ts'
import { isLinkedTo, isOneOf, within } from '../../../db/conditions.ts'
import { orderOf, type Page, type PageQuery, readPage } from '../../../db/page.ts'
import { preparedAround } from '../../../db/statements.ts'
import { listing_tag_links, listing_users, listings } from '../../../db/tables/listings.ts'
import { searched_listings } from '../../../db/tables/public-listings.ts'
import type { Sort } from '../../../http/request/filters.ts'
import { KIND_SORTS, pageOfKinds } from '../kinds.ts'
import { type ListingRow, selectListings } from '../queries.ts'
import type { Filters } from '../schema.ts'
import { hasWords } from '../text/search.ts'
import { distanceTo, SEARCH_CONDITIONS } from './conditions.ts'
import { searchFilters } from './filters.ts'
import { pageOfRows, type SearchView, searchRows } from './source.ts'

const searched = { ...searchFilters, tags: null, users: null }
const SEARCHED = Object.keys(searched) as (keyof typeof searched)[]

/** The listings of one page, and how many match in all; one round trip. */
export function findPage(db: Database, filters: Filters): Promise<Page<ListingRow>> {
  return readPage(db, listings, pageQuery(filters), selectPage)
}

const selectPage = preparedAround(selectListings)

/** The statements for the ids of a page and for the exact total. */
export function pageQuery(filters: Filters): PageQuery {
  const { sort } = filters
  const isSearch = SEARCHED.some((name) => filters[name] != null)
  return isSearch || !hasKindSort(sort) ? pageOfSearch(filters) : pageOfKinds(filters, sort)
}

function hasKindSort(sort: Filters['sort']): sort is Sort<keyof typeof KIND_SORTS> | null | undefined {
  return !sort || sort.replace('-', '') in KIND_SORTS
}

function pageOfSearch(filters: Filters): PageQuery {
  const rows = searchRows(STORED_VIEW, filters)
  const distance = filters.near ? distanceTo(filters.near) : listings.id
  const query = pageOfRows(searched_listings, rows, filters, orderOf({ ...SORTS, distance }, filters.sort))
  return { ...query, order: orderOf({ ...ROW_SORTS, distance }, filters.sort) }
}

type Sorts = Record<Exclude<NonNullable<Filters['sort']>, `-${string}` | 'distance'>, SQLWrapper>

/** What the names in `sort` stand for in a row of `listings`. */
const ROW_SORTS: Sorts = {
  ...KIND_SORTS,
  price: listings.price,
  price_per_sqm: listings.price_per_sqm,
  size: listings.size,
  rooms: listings.rooms,
  date_listed: listings.status_date,
}

/** What they stand for in a row of `searched_listings`. */
const SORTS: Sorts = {
  id: searched_listings.id,
  date_created: searched_listings.date_created,
  // Every write changes it, and would write the row of the search, too.
  date_updated: sql`(select date_updated from ${listings} where ${listings.id} = ${searched_listings.id})`,
  price: searched_listings.price,
  price_per_sqm: searched_listings.price_per_sqm,
  size: searched_listings.size,
  rooms: searched_listings.rooms,
  date_listed: searched_listings.date_listed,
}

/** All listings as they are stored. */
export const STORED_VIEW: SearchView<Filters> = {
  table: searched_listings,
  precision: `'exact'`,
  indexes: { area: 'searched_listings_by_area' },
  conditions: {
    ...SEARCH_CONDITIONS,
    text: hasWords(searched_listings),
    status: (values) => isOneOf(searched_listings.status, values),
    tags: (ids) => isLinkedTo(listing_tag_links, ids),
    users: (ids) => isLinkedTo(listing_users, ids),
    date_created: (range) => within(searched_listings.date_created, range),
    date_updated: (range) =>
      sql`id in (select ${listings.id} from ${listings} where ${within(listings.date_updated, range) ?? sql`true`})`,
  },
}
