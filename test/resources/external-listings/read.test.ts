import { beforeAll, describe, expect, it } from 'vitest'
import { expectData, expectInvalid, get, query } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { create, FULL, seedExternalListings } from './seed.ts'

const PATH = '/api/external-listings'

beforeAll(async () => {
  await seedExternalListings()
  const { id } = await create(FULL)
  await create({ category: 'land', location: { area_level1: 2 } })
  await create()
  await execute('update external_listings set photos = ? where id = ?', '["photos/a.jpg"]', id)
})

describe('GET /api/external-listings', () => {
  it.each([
    ['rooms[min]=2&has_photos=true', 1],
    ['near[latitude]=37.98&near[longitude]=23.74&near[radius]=1000&tags=1&tags=2', 1],
    [
      'bounds[south]=37&bounds[west]=23&bounds[north]=38&bounds[east]=24&subcategory=villa&subcategory=loft',
      0,
    ],
    ['tags=&areas=&floor[min]=&has_photos=', 3],
  ])('takes %s as query', async (search, total) => {
    expect((await get(`${PATH}?${search}`)).body.total_results).toBe(total)
  })

  it.each<[Record<string, unknown>, string]>([
    [
      { bounds: { south: 38, west: 23, north: 37, east: 24 } },
      'Invalid bounds: south must not be above north',
    ],
    [{ bounds: { south: 37 } }, 'Missing bounds.west'],
  ])('%j → 400', (filters, message) => expectInvalid(query(PATH, filters), message))
})

describe('lookups of external listings', () => {
  it('custom-fields: those of external listings only', () =>
    expectData(get(`${PATH}/custom-fields`), [{ id: 1, name: 'Σχόλια', type: 'textarea' }]))
})
