/**
 * Portions of the index of searches (`resources/listings/search/portions.ts`). The data is in a table of its own, as noting
 * a cursor would write it anew.
 */
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const index_portions = sqliteTable(
  'index_portions',
  {
    id: integer().primaryKey(),
    /** The hash of the code that made it. */
    form: text().notNull(),
    /** The ids that it covers. No two portions of one form cover the same id. */
    first_id: integer().notNull(),
    last_id: integer().notNull(),
    /** Listings in it. */
    rows: integer().notNull(),
    /** The cursor in the change feed up to which it has all changes. */
    cursor: integer().notNull(),
  },
  (table) => [uniqueIndex('index_portions_by_range').on(table.form, table.first_id)],
)

/** A trigger removes it with its portion. */
export const index_portion_data = sqliteTable('index_portion_data', {
  portion_id: integer()
    .primaryKey()
    .references(() => index_portions.id),
  data: text().notNull(),
})

/** The forms of portions that versions at work use. Times are seconds of `unixepoch()`. */
export const index_forms = sqliteTable('index_forms', {
  form: text().primaryKey(),
  /** When portions of it were last looked after, within an hour. */
  used: integer().notNull(),
  /** Until when the request that makes portions has this work for itself. */
  held_until: integer().notNull(),
})
