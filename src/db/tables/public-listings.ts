/**
 * What visitors of a website may see of the active listings. Triggers write both tables in the transaction of each
 * change (`resources/listings/public/triggers.ts`), and readers for visitors read no other data of listings.
 */
import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { listings } from './listings.ts'

/** All shown values of a listing as JSON (`resources/listings/public/shown.ts`). */
export const public_documents = sqliteTable('public_documents', {
  id: integer()
    .primaryKey()
    .references(() => listings.id),
  shown: text().notNull(),
})

/** The shown values that visitors search by. */
export const public_listings = sqliteTable('public_listings', {
  id: integer().primaryKey(),
  store_id: integer().notNull(),
  code: text(),
  category: text().notNull(),
  availability: text().notNull(),
  subcategory: text(),
  subtype: integer(),
  area_level1: integer(),
  area_level2: integer(),
  area_level3: integer(),
  price: integer(),
  price_per_sqm: real(),
  size: real(),
  land_size: real(),
  floor: real(),
  rooms: integer(),
  bathrooms: integer(),
  year_built: integer(),
  property_condition: text(),
  energy_class: text(),
  is_negotiable: integer({ mode: 'boolean' }).notNull(),
  has_photos: integer({ mode: 'boolean' }).notNull(),
  has_tour: integer({ mode: 'boolean' }).notNull(),
  has_video: integer({ mode: 'boolean' }).notNull(),
  features: text({ mode: 'json' }).$type<string[]>().notNull(),
  positioning: text({ mode: 'json' }).$type<string[]>().notNull(),
  view: text({ mode: 'json' }).$type<string[]>().notNull(),
  flooring: text({ mode: 'json' }).$type<string[]>().notNull(),
  latitude: real(),
  longitude: real(),
  date_listed: text(),
  /** When a shown value last changed; when the listing last changed before it became active. */
  date_updated: text().notNull(),
})
