import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { rowsRead } from '../../db/plans.ts'
import { get, importRecords, put } from '../../support/api.ts'
import { listingLine } from '../../support/factories/listing.ts'
import { createActiveListing, minimalRequest, seedRequests, setStatus } from '../requests/seed.ts'
import { countUnmatched, expectedPairs, storedPairs } from './pairs.ts'

beforeAll(seedRequests)

/** Stores requests for the places that `placesOf` gives for each, without matching them. */
async function storeRequests(
  first: number,
  count: number,
  placesOf: (id: number) => number[],
  availabilityOf: (id: number) => string = () => 'sale',
): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => first + index)
  const rows = ids.map((id) => ({ id, availability: availabilityOf(id), deleted: id % 11 === 0 ? 1 : 0 }))
  const links = ids.flatMap((id) => placesOf(id).map((place, position) => [id, place, position]))
  await env.DB.batch([
    env.DB.prepare(
      `insert into requests (id, matched_version, title, store_id, status, availability, category, subcategories,
        price_max, created_by, date_created, date_updated, is_deleted)
      select value ->> 'id', 1, 'Request', 1, 1, value ->> 'availability', 'residential', '["apartment"]',
        100 * (value ->> 'id' % 7), 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00', value ->> 'deleted'
      from json_each(?)`,
    ).bind(JSON.stringify(rows)),
    env.DB.prepare(
      `insert into request_locations (request_id, location_id, position)
      select value ->> 0, value ->> 1, value ->> 2 from json_each(?)`,
    ).bind(JSON.stringify(links)),
  ])
}

describe('a listing', { timeout: 60_000 }, () => {
  it('reads what is asked of its places, not of its kind', async () => {
    const location = { area_level1: 2, area_level2: 21, area_level3: null }
    await storeRequests(20_000, 20, () => [21])
    const listing = await createActiveListing({ location, subcategory: 'apartment' })
    let price = 0
    const change = (DB: D1Database) =>
      put(`/api/listings/${listing}`, { price: ++price }, { bindings: { DB } })
    await change(env.DB)
    const before = await rowsRead(change)
    await storeRequests(30_000, 5000, () => [112])
    // Each change leaves the last one behind in the feed and in the indexes.
    expect(await rowsRead(change)).toBeLessThanOrEqual(1.1 * before)
    await setStatus(listing, 'archived')
  })

  it('finds every request for any of its places, thousands of them, once', async () => {
    const PLACES = [[1], [111], [1, 111], [11], [12], [111, 11, 1], [2, 21], [21, 11]]
    await storeRequests(
      10_000,
      4000,
      // First thousands for one place, then all of them mixed.
      (id) => (id < 11_500 ? [1] : (PLACES[id % PLACES.length] ?? [])),
      (id) => (id % 5 === 0 ? 'rent' : 'sale'),
    )
    const listing = await createActiveListing({ subcategory: 'apartment', price: 300 })
    const expected = await expectedPairs()
    expect(expected.length).toBeGreaterThan(2000)
    expect(await storedPairs()).toEqual(expected)
    const { body } = await get(`/api/listings/${listing}/matches`)
    expect(body.total_results).toBe(expected.length)
    const elsewhere = { area_level1: 2, area_level2: null, area_level3: null }
    for (const change of [{ price: 500 }, { availability: 'rent' }, { location: elsewhere }]) {
      await put(`/api/listings/${listing}`, change)
      expect([change, await storedPairs()]).toEqual([change, await expectedPairs()])
    }
  })

  it('without a place finds none, and is done with', async () => {
    await importRecords([listingLine(900, { location: {} }), ['requests', { ...minimalRequest, id: 900 }]])
    await put('/api/listings/900', { price: 5 })
    const pairs = await storedPairs()
    expect(pairs.filter(({ listing_id }) => listing_id === 900)).toEqual([])
    expect(await countUnmatched()).toBe(0)
  })
})
