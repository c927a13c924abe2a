// @module-tag slow
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { featuresOf } from '../../../src/catalogue/features.ts'
import * as enums from '../../../src/catalogue/property-enums.ts'
import { CRITERIA, rangePairsOf, SCALARS } from '../../../src/catalogue/request.ts'
import { database, runStatement } from '../../../src/db/client.ts'
import { sqlStatement } from '../../../src/db/statements.ts'
import { metCriteria } from '../../../src/resources/matching/find.ts'
import {
  type CandidateListing,
  readCandidates,
  selectCandidates,
} from '../../../src/resources/matching/listing-view.ts'
import { type MatchingRequest, selectMatchingRequests } from '../../../src/resources/matching/request.ts'
import { matchListings } from '../../../src/resources/matching/run.ts'
import { compareCriteria, requestedCriteria, scoreMatch } from '../../../src/resources/matching/score.ts'
import { importRecords } from '../../support/api.ts'
import { minimalRequest, seedRequests } from '../requests/seed.ts'
import { expectedPairs, storedPairs } from './pairs.ts'

beforeAll(seedRequests)

const small = fc.integer({ min: 0, max: 6 })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const some = <T>(values: readonly T[]) =>
  maybe(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }))
const oneOf = <T>(values: readonly T[]) => maybe(fc.constantFrom(...values))
const keysOf = (group: 'view' | 'positioning') =>
  featuresOf(group)
    .map(({ input }) => input)
    .slice(0, 4)
const FEATURES = ['has_elevator', 'is_furnished', 'has_storage_room', 'golden_visa']
const PLACES = [1, 11, 12, 111, 2]

const limits = (names: readonly string[]) =>
  fc
    .record(Object.fromEntries(names.map((name) => [name, fc.tuple(maybe(small), maybe(small))])))
    .map((pairs) =>
      Object.fromEntries(
        Object.entries(pairs).flatMap(([name, [a, b]]) => {
          const [min, max] = a !== undefined && b !== undefined && a > b ? [b, a] : [a, b]
          return [
            ...(min === undefined ? [] : [[`${name}_min`, min]]),
            ...(max === undefined ? [] : [[`${name}_max`, max]]),
          ]
        }),
      ),
    )

/** The create body of a request for something residential. */
const requestBody = fc
  .record({
    kind: fc.record({
      availability: fc.constantFrom('sale', 'rent'),
      locations: fc.uniqueArray(fc.constantFrom(...PLACES), { minLength: 1, maxLength: 2 }),
    }),
    scalars: limits(rangePairsOf(SCALARS)),
    extra: limits(['garden_size', 'land_size', 'parking_total', 'bathrooms_total']),
    rest: fc.record({
      subcategories: some(['apartment', 'villa', 'loft']),
      has_elevator: maybe(fc.boolean()),
      elevator_min_floor: maybe(small),
    }),
    criteria: fc.record({
      view: some(keysOf('view')),
      positioning: some(keysOf('positioning')),
      property_condition: some(enums.PROPERTY_CONDITIONS.slice(0, 3)),
      orientation: some(enums.ORIENTATIONS.slice(0, 3)),
      heating_type: some(enums.HEATING_TYPES),
      heating_source: some(enums.HEATING_SOURCES.slice(0, 3)),
      construction_type: some(enums.CONSTRUCTION_TYPES.slice(0, 3)),
      garden: some(enums.GARDENS),
      features: some(FEATURES),
      is_furnished: oneOf(['yes', 'no']),
      special_locations: some([1, 2]),
      listing_tags: some([1, 2, 3]),
      yield_min: maybe(small),
    }),
  })
  .map(({ kind, scalars, extra, rest, criteria }) => ({
    ...minimalRequest,
    ...kind,
    ...rest,
    ...scalars,
    extra_fields: { ...extra, ...criteria },
  }))

/** The import line of an active listing, mostly residential and in some place. */
const listingBody = fc.record({
  category: fc.constantFrom('residential', 'residential', 'residential', 'commercial'),
  availability: fc.constantFrom('sale', 'rent'),
  subcategory: oneOf(['apartment', 'villa'] as const),
  price: maybe(small),
  size: maybe(small),
  price_per_sqm: maybe(small),
  rooms: maybe(small),
  bathrooms: maybe(small),
  floor: maybe(small),
  year_built: maybe(small),
  property_condition: oneOf(enums.PROPERTY_CONDITIONS.slice(0, 3)),
  features: some(FEATURES),
  view: some(keysOf('view')),
  positioning: some(keysOf('positioning')),
  tags: some([1, 2, 3]),
  location: fc.record({
    latitude: fc.constantFrom(0, 37.9755, 37.98, 37.99),
    longitude: fc.constantFrom(0, 23.7348, 23.74, 23.7462),
    ...{
      area: fc.constantFrom([1, 11, 111], [1, 11, null], [1, 12, null], [2, 21, null], [null, null, null]),
    },
  }),
  details: fc.record({
    heating_type: oneOf(enums.HEATING_TYPES),
    heating_source: oneOf(enums.HEATING_SOURCES.slice(0, 3)),
    construction_type: oneOf(enums.CONSTRUCTION_TYPES.slice(0, 3)),
    garden: oneOf(enums.GARDENS),
    land_size: maybe(small),
    parking_total: maybe(small),
  }),
  extra: fc.record({
    orientation: oneOf(enums.ORIENTATIONS.slice(0, 3)),
    garden_size: maybe(small),
    yield: maybe(small),
  }),
})

