/** Reading external listings: whole records, and the pages of the list. */
import { desc, eq, getTableColumns, type InferSelectModel, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Database, within } from '../../db/client.ts'
import { type Conditions, whereOf } from '../../db/conditions.ts'
import { listOf, type Page, pageWhere, readPage } from '../../db/page.ts'
import { fixed, fixedAround } from '../../db/statements.ts'
import { external_listings } from '../../db/tables/external-listings.ts'
import type { externalListingFilters } from './schema.ts'

const LINK = 'external_listing_id = external_listings.id'

/** A stored external listing with its tags and users, in their order. */
export interface ExternalListingRow extends InferSelectModel<typeof external_listings> {
  tags: number[]
  users: number[]
}

/** Whole external listings, their lists in sub-selects: one statement. */
export function selectExternalListings(db: Database) {
  return db
    .select({
      ...getTableColumns(external_listings),
      tags: listOf<number>('external_listing_tag_links', 'tag_id', LINK),
      users: listOf<number>('external_listing_users', 'user_id', LINK),
    })
    .from(external_listings)
}

/** The external listing `id`. */
export const selectExternalListing = fixed((db) =>
  selectExternalListings(db).where(eq(external_listings.id, sql.placeholder('id'))),
)

const selectPage = fixedAround((db, ofPage) =>
  selectExternalListings(db).where(ofPage).orderBy(desc(external_listings.id)),
)

type Filters = z.output<typeof externalListingFilters>

const CONDITIONS = {
  availability: (value) => eq(external_listings.availability, value),
  category: (value) => eq(external_listings.category, value),
  status: (value) => eq(external_listings.status, value),
  store_id: (id) => eq(external_listings.store_id, id),
  source_id: (id) => eq(external_listings.source_id, id),
  area_level1: (id) => eq(external_listings.area_level1, id),
  area_level2: (id) => eq(external_listings.area_level2, id),
  price: (range) => within(sql`${external_listings.price}`, range),
  size: (range) => within(sql`${external_listings.size}`, range),
  date_created: (range) => within(sql`${external_listings.date_created}`, range),
  date_updated: (range) => within(sql`${external_listings.date_updated}`, range),
} satisfies Conditions<Filters>

/** The external listings of one page, newest first, and how many match in all; one round trip. */
export function findPage(db: Database, filters: Filters): Promise<Page<ExternalListingRow>> {
  return readPage(
    db,
    'external_listings',
    pageWhere('external_listings', whereOf(CONDITIONS, filters), filters.page),
    selectPage,
  )
}
