/** What visitors read of listings, over HTTP. */
import { beforeAll, describe, expect, it } from 'vitest'
import {
  expectError,
  expectInvalid,
  get,
  importRecords,
  post,
  query,
  websiteKey,
} from '../../../support/api.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { createActive, createListing, minimalListing } from '../../../support/factories/listing.ts'

let key = ''

beforeAll(async () => {
  await seedAgency()
  key = await websiteKey()
})

const read = async (id: number) => (await get(`/api/listings/${id}`, { key })).body.data

/** The point of the cell that the listing below is in. */
const CELL = { latitude: 37.9775, longitude: 23.7384594 }

const LINE = {
  ...minimalListing,
  id: 50,
  status: 'active',
  status_date: '2026-01-02 03:04:05',
  date_created: '2026-01-01 00:00:00',
  date_updated: '2026-01-03 00:00:00',
  price: 250_000,
  size: 85.5,
  location: {
    area_level1: 1,
    area_level2: 11,
    postal_code: '10563',
    address: 'Ερμού 15',
    latitude: 37.9761234,
    longitude: 23.7354321,
    fake_latitude: 37.9785,
    fake_longitude: 23.7354321,
  },
}

/** Stores the listing with changes of its location. */
const store = (location: object) =>
  importRecords([
    ['listings', { ...LINE, location: { ...LINE.location, display_address: 'fake', ...location } }],
  ])

describe('the location that visitors see', () => {
  const HIDDEN = { address: null, address_en: null, postal_code: null, latitude: null, longitude: null }

  it.each([
    [
      'real',
      {
        ...{ address: 'Ερμού 15', address_en: 'Ermou 15', postal_code: '10563' },
        ...{ latitude: 37.9761234, longitude: 23.7354321, precision: 'exact' },
      },
    ],
    [
      'fake',
      {
        ...{ address: 'Ερμού', address_en: 'Ermou' },
        ...{ latitude: 37.9785, longitude: 23.7354321, precision: 'circle' },
      },
    ],
    ['none', { precision: 'area' }],
  ])('is, where the address is %s, %j', async (display_address, shown) => {
    await store({ display_address })
    const { location } = await read(50)
    expect(location).toEqual({
      area_level1: expect.objectContaining({ id: 1 }),
      area_level2: expect.objectContaining({ id: 11 }),
      area_level3: null,
      ...HIDDEN,
      ...shown,
    })
  })

  it.each([
    ['a public point within 100 m of the exact one', { fake_latitude: 37.9769 }],
    ['a public point beyond 2 km', { fake_latitude: 37.995 }],
    ['a public point of 0/0', { fake_latitude: 0, fake_longitude: 0 }],
    ['half a public point', { fake_latitude: null }],
    ['the point of another cell', { fake_latitude: 37.9825, fake_longitude: 23.7337891 }],
  ])('is the point of the cell for %s', async (_, points) => {
    await store(points)
    expect((await read(50)).location).toMatchObject({ ...CELL, precision: 'circle' })
  })

  it('is no point where only the public one is known', async () => {
    await store({ latitude: 0, longitude: 0 })
    expect((await read(50)).location).toMatchObject({ latitude: null, longitude: null, precision: 'area' })
  })

  it.each([
    ['Ερμού 15', 'Ερμού 15', 'Ερμού'],
    ['Ερμού 15Α', 'Ερμού 15', 'Ερμού'],
    ['Ερμού 16', 'Ερμού 15', 'Ερμού'],
    ['Ερμού 15', 'Ερμού １５', 'Ερμού'],
    ['Ερμού 015', 'Ερμού 15', 'Ερμού'],
    [null, 'Ερμού 15', 'Ερμού'],
    ['28ης Οκτωβρίου 3', '28ης Οκτωβρίου', '28ης Οκτωβρίου'],
  ])('hides the number of %j in the imported public address %j', async (address, fake_address_el, shown) => {
    await store({ address, fake_address_el })
    expect((await read(50)).location.address).toBe(shown)
  })
})

describe('a listing', () => {
  it.each(['draft', 'pending', 'inactive', 'archived', 'deleted'])(
    'that is %s does not exist',
    async (to) => {
      const id = to === 'draft' ? await createListing() : await createActive()
      if (to !== 'draft') await post(`/api/listings/${id}/status`, { to })
      await expectError(get(`/api/listings/${id}?fields=wrong`, { key }), 404, 'Listing not found')
      expect((await get(`/api/listings?ids=${id}`, { key })).body.total_results).toBe(0)
    },
  )

  it('of another store does not exist', async () => {
    await importRecords([['stores', { id: 2, name: 'Second' }]])
    await importRecords([['listings', { ...LINE, id: 60, store_id: 2 }]])
    const limited = await websiteKey({ stores: [1] })
    expect((await get('/api/listings/60', { key: limited })).status).toBe(404)
    expect((await get('/api/listings?ids=60', { key: limited })).body.total_results).toBe(0)
    expect((await get('/api/listings/60', { key })).status).toBe(200)
    expect((await get('/api/listings?store_id=2', { key })).body.total_results).toBe(1)
  })

  it('has the fields that are asked for, in its own order', async () => {
    const id = await createActive({ price: 5 })
    const one = await get(`/api/listings/${id}?fields=price,id,owner`, { key })
    expect(one.body.data).toEqual({ id, price: 5 })
    expect(Object.keys(one.body.data)).toEqual(['id', 'price'])
    expect(one.headers.get('X-Ignored-Fields')).toBe('fields.owner')
    const list = await query('/api/listings', { ids: [id], fields: ['code', 'price'] }, { key })
    expect(list.body.data).toEqual([{ code: expect.any(String), price: 5 }])
    await expectInvalid(
      get(`/api/listings/${id}?fields=owner,notes`, { key }),
      'Invalid fields: must name a field of the record',
    )
  })
})

const NOT_PUBLIC = 'is not available to keys of websites'

describe('a list', () => {
  it.each([
    [
      'sort=date_created',
      'Invalid sort: must be one of id, -id, date_updated, -date_updated, rooms, -rooms, price, -price, price_per_sqm, ' +
        '-price_per_sqm, size, -size, date_listed, -date_listed, distance, -distance',
    ],
    ['sort=distance', 'Invalid sort: distance needs near'],
    ['page=1001&per_page=100', 'Invalid page: page × per_page must not be above 100000'],
    ['near[latitude]=38&near[longitude]=23&near[radius]=50001', 'Invalid near.radius: must be at most 50000'],
  ])('refuses ?%s', async (search, message) => {
    await expectInvalid(get(`/api/listings?${search}`, { key }), message)
  })

  it.each<Record<string, unknown>>([
    { tags: [], users: [] },
    { tags: null, users: null, date_created: null, date_updated: null },
    { date_created: { min: null, max: null }, date_updated: { min: null } },
  ])('takes %j as no filter', async (filters) => {
    const { total_results } = (await get('/api/listings', { key })).body
    expect(total_results).toBeGreaterThan(0)
    const { status, body } = await query('/api/listings', filters, { key })
    expect([status, body.total_results]).toEqual([200, total_results])
  })

  it.each<[Record<string, unknown>, string]>([
    [{ tags: {} }, 'tags'],
    [{ users: '' }, 'users'],
    [{ date_created: { min: '2026-01-01', max: null } }, 'date_created'],
  ])('refuses %j', (filters, field) =>
    expectInvalid(query('/api/listings', filters, { key }), `Invalid ${field}: ${NOT_PUBLIC}`),
  )
})
