/**
 * The values by which listings are searched, one narrow row a listing: what visitors of a website may see of the active
 * ones, and what the agency stores of all. Triggers write both tables in the transaction of each change
 * (`resources/listings/public/triggers.ts`). Readers for visitors read no other data of listings.
 */
import { index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Availability, Category, ListingStatus } from '../../catalogue/enums.ts'

/** Values of both tables have the same names, so the same conditions search them. */
const searchColumns = () => ({
  id: integer().primaryKey(),
  store_id: integer().notNull(),
  code: text(),
  category: text().$type<Category>().notNull(),
  availability: text().$type<Availability>().notNull(),
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
  /** The lowest of the areas that is known. */
  area: integer(),
  /** Number of the point's cell (`resources/listings/search/cells.ts`). */
  cell: integer(),
})

/** The active listings, as they are shown. */
export const public_listings = sqliteTable(
  'public_listings',
  {
    ...searchColumns(),
    /** When a shown value last changed; when the listing last changed before it became active. */
    date_updated: text().notNull(),
    /** All shown values as JSON (`resources/listings/public/shown.ts`). Behind the others, as it is long. */
    shown: text().notNull().default('[]'),
    /** Width and height of each photo in `shown`, as JSON. Not in it, as measuring a picture moves no date. */
    photo_sizes: text().notNull().default('[]'),
  },
  // Each holds what a search by its first columns also asks for: reading the rows themselves takes ten times as long.
  (table) => {
    const asked = [
      table.availability,
      table.category,
      table.subcategory,
      table.price,
      table.size,
      table.rooms,
      table.has_photos,
      table.bathrooms,
      table.floor,
      table.subtype,
      table.property_condition,
      table.has_tour,
      table.has_video,
      table.is_negotiable,
      table.store_id,
      table.price_per_sqm,
      table.date_listed,
      table.energy_class,
      table.year_built,
      table.land_size,
    ]
    const rest = [
      table.area_level1,
      table.area_level2,
      table.area_level3,
      table.date_updated,
      table.features,
      table.positioning,
      table.view,
      table.flooring,
    ]
    return [
      // Without the rest it is short, so a search of all reads few pages.
      index('public_listings_by_kind').on(table.availability, ...asked.slice(1)),
      index('public_listings_by_area').on(table.area, ...asked, table.latitude, table.longitude, ...rest),
      index('public_listings_by_cell').on(table.cell, table.latitude, table.longitude, ...asked, ...rest),
    ]
  },
)

/** All listings, as they are stored. */
export const searched_listings = sqliteTable(
  'searched_listings',
  { ...searchColumns(), status: text().$type<ListingStatus>().notNull(), date_created: text().notNull() },
  (table) => [index('searched_listings_by_area').on(table.area)],
)
