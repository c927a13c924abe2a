/** Persons who were erased, what of them was, and those who are on hold. */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The erasures, by the contact that they began with. */
export const erasures = sqliteTable(
  'erasures',
  {
    contact_id: integer().primaryKey(),
    date: text().notNull(),
    reason: text().notNull(),
    /**
     * `open` while records are left; `complete` once none is; `closed` once cron has looked again, for what was written at
     * the same moment.
     */
    progress: text().$type<'open' | 'complete' | 'closed'>().notNull(),
    /** When `progress` last changed. */
    progress_date: text().notNull(),
  },
  (table) => [index('erasures_unfinished').on(table.progress_date).where(sql`progress <> 'closed'`)],
)

/** The records of an erased person: the contacts themselves, and what linked to them. It has no text of them. */
export const erased_records = sqliteTable(
  'erased_records',
  {
    resource: text().notNull(),
    id: integer().notNull(),
    /** Of the erasure. */
    contact_id: integer().notNull(),
    /** The fields that were cleared; null while that is still to be done. */
    fields: text({ mode: 'json' }).$type<string[]>(),
    /** When it was named or cleared last: what was created later is another record. Null in rows of older versions. */
    date: text(),
    /** Orders transactions that share a second. Null in rows of older versions, and of contacts that came erased. */
    position: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.resource, table.id, table.contact_id] }),
    index('erased_records_by_erasure').on(table.contact_id, table.resource),
    index('erased_records_by_position').on(table.position),
  ],
)

/** Contacts that must not be erased. */
export const contact_holds = sqliteTable('contact_holds', {
  contact_id: integer().primaryKey(),
  date: text().notNull(),
  reason: text().notNull(),
})
