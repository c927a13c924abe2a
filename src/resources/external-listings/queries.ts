/** Reads external listings: whole records, and the pages of the list. */
import { and, eq, getTableColumns, type InferSelectModel, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { AREAS } from '../../db/areas.ts'
import type { Database } from '../../db/client.ts'
import { type Conditions, isLinkedTo, isOneOf, whereClause, within } from '../../db/conditions.ts'
import { linkedIds, orderedPage, orderOf, type Page, readPage } from '../../db/page.ts'
import { isNotDeleted } from '../../db/references.ts'
import { prepared, preparedAround, type Statement, select } from '../../db/statements.ts'
import {
  external_listing_tag_links,
  external_listing_users,
  external_listings,
} from '../../db/tables/external-listings.ts'
import { isInside, isNear } from './place-conditions.ts'
import type { externalListingFilters } from './schema.ts'

/** A stored external listing with its tags and users, in their order. */
export interface ExternalListingRow
  extends Omit<InferSelectModel<typeof external_listings>, 'photo_sources'> {
  tags: number[]
  users: number[]
}

const { photo_sources: _, ...SHOWN_COLUMNS } = getTableColumns(external_listings)

const FIELDS = {
  ...SHOWN_COLUMNS,
  tags: linkedIds(external_listings, external_listing_tag_links),
  users: linkedIds(external_listings, external_listing_users),
}

/** The statement that reads whole external listings, including deleted ones. `rest` is the SQL after the table. */
export function selectExternalListings(rest: SQL): Statement<ExternalListingRow> {
  return select(FIELDS, sql`from ${external_listings} ${rest}`)
}

/** Reads the external listing `id` unless it is deleted. */
export const selectExternalListing = prepared(() =>
  selectExternalListings(sql`where ${external_listings.id} = ${sql.placeholder('id')} and ${isNotDeleted}`),
)

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
  price: (range) => within(external_listings.price, range),
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
