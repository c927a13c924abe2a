import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords } from '../../support/api.ts'
import { importLine } from '../../support/transfer.ts'
import {
  createActiveListing,
  createRequest,
  FIELDS,
  matchesOf,
  matchesOfListing,
  minimalRequest,
  readRequest,
  seedRequests,
} from './seed.ts'

beforeAll(seedRequests)

const FULL = {
  id: 500,
  availability: 'sale',
  category: 'residential',
  contacts: [2, 3],
  locations: [111, 2],
  users: [3, 1],
  created_by: 2,
  store_id: 2,
  title: 'Τίτλος',
  subcategories: ['villa', 'apartment'],
  subtypes: [5],
  price_min: 1,
  price_max: 300000,
  price_per_sqm_min: null,
  price_per_sqm_max: 4000,
  size_min: 50,
  size_max: null,
  year_built_min: 1980,
  year_built_max: null,
  rooms_min: null,
  rooms_max: 4,
  floor_min: -0.5,
  floor_max: 3,
  has_elevator: true,
  elevator_min_floor: 1.5,
  rating: 4,
  source_id: 1,
  status: 3,
  tags: [2, 1],
  notes: 'Notes',
  extra_fields: {
    [FIELDS.text]: 'Κείμενο',
    [FIELDS.contact]: 3,
    view: ['sea'],
    features: ['has_storage_room'],
    garden_size_min: 10.5,
    special_locations: [1],
  },
  date_created: '2020-01-01 10:00:00',
  date_updated: '2021-01-01 10:00:00',
}

const importRequest = (data: Record<string, unknown>, mode?: string) => importLine('requests', data, mode)

describe('import of requests', () => {
  it('replaces a request whole where it is told to, but keeps status and dates left open', async () => {
    await importRequest({ ...FULL, id: 501 })
    const { date_updated } = FULL
    expect(await importRequest({ ...minimalRequest, id: 501, date_updated }, 'replace')).toBeNull()
    const request = await readRequest(501)
    expect(request.extra_fields).toEqual({})
    expect(request).toMatchObject({
      title: 'Residential for sale: Athens',
      contacts: [1],
      price_max: null,
      has_elevator: false,
      elevator_min_floor: null,
      tags: [],
      rating: null,
      status: 3,
      date_created: FULL.date_created,
      date_updated: FULL.date_updated,
    })
  })

  it('hides and brings back, with its matches', async () => {
    const listing = await createActiveListing()
    await importRequest({ ...minimalRequest, id: 503 })
    expect(await matchesOf(503)).toMatchObject([{ listing_id: listing, score: 100 }])
    await importRequest({ ...minimalRequest, id: 503, is_deleted: true })
    expect((await get('/api/requests/503')).status).toBe(404)
    expect((await matchesOfListing(listing)).map(requestId)).not.toContain(503)
    await importRequest({ ...minimalRequest, id: 503 })
    expect((await get('/api/requests/503')).status).toBe(404)
    await importRequest({ id: 503, is_deleted: false })
    expect((await matchesOfListing(listing)).map(requestId)).toContain(503)
  })

  it('matches many lines at once', async () => {
    const listing = await createActiveListing({ price: 50, availability: 'auction' })
    const lines = Array.from({ length: 25 }, (_, index) => ({
      ...minimalRequest,
      id: 600 + index,
      availability: 'auction',
      price_max: index % 2 === 0 ? 100 : 10,
    }))
    await importRecords(lines.map((line) => ['requests', line]))
    const even = lines.filter(({ price_max }) => price_max === 100).map(({ id }) => id)
    const met = (await matchesOfListing(listing)).filter(({ score }: { score: number }) => score === 100)
    expect(met.map(requestId)).toEqual(even.toReversed())
  })
})

describe('import of listings', () => {
  it('finds their requests', async () => {
    const { id: request } = await createRequest({
      availability: 'rent',
      category: 'commercial',
      price_max: 100,
    })
    const line = {
      ...{ id: 800, category: 'commercial', availability: 'rent', store_id: 1, created_by: 1, users: [1] },
      location: { area_level1: 1, area_level2: 11 },
      price: 90,
    }
    await importRecords([['listings', { ...line, status: 'active' }]])
    expect(await matchesOf(request)).toEqual([
      { request_id: request, listing_id: 800, score: 100, deviations: [] },
    ])
    await importRecords([['listings', { ...line, status: 'archived' }]])
    expect(await matchesOf(request)).toEqual([])
  })
})

const requestId = ({ request_id }: { request_id: number }) => request_id
