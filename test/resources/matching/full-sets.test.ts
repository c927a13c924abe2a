/** Requests that more listings match than are stored: random writes, and what one of them reads. */
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_MATCHES } from '../../../src/resources/matching/find.ts'
import { EVERY_MINUTE, runScheduled } from '../../../src/scheduled.ts'
import { put, remove } from '../../support/api.ts'
import { counted, execute, selectAll } from '../../support/database.ts'
import { insertListings } from '../../support/factories/listing.ts'
import { createActiveListing, createRequest, seedRequests, setStatus } from '../requests/seed.ts'
import { countUnmatched, expectedPairs, storedPairs } from './pairs.ts'

const KIND = { category: 'commercial', availability: 'auction' }
const LISTINGS = MAX_MATCHES + 8
/** Of another kind, which no request has a full set of. */
const OTHER_KIND = { category: 'land', availability: 'auction' }
const OTHER_LISTINGS = 300
const REQUESTS = 10

beforeAll(async () => {
  await seedRequests()
  const values = { status: "'active'", price: 'value % 7', size: 'value % 5', area_level1: 1 }
  const ofKind = ({ category }: typeof KIND) => ({ category: `'${category}'`, availability: "'auction'" })
  await insertListings(LISTINGS, { ...ofKind(KIND), ...values })
  await insertListings(OTHER_LISTINGS, { ...ofKind(OTHER_KIND), ...values })
  for (let number = 0; number < REQUESTS; number++)
    await createRequest({ ...KIND, locations: [1], price_max: 2 + (number % 3), size_max: 3 })
  for (let number = 0; number < REQUESTS; number++)
    await createRequest({ ...OTHER_KIND, locations: [1], price_max: 3 })
  // Of few listings.
  await createRequest({ ...KIND, locations: [11], price_max: 0 })
  await runScheduled({ cron: EVERY_MINUTE }, env)
})

/** Requests whose matches are counted wrong. Null is not counted yet. */
const miscounted = () =>
  selectAll(`select id, match_count from requests where match_count <> 
    (select count(*) from request_matches where request_id = requests.id)`)

/** What takes the place of a lost match, the next run of cron finds. */
async function expectExact(step: string): Promise<void> {
  await runScheduled({ cron: EVERY_MINUTE }, env)
  expect(await countUnmatched(), step).toBe(0)
  expect(await storedPairs(), step).toEqual(await expectedPairs())
  expect(await miscounted(), step).toEqual([])
}

const id = fc.integer({ min: 1, max: LISTINGS })
const price = fc.integer({ min: 0, max: 6 })

const write = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('price' as const), id, price) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('status' as const), id, price) },
  fc.tuple(fc.constant('new' as const), id, price),
  { weight: 2, arbitrary: fc.tuple(fc.constant('many' as const), id, price) },
  fc.tuple(fc.constant('request' as const), fc.integer({ min: 1, max: REQUESTS }), price),
  fc.tuple(fc.constant('uncounted' as const), id, price),
)

const writes: Record<string, (id: number, price: number) => Promise<unknown>> = {
  price: (id, price) => put(`/api/listings/${id}`, { price }),
  status: (id, price) => setStatus(id, price % 2 ? 'active' : 'inactive'),
  new: (_, price) => createActiveListing({ ...KIND, location: { area_level1: 1 }, price, size: 1 }),
  request: (id, price) => put(`/api/requests/${id}`, { price_max: price }),
  // As many as are matched in one transaction, and then those that wait for cron.
  many: async (id, price) => {
    const some = 'id % 23 = ? % 23'
    await execute(`update listings set price = ?, version = version + 1 where ${some}`, price, id)
    await runScheduled({ cron: EVERY_MINUTE }, env)
  },
  // Requests that were matched before matches were counted.
  uncounted: async (id, price) => {
    await execute('update requests set match_count = null where id % 2 = ?', id % 2)
    for (const odd of [0, 1]) await put(`/api/listings/${id + odd}`, { price: price + 1 + odd })
    const touched = await selectAll('select id from requests where match_count is null')
    for (const row of touched) await put(`/api/requests/${row.id}`, {})
  },
}

const IS_MATCH = 'listing_id in (select listing_id from request_matches)'
const IS_OTHER = `category = '${OTHER_KIND.category}'`

describe('full sets of matches', { timeout: 120_000 }, () => {
  it.each([
    ['gets better', `${IS_MATCH} and not ${IS_OTHER} and price = 6 and size < 3`, 0, 0],
    ['gets worse', `${IS_MATCH} and not ${IS_OTHER} and price = 0 and size = 4`, 6, REQUESTS],
    ['comes in', `not ${IS_MATCH} and price > 4`, 0, 0],
    ['is in others', `${IS_OTHER} and price = 0`, 6, 0],
  ])('are not read by a listing that %s', async (_, condition, price, left) => {
    const [listing] = await selectAll<{ id: number; price: number }>(
      `select id, price from (select *, id as listing_id from listings where status = 'active') where ${condition} limit 1`,
    )
    const { DB, counts } = counted()
    const { status } = await put(`/api/listings/${listing?.id}`, { price }, { bindings: { DB } })
    expect(status).toBe(200)
    expect(counts.rowsRead).toBeLessThan(50 * REQUESTS + 30)
    // Cron finds what takes the place of a match that falls to the end.
    expect(await countUnmatched()).toBe(left)
    await expectExact(condition)
  })

  it('are exact after each of many random writes, and counted', { tags: 'slow' }, async () => {
    await expectExact('at first')
    const full = await selectAll('select id from requests where match_count = ?', MAX_MATCHES)
    expect(full.length).toBe(REQUESTS)
    const steps = fc.sample(write, { numRuns: 35, seed: 18 })
    expect(new Set(steps.map(([kind]) => kind)).size).toBe(Object.keys(writes).length)
    for (const [index, [kind, id, price]] of steps.entries()) {
      await writes[kind]?.(id, price)
      await expectExact(`${index}: ${kind} ${id} ${price}`)
    }
  })

  it('lose their count with the request, which is deleted', async () => {
    await remove('/api/requests/1')
    expect(await selectAll('select match_count from requests where id = 1')).toEqual([{ match_count: null }])
    await expectExact('deleted')
  })
})
