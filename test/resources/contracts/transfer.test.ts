import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords } from '../../support/api.ts'
import { expectSameAfterReimport, importLine } from '../../support/transfer.ts'
import { CONTRACT, empty, OFF_SYSTEM, OFFER, rows, seedDeals, UNKNOWN_PROPERTY } from '../offers/seed.ts'

beforeAll(async () => {
  await seedDeals()
  await importRecords([['offers', OFFER]])
})

const MINIMAL = {
  offer_id: 1,
  store_id: 1,
  status_id: 1,
  created_by: 1,
  currency: 'EUR',
  listing: { external: true },
}

const read = async (id: number) => (await get(`/api/contracts/${id}`)).body.data

describe('import of contracts', () => {
  it('stores the whole contract', async () => {
    expect(await importLine('contracts', CONTRACT)).toBeNull()
    expect(await read(1)).toEqual(CONTRACT)
    expect(await rows('contracts')).toMatchObject([
      { listing_id: 1, external_property: null, external_listing: 0 },
    ])
  })

  it('fills what may be left open, and keeps dates that are stored', async () => {
    expect(await importLine('contracts', { ...MINIMAL, id: 2 })).toBeNull()
    const first = await read(2)
    expect(first).toEqual({
      ...MINIMAL,
      id: 2,
      request_id: null,
      date_created: first.date_created,
      date_updated: first.date_created,
      status_date: null,
      loan_percentage: 0,
      initial_property_price: null,
      final_property_price: null,
      deposit_amount: null,
      deposit_date: null,
      notary_contact_id: null,
      notes: null,
      external_contact: false,
      listing: UNKNOWN_PROPERTY,
      contacts: [],
    })
    await importLine('contracts', { ...MINIMAL, id: 2, date_updated: '2031-01-01 00:00:00' })
    await importLine('contracts', { ...MINIMAL, id: 2 })
    expect(await read(2)).toEqual({ ...first, date_updated: '2031-01-01 00:00:00' })
  })

  it('turns an off-system contract into one of a listing', async () => {
    await importLine('contracts', { ...MINIMAL, id: 3, listing: OFF_SYSTEM, contacts: [1] })
    expect(
      await importLine('contracts', { ...MINIMAL, id: 3, listing: CONTRACT.listing, contacts: [3] }),
    ).toBeNull()
    expect(await read(3)).toMatchObject({ listing: CONTRACT.listing, contacts: [3] })
    expect((await rows('contracts'))[2]).toMatchObject({ external_property: null, external_listing: 0 })
  })

  it.each<[Record<string, unknown>, string]>([
    [{ id: undefined }, 'Missing id'],
    [{ offer_id: undefined }, 'Missing offer_id'],
    [{ offer_id: 99 }, 'Unknown offer_id 99'],
    [{ request_id: 99 }, 'Unknown request_id 99'],
    [{ store_id: 99 }, 'Unknown store_id 99'],
    [{ status_id: null }, 'Missing status_id'],
    [{ status_id: 99 }, 'Unknown status_id 99'],
    [{ created_by: 99 }, 'Unknown created_by 99'],
    [{ status_date: '2024-01-01' }, 'Invalid status_date: must be a date-time, YYYY-MM-DD HH:MM:SS'],
    [{ currency: '' }, 'Missing currency'],
    [{ loan_percentage: 0.5 }, 'Invalid loan_percentage: must be an integer'],
    [{ initial_property_price: -1 }, 'Invalid initial_property_price: must be at least 0'],
    [{ final_property_price: '5' }, 'Invalid final_property_price: must be an integer'],
    [{ deposit_amount: -5 }, 'Invalid deposit_amount: must be at least 0'],
    [{ deposit_date: '2024-02-30' }, 'Invalid deposit_date: must be a date, YYYY-MM-DD'],
    [{ notary_contact_id: 99 }, 'Unknown notary_contact_id 99'],
    [{ notes: 5 }, 'Invalid notes: must be text'],
    [{ external_contact: 1 }, 'Invalid external_contact: must be true or false'],
    [{ listing: null }, 'Missing listing'],
    [{ listing: { external: false } }, 'Missing listing.listing_id'],
    [
      { listing: { external: true, area_level1: 11 } },
      'Invalid listing.area_level1: must be a location of level 1',
    ],
    [{ contacts: [99] }, 'Unknown contacts 99'],
  ])('refuses %j', async (changes, message) => {
    expect(await importLine('contracts', { ...MINIMAL, id: 900, ...changes })).toBe(message)
    expect((await get('/api/contracts/900')).status).toBe(404)
  })
})

describe('export of contracts', () => {
  it('gives what import takes, in one order of keys, and comes back the same', async () => {
    await importRecords([
      ['contracts', CONTRACT],
      ['contracts', { ...CONTRACT, id: 600, listing: OFF_SYSTEM }],
    ])
    const before = await expectSameAfterReimport(['contracts'], () => empty('contract_contacts', 'contracts'))
    expect(before[0]).toBe(JSON.stringify({ entity: 'contracts', data: CONTRACT }))
    expect(before.at(-1)).toBe(
      JSON.stringify({ entity: 'contracts', data: { ...CONTRACT, id: 600, listing: OFF_SYSTEM } }),
    )
  })
})
