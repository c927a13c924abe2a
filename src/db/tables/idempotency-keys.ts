/** Idempotency keys, and the replies to the calls that sent them. */
import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Idempotency keys. Expired rows are ignored and removed in the order of their ids. */
export const idempotency_keys = sqliteTable(
  'idempotency_keys',
  {
    id: integer().primaryKey(),
    /** SHA-256 of the caller's id and the key, in hex. */
    digest: text().notNull(),
    /** SHA-256 of method, path, query and body, in hex; for multipart bodies, of their parts. */
    fingerprint: text().notNull(),
    /** Id of the caller's API key; '' in rows that are older than this column. */
    api_key: text().notNull().default(''),
    /** Random token of the call that has claimed the key, or has answered. */
    token: text().notNull(),
    /** When the claim of that call ends, as `Date.now()`. */
    held_until: integer().notNull(),
    /** When the row expires, as `Date.now()`. */
    expires: integer().notNull(),
    /** Progress of a call with several transactions, as JSON; otherwise null. */
    progress: text(),
    /** The body of the reply; null until it is recorded. */
    answer: text(),
    /** Metadata of the reply, as JSON; null until it is recorded. The name stays as releases before know the column. */
    told: text(),
    /** Size of `progress`, `answer` and `told` in UTF-8, in bytes. */
    bytes: integer().notNull().default(0),
    /** The version of the written record, for the ETag; null until the reply is recorded. */
    cursor: integer(),
    names: integer(),
    /** The record that the reply is about; null until it is recorded, and in replies of older versions. */
    resource: text(),
    record_id: integer(),
  },
  (table) => [uniqueIndex('idempotency_keys_by_digest').on(table.digest)],
)

/**
 * How many rows of `idempotency_keys` each API key has, and their bytes. Triggers keep the counts, so every write is
 * counted. The constraint rolls back a transaction that would exceed the limits.
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

/**
 * One row: the bytes of all stored replies, with 500 for each key that has one. Triggers keep it, and roll back a
 * transaction that would make it more than 2 GB.
 */
export const idempotency_total = sqliteTable('idempotency_total', {
  id: integer().primaryKey(),
  bytes: integer().notNull(),
})
