/**
 * The active listings as visitors of a website see them. Triggers write them in the transaction of each change
 * (`resources/listings/public/triggers.ts`). Readers for visitors read no other data of listings.
 */
import { getTableName } from 'drizzle-orm'
import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const public_listings = sqliteTable('public_listings', {
  id: integer().primaryKey(),
  store_id: integer().notNull(),
  // What listings are searched by, where visitors may see another value than the stored one.
  price: integer(),
  price_per_sqm: real(),
  has_photos: integer({ mode: 'boolean' }).notNull(),
  latitude: real(),
  longitude: real(),
  /** When a shown value last changed; when the listing last changed before it became active. */
  date_updated: text().notNull(),
  /** All shown values as a JSON object (`resources/listings/public/shown.ts`). */
  shown: text().notNull(),
  /** Width and height of each photo in `shown`, as JSON. Not in it, as measuring a picture moves no date. */
  photo_sizes: text().notNull(),
  /** Set within a transaction that writes several pictures: what they give is then made anew once, at its end. */
  pictures_deferred: integer({ mode: 'boolean' }).notNull().default(false),
})

/** The mark in `derivations` of the rows. Its form is empty until all listings are filled, and then another one each time. */
export const FILL_MARK = getTableName(public_listings)

/** SQL for the mark of the last time that all listings were filled. */
export const LAST_FILL = `ifnull((select form from derivations where name = '${FILL_MARK}'), '')`
