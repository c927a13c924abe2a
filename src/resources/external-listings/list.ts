/** The list of external listings: its filters, their conditions, and its pages. */
import { and, eq, ne, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { AVAILABILITIES, CATEGORIES } from '../../catalogue/enums.ts'
import { AREAS } from '../../db/areas.ts'
import type { Database } from '../../db/client.ts'
import { type Conditions, isLinkedTo, isOneOf, whereClause, within } from '../../db/conditions.ts'
import { orderedPage, orderOf, type Page, readPage } from '../../db/page.ts'
import { isNotDeleted } from '../../db/references.ts'
import { preparedAround } from '../../db/statements.ts'
import {
  external_listing_tag_links,
  external_listing_users,
  external_listings,
} from '../../db/tables/external-listings.ts'
import {
  dateTimeRange,
  fieldsFilter,
  idFilter,
  idsFilter,
  intRange,
  listFilters,
  oneOfFilter,
  usersFilter,
} from '../../http/request/filters.ts'
import { listingFilters } from '../listings/schema.ts'
import { searchFilters } from '../listings/search/filters.ts'
import { isInside, isNear } from './place-conditions.ts'
import { type ExternalListingRow, selectExternalListings } from './queries.ts'

export const externalListingFilters = z
  .object({
    availability: oneOfFilter(AVAILABILITIES).describe('How it is offered'),
    category: oneOfFilter(CATEGORIES).describe('Kind of property'),
    status: idFilter().describe('Id from the statuses lookup'),
    store_id: idFilter().describe('Store'),
    source_id: idFilter().describe('Id from the sources lookup'),
    area_level1: idFilter().describe('Region'),
    area_level2: idFilter().describe('Municipality or district'),
    price: intRange().describe('Asking price; listings without one do not match'),
    size: intRange().describe('Square metres; listings without a size do not match'),
    date_created: dateTimeRange().describe('When it was created'),
    date_updated: dateTimeRange().describe('When it last changed'),
    subcategory: listingFilters.shape.subcategory,
    price_per_sqm: searchFilters.price_per_sqm,
    floor: searchFilters.floor,
    rooms: searchFilters.rooms,
    bathrooms: searchFilters.bathrooms,
    year_built: searchFilters.year_built,
    ids: searchFilters.ids.describe('One id of an external listing or several'),
    tags: idsFilter().describe('One id or several from the tags lookup'),
    users: usersFilter().describe('Agents who follow it: one id or several'),
    areas: searchFilters.areas,
    area_level3: searchFilters.area_level3,
    has_photos: searchFilters.has_photos,
    bounds: searchFilters.bounds,
    near: searchFilters.near,
    ...listFilters('date_created', 'date_updated'),
    fields: fieldsFilter().describe('`all` shows each record as a single read does'),
  })
  .meta({
    id: 'ExternalListingFilters',
    description: 'Filters of external listings; an external listing must meet all of them',
  })

const selectPage = preparedAround(selectExternalListings)

type Filters = z.output<typeof externalListingFilters>

/** Filters without an index of their own: all of `external_listings_by_kind` is read for them. */
const UNINDEXED_CONDITIONS = {
  subcategory: (values) => isOneOf(external_listings.subcategory, values),
  price_per_sqm: (range) => within(external_listings.price_per_sqm, range),
  floor: (range) => within(external_listings.floor, range),
  rooms: (range) => within(external_listings.rooms, range),
  bathrooms: (range) => within(external_listings.bathrooms, range),
  year_built: (range) => within(external_listings.year_built, range),
  areas: (ids) => or(...AREAS.map((level) => isOneOf(external_listings[level], ids))),
  area_level3: (ids) => isOneOf(external_listings.area_level3, ids),
  has_photos: (value) => sql`(json_array_length(photos) > 0) = ${value ? 1 : 0}`,
  bounds: isInside,
  near: isNear,
} satisfies Partial<Conditions<Filters>>

/** Filters that leave few records, or that `external_listings_by_kind` does not cover. */
const SELECTIVE_CONDITIONS = {
  area_level2: (id) => eq(external_listings.area_level2, id),
  date_created: (range) => within(external_listings.date_created, range),
  date_updated: (range) => within(external_listings.date_updated, range),
  ids: (ids) => isOneOf(external_listings.id, ids),
  tags: (ids) => isLinkedTo(external_listing_tag_links, ids),
  users: (ids) => isLinkedTo(external_listing_users, ids),
} satisfies Partial<Conditions<Filters>>

const INDEXED_CONDITIONS = {
  availability: (value) => eq(external_listings.availability, value),
  category: (value) => eq(external_listings.category, value),
  status: (value) => eq(external_listings.status, value),
  store_id: (id) => eq(external_listings.store_id, id),
  source_id: (id) => eq(external_listings.source_id, id),
  area_level1: (id) => eq(external_listings.area_level1, id),
  price: (range) => {
    const isWithin = within(external_listings.price, range)
    // 0 is written where there is no price.
    return isWithin && and(isWithin, ne(external_listings.price, 0))
  },
  size: (range) => within(external_listings.size, range),
} satisfies Conditions<Omit<Filters, keyof typeof UNINDEXED_CONDITIONS | keyof typeof SELECTIVE_CONDITIONS>>

const { id, date_created, date_updated } = external_listings

const BY_KIND = sql`${external_listings} indexed by external_listings_by_kind`

/** One page of the external listings that are not deleted, and their total; one round trip. */
export function findPage(db: Database, filters: Filters): Promise<Page<ExternalListingRow>> {
  const scanned = whereClause(UNINDEXED_CONDITIONS, filters)
  const narrow = whereClause(SELECTIVE_CONDITIONS, filters)
  const where = and(isNotDeleted, scanned, narrow, whereClause(INDEXED_CONDITIONS, filters))
  const order = orderOf({ id, date_created, date_updated }, filters.sort)
  // SQLite would rather read the records with all their texts, newest first.
  const from = scanned && !narrow && !order.by ? BY_KIND : external_listings
  return readPage(db, external_listings, orderedPage(from, where, filters, order), selectPage)
}
