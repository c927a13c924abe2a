import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords, query } from '../../support/api.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'

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
