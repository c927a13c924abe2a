/** The agency itself: settings, languages, stores, users, places and custom fields. */
import { type AnySQLiteColumn, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { language, place, specialLocation, store, user } from '../../catalogue/agency.ts'
import type { CustomFieldResource } from '../../catalogue/custom-field.ts'
import { columns } from '../../fields/derive.ts'

export const settings = sqliteTable('settings', {
  key: text().primaryKey(),
  value: text({ mode: 'json' }).$type<number | boolean | string | Record<string, unknown>>().notNull(),
})

export const languages = sqliteTable('languages', columns(language))

export const stores = sqliteTable('stores', columns(store))

export const users = sqliteTable('users', columns(user, { stores }))

export const locations = sqliteTable(
  'locations',
  {
    ...columns(place, { locations: null }),
    parent_id: integer().references((): AnySQLiteColumn => locations.id),
    /** Both names folded to lower case without accents, for the search filter. */
    search: text().notNull(),
  },
  (table) => [index('locations_by_parent').on(table.parent_id), index('locations_by_level').on(table.level)],
)

/** One row: how often a location was renamed, counted by a trigger. It shows whether stored names are out of date. */
export const location_renames = sqliteTable('location_renames', {
  id: integer().primaryKey(),
  count: integer().notNull(),
})

/**
 * Counters for changes outside the change feed. `definitions` rises when the meaning of a definition changes, `agency`
 * with every write to data outside the feed.
 */
export const agency_versions = sqliteTable('agency_versions', {
  name: text({ enum: ['definitions', 'agency'] }).primaryKey(),
  version: integer().notNull(),
})

/** Records outside the change feed that were written, which an export looks up: one row for each. */
export const agency_changes = sqliteTable(
  'agency_changes',
  {
    /** The name of their table. */
    entity: text().notNull(),
    /** The id or key of the record. */
    key: text().notNull(),
    /** The version of the agency with its last write, and with its first; 0 if that is not known. */
    version: integer().notNull(),
    added: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.entity, table.key] }),
    index('agency_changes_by_version').on(table.version),
  ],
)

export const special_locations = sqliteTable('special_locations', columns(specialLocation))

export const custom_fields = sqliteTable(
  'custom_fields',
  {
    id: integer().primaryKey(),
    resource: text().$type<CustomFieldResource>().notNull(),
    name: text().notNull(),
    type: text().notNull(),
    options: text({ mode: 'json' }).$type<{ id: number; name: string }[]>(),
  },
  (table) => [index('custom_fields_by_resource').on(table.resource)],
)
