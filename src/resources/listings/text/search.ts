/** The filter `text`: listings that have all its words in a title, the code or the names of their areas. */
import { and, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { placesBelow } from '../../../db/areas.ts'
import type { Requirement } from '../../../db/page.ts'
import { textStatement } from '../../../db/statements.ts'
import { notPrepared } from '../../../http/errors.ts'
import form from './form.json' with { type: 'json' }

/** Holds once the words of all listings and places are stored, and this code has made them. */
export const WORDS_ARE_STORED: Requirement = {
  statement: textStatement<{ isMet: number }>(
    `select exists (select 1 from text_fill
      where form is null or (form = ? and listing is null and (location is null or places is not null))) as isMet`,
    [form],
  ),
  error: notPrepared,
}

/**
 * Makes the condition that a row of `table` has all of `words`, where each may be the beginning of a longer word, unless
 * it is a single character. `table` has the ids of listings and their areas.
 */
export function hasWords(table: SQLiteTable): (words: string[]) => SQL {
  const isCandidate = (id: SQL) => sql`${id} in (select id from candidates)`
  return (words) => {
    // A long word is rare: the others are only looked for among the listings that have it.
    const [longest = '', ...others] = words.toSorted((a, b) => b.length - a.length)
    if (others.length === 0) return sql`id in (${listingsWith(longest, table, () => sql`true`)})`
    const conditions = others.map((word) => sql`id in (${listingsWith(word, table, isCandidate)})`)
    return sql`id in (
      with candidates (id) as materialized (${listingsWith(longest, table, () => sql`true`)})
      select id from candidates where ${and(...conditions)})`
  }
}

/**
 * Selects the ids of listings that have a word. `table` is read only if a place has the word. No letter or digit comes
 * after U+10FFFF, so whatever continues a word is below the word and that character.
 * @param isCandidate condition on an id: other listings are not looked for
 */
function listingsWith(word: string, table: SQLiteTable, isCandidate: (id: SQL) => SQL): SQL {
  const isWhole = [...word].length === 1
  const isListed = isWhole ? sql`word = sought` : sql`word >= sought and word < sought || char(1114111)`
  const end = sql.raw(isWhole ? " || ' '" : '')
  return sql`
    with single (sought) as (select ${word}),
    places as materialized (
      select id from single cross join locations where instr(words, ' ' || sought${end}) > 0)
    select listing_id from single cross join listing_words where ${isListed} and ${isCandidate(sql`listing_id`)}
    union all
    select ${table}.id from ${table} where ${isCandidate(sql`${table}.id`)}
      and area in (${placesBelow(sql`select id from places`)})`
}
