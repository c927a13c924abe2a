/**
 * What spares a write of a listing to read: it must change nothing about what is stored, or told.
 *
 * @module-tag slow
 */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { batch, database, runStatement } from '../../../src/db/client.ts'
import { hasChanges } from '../../../src/db/rows.ts'
import { ApiError } from '../../../src/http/errors.ts'
import { checkObject } from '../../../src/http/request/check.ts'
import { type ListingInput, listingUpdate } from '../../../src/resources/listings/input.ts'
import { type ListingRow, selectListing } from '../../../src/resources/listings/queries.ts'
import {
  type ListingLookups,
  readLookups,
  selectLookups,
} from '../../../src/resources/listings/references.ts'
import { resolveListing } from '../../../src/resources/listings/resolve.ts'
import { type ListingDraft, validateListing } from '../../../src/resources/listings/rules.ts'
import { type StoredListing, selectStoredListing } from '../../../src/resources/listings/stored.ts'
import { post } from '../../support/api.ts'
import { databaseAround } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { createListing, minimalListing } from '../../support/factories/listing.ts'
import { full, type Json } from './updating.ts'

beforeAll(seedAgency)

/** Values for each key of a body, right and wrong; null beside them. */
const VALUES: Record<string, unknown[]> = {
  category: ['residential', 'land', 'commercial', 'castle'],
  availability: ['sale', 'rent'],
  store_id: [1, 2, 999],
  users: [[1], [2, 1], [999], []],
  subcategory: ['apartment', 'maisonette', 'office'],
  subtype: [1, 2, 3, 999],
  price: [100_000, 250_000, 0],
  size: [80, 33.3, 0],
  price_per_sqm: [1, 1250],
  floor: [-0.5, 2],
  rooms: [3, 4],
  property_condition: ['good', 'bad'],
  source_id: [1, 999],
  title: ['', 'Τίτλος', 'Title'],
  description: ['', 'Περιγραφή', '\t\u2028'],
  language_id: [1, 2, 999],
  notes: ['', 'Σημείωση', 'x'],
  tags: [[1, 2], [2], [], [3, 999]],
  contacts: [[1, 2], [2], [], [3]],
  features: [['has_elevator', 'alarm'], ['alarm'], [], ['fruit_trees']],
  positioning: [['is_corner'], []],
  flooring: [['tile'], ['marble', 'tile']],
  view: [['sea'], []],
  location: [
    {},
    { postal_code: '1' },
    { address: 'Αθηνάς 3' },
    { address: null },
    { latitude: 38, longitude: 24 },
    { latitude: null },
    { display_address: 'fake' },
    { display_address: 'real', address: 'Ερμού 15' },
    { display_address: 'none', area_level1: 2 },
  ],
  details: [{}, { wcs: 2 }, { wcs: null, heating_type: 'central' }, { heating_type: 'none?' }],
  'the service': [{}, { rating: 4 }, { rating: null }, { tenant_contact_id: 2 }, { tenant_contact_id: 3 }],
  extra: [{ has_keys: false }, { rating: 5, has_keys: true }],
}

const NAMES = Object.keys(VALUES)

/** A value of `name`, one after the other. */
function pickOf(name: string, turn: number): unknown {
  const values = [...(VALUES[name] ?? []), null]
  return values[turn % values.length]
}

const ALONE = NAMES.flatMap((name) =>
  [...(VALUES[name] ?? []), null].map((value): Json => ({ [name]: value })),
)

const PAIRS = NAMES.flatMap((one, turn) =>
  NAMES.slice(turn + 1).map(
    (other, index): Json => ({ [one]: pickOf(one, index), [other]: pickOf(other, turn + index) }),
  ),
)

/** The object without what is undefined. */
const sentOf = (body: Json): Json => JSON.parse(JSON.stringify(body))

