/**
 * Stores the words of listings, in the transaction that stores what they are made of. Rows are written only for words
 * that come or go.
 */
import { jsonParts } from '../../../db/bulk.ts'
import { type SqlFragment, type Statement, textStatement } from '../../../db/statements.ts'
import form from './form.json' with { type: 'json' }
import { codeWords, listingWords, type WordSource } from './words.ts'

/** The words of a listing, and the version of it that has them. */
export interface ListingWords {
  id: number
  version: number
  words: string[]
}

/** The listings of a JSON parameter of `[id, version, words]`, without those that have another version. */
const FROM_MADE = `from json_each(?) made
  cross join listings on listings.id = made.value ->> 0 and listings.version = made.value ->> 1`

const DELETE_OTHERS = `delete from listing_words where (word, listing_id) in (
  select old.value, sets.listing_id ${FROM_MADE}
  cross join listing_word_sets sets on sets.listing_id = listings.id
  cross join json_each(sets.words) old
  where old.value not in (select value from json_each(made.value, '$[2]')))`

const INSERT_WORDS = `insert into listing_words (word, listing_id)
  select new.value, listings.id ${FROM_MADE} cross join json_each(made.value, '$[2]') new
  where true on conflict do nothing`

const STORE_SETS = `insert into listing_word_sets (listing_id, words)
  select listings.id, made.value -> 2 ${FROM_MADE}
  where made.value -> 2 <> '[]'
  on conflict do update set words = excluded.words where words <> excluded.words`

const DELETE_EMPTY_SETS = `delete from listing_word_sets where listing_id in (
  select listings.id ${FROM_MADE} where made.value -> 2 = '[]')`

/** The words of a listing after a write; null if it changes none. `before` is null for a new listing. */
export function changedWords(
  before: WordSource | null,
  after: WordSource,
  defaultLanguage: number | null,
): string[] | null {
  const old = before ? listingWords(before, defaultLanguage) : []
  const words = listingWords(after, defaultLanguage)
  return words.join(' ') === old.join(' ') ? null : words
}

/** The statements that replace all words of stored listings. A listing with another version keeps its words. */
export function replaceWords(listings: ListingWords[]): Statement[] {
  if (listings.length === 0) return []
  const { parts } = jsonParts(listings.map(({ id, version, words }) => [id, version, words]))
  const statements = parts.flatMap((part) =>
    [DELETE_OTHERS, INSERT_WORDS, STORE_SETS, DELETE_EMPTY_SETS].map((text) => textStatement(text, [part])),
  )
  return [...statements, nameForm()]
}

/** The statements that store the words of a listing that the same batch has added. */
export function addWords(id: SqlFragment, words: string[]): Statement[] {
  if (words.length === 0) return []
  const json = JSON.stringify(words)
  return [
    textStatement(`insert into listing_words (word, listing_id) select value, ${id.text} from json_each(?)`, [
      ...id.params,
      json,
    ]),
    textStatement(`insert into listing_word_sets (listing_id, words) values (${id.text}, ?)`, [
      ...id.params,
      json,
    ]),
    nameForm(),
  ]
}

/** The listing `?1` and its words, and as `coded` the words of its code if that is a key of the JSON object `?2`. */
const FROM_CODED = `from json_each(?2) coded
  cross join listings on listings.id = ?1 and listings.code = coded.key
  left join listing_word_sets sets on sets.listing_id = listings.id
  where exists (select 1 from json_each(coded.value)
    where value not in (select value from json_each(coalesce(sets.words, '[]'))))`

const INSERT_CODED = `insert into listing_words (word, listing_id)
  select new.value, coded_listing.id
  from (select listings.id, coded.value ${FROM_CODED}) coded_listing cross join json_each(coded_listing.value) new
  where true on conflict do nothing`

const STORE_CODED = `insert into listing_word_sets (listing_id, words)
  select listings.id, (select json_group_array(value) from (
    select value from json_each(coded.value) union all
    select value from json_each(coalesce(sets.words, '[]')) where value not in (select value from json_each(coded.value))))
  ${FROM_CODED}
  on conflict do update set words = excluded.words`

/** The statements that add the words of the code to the listing `id`, if the same batch gives it one of `codes`. */
export function addCodeWords(id: number, codes: string[]): Statement[] {
  const words = JSON.stringify(Object.fromEntries(codes.map((code) => [code, codeWords(code)])))
  return [...[INSERT_CODED, STORE_CODED].map((text) => textStatement(text, [id, words])), nameForm()]
}

/** The statement that records which code makes the words, before the first words of a database. */
export function nameForm(): Statement<never> {
  return textStatement('update text_fill set form = ? where form is null', [form])
}
