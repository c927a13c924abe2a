import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords, post, put, query } from '../../support/api.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing, readListing } from '../../support/factories/listing.ts'

beforeAll(async () => {
  await seedAgency()
  await importRecords([['listings', { ...minimalListing, id: 9, date_created: '2026-01-01 12:00:00' }]])
})

describe('GET /api/listings', () => {
  it('shows each record as it is read alone, also with fields=all', async () => {
    for (const suffix of ['', '&fields=all']) {
      const { body } = await get(`/api/listings?search=9${suffix}`)
      expect(body.data).toEqual([(await get(`/api/listings/9?${suffix}`)).body.data])
    }
    const { body } = await query('/api/listings?fields=all', { search: '9' })
    expect(Object.keys(body.data[0])).toContain('land_use')
  })

  it('a range of one moment may be given as a date on both sides', async () => {
    const { body } = await query('/api/listings', {
      date_created: { min: '2026-01-01', max: '2026-01-01 00:00:00' },
    })
    expect(body.total_results).toBe(0)
  })
})

describe('totals', () => {
  it('follow every write', async () => {
    const total = async (filter: object) => (await query('/api/listings', filter)).body.total_results
    const before = await total({ status: 'pending', availability: 'rent' })
    const { body } = await post('/api/listings', { ...minimalListing, availability: 'rent' })
    expect(await total({})).toBe(2)
    await post(`/api/listings/${body.created_id}/status`, { to: 'pending' })
    expect(await total({ status: 'pending', availability: 'rent' })).toBe(before + 1)
    await put(`/api/listings/${body.created_id}`, { availability: 'auction' })
    expect(await total({ status: 'pending', availability: 'rent' })).toBe(before)
    expect(await readListing(body.created_id)).toMatchObject({ status: 'pending', availability: 'auction' })
    expect(await total({ search: String(body.created_id) })).toBe(1)
  })
})

it.each(['tags', 'users'])('a listing is found by any of its %s, and by any that is wanted', async (name) => {
  await importRecords([
    ['listings', { ...minimalListing, id: 21, status: 'archived', tags: [], [name]: [1, 2] }],
    ['listings', { ...minimalListing, id: 22, status: 'archived', tags: [], [name]: [2, 3] }],
  ])
  const found = async (wanted: number | number[]) => {
    const { body } = await query('/api/listings', { [name]: wanted, status: 'archived', sort: 'id' })
    return body.data.map(({ id }: { id: number }) => id)
  }
  expect(await Promise.all([1, 2, 3, [1, 3]].map(found))).toEqual([[21], [21, 22], [22], [21, 22]])
})
