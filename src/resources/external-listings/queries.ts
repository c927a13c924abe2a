/** Reads external listings: whole records, and the pages of the list. */
import { eq, getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { type Conditions, whereClause, within } from '../../db/conditions.ts'
import { linkedIds, type Page, pageWhere, readPage } from '../../db/page.ts'
import { prepared, preparedAround, type Statement, select } from '../../db/statements.ts'
import {
  external_listing_tag_links,
  external_listing_users,
  external_listings,
} from '../../db/tables/external-listings.ts'
import type { externalListingFilters } from './schema.ts'

/** A stored external listing with its tags and users, in their order. */
export interface ExternalListingRow extends InferSelectModel<typeof external_listings> {
  tags: number[]
  users: number[]
}

const FIELDS = {
  ...getTableColumns(external_listings),
  tags: linkedIds(external_listings, external_listing_tag_links),
  users: linkedIds(external_listings, external_listing_users),
}

/** The statement that reads whole external listings. `rest` is the SQL after the table. */
export function selectExternalListings(rest: SQL): Statement<ExternalListingRow> {
  return select(FIELDS, sql`from ${external_listings} ${rest}`)
}

/** Reads the external listing `id`. */
export const selectExternalListing = prepared(() =>
  selectExternalListings(sql`where ${external_listings.id} = ${sql.placeholder('id')}`),
)

const selectPage = preparedAround(selectExternalListings)

type Filters = z.output<typeof externalListingFilters>

const CONDITIONS = {
  availability: (value) => eq(external_listings.availability, value),
  category: (value) => eq(external_listings.category, value),
  status: (value) => eq(external_listings.status, value),
  store_id: (id) => eq(external_listings.store_id, id),
  source_id: (id) => eq(external_listings.source_id, id),
  area_level1: (id) => eq(external_listings.area_level1, id),
  area_level2: (id) => eq(external_listings.area_level2, id),
  price: (range) => within(external_listings.price, range),
  size: (range) => within(external_listings.size, range),
  date_created: (range) => within(external_listings.date_created, range),
  date_updated: (range) => within(external_listings.date_updated, range),
} satisfies Conditions<Filters>

/** One page of external listings, and their total; one round trip. */
export function findPage(db: Database, filters: Filters): Promise<Page<ExternalListingRow>> {
  return readPage(
    db,
    external_listings,
    pageWhere(external_listings, whereClause(CONDITIONS, filters), filters),
    selectPage,
  )
}
