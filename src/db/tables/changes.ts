/** The feed of changes: which record changed when, and what its readers have to be told. */
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** The latest change of each record. Written by triggers alone, but for `matches` (see `src/db/changes.ts`). */
export const changes = sqliteTable(
  'changes',
  {
    /** Its place in the order of commits: one more than any before, never used again. */
    cursor: integer().primaryKey(),
    resource: text().notNull(),
    id: integer().notNull(),
    change: text().$type<'changed' | 'deleted'>().notNull(),
    date: text().notNull(),
  },
  (table) => [
    uniqueIndex('changes_by_record').on(table.resource, table.id),
    // Holds the cursor, too, as every index does the key: a resource is read in the order of its cursors.
    index('changes_by_resource').on(table.resource),
  ],
)

/** What is known of the feed as a whole; one row. */
export const change_feed = sqliteTable('change_feed', {
  id: integer().primaryKey(),
  /** Random name of this database, so that no other's cursors are taken for its own. */
  deployment: text().notNull(),
  /** Up to which cursor tombstones were looked for that may go. */
  examined: integer().notNull(),
  /** The highest cursor of a tombstone that is gone. */
  purged: integer().notNull(),
})
