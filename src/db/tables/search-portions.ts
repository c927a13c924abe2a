/** Portions of earlier versions, which may still be at work. A later release drops these tables. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const search_portions = sqliteTable('search_portions', {
  /** The first id of its range. */
  first_id: integer().primaryKey(),
  /** The hash of the code that made it. */
  form: text().notNull(),
  /** Listings in it. */
  rows: integer().notNull(),
  /** The cursor in the change feed up to which it has all changes. */
  cursor: integer().notNull(),
})

export const search_portion_data = sqliteTable('search_portion_data', {
  first_id: integer().primaryKey(),
  data: text().notNull(),
})
