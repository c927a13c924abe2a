/** Import and export of external listings: the full object, photos as keys or URLs. */
import { asc, gt, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { replaceLinkRows, upsertRows } from '../../db/bulk.ts'
import { batch, type Database } from '../../db/client.ts'
import * as tables from '../../db/tables/external-listings.ts'
import { formatDateTime } from '../../fields/values.ts'
import { type ExternalListingRow, selectExternalListings } from '../../resources/external-listings/queries.ts'
import {
  checkAreas,
  checkSubcategory,
  columnsOf,
  type Found,
  pricePerSqm,
  readFound,
  referencesOf,
  selectFound,
} from '../../resources/external-listings/rules.ts'
import { importedExternalListing, presentExternalListing } from '../../resources/external-listings/schema.ts'
import { type Entity, entity } from '../entity.ts'

type Imported = z.output<typeof importedExternalListing>

interface Context {
  found: Found
  stored: Map<number, ExternalListingRow>
}

const externalListings = entity<typeof importedExternalListing, Context>({
  name: 'external_listings',
  schema: importedExternalListing,
  references: referencesOf,
  load: async (db, values) => {
    const ids = JSON.stringify(values.map(({ id }) => id ?? 0))
    const [rows, ...answers] = await batch(db, [
      selectExternalListings(db).where(
        inArray(tables.external_listings.id, sql`(select value from json_each(${ids}))`),
      ),
      ...selectFound(db, values, []),
    ])
    return { found: readFound(...answers), stored: new Map(rows.map((row) => [row.id, row])) }
  },
  check: (draft, { found }) => {
    checkSubcategory(draft)
    checkAreas(draft, found)
  },
  store: storeExternalListings,
  page: async (db, after, limit) => {
    const rows = await selectExternalListings(db)
      .where(gt(tables.external_listings.id, after))
      .orderBy(asc(tables.external_listings.id))
      .limit(limit)
    return rows.map((row) => presentExternalListing(row, (key) => key))
  },
})

export const externalListingEntities: Entity[] = [externalListings]

function storeExternalListings(db: Database, lines: Imported[], { found, stored }: Context) {
  return [
    upsertRows(
      db,
      tables.external_listings,
      lines.map((line) => rowOf(line, found, stored.get(line.id))),
    ),
    ...replaceLinkRows(
      db,
      tables.external_listing_tag_links,
      ['external_listing_id', 'tag_id'],
      lines,
      (line) => line.tags,
    ),
    ...replaceLinkRows(
      db,
      tables.external_listing_users,
      ['external_listing_id', 'user_id'],
      lines,
      (line) => line.users,
    ),
  ]
}

/**
 * An external listing's row. Of what a line leaves open, status, dates and photos keep their stored values, so that the same
 * file twice changes nothing; null, unlike nothing, is stored as null.
 */
function rowOf(line: Imported, { default_status }: Found, stored: ExternalListingRow | undefined) {
  const created = line.date_created ?? stored?.date_created ?? formatDateTime(new Date())
  const status = stored ? stored.status : default_status
  return {
    ...columnsOf(line),
    id: line.id,
    status: line.status === undefined ? status : line.status,
    price_per_sqm: line.price_per_sqm === undefined ? pricePerSqm(line) : line.price_per_sqm,
    date_created: created,
    date_updated: line.date_updated ?? stored?.date_updated ?? created,
    photos: line.photos ?? stored?.photos ?? [],
  }
}
