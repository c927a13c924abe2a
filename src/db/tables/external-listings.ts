/** External listings: properties that competitors and portals offer, and that the agency watches. */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { owner, place, property, record, texts, watchers } from '../../catalogue/external-listing.ts'
import { columns } from '../../fields/derive.ts'
import { locations, stores, users } from './agency.ts'
import { indexesBy } from './indexes.ts'
import { idOf, linkTable } from './links.ts'
import { external_listing_sources, external_listing_statuses, external_listing_tags } from './lookups.ts'
import { personKeys } from './person-keys.ts'

export const external_listings = sqliteTable(
  'external_listings',
  {
    ...columns(record),
    version: integer().notNull().default(1),
    ...columns(watchers, { stores, users }),
    ...columns(property, { external_listing_sources, external_listing_statuses }),
    ...columns(texts),
    ...columns(place, { locations }),
    ...columns(owner),
    /** Keys in the bucket, or external URLs from an import. */
    photos: text({ mode: 'json' }).$type<string[]>().notNull().default([]),
    /** Hashes of the URLs from which `photos` were downloaded, by key. Other keys may be in it, and some missing. */
    photo_sources: text({ mode: 'json' }).$type<Record<string, string>>().notNull().default({}),
    person_keys: personKeys(),
    is_deleted: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    ...indexesBy('external_listings', table, ['is_deleted', 'availability', 'status', 'store_id']),
    ...indexesBy('external_listings', table, ['source_id', 'area_level1', 'area_level2', 'price', 'size']),
    ...indexesBy('external_listings', table, ['date_created', 'date_updated']),
    // Covers every filter but dates and links: what has no index of its own is found by reading this one, not the texts.
    index('external_listings_by_kind').on(
      table.is_deleted,
      table.category,
      table.availability,
      table.subcategory,
      table.store_id,
      table.status,
      table.source_id,
      table.area_level1,
      table.area_level2,
      table.area_level3,
      table.price,
      table.price_per_sqm,
      table.size,
      table.floor,
      table.rooms,
      table.bathrooms,
      table.year_built,
      table.latitude,
      table.longitude,
      sql`json_array_length(photos)`,
    ),
  ],
)

/**
 * The names of the files in `photos` (see `fileNameOf` in `src/files/references.ts`). Triggers maintain them, as no
 * index reaches into a JSON list.
 */
export const external_listing_photo_names = sqliteTable(
  'external_listing_photo_names',
  { external_listing_id: idOf(external_listings), name: text().notNull() },
  (table) => [
    primaryKey({ columns: [table.external_listing_id, table.name] }),
    index('external_listing_photo_names_by_name').on(table.name),
  ],
)

export const external_listing_tag_links = linkTable('external_listing_tag_links', {
  external_listing_id: external_listings,
  tag_id: external_listing_tags,
})

export const external_listing_users = linkTable('external_listing_users', {
  external_listing_id: external_listings,
  user_id: users,
})
