/** Idempotency keys that calls have come with, and what was answered. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What is told is how long it counts: a row that is out of date is none. Swept in the order of its ids. */
export const idempotency_keys = sqliteTable('idempotency_keys', {
  id: integer().primaryKey(),
  /** SHA-256 of the caller's id and the key, in hex. */
  digest: text().notNull().unique(),
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
})
