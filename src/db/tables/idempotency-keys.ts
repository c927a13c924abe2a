/** Idempotency keys that calls have come with, and what was answered. */
import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** A row that has expired counts for nothing. They are forgotten in the order of their ids. */
export const idempotency_keys = sqliteTable(
  'idempotency_keys',
  {
    id: integer().primaryKey(),
    /** SHA-256 of the caller's id and the key, in hex. */
    digest: text().notNull(),
    /** SHA-256 of method, path, query and body, of a form its parts, in hex. */
    fingerprint: text().notNull(),
    /** Id of the API key of the call; '' in rows of before they were counted. */
    api_key: text().notNull().default(''),
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
    /** Bytes of `progress`, `answer` and `told` in UTF-8. */
    bytes: integer().notNull().default(0),
    /** The stamp of the record that was written, as the ETag tells it; null until then. */
    cursor: integer(),
    names: integer(),
  },
  (table) => [uniqueIndex('idempotency_keys_by_digest').on(table.digest)],
)

/**
 * How many rows of `idempotency_keys` each API key has, and how many bytes they hold. Triggers keep the counts, so that
 * they are true whatever writes there; the constraint undoes a transaction that would keep more.
 */
export const idempotency_usage = sqliteTable(
  'idempotency_usage',
  {
    api_key: text().primaryKey(),
    keys: integer().notNull(),
    bytes: integer().notNull(),
  },
  () => [check('idempotency_room', sql`keys <= 500000 and bytes <= 500000000`)],
)
