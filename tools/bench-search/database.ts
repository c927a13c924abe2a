/** The database that is searched. */
import { join } from 'node:path'
import { seeded } from '../../fixtures/random.ts'
import { showProgress } from '../../scripts/service/terminal.ts'
import { ALL_SUBCATEGORIES } from '../../src/catalogue/enums.ts'
import { type BoundStatement, copyKept, type RunBatch } from '../bench/kept.ts'
import {
  LANGUAGE_CODES,
  makeListing,
  type NewListing,
  STORE_COUNT,
  SUBTYPES,
  subtypeOf,
  TAGS,
  type TableRow,
  USER_COUNT,
} from './listings.ts'
import { makePlaces } from './places.ts'

const SOURCES = ['database.ts', 'listings.ts', 'places.ts'].map((file) => join(import.meta.dirname, file))

/** Listings per transaction; their JSON stays below the 2 MB of a parameter. */
const CHUNK = 1000

/** A folder of its own with a database of `size` listings; the caller removes it. */
export function copySearched(size: number): Promise<string> {
  return copyKept({ name: `search-${size}`, sources: SOURCES, fill: ({ run }) => fill(run, size) })
}

/**
 * Listings become visible by a change of their status, as anywhere: what is searched is filled by the triggers of the
 * product, whatever they are.
 */
async function fill(run: RunBatch, size: number): Promise<void> {
  const places = makePlaces()
  const random = seeded(7)
  await run([...agencyRows(), insert('locations', places.rows)])
  for (let first = 1; first <= size; first += CHUNK) {
    showProgress(`Loading ${first - 1} of ${size} listings`)
    const made = Array.from({ length: Math.min(CHUNK, size - first + 1) }, (_, index) =>
      makeListing(random, first + index, places),
    )
    await run(statementsFor(made))
  }
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

function agencyRows(): BoundStatement[] {
  const named = (name: string, count: number) => range(count).map((id) => ({ id, name: `${name} ${id}` }))
  return [
    insert(
      'languages',
      LANGUAGE_CODES.map((code, index) => ({ id: index + 1, code, name: code })),
    ),
    insert('stores', named('Store', STORE_COUNT)),
    insert('users', named('User', USER_COUNT)),
    insert('listing_tags', named('Tag', TAGS)),
    insert(
      'listing_subtypes',
      ALL_SUBCATEGORIES.flatMap((subcategory) =>
        range(SUBTYPES).map((_, index) => ({
          id: subtypeOf(subcategory, index),
          subcategory,
          translations: '[]',
        })),
      ),
    ),
  ]
}

function statementsFor(made: NewListing[]): BoundStatement[] {
  const rowsOf = (rows: (listing: NewListing, listing_id: unknown) => TableRow[]) =>
    made.flatMap((listing) => rows(listing, listing.row.id))
  const linksOf = (name: string, ids: (listing: NewListing) => number[]) =>
    rowsOf((listing, listing_id) =>
      ids(listing).map((id, position) => ({ listing_id, [name]: id, position })),
    )
  const picture = (listing_id: unknown, number: number) =>
    `https://photos.example/${listing_id}/${number}.jpg`
  const next = made
    .filter(({ status }) => status !== 'draft')
    .map(({ row, status }) => ({ id: row.id, status }))
  return [
    insert(
      'listings',
      made.map(({ row }) => row),
    ),
    insert(
      'listing_users',
      linksOf('user_id', ({ users }) => users),
    ),
    insert(
      'listing_tag_links',
      linksOf('tag_id', ({ tags }) => tags),
    ),
    insert(
      'listing_photos',
      rowsOf(({ photos }, listing_id) =>
        range(photos).map((ordernum) => ({
          listing_id,
          ordernum,
          original_image: picture(listing_id, ordernum),
        })),
      ),
    ),
    insert(
      'listing_panoramas',
      rowsOf(({ hasPanorama }, listing_id) =>
        hasPanorama ? [{ listing_id, ordernum: 1, image: picture(listing_id, 0) }] : [],
      ),
    ),
    insert(
      'listing_translations',
      rowsOf(({ titles }, listing_id) =>
        titles.map((title, index) => ({
          listing_id,
          language_id: index + 1,
          title,
          description: DESCRIPTION,
        })),
      ),
    ),
    bind(
      `update listings set status = value ->> 'status', version = version + 1, matched_version = version + 1
      from json_each(?) where listings.id = value ->> 'id'`,
      next,
    ),
  ]
}

const DESCRIPTION =
  'Φωτεινό ακίνητο κοντά στο μετρό, σε ήσυχο δρόμο με θέα, πρόσφατα ανακαινισμένο και έτοιμο.'

/** A statement that inserts `rows`, all of which have the keys of the first. */
function insert(table: string, rows: readonly TableRow[]): BoundStatement {
  const columns = Object.keys(rows[0] ?? { listing_id: 0 })
  const values = columns.map((name) => `value ->> '${name}'`)
  return bind(`insert into ${table} (${columns}) select ${values} from json_each(?) where true`, rows)
}

function bind(sql: string, rows: readonly TableRow[]): BoundStatement {
  return { sql, params: [JSON.stringify(rows)] }
}
