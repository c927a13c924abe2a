/** What spares a write of a listing to read: it must change nothing about what is stored, or told. */
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { batch, database } from '../../../src/db/client.ts'
import { listings } from '../../../src/db/tables/listings.ts'
import { checkObject } from '../../../src/http/check.ts'
import { ApiError } from '../../../src/http/errors.ts'
import { type ListingRow, selectListings } from '../../../src/resources/listings/queries.ts'
import { resolveListing } from '../../../src/resources/listings/resolve.ts'
import {
  checkListing,
  type Found,
  type ListingDraft,
  readFound,
  referencesOf,
  refersToAnything,
  selectFound,
} from '../../../src/resources/listings/rules.ts'
import { type ListingInput, listingUpdate } from '../../../src/resources/listings/schema.ts'
import { selectStored } from '../../../src/resources/listings/stored.ts'
import { bearer, sendTo, silenceLog } from '../../http/send.ts'
import { keyWith, ORIGIN } from '../../support/api.ts'
import { databaseOf } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { createListing, minimalListing } from '../../support/factories/listing.ts'
import { full, type Json } from './updating.ts'

let key = ''

beforeAll(async () => {
  silenceLog()
  await seedAgency()
  key = await keyWith('*:read', '*:write')
})

const ids = (...known: number[]) => fc.subarray([...known, 999])
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 6 })

/** A value for each key of a body, right or wrong. */
const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  category: fc.constantFrom('residential', 'land', 'commercial', 'castle'),
  availability: fc.constantFrom('sale', 'rent'),
  store_id: fc.constantFrom(1, 2, 999),
  users: fc.constantFrom([1], [2, 1], [999], []),
  subcategory: maybe(fc.constantFrom('apartment', 'maisonette', 'plot', 'office')),
  subtype: maybe(fc.constantFrom(1, 2, 3, 999)),
  price: maybe(fc.constantFrom(100_000, 250_000, 0)),
  size: maybe(fc.constantFrom(80, 33.3, 0)),
  price_per_sqm: maybe(fc.constantFrom(1, 1250)),
  floor: maybe(fc.constantFrom(-0.5, 2)),
  rooms: maybe(fc.constantFrom(3, 4)),
  property_condition: maybe(fc.constantFrom('good', 'bad')),
  source_id: maybe(fc.constantFrom(1, 999)),
  title: maybe(fc.constantFrom('', 'Τίτλος', 'Title')),
  description: maybe(fc.constantFrom('', 'Περιγραφή', '\t\u2028')),
  language_id: maybe(fc.constantFrom(1, 2, 999)),
  notes: maybe(fc.constantFrom('', 'Σημείωση', 'x')),
  tags: maybe(ids(1, 2)),
  contacts: maybe(ids(1, 2)),
  features: maybe(fc.subarray(['has_elevator', 'alarm', 'pool'])),
  positioning: maybe(fc.subarray(['is_corner'])),
  flooring: maybe(fc.subarray(['tile', 'marble'])),
  view: maybe(fc.subarray(['sea'])),
  location: maybe(
    fc.record(
      {
        area_level1: maybe(fc.constantFrom(1, 2, 11, 999)),
        area_level2: maybe(fc.constantFrom(11, 12, 111, 999)),
        area_level3: maybe(fc.constantFrom(111, 11, 999)),
        postal_code: maybe(fc.constantFrom('106 75', '1')),
        address: maybe(fc.constantFrom('Ερμού 15', 'Αθηνάς 3')),
        latitude: maybe(fc.constantFrom(37.9755, 38)),
        longitude: maybe(fc.constantFrom(23.7348, 24)),
        display_address: maybe(fc.constantFrom('real', 'fake', 'none')),
      },
      { requiredKeys: [] },
    ),
  ),
  details: maybe(
    fc.record(
      { wcs: maybe(fc.constantFrom(1, 2)), heating_type: maybe(fc.constantFrom('central', 'none?')) },
      { requiredKeys: [] },
    ),
  ),
  'the service': maybe(
    fc.record(
      { rating: maybe(fc.constantFrom(3, 4)), tenant_contact_id: maybe(fc.constantFrom(1, 999)) },
      { requiredKeys: [] },
    ),
  ),
  extra: maybe(fc.record({ has_keys: fc.boolean(), rating: fc.constant(5) }, { requiredKeys: [] })),
}

const NAMES = Object.keys(VALUES)
const PAIRS = NAMES.flatMap((one, index) => NAMES.slice(index).map((other) => [one, other]))
const bodyOf = (names: readonly string[]): fc.Arbitrary<Json> =>
  fc.record(Object.fromEntries(names.flatMap((name) => (VALUES[name] ? [[name, VALUES[name]]] : []))))

