import { beforeAll, expect, it } from 'vitest'
import { query, websiteKey } from '../../../support/api.ts'
import { distance, type Shown, seedListings } from '../search/by-hand.ts'

let key = ''

beforeAll(async () => {
  await seedListings()
  key = await websiteKey()
})

it('orders by distance, those without a point last', async () => {
  const near = { latitude: 37.97, longitude: 23.7, radius: 50_000 }
  const found = (await query('/api/listings', { near, sort: 'distance', per_page: 100 }, { key })).body
    .data as Shown[]
  const distances = found.map(({ location }) => distance(near, location))
  expect(distances).toEqual(distances.toSorted((a, b) => a - b))
  expect(distances.length).toBeGreaterThan(5)
})
