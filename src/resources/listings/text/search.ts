/** The filter `text`: listings that have all its words in a title, the code or the names of their areas. */
import { and, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Requirement } from '../../../db/page.ts'
import { textStatement } from '../../../db/statements.ts'
import { notPrepared } from '../../../http/errors.ts'
import form from './form.json' with { type: 'json' }

/** Holds once the words of all listings and places are stored, and this code has made them. */
export const WORDS_ARE_STORED: Requirement = {
  statement: textStatement<{ isMet: number }>(
    `select exists (select 1 from text_fill
      where form is null or (form = ? and location is null and listing is null)) as isMet`,
    [form],
  ),
  error: notPrepared,
}

/**
 * Makes the condition that a row of `table` has all of `words`, where each may be the beginning of a longer word, unless
 * it is a single character. `table` has the ids of listings and their areas.
 */
export function hasWords(table: SQLiteTable): (words: string[]) => SQL | undefined {
  return (words) => and(...words.map((word) => sql`id in (${listingsWith(word, table)})`))
}

/**
 * Selects the ids of listings with a word. The listings of `table` are read only if a place has it. No letter or digit
 * comes after U+10FFFF, so each word that continues `word` is below `word` and that character.
 */
function listingsWith(word: string, table: SQLiteTable): SQL {
  const isWhole = [...word].length === 1
  const isListed = isWhole
    ? sql`listing_words.word = sought.word`
    : sql`listing_words.word >= sought.word and listing_words.word < sought.word || char(1114111)`
  const end = isWhole ? sql` || ' '` : sql``
  return sql`
    with sought (word) as (select ${word}),
    places as materialized (
      select id from sought cross join locations where instr(words, ' ' || sought.word${end}) > 0)
    select listing_id from sought cross join listing_words on ${isListed}
    union all
    select ${table}.id from (select 1 from places limit 1) cross join ${table}
    where area_level1 in (select id from places) or area_level2 in (select id from places)
      or area_level3 in (select id from places)`
}
