/** The agency itself: settings, languages, offices, users, places, and the custom fields it defined. */
import { type AnySQLiteColumn, index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { CustomFieldResource } from '../../catalogue/custom-field.ts'

export const settings = sqliteTable('settings', {
  key: text().primaryKey(),
  value: text({ mode: 'json' }).$type<number | boolean>().notNull(),
})

export const languages = sqliteTable('languages', {
  id: integer().primaryKey(),
  code: text().notNull(),
  name: text().notNull(),
})

export const stores = sqliteTable('stores', {
  id: integer().primaryKey(),
  name: text().notNull(),
  /** Key of the watermark image in the bucket, or a URL elsewhere. */
  watermark: text(),
})

export const users = sqliteTable('users', {
  id: integer().primaryKey(),
  name: text().notNull(),
  email: text(),
  store_id: integer().references(() => stores.id),
})

export const locations = sqliteTable(
  'locations',
  {
    id: integer().primaryKey(),
    /** 1 region, 2 municipality or district, 3 neighbourhood. */
    level: integer().notNull(),
    parent_id: integer().references((): AnySQLiteColumn => locations.id),
    name_el: text().notNull(),
    name_en: text().notNull(),
    full_name_el: text().notNull(),
    full_name_en: text().notNull(),
    /** Both names folded to lower case without accents, for the search filter. */
    search: text().notNull(),
  },
  (table) => [index('locations_by_parent').on(table.parent_id), index('locations_by_level').on(table.level)],
)

/** One row: how often a location got another name, counted by a trigger. What shows names is known to be out of date by it. */
export const location_renames = sqliteTable('location_renames', {
  id: integer().primaryKey(),
  count: integer().notNull(),
})

/**
 * What import may change under others, counted: `definitions` whenever a definition comes to mean something else,
 * `agency` with every write of what is not in the feed of changes.
 */
export const agency_versions = sqliteTable('agency_versions', {
  name: text({ enum: ['definitions', 'agency'] }).primaryKey(),
  version: integer().notNull(),
})

export const special_locations = sqliteTable('special_locations', {
  id: integer().primaryKey(),
  name: text().notNull(),
  latitude: real().notNull(),
  longitude: real().notNull(),
})

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
