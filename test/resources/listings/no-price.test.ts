/** A price of 0 is none: portals and older systems write it where there is no price. */
import { beforeAll, expect, it } from 'vitest'
import { get, importRecords, keyWith, type Line, websiteKey } from '../../support/api.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { listingLine } from '../../support/factories/listing.ts'
import { idsOf } from '../../support/reads.ts'

const keys: Record<string, string> = {}

beforeAll(async () => {
  await seedAgency()
  await importRecords(
    [0, null, 90_000].flatMap((price, index): Line[] => [
      listingLine(index + 1, { price }),
      ['external_listings', { id: index + 1, store_id: 1, created_by: 1, price, size: 100 }],
    ]),
  )
  keys.visitors = await websiteKey()
  keys.agents = await keyWith('*:read')
})

it.each(['visitors', 'agents'])('a listing with the price 0 has none in schema.org, for %s', async (who) => {
  const offersOf = async (id: number) =>
    JSON.parse((await get(`/api/listings/${id}?format=schema.org`, { key: keys[who] ?? '' })).body).offers
  expect(await offersOf(1)).toEqual(await offersOf(2))
  expect(await offersOf(3)).toMatchObject({ price: 90_000 })
})

it('visitors see no price, and secret keys what is stored', async () => {
  const seen = async (key = '') => (await get('/api/listings/1', { key })).body.data.price
  expect([await seen(keys.visitors), await seen(keys.agents)]).toEqual([null, 0])
})

it('external listings with the price 0 are within no bounds, and have no price per square metre', async () => {
  expect(idsOf((await get('/api/external-listings?price[max]=100000')).body)).toEqual([3])
  expect((await get('/api/external-listings/1')).body.data).toMatchObject({ price: 0, price_per_sqm: null })
})
