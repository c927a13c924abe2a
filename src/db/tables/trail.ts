/** The trail: who changed which record, or administered what, and refused calls. */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Actor } from '../../http/caller/provenance.ts'

/** The status of a call that administers and has not ended, or was cut off. */
export const RUNNING = 0

/** SQL for whether an entry has values before and after. */
export const HAS_VALUES = sql.raw("changed is not null and changed <> '{}'")

export const trail = sqliteTable(
  'trail',
  {
    // Without AUTOINCREMENT, which would write another row for each entry.
    id: integer().primaryKey(),
    date: text().notNull(),
    actor_type: text().$type<Actor['type']>(),
    actor_id: text(),
    /** The network of the client, a /24 or /48; empty if it is unknown. */
    address: text(),
    method: text(),
    route: text(),
    resource: text(),
    /** A number, or the text that names a key or a file. */
    record_id: text(),
    /** Of the record after the write; null for a record without versions. */
    version: integer(),
    /** Of the call; `RUNNING` until it has ended. */
    status: integer().notNull(),
    request_id: text(),
    /** The values before and after, by field; null for a new record, and for what is no record. */
    changed: text({ mode: 'json' }).$type<Record<string, [unknown, unknown]>>(),
    /** The names of other changed fields; null for what is no write of a record. */
    others: text({ mode: 'json' }).$type<string[]>(),
    /** Refused calls that are one entry. */
    count: integer(),
  },
  (table) => [
    index('trail_by_record').on(table.resource, table.record_id),
    // Timelines: what changed of a record, by date.
    index('trail_by_values').on(table.resource, table.record_id, table.date).where(HAS_VALUES),
    index('trail_by_refused').on(table.actor_id, table.date).where(sql`status = 403`),
    uniqueIndex('trail_by_refusal')
      .on(table.date, table.address, table.route, table.status)
      .where(sql`count is not null`),
  ],
)

/** How far the purge has come; one row. */
export const trail_state = sqliteTable('trail_state', {
  id: integer().primaryKey(),
  /** Entries up to this id are examined. */
  examined: integer().notNull(),
})
