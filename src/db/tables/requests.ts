/** Requests of buyers, and the listings that match them. */
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Subcategory } from '../../catalogue/property-enums.ts'
import { type Criteria, kind, record, remarks, SCALARS, work } from '../../catalogue/request.ts'
import { columns } from '../../fields/derive.ts'
import { locations, stores, users } from './agency.ts'
import { contacts } from './contacts.ts'
import { indexesBy } from './indexes.ts'
import { idOf, linkTable } from './links.ts'
import { listings, UNMATCHED } from './listings.ts'
import { request_sources, request_statuses, request_tags } from './lookups.ts'

export const requests = sqliteTable(
  'requests',
  {
    ...columns(record, { users }),
    /** Raised by every write, and when a point of interest in its criteria moves. */
    version: integer().notNull().default(1),
    /** The version for which its matches were found. It is reset to 0 when a match drops out of a full set. */
    matched_version: integer().notNull().default(0),
    /** How many matches it has, counted by triggers; null until it is matched. */
    match_count: integer(),
    ...columns(work, { stores, request_sources, request_statuses }),
    ...columns(kind),
    subcategories: text({ mode: 'json' }).$type<Subcategory[]>().notNull(),
    subtypes: text({ mode: 'json' }).$type<number[]>().notNull().default([]),
    ...columns(SCALARS),
    ...columns(remarks),
    /** Search criteria of `extra_fields`, by name. */
    criteria: text({ mode: 'json' }).$type<Criteria>().notNull().default({}),
    /** Custom-field values of `extra_fields`, by custom field id. */
    custom_fields: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull().default({}),
    is_deleted: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    ...indexesBy('requests', table, ['is_deleted', 'availability', 'status', 'store_id', 'date_created']),
    ...indexesBy('requests', table, ['date_updated']),
    index('requests_by_category').on(table.is_deleted, table.category, table.availability),
    index('requests_unmatched').on(table.id).where(UNMATCHED),
  ],
)

export const request_contacts = linkTable(
  'request_contacts',
  { request_id: requests, contact_id: contacts },
  [['contact_id', 'request_id']],
)

export const request_users = linkTable('request_users', { request_id: requests, user_id: users }, [
  ['user_id'],
])

export const request_tag_links = linkTable('request_tag_links', {
  request_id: requests,
  tag_id: request_tags,
})

export const request_locations = linkTable(
  'request_locations',
  { request_id: requests, location_id: locations },
  // In the order of request ids, so that matching reads the requests of a place page by page.
  [({ location_id, request_id }) => index('request_locations_by_place').on(location_id, request_id)],
)

export const request_matches = sqliteTable(
  'request_matches',
  {
    request_id: idOf(requests),
    listing_id: idOf(listings),
    /** 0–100; 100 when no criterion deviates. */
    score: integer().notNull(),
    /** Obsolete, always `[]`: deviations are computed when they are shown. */
    deviations: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.request_id, table.listing_id] }),
    // Each in the order of its list, so that a page reads no more rows than it shows.
    index('request_matches_by_score').on(table.request_id, table.score, table.listing_id),
    index('request_matches_by_listing').on(table.listing_id, table.score, table.request_id),
  ],
)
