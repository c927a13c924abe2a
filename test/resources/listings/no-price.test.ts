/** A price of 0 is none: portals and older systems write it where there is no price. */
import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords, keyWith, websiteKey } from '../../support/api.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'

const PRICES = [0, null, 90_000, 210_000]
const PLACE = { location: { latitude: 37.98, longitude: 23.73, display_address: 'real' } }
const keys: Record<string, string> = {}

beforeAll(async () => {
  await seedAgency()
  await importRecords(
    PRICES.flatMap((price, index): [string, Record<string, unknown>][] => [
      [
        'listings',
        {
          ...minimalListing,
          ...PLACE,
          id: index + 1,
          status: 'active',
          price,
          price_per_sqm: price && price / 100,
        },
      ],
      ['external_listings', { id: index + 1, store_id: 1, created_by: 1, price, size: 100 }],
    ]),
  )
  keys.visitors = await websiteKey()
  keys.agents = await keyWith('*:read')
})

describe.each(['visitors', 'agents'])('a listing with the price 0, for %s', (who) => {
  const read = async (path: string) => (await get(path, { key: keys[who] ?? '' })).body
  const idsOf = async (query: string) =>
    (await read(`/api/listings?${query}`)).data.map(({ id }: { id: number }) => id)

  it.each([
    ['sort=price', [3, 4, 2, 1]],
    ['sort=-price', [4, 3, 2, 1]],
    ['price[max]=100000', [3]],
    ['price[min]=0', [4, 3]],
    ['price_per_sqm[max]=1000', [3]],
  ])('?%s finds %j', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids)
  })

  it('is in no band of prices', async () => {
    const { data } = await read('/api/listings/facets?availability=sale&facets=price')
    expect(data).toEqual({
      price: [
        { min: 50_000, max: 100_000, count: 1 },
        { min: 200_000, max: 300_000, count: 1 },
      ],
    })
  })

  it('has no price on the map and in schema.org', async () => {
    const { data } = await read('/api/listings/map?ids=1')
    expect(data).toMatchObject([{ id: 1, price: null, count: 1 }])
    const [none, zero, some] = await Promise.all(
      [2, 1, 3].map(async (id) => JSON.parse(await read(`/api/listings/${id}?format=schema.org`)).offers),
    )
    expect(zero).toEqual(none)
    expect(some).toMatchObject({ price: 90_000 })
  })
})

it('visitors see no price, and secret keys what is stored', async () => {
  const seen = async (key = '') => (await get('/api/listings/1', { key })).body.data.price
  expect([await seen(keys.visitors), await seen(keys.agents)]).toEqual([null, 0])
})

it('external listings with the price 0 are within no bounds, and have no price per square metre', async () => {
  const { data } = (await get('/api/external-listings?price[max]=100000')).body
  expect(data.map(({ id }: { id: number }) => id)).toEqual([3])
  expect((await get('/api/external-listings/1')).body.data).toMatchObject({ price: 0, price_per_sqm: null })
})
