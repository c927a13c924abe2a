/** How far columns that code derives from records are up to date (`db/derived.ts`). */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const derivations = sqliteTable('derivations', {
  name: text().primaryKey(),
  /** The hash of the code that derived them. */
  form: text().notNull(),
  /** The cursor in the change feed up to which all records were looked at. */
  cursor: integer().notNull(),
  /** The forms before, the last one first, with spaces between them: versions of them may still be at work. */
  replaced: text(),
  /** When code of this form was last at work, in seconds, within an hour. */
  used: integer().notNull().default(0),
})