/** Every way to name places and kinds, as these are judged together. */
const TOGETHER: Json[] = [
  ...[undefined, 1, 2, 11, 999].flatMap((area_level1) =>
    [undefined, 11, 21, 111, 1].flatMap((area_level2) =>
      [undefined, 111, 11, 999].map((area_level3) => ({
        location: sentOf({ area_level1, area_level2, area_level3 }),
      })),
    ),
  ),
  ...[undefined, null, 'apartment', 'office', 'plot'].flatMap((subcategory) =>
    [undefined, null, 1, 3, 999].flatMap((subtype) =>
      [undefined, 'commercial'].map((category) => sentOf({ category, subcategory, subtype })),
    ),
  ),
  ...[undefined, null, '', 'Text'].flatMap((title) =>
    [undefined, null, 2, 999].flatMap((language_id) =>
      [undefined, null, 'More'].map((description) => sentOf({ title, language_id, description })),
    ),
  ),
]

/** The row, failing where something is asked of it that was not read. */
function strict(row: StoredListing): StoredListing {
  return new Proxy(row, {
    get(target, name) {
      if (typeof name === 'string' && !Object.hasOwn(target, name)) throw new Error(`${name} was not read`)
      return Reflect.get(target, name)
    },
  })
}

/** What a draft comes to: why it is refused, or what it changes, and whether that is anything. */
function outcomeOf(draft: ListingDraft, found: ListingLookups, current: StoredListing): unknown {
  validateListing(draft, found, current)
  try {
    const { translation, columns, ...lists } = resolveListing(draft.complete(), found, current)
    return { translation, columns, lists, differs: hasChanges({ ...columns, ...lists }, current) }
  } catch (error) {
    if (error instanceof ApiError) return error.problems
    throw error
  }
}

describe('a PUT', () => {
  it('asks nothing of the stored listing that was not read, whichever keys come together', {
    timeout: 60_000,
  }, async () => {
    const id = await createListing(full)
    const db = database(env)
    for (const body of [...ALONE, ...PAIRS, ...TOGETHER]) {
      const draft = checkObject(listingUpdate, body)
      const { values } = draft as { values: Partial<ListingInput> }
      const {
        stored: [row],
        whole: [all],
        lookups,
      } = await batch(db, {
        stored: selectStoredListing(id, values),
        whole: selectListing({ id }),
        lookups: selectLookups(values),
      })
      if (!row || !all) throw new Error('No listing is stored')
      const found = readLookups(lookups)
      const outcome = outcomeOf(draft.fork(), found, strict(row))
      expect([body, outcome]).toEqual([body, outcomeOf(draft, found, all)])
    }
  })
})

/** A database where nothing holds that a new listing takes for granted, so that it is looked at first. */
function doubting(): D1Database {
  let isRefused = false
  return databaseAround(async (send, texts) => {
    const isGuarded = texts.some((text) => /^insert into listings .*case when/s.test(text))
    if (!isGuarded || isRefused) return send()
    isRefused = true
    const message = 'NOT NULL constraint failed: listings.version: SQLITE_CONSTRAINT'
    throw new Error(`D1_ERROR: ${message} (extended: SQLITE_CONSTRAINT_NOTNULL)`)
  })
}

/** The answer to a new listing, and all that it then is but for what two never share. */
async function outcomeOfCreate(body: Json, DB: D1Database): Promise<unknown> {
  const headers = { Accept: 'application/problem+json' }
  const { body: answer } = await post('/api/listings', body, { headers, bindings: { DB } })
  if (answer.status !== 200) return answer
  const [row] = await runStatement(database(env), selectListing({ id: Number(answer.created_id) }))
  const { id, date_created, date_updated, ...rest } = row ?? ({} as ListingRow)
  return rest
}

describe('a POST', () => {
  it('stores and tells in one round trip what it would in two', { timeout: 120_000 }, async () => {
    for (const body of [...ALONE, ...TOGETHER, ...PAIRS.filter((_, index) => index % 8 === 0)]) {
      const sent = { ...minimalListing, ...body }
      expect([body, await outcomeOfCreate(sent, env.DB)]).toEqual([
        body,
        await outcomeOfCreate(sent, doubting()),
      ])
    }
  })
})
