/** How values of columns cross to D1 and back: JSON as text, booleans as 0 and 1, all others as they are. */
import { type Column, is } from 'drizzle-orm'
import { SQLiteBoolean, SQLiteTextJson } from 'drizzle-orm/sqlite-core'

/** Makes a value of `column` of what D1 gives, which is not null; null where that is the value itself. */
export function decoderOf(column: Column): ((stored: string) => unknown) | null {
  if (is(column, SQLiteTextJson)) return JSON.parse
  return is(column, SQLiteBoolean) ? (stored) => Number(stored) === 1 : null
}

/** What D1 gets for a value of `column`. */
export function encode(column: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (is(column, SQLiteTextJson)) return JSON.stringify(value)
  return is(column, SQLiteBoolean) ? Number(Boolean(value)) : value
}
