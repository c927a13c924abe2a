import { beforeAll, describe, expect, it } from 'vitest'
import { get } from '../../support/api.ts'
import { importLine } from '../../support/transfer.ts'
import { OFF_SYSTEM, seedDeals, UNKNOWN_PROPERTY } from './seed.ts'

beforeAll(seedDeals)

const MINIMAL = {
  status: 'draft',
  is_active: true,
  store_id: 1,
  created_by: 1,
  currency: 'EUR',
  current_listing_price: 0,
  listing: { external: false, listing_id: 1 },
}

const read = async (id: number) => (await get(`/api/offers/${id}`)).body.data

describe('import of offers', () => {
  it.each<[unknown, unknown]>([
    [OFF_SYSTEM, OFF_SYSTEM],
    [{ external: true }, UNKNOWN_PROPERTY],
    [{ ...UNKNOWN_PROPERTY, listing_id: null }, UNKNOWN_PROPERTY],
    [
      { external: true, size: 85.5, address: '' },
      { ...UNKNOWN_PROPERTY, size: '85.50' },
    ],
    [
      { external: true, size: '100' },
      { ...UNKNOWN_PROPERTY, size: '100.00' },
    ],
    [
      { external: true, size: 0 },
      { ...UNKNOWN_PROPERTY, size: '0.00' },
    ],
    [
      { external: false, listing_id: 2, address: null, size: null },
      { external: false, listing_id: 2 },
    ],
  ])('takes the reference %j', async (listing, expected) => {
    expect(await importLine('offers', { ...MINIMAL, id: 3, listing })).toBeNull()
    expect((await read(3)).listing).toEqual(expected)
  })

  it('refers to deleted contacts and requests, as a living database does', async () => {
    expect(await importLine('offers', { ...MINIMAL, id: 4, contacts: [3, 1, 3], request_id: 3 })).toBeNull()
    expect(await read(4)).toMatchObject({ contacts: [3, 1], request_id: 3 })
  })
})