interface Sample {
  requests: MatchingRequest[]
  listings: CandidateListing[]
}

/** Stores random requests and listings and reads them as matching does. */
async function store(count: number, seed: number): Promise<Sample> {
  const bodies = fc.sample(listingBody, { numRuns: count, seed })
  await importRecords(
    bodies.map(({ location: { area, ...point }, ...body }, index) => {
      const [area_level1, area_level2, area_level3]: readonly (number | null)[] = area
      const location = { area_level1, area_level2, area_level3, ...point }
      const fixed = { id: index + 1, store_id: 1, created_by: 1, users: [1], status: 'active' }
      return ['listings', { ...fixed, ...body, location }]
    }),
  )
  const requests = fc.sample(requestBody, { numRuns: count, seed })
  await importRecords(requests.map((body, index) => ['requests', { ...body, id: index + 1 }]))
  const db = database(env)
  return {
    requests: await runStatement(db, selectMatchingRequests(sql``)),
    listings: readCandidates(await runStatement(db, selectCandidates(sql`select id from listings`))),
  }
}

describe('matching', { timeout: 60_000 }, () => {
  let sample: Sample

  beforeAll(async () => {
    sample = await store(150, 42)
  }, 60_000)

  it('finds from the request what the function says of every pair', async () => {
    const expected = await expectedPairs()
    expect(expected.length).toBeGreaterThan(200)
    expect(new Set(expected.map(({ score }) => score)).size).toBeGreaterThan(5)
    expect(await storedPairs()).toEqual(expected)
  })

  it('finds the same pairs and scores from the listing', async () => {
    const before = await storedPairs()
    await env.DB.exec('delete from request_matches')
    await matchListings(
      database(env),
      sample.listings.map(({ id }) => id),
    )
    expect(await storedPairs()).toEqual(before)
  })

  it('counts in the database the criteria that the function finds met, of every pair', async () => {
    const db = database(env)
    const seen = { met: 0, unmet: 0 }
    for (const request of sample.requests) {
      const asked = requestedCriteria(request)
      const count = sql`select l.id, ${metCriteria(asked)} as met from listings l order by l.id`
      const counted = await runStatement(db, sqlStatement(count))
      const expected = sample.listings.map((listing) => {
        const { deviations } = compareCriteria(asked, listing)
        seen.unmet += deviations.length
        seen.met += asked.length - deviations.length
        return { id: listing.id, met: asked.length - deviations.length }
      })
      expect(counted, `request ${request.id}`).toEqual(expected)
    }
    expect(Math.min(seen.met, seen.unmet)).toBeGreaterThan(10_000)
  })

  it('loses no match when a max is raised or a min lowered', () => {
    const names = [...rangePairsOf(SCALARS), ...rangePairsOf(CRITERIA)]
    const change = fc.record({
      request: fc.constantFrom(...sample.requests),
      name: fc.constantFrom(...names, 'yield'),
      side: fc.constantFrom('min', 'max'),
      by: fc.integer({ min: 1, max: 5 }),
    })
    let widened = 0
    fc.assert(
      fc.property(change, ({ request, name, side, by }) => {
        const wider = widen(request, `${name}_${side}`, side === 'max' ? by : -by)
        if (!wider) return
        for (const listing of sample.listings) {
          const [before, after] = [scoreMatch(request, listing), scoreMatch(wider, listing)]
          if (before === null) continue
          widened++
          expect(after).toBeGreaterThanOrEqual(before)
        }
      }),
      { numRuns: 2000 },
    )
    expect(widened).toBeGreaterThan(1000)
  })
})

/** `request` with one limit moved; null when it does not have that limit. */
function widen(request: MatchingRequest, key: string, by: number): MatchingRequest | null {
  const top: Record<string, unknown> = { ...request }
  const criteria: Record<string, unknown> = { ...request.criteria }
  if (typeof top[key] === 'number') return { ...request, [key]: top[key] + by }
  if (typeof criteria[key] === 'number')
    return { ...request, criteria: { ...request.criteria, [key]: criteria[key] + by } }
  return null
}
