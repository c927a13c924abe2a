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

/** Which times of cron a run is at work for, so that no other does the same work meanwhile. */
export const job_leases = sqliteTable('job_leases', {
  /** The time, as cron has it. */
  cron: text().primaryKey(),
  /** A random name of the run. */
  run: text().notNull(),
  /** When another run may begin, in milliseconds; 0 once a run has ended. */
  until: integer().notNull(),
})

/**
 * Records that made the work of a job on them fail (`db/work-through.ts`). The job passes over them until they are due again.
 */
export const job_failures = sqliteTable(
  'job_failures',
  {
    job: text().notNull(),
    /** The resource of the record, as the change feed names it. */
    resource: text().notNull(),
    id: integer().notNull(),
    error: text().notNull(),
    /** How often it has failed. */
    failures: integer().notNull(),
    /** When it is tried again, in milliseconds. */
    due: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.job, table.resource, table.id] })],
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
