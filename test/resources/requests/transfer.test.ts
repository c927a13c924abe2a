import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords } from '../../support/api.ts'
import { importLine } from '../../support/transfer.ts'
import {
  createActiveListing,
  createRequest,
  matchesOf,
  matchesOfListing,
  minimalRequest,
  seedRequests,
} from './seed.ts'

beforeAll(seedRequests)

const importRequest = (data: Record<string, unknown>, mode?: string) => importLine('requests', data, mode)

describe('import of requests', () => {
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
