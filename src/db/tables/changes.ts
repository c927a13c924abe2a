/** The change feed: which record changed when, and which tombstones are gone. */
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** The latest change of each record. Written only by triggers, except for `matches` (see `src/db/changes.ts`). */
export const changes = sqliteTable(
  'changes',
  {
    /** Position in the order of commits: higher than any before, never used again. */
    cursor: integer().primaryKey(),
    resource: text().notNull(),
    id: integer().notNull(),
    change: text().$type<'changed' | 'deleted'>().notNull(),
    date: text().notNull(),
  },
  (table) => [
    uniqueIndex('changes_by_record').on(table.resource, table.id),
    // Every SQLite index also contains the key, so a resource is read in the order of its cursors.
    index('changes_by_resource').on(table.resource),
  ],
)

/** The state of the whole feed; one row. */
export const change_feed = sqliteTable('change_feed', {
  id: integer().primaryKey(),
  /** Random name of this database, so that cursors of another one are recognised. */
  deployment: text().notNull(),
  /** The cursor up to which the search for old tombstones has come. */
  examined: integer().notNull(),
  /** The highest cursor of a purged tombstone. */
  purged: integer().notNull(),
})
