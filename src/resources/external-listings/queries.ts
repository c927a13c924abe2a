/** Reads external listings: whole records. */
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { isNotDeleted } from '../../db/references.ts'
import { linkedIds } from '../../db/relations.ts'
import { prepared, type RowOf, type Statement, select } from '../../db/statements.ts'
import {
  external_listing_tag_links,
  external_listing_users,
  external_listings,
} from '../../db/tables/external-listings.ts'

/** The lists of ids of an external listing. */
export const LINKS = { tags: external_listing_tag_links, users: external_listing_users }

const FIELDS = {
  ...getTableColumns(external_listings),
  tags: linkedIds(external_listings, LINKS.tags),
  users: linkedIds(external_listings, LINKS.users),
}

/** A stored external listing with its tags and users, in their order. */
export type ExternalListingRow = RowOf<typeof FIELDS>

/** The statement that reads whole external listings, including deleted ones. `rest` is the SQL after the table. */
export function selectExternalListings(rest: SQL): Statement<ExternalListingRow> {
  return select(FIELDS, sql`from ${external_listings} ${rest}`)
}

/** Reads the external listing `id` unless it is deleted. */
export const selectExternalListing = prepared(() =>
  selectExternalListings(sql`where ${external_listings.id} = ${sql.placeholder('id')} and ${isNotDeleted}`),
)