/** The row, failing where something is asked of it that was not read. */
function strict(row: ListingRow): ListingRow {
  return new Proxy(row, {
    get(target, name) {
      if (typeof name === 'string' && !Object.hasOwn(target, name)) throw new Error(`${name} was not read`)
      return Reflect.get(target, name)
    },
  })
}

/** What a checked draft comes to: why it is refused, or the change that it makes. A drawn point is any. */
function outcomeOf(draft: ListingDraft, found: Found, current: ListingRow): unknown {
  try {
    const { columns, ...lists } = resolveListing(draft.complete(), found, current)
    const drawn = {
      fake_latitude: columns.fake_latitude == null,
      fake_longitude: columns.fake_longitude == null,
    }
    return { ...lists, columns: { ...columns, ...drawn } }
  } catch (error) {
    if (error instanceof ApiError) return error.problems
    throw error
  }
}

describe('a PUT', () => {
  it('asks nothing of the stored listing that was not read, whichever keys come together', async () => {
    const stored = await Promise.all([
      createListing(full),
      createListing(),
      createListing({ category: 'land' }),
    ])
    const db = database(env)
    for (const names of PAIRS) {
      const [body] = fc.sample(bodyOf(names), 1)
      for (const id of names[0] === names[1] ? stored : stored.slice(0, 1)) {
        const draft = checkObject(listingUpdate, body ?? {})
        const { values } = draft as { values: Partial<ListingInput> }
        const references = referencesOf(values)
        const looked = refersToAnything(values, references) ? selectFound([values], references) : []
        const [[row], ...answers] = await batch(db, [selectStored(id, values), ...looked])
        if (!row) throw new Error('No listing is stored')
        const found = readFound(...(answers as Parameters<typeof readFound>))
        const [whole] = await selectListings(db).where(eq(listings.id, id))
        if (!whole) throw new Error('No listing is stored')
        const oracle = draft.fork()
        checkListing(oracle, references, found, whole)
        checkListing(draft, references, found, strict(row))
        expect(outcomeOf(draft, found, strict(row))).toEqual(outcomeOf(oracle, found, whole))
      }
    }
  })
})

/** A database where nothing holds that a new listing takes for granted, so that it is looked at first. */
function doubting(): D1Database {
  let isGuarded = false
  return databaseOf({
    prepare: (text: string) => {
      isGuarded ||= text.startsWith('insert into listings ') && text.includes('case when')
      return env.DB.prepare(text)
    },
    batch: (statements: D1PreparedStatement[]) => {
      if (!isGuarded) return env.DB.batch(statements)
      isGuarded = false
      const message = 'NOT NULL constraint failed: listings.version: SQLITE_CONSTRAINT'
      return Promise.reject(new Error(`D1_ERROR: ${message} (extended: SQLITE_CONSTRAINT_NOTNULL)`))
    },
  })
}

/** The answer to a new listing, and all that it then is but for what two never share. */
async function outcomeOfCreate(body: Json, DB: D1Database): Promise<unknown> {
  const headers = { ...bearer(key), Accept: 'application/problem+json' }
  const sent = new Request(`${ORIGIN}/api/listings`, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = (await (await sendTo({ DB }, sent)).json()) as Json
  if (answer.status !== 200) return answer
  const [row] = await selectListings(database(env)).where(eq(listings.id, Number(answer.created_id)))
  const { id, date_created, date_updated, fake_latitude, fake_longitude, ...rest } = row ?? ({} as ListingRow)
  return { ...rest, drawn: [fake_latitude, fake_longitude].map((value) => value !== null) }
}

describe('a POST', () => {
  it('stores and tells in one round trip what it would in two', { timeout: 60_000 }, async () => {
    const seen = { stored: 0, refused: 0 }
    const body = fc.record(VALUES, { requiredKeys: [] })
    await fc.assert(
      fc.asyncProperty(fc.subarray(NAMES, { maxLength: 8 }), body, async (names, values) => {
        const chosen = Object.fromEntries(
          names.flatMap((name) => (name in values ? [[name, values[name]]] : [])),
        )
        const sent = { ...minimalListing, ...chosen }
        const outcome = await outcomeOfCreate(sent, env.DB)
        expect(outcome).toEqual(await outcomeOfCreate(sent, doubting()))
        seen[(outcome as Json).errors ? 'refused' : 'stored']++
      }),
      { numRuns: 120 },
    )
    expect(Math.min(seen.stored, seen.refused)).toBeGreaterThan(10)
  })
})
