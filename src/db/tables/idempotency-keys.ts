/** Idempotency keys that calls have come with, and what was answered. */
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** A row that has expired counts for nothing. They are forgotten in the order of their ids. */
export const idempotency_keys = sqliteTable(
  'idempotency_keys',
  {
    id: integer().primaryKey(),
    /** SHA-256 of the caller's id and the key, in hex. */
    digest: text().notNull(),
    /** SHA-256 of method, path, query and body, in hex. */
    fingerprint: text().notNull(),
    /** Random name of the call that holds the key, or has answered. */
    token: text().notNull(),
    /** Until when that call is taken to be at work, as `Date.now()`. */
    held_until: integer().notNull(),
    /** Until when the row counts, as `Date.now()`. */
    expires: integer().notNull(),
    /** What is done of a call of several transactions, as JSON; null where there is none. */
    progress: text(),
    /** The body that was answered; null until then. */
    answer: text(),
    /** What else the answer is made of, as JSON; null until then. */
    told: text(),
    /** The stamp of the record that was written, as the ETag tells it; null until then. */
    cursor: integer(),
    names: integer(),
  },
  (table) => [uniqueIndex('idempotency_keys_by_digest').on(table.digest)],
)
