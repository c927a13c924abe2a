/** What D1 knows of API keys, which KV has: KV alone cannot add to a change that it has just taken. */
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What was changed of each key since it was made. KV has a copy, which calls read. */
export const key_changes = sqliteTable('key_changes', {
  id: text().primaryKey(),
  /** `KeyChanges`, as JSON. */
  changes: text().notNull(),
})
