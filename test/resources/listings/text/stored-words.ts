/** The words that are stored, and those that would be. */
import { listingWords, placeWords } from '../../../../src/resources/listings/text/words.ts'
import { execute, selectAll } from '../../../support/database.ts'

/** The words of each listing in `listing_words`, sorted. */
export async function storedWords(): Promise<Map<number, string[]>> {
  const rows = await selectAll<{ word: string; listing_id: number }>('select * from listing_words')
  const words = new Map<number, string[]>()
  for (const { word, listing_id } of rows) words.set(listing_id, [...(words.get(listing_id) ?? []), word])
  return sorted(words)
}

/** The words of each listing in its list, sorted. */
export async function listedWords(): Promise<Map<number, string[]>> {
  const rows = await selectAll<{ listing_id: number; words: string }>('select * from listing_word_sets')
  return sorted(new Map(rows.map(({ listing_id, words }) => [listing_id, JSON.parse(words)])))
}

/** The words of each listing that has any, made of its code and titles now. */
export async function wordsMadeAnew(defaultLanguage = 1): Promise<Map<number, string[]>> {
  const listings = await selectAll<{ id: number; code: string | null }>('select id, code from listings')
  const texts = await selectAll<{ listing_id: number; language_id: number; title: string | null }>(
    'select listing_id, language_id, title from listing_translations',
  )
  const words = listings.map(({ id, code }): [number, string[]] => {
    const translations = texts.filter(({ listing_id }) => listing_id === id)
    return [id, listingWords({ code, translations }, defaultLanguage)]
  })
  return sorted(new Map(words.filter(([, list]) => list.length > 0)))
}

/** Names of places whose stored words are not those made of the names now. */
export async function outdatedPlaces(): Promise<string[]> {
  const rows = await selectAll<{ name_el: string; name_en: string; words: string | null }>(
    'select name_el, name_en, words from locations',
  )
  return rows.filter((row) => row.words !== placeWords(row)).map(({ name_el }) => name_el)
}

/** Makes all words those of other code, as they are right after a deployment. */
export async function storeForeignWords(): Promise<void> {
  await execute("update text_fill set form = 'other', location = null, listing = null")
  await execute("delete from listing_words where word like '%t%'")
  await execute("update or ignore listing_words set word = word || 'old'")
  await execute(`update listing_word_sets set words = coalesce((select json_group_array(word) from listing_words
    where listing_words.listing_id = listing_word_sets.listing_id), '[]')`)
  await execute("update locations set words = ' old '")
}

function sorted(words: Map<number, string[]>): Map<number, string[]> {
  return new Map([...words].map(([id, list]) => [id, list.toSorted()] as const).toSorted(([a], [b]) => a - b))
}
