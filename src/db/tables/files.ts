/** What the sweep of the bucket has to remember. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Files that no row referred to when the sweep came by, until they are deleted or referred to again. */
export const unreferenced_files = sqliteTable('unreferenced_files', {
  key: text().primaryKey(),
  first_seen: text().notNull(),
})

/** How far the sweep has come; one row. */
export const file_sweeps = sqliteTable('file_sweeps', {
  id: integer().primaryKey(),
  /** The last key that was looked at, empty at the beginning of the bucket. */
  last_key: text().notNull(),
})
