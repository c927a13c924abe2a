/** Figures for operators: how many records there are, and how the jobs of cron went. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Number of records by resource and status, counted by triggers (`src/db/record-counts.ts`). Listings are counted in
 * `listing_counts`.
 */
export const record_counts = sqliteTable(
  'record_counts',
  {
    resource: text().notNull(),
    /** 1 for deleted records that are kept. */
    deleted: integer().notNull(),
    /** A word, or an id of the lookup of statuses; empty for resources without statuses. */
    status: text().notNull(),
    records: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.resource, table.deleted, table.status] })],
)

/** The last run of each job of cron, by its name. */
export const job_runs = sqliteTable('job_runs', {
  name: text().primaryKey(),
  /** When it ended. */
  date: text().notNull(),
  milliseconds: integer().notNull(),
  /** Null if it succeeded. */
  error: text(),
})
