/**
 * Makes the words of records that are older than the code that makes words. Cron does so in portions; each is one
 * transaction that also stores how far it came. Writers store the words of what they write all the time.
 *
 * A run that finds words of other code only records that. The next run begins, a minute later: until then, requests that
 * the other code has begun may still write. What other code writes later, such as an older version for a while, is found by
 * the change feed (`LISTING_WORDS`), and in places by `PLACES`: then all places are looked at again.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database, mayCall } from '../../../db/client.ts'
import { type Derived, followChanges } from '../../../db/derived.ts'
import { type Statement, sqlStatement, textStatement } from '../../../db/statements.ts'
import { yieldToEventLoop } from '../../../http/concurrency/queue.ts'
import { log } from '../../../http/log.ts'
import { placeSearch } from '../../lookups/queries.ts'
import { DEFAULT_LANGUAGE } from '../rules.ts'
import form from './form.json' with { type: 'json' }
import { type ListingWords, replaceWords } from './store.ts'
import { listingWords, placeWords, type WordSource } from './words.ts'

/** Records in one portion, and maximum portions in one run. */
const PORTION = 500
const MAX_PORTIONS = 40

/** SQL for what rises with every write to places: by triggers with their names, by imports with new ones. */
const PLACES = `(select count from location_renames) || '.' || (select version from agency_versions where name = 'agency')`

const SELECT_STATE = sqlStatement<State>(
  sql`select form, location, listing, ifnull(places = ${sql.raw(PLACES)}, 0) as knowsPlaces,
    ${sql.raw(DEFAULT_LANGUAGE)} as language from text_fill`,
)

const SELECT_PLACES = `select id, name_el, name_en from locations
  where id > (select location from text_fill) order by id limit ?`

const SELECT_SOURCES = `select id, version, code, (
    select json_group_array(json_object('language_id', language_id, 'title', title)) from listing_translations
    where listing_id = listings.id and title is not null) as translations
  from listings`

const SELECT_LISTINGS = `${SELECT_SOURCES} where id > (select listing from text_fill where location is null) order by id limit ?`

interface State {
  form: string | null
  location: number | null
  listing: number | null
  /** Whether the words of all places, as they are now, were looked at. */
  knowsPlaces: number
  /** The default language. */
  language: number | string | null
}

interface PlaceRow {
  id: number
  name_el: string
  name_en: string
}

interface ListingRow {
  id: number
  version: number
  code: string | null
  translations: string
}

/** The words of listings that other code has written since. */
const LISTING_WORDS: Derived = {
  name: 'listing_words',
  form,
  resource: 'listings',
  derive: async (db, ids) => {
    const { rows, states } = await batch(db, {
      rows: textStatement<ListingRow>(`${SELECT_SOURCES} where id in (select value from json_each(?))`, [
        JSON.stringify(ids),
      ]),
      states: SELECT_STATE,
    })
    const language = states[0]?.language ?? null
    return replaceWords(rows.map((row) => ({ ...row, words: wordsOf(row, language) })))
  },
}

/** Makes the words that are missing or made by other code, within the limits of one run. */
export async function keepWords(db: Database): Promise<void> {
  await fillText(db)
  await followChanges(db, LISTING_WORDS)
}

/** Makes missing words within the limits of one run. Several runs may work at the same time. */
export async function fillText(
  db: Database,
  { portions = MAX_PORTIONS, size = PORTION } = {},
): Promise<void> {
  for (let count = 0; count < portions && mayCall(db, 2); count++) {
    await yieldToEventLoop()
    const { states, places, listings } = await batch(db, {
      states: SELECT_STATE,
      places: textStatement<PlaceRow>(SELECT_PLACES, [size]),
      listings: textStatement<ListingRow>(SELECT_LISTINGS, [size]),
    })
    const [state] = states
    if (!state || state.form === null) return
    if (state.form !== form) return await begin(db, state.form)
    if (state.location !== null) await batch(db, { portion: storePlaces(places, state.location) })
    else if (state.listing === null) {
      if (state.knowsPlaces) return
      await batch(db, { begun: LOOK_AT_PLACES })
    } else await batch(db, { portion: storeListings(listings, state.listing, state.language) })
  }
}

/** Records that all words are to be made, if they are still those of the code `other`. */
async function begin(db: Database, other: string): Promise<void> {
  await batch(db, {
    begun: sqlStatement(
      sql`update text_fill set form = ${form}, location = 0, listing = 0, places = null where form = ${other}`,
    ),
  })
  log('info', { work: 'filling words', form })
}

/** Searches go on meanwhile: hardly any place has other words. */
const LOOK_AT_PLACES = sqlStatement(sql`update text_fill set location = 0, places = ${sql.raw(PLACES)}
  where form = ${form} and location is null and listing is null`)

/** Whoever renames a place meanwhile stores its words as well. */
const STORE_PLACES = `update locations set words = made.value ->> 3, search = made.value ->> 4 from json_each(?) made
  where locations.id = made.value ->> 0 and name_el = made.value ->> 1 and name_en = made.value ->> 2
    and (words is not made.value ->> 3 or search <> made.value ->> 4)`

function storePlaces(places: PlaceRow[], after: number): Statement[] {
  const rows = places.map((place) => [
    place.id,
    place.name_el,
    place.name_en,
    placeWords(place),
    placeSearch(place),
  ])
  const last = places.at(-1)?.id ?? after
  return [
    textStatement(STORE_PLACES, [JSON.stringify(rows)]),
    sqlStatement(sql`update text_fill
      set location = case when exists (select 1 from locations where id > ${last}) then ${last} end
      where form = ${form} and location <= ${last}`),
  ]
}

/**
 * A listing that has changed since it was read may have another title, or only another price. It is read again: the
 * portion ends before the first of them.
 */
function storeListings(rows: ListingRow[], after: number, language: State['language']): Statement[] {
  const made = rows.map((row): ListingWords => ({ ...row, words: wordsOf(row, language) }))
  const last = made.at(-1)?.id ?? after
  const read = JSON.stringify(made.map(({ id, version }) => [id, version]))
  const changed = sql`select min(listings.id) - 1 from json_each(${read}) made
    cross join listings on listings.id = made.value ->> 0 and listings.version <> made.value ->> 1`
  return [
    ...replaceWords(made),
    sqlStatement(sql`update text_fill
      set listing = case when exists (select 1 from listings where id > upto) then upto end
      from (select ifnull((${changed}), ${last}) as upto)
      where form = ${form} and location is null and listing <= upto`),
  ]
}

function wordsOf({ code, translations }: ListingRow, language: State['language']): string[] {
  const source: WordSource = { code, translations: JSON.parse(translations) }
  return listingWords(source, language === null ? null : Number(language))
}
