/** The state of the sweep of the bucket. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Files that no row referred to at the last sweep. A row is removed when its file is deleted or referred to again. */
export const unreferenced_files = sqliteTable('unreferenced_files', {
  key: text().primaryKey(),
  first_seen: text().notNull(),
})

/** The progress of the sweep, and what it counts; one row. */
export const file_sweeps = sqliteTable('file_sweeps', {
  id: integer().primaryKey(),
  /** The last key examined; empty at the beginning of the bucket. */
  last_key: text().notNull(),
  /** Files that are kept, and their bytes, from the beginning of the bucket to `last_key`; null if not all were counted. */
  objects: integer(),
  bytes: integer(),
  /** The same of the whole bucket, when the sweep last came to its end. */
  counted_objects: integer(),
  counted_bytes: integer(),
  date_counted: text(),
})
