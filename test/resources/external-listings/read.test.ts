import { beforeAll, describe, expect, it } from 'vitest'
import { call, expectData, expectInvalid, get, ORIGIN, query } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { create, FULL, read, seedExternalListings } from './seed.ts'

const PATH = '/api/external-listings'

let full: Awaited<ReturnType<typeof create>>
let office: typeof full
let plot: typeof full
let bare: typeof full

beforeAll(async () => {
  await seedExternalListings()
  full = await create(FULL)
  office = await create({
    store_id: 1,
    source_id: 1,
    status: 2,
    availability: 'rent',
    category: 'commercial',
    price: 900,
    size: 60,
    location: { area_level1: 1, area_level2: 12 },
  })
  plot = await create({
    availability: 'sale',
    category: 'land',
    price: 50_000,
    size: 0,
    location: { area_level1: 2 },
  })
  bare = await create()
  for (const [index, { id }] of [full, office, plot, bare].entries()) await backdate(id, index + 1)
  await execute(
    'update external_listings set photos = ? where id = ?',
    JSON.stringify(['photos/a.jpg', 'https://elsewhere.example/b.jpg']),
    full.id,
  )
})

/** Created on that day of January 2020, updated a month later. */
async function backdate(id: number, day: number): Promise<void> {
  await execute(
    `update external_listings set
    date_created = '2020-01-0' || ?1 || ' 12:00:00', date_updated = '2020-02-0' || ?1 || ' 12:00:00' where id = ?2`,
    String(day),
    id,
  )
}

describe('GET /api/external-listings/{id}', () => {
  it('answers the full form, with fields=all too', async () => {
    const { status, body } = await get(`${PATH}/${full.id}`)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 200,
        data: {
          id: full.id,
          ...FULL,
          date_created: '2020-01-01 12:00:00',
          date_updated: '2020-02-01 12:00:00',
          photos: [`${ORIGIN}/photos/a.jpg`, 'https://elsewhere.example/b.jpg'],
        },
      },
    })
    expect((await get(`${PATH}/${full.id}?fields=all`)).body).toEqual(body)
    expect((await get(`${PATH}/${full.id}/`)).body).toEqual(body)
    expect((await call('HEAD', `${PATH}/${full.id}`)).status).toBe(200)
  })
})

describe('GET /api/external-listings', () => {
  it('answers the trimmed form, newest first', async () => {
    const { status, headers, body } = await get(PATH)
    expect(status).toBe(200)
    expect(headers.get('X-Total-Count')).toBe('4')
    const { data, ...envelope } = body
    expect(envelope).toEqual({ status: 200, page: 1, total_pages: 1, results_per_page: 50, total_results: 4 })
    expect(data.map(({ id }: { id: number }) => id)).toEqual([bare.id, plot.id, office.id, full.id])
    const { location, contact_email, contact_phones, ...rest } = await read(full.id)
    expect(data[3]).toEqual({ ...rest, ...location, system_id: null })
    expect(Object.keys(data[3])).toEqual([
      'id',
      'system_id',
      'store_id',
      'source_id',
      'status',
      'external_url',
      'availability',
      'category',
      'subcategory',
      'price',
      'price_per_sqm',
      'size',
      'floor',
      'levels',
      'rooms',
      'wcs',
      'bathrooms',
      'kitchens',
      'living_rooms',
      'year_built',
      'description',
      'address',
      'area_level1',
      'area_level2',
      'area_level3',
      'latitude',
      'longitude',
      'contact_full_name',
      'created_by',
      'date_created',
      'date_updated',
      'tags',
      'users',
      'photos',
    ])
  })

  it('answers the full form with fields=all', async () => {
    const { body } = await get(`${PATH}?fields=all`)
    expect(body.data).toEqual([
      await read(bare.id),
      await read(plot.id),
      await read(office.id),
      await read(full.id),
    ])
  })

  it.each([
    ['rooms[min]=2&has_photos=true', 1],
    ['near[latitude]=37.98&near[longitude]=23.74&near[radius]=1000&tags=1&tags=2', 1],
    [
      'bounds[south]=37&bounds[west]=23&bounds[north]=38&bounds[east]=24&subcategory=villa&subcategory=loft',
      0,
    ],
    ['tags=&areas=&floor[min]=&has_photos=', 4],
  ])('takes %s as query', async (search, total) => {
    expect((await get(`${PATH}?${search}`)).body.total_results).toBe(total)
  })

  it.each<[Record<string, unknown>, string]>([
    [
      { bounds: { south: 38, west: 23, north: 37, east: 24 } },
      'Invalid bounds: south must not be above north',
    ],
    [{ bounds: { south: 37 } }, 'Missing bounds.west'],
    [{ near: { latitude: 91, longitude: 0, radius: 5 } }, 'Invalid near.latitude: must be at most 90'],
    [{ near: { latitude: 9, longitude: 0, radius: 50_001 } }, 'Invalid near.radius: must be at most 50000'],
  ])('%j → 400', (filters, message) => expectInvalid(query(PATH, filters), message))
})

describe('lookups of external listings', () => {
  it('custom-fields: those of external listings only', () =>
    expectData(get(`${PATH}/custom-fields`), [{ id: 1, name: 'Σχόλια', type: 'textarea' }]))
})
