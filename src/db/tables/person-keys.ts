/** What people are found by: telephones, e-mail addresses and names, in the form in which equal ones are the same. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * One row for each key of a record. Triggers derive the rows from the column `person_keys` of the records, so that they are
 * of the same transaction in all writes.
 */
export const person_keys = sqliteTable(
  'person_keys',
  {
    /** Where the record has it: its table, or the column with people who belong to it. */
    place: text().notNull(),
    is_deleted: integer({ mode: 'boolean' }).notNull(),
    /** `email:`, `phone:` or `name:`, and the value (`resources/people/keys.ts`). */
    key: text().notNull(),
    record_id: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.place, table.is_deleted, table.key, table.record_id] })],
)

/** The column of a record with its keys: JSON with a list for each place. */
export const personKeys = () => text().notNull().default('{}')
