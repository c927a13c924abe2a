/** Finds listings by their codes. */
import { type SQL, sql } from 'drizzle-orm'

/**
 * The condition that a listing has a code, whatever its case. SQLite folds that of ASCII only, so a code in Greek is found if
 * its letters have one case.
 */
export function hasCode(code: string): SQL {
  const spellings = [code, code.toUpperCase(), code.toLowerCase()].map((one) => sql`lower(${one})`)
  return sql`(code is not null and lower(code) in (${sql.join(spellings, sql`, `)}))`
}
