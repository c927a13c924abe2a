/** Lists of visitors give what a reading by hand of the shown listings gives. */
import { beforeAll, expect, it } from 'vitest'
import { query, websiteKey } from '../../../support/api.ts'
import { distance, readListings, type Shown, seedListings } from '../search/by-hand.ts'

let key = ''
let all: Shown[] = []

beforeAll(async () => {
  await seedListings()
  key = await websiteKey()
  all = await readListings(key)
})

it('has the same listings on either side of the date line', async () => {
  const idsIn = async (bounds: object) =>
    (await query('/api/listings', { bounds, per_page: 100 }, { key })).body.data.map(({ id }: Shown) => id)
  const onLine = all.filter(({ location }) => Math.abs(location.longitude ?? 0) === 180).map(({ id }) => id)
  expect(onLine.length).toBeGreaterThan(3)
  for (const [west, east] of [
    [180, 180],
    [-180, -180],
    [180, -180],
    [179.999, 180],
    [-180, -179.999],
  ])
    expect(await idsIn({ south: -90, west, north: 90, east })).toEqual(onLine.toSorted((a, b) => b - a))
  expect(await idsIn({ south: -90, west: -179.99, north: 90, east: 179.99 })).not.toContain(onLine[0])
})

it('orders by distance, those without a point last', async () => {
  const near = { latitude: 37.97, longitude: 23.7, radius: 50_000 }
  const found = (await query('/api/listings', { near, sort: 'distance', per_page: 100 }, { key })).body
    .data as Shown[]
  const distances = found.map(({ location }) => distance(near, location))
  expect(distances).toEqual(distances.toSorted((a, b) => a - b))
  expect(distances.length).toBeGreaterThan(5)
})
