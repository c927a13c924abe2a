/** Reading external listings: whole records, and the pages of the list. */
import { and, desc, getTableColumns, type InferSelectModel, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Database, within } from '../../db/client.ts'
import { equals } from '../../db/conditions.ts'
import { listOf, type Page, pageWhere, readPage } from '../../db/page.ts'
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

type Filters = z.output<typeof externalListingFilters>

/** The external listings of one page, newest first, and how many match in all; one round trip. */
export function findPage(db: Database, filters: Filters): Promise<Page<ExternalListingRow>> {
  const table = external_listings
  const where = and(
    equals(table.availability, filters.availability),
    equals(table.category, filters.category),
    equals(table.status, filters.status),
    equals(table.store_id, filters.store_id),
    equals(table.source_id, filters.source_id),
    equals(table.area_level1, filters.area_level1),
    equals(table.area_level2, filters.area_level2),
    within(sql`${table.price}`, filters.price),
    within(sql`${table.size}`, filters.size),
    within(sql`${table.date_created}`, filters.date_created),
    within(sql`${table.date_updated}`, filters.date_updated),
  )
  return readPage(db, 'external_listings', pageWhere('external_listings', where, filters.page), (ofPage) =>
    selectExternalListings(db).where(ofPage).orderBy(desc(external_listings.id)),
  )
}
