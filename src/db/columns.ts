/** Converts column values between JavaScript and D1: JSON as text, booleans as 0 and 1, all others unchanged. */
import { type Column, is } from 'drizzle-orm'
import { SQLiteBoolean, SQLiteTextJson } from 'drizzle-orm/sqlite-core'

/**
 * A function that decodes a stored value of `column`, which must not be null. Null if the stored value needs no
 * decoding.
 */
export function decoderOf(column: Column): ((stored: string) => unknown) | null {
  if (is(column, SQLiteTextJson)) return JSON.parse
  return is(column, SQLiteBoolean) ? (stored) => Number(stored) === 1 : null
}

/** Encodes a value of `column` for D1. */
export function encode(column: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (is(column, SQLiteTextJson)) return JSON.stringify(value)
  return is(column, SQLiteBoolean) ? Number(Boolean(value)) : value
}
