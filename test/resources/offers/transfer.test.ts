import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords } from '../../support/api.ts'
import { expectSameAfterReimport, importLine, importLines } from '../../support/transfer.ts'
import { empty, OFF_SYSTEM, OFFER, OFFER_DEFAULTS, rows, seedDeals, UNKNOWN_PROPERTY } from './seed.ts'

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
  it('stores the whole offer, rounds in any order', async () => {
    expect(await importLine('offers', { ...OFFER, rounds: OFFER.rounds.toReversed() })).toBeNull()
    expect(await read(1)).toEqual(OFFER)
    const [stored] = await rows('offers')
    expect(stored).toMatchObject({
      listing_id: 1,
      external_property: null,
      is_active: 1,
      external_contact: 0,
    })
    expect(await rows('offer_contacts', 'position')).toEqual([
      { offer_id: 1, contact_id: 2, position: 0 },
      { offer_id: 1, contact_id: 1, position: 1 },
    ])
  })

  it('fills what may be left open, and keeps dates that are stored', async () => {
    const line = { ...MINIMAL, id: 2, rounds: [{ id: 20, type: 'note', created_by: 1 }] }
    expect(await importLine('offers', line)).toBeNull()
    const first = await read(2)
    expect(first).toEqual({
      ...MINIMAL,
      ...OFFER_DEFAULTS,
      id: 2,
      date_created: first.date_created,
      date_updated: first.date_created,
      rounds: [
        {
          id: 20,
          type: 'note',
          amount: null,
          current_listing_price: null,
          notes: null,
          created_by: 1,
          date_created: first.date_created,
        },
      ],
    })
    expect(Math.abs(Date.parse(`${first.date_created}Z`) - Date.now())).toBeLessThan(60_000)
    await importLine('offers', { ...line, date_created: '2001-01-01 00:00:00' })
    await importLine('offers', { ...line, date_created: null, rounds: [{ ...line.rounds[0], amount: 5 }] })
    expect(await read(2)).toEqual({
      ...first,
      date_created: '2001-01-01 00:00:00',
      // It has changed just now.
      date_updated: expect.any(String),
      rounds: [{ ...first.rounds[0], amount: 5 }],
    })
  })

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

  it('replaces rounds whole, and lets a later line take what an earlier one left', async () => {
    const round = (id: number) => ({ id, type: 'note', created_by: 1, date_created: '2024-01-01 00:00:00' })
    const line = (id: number, ...ids: number[]) => ({ ...MINIMAL, id, rounds: ids.map(round) })
    expect(await importLines('offers', [line(50, 500, 501), line(51, 502)])).toEqual([])
    expect(await importLines('offers', [line(51, 500), line(50, 501), line(51, 502, 500)])).toEqual([
      'Invalid rounds: id 500 belongs to another record, 50',
    ])
    const ids = async (id: number) => (await read(id)).rounds.map((entry: { id: number }) => entry.id)
    expect([await ids(50), await ids(51)]).toEqual([[501], [500, 502]])
    expect(await importLines('offers', [line(50, 503), line(52, 503)])).toEqual([
      'Invalid rounds: id 503 belongs to another record, 50',
    ])
    expect(await importLines('offers', [line(53, 504, 504)])).toEqual(['Invalid rounds: id 504 stands twice'])
  })

  it.each<[Record<string, unknown>, string]>([
    [{ id: undefined }, 'Missing id'],
    [{ id: 0 }, 'Invalid id: must be at least 1'],
    [{ status: undefined }, 'Missing status'],
    [
      { status: 'open' },
      'Invalid status: must be one of draft, submitted, under_negotiation, accepted, rejected, withdrawn',
    ],
    [{ is_active: undefined }, 'Missing is_active'],
    [{ is_active: 1 }, 'Invalid is_active: must be true or false'],
    [{ request_id: 99 }, 'Unknown request_id 99'],
    [{ store_id: undefined }, 'Missing store_id'],
    [{ store_id: 99 }, 'Unknown store_id 99'],
    [{ created_by: 99 }, 'Unknown created_by 99'],
    [{ date_created: '2024-01-01' }, 'Invalid date_created: must be a date-time, YYYY-MM-DD HH:MM:SS'],
    [{ date_updated: 5 }, 'Invalid date_updated: must be text'],
    [{ currency: ' ' }, 'Missing currency'],
    [{ current_listing_price: null }, 'Missing current_listing_price'],
    [{ current_listing_price: -1 }, 'Invalid current_listing_price: must be at least 0'],
    [{ current_listing_price: 1.5 }, 'Invalid current_listing_price: must be an integer'],
    [{ loan_percentage: -1 }, 'Invalid loan_percentage: must be at least 0'],
    [{ notes: 'x\0' }, 'Invalid notes: must not contain NUL or broken Unicode'],
    [{ external_contact: 'no' }, 'Invalid external_contact: must be true or false'],
    [{ listing: undefined }, 'Missing listing'],
    [{ listing: 1 }, 'Invalid listing: must be an object'],
    [{ listing: {} }, 'Missing listing.external'],
    [{ listing: { external: 'no' } }, 'Invalid listing.external: must be true or false'],
    [{ listing: { external: false } }, 'Missing listing.listing_id'],
    [{ listing: { external: false, listing_id: '1' } }, 'Invalid listing.listing_id: must be an integer'],
    [{ listing: { external: false, listing_id: 99 } }, 'Unknown listing.listing_id 99'],
    [
      { listing: { external: false, listing_id: 1, address: 'A' } },
      'Invalid listing.address: only an off-system property has it',
    ],
    [
      { listing: { external: true, listing_id: 1 } },
      'Invalid listing.listing_id: an off-system property has none',
    ],
    [{ listing: { external: true, price: 1.5 } }, 'Invalid listing.price: must be an integer'],
    [
      { listing: { external: true, availability: 'swap' } },
      'Invalid listing.availability: must be one of sale, rent, auction, shortterm',
    ],
    [
      { listing: { external: true, category: 'land', subcategory: 'loft' } },
      'Invalid listing.subcategory: must be one of plot, parcel, island',
    ],
    [
      { listing: { external: true, size: 1.234 } },
      'Invalid listing.size: must be an amount with at most 2 decimals',
    ],
    [{ listing: { external: true, size: -1 } }, 'Invalid listing.size: must be at least 0'],
    [{ listing: { external: true, area_level1: 99 } }, 'Unknown listing.area_level1 99'],
    [
      { listing: { external: true, area_level2: 1 } },
      'Invalid listing.area_level2: must be a location of level 2',
    ],
    [
      { listing: { external: true, area_level3: 11 } },
      'Invalid listing.area_level3: must be a location of level 3',
    ],
    [
      { listing: { external: true, listing_link: 'x'.repeat(256) } },
      'Invalid listing.listing_link: must be at most 255 characters',
    ],
    [{ contacts: [99] }, 'Unknown contacts 99'],
    [{ contacts: 1 }, 'Invalid contacts: must be an array'],
    [{ rounds: {} }, 'Invalid rounds: must be an array'],
    [{ rounds: [1] }, 'Invalid rounds.0: must be an object'],
    [{ rounds: [{ type: 'note', created_by: 1 }] }, 'Missing rounds.0.id'],
    [
      { rounds: [{ id: 900, type: 'offer', created_by: 1 }] },
      'Invalid rounds.0.type: must be one of offer_submitted, counter_offer, buyer_revision, accepted, rejected, withdrawn, note',
    ],
    [
      { rounds: [{ id: 900, type: 'note', created_by: 1, amount: -1 }] },
      'Invalid rounds.0.amount: must be at least 0',
    ],
    [{ rounds: [{ id: 900, type: 'note', created_by: 99 }] }, 'Unknown rounds.created_by 99'],
    [{ status: 'x', listing: {}, rounds: [1], store_id: 99 }, 'Invalid status'],
  ])('refuses %j', async (changes, message) => {
    expect(await importLine('offers', { ...MINIMAL, id: 900, ...changes })).toContain(message)
    expect((await get('/api/offers/900')).status).toBe(404)
  })
})

describe('export of offers', () => {
  it('gives what import takes, in one order of keys, and comes back the same', async () => {
    await importRecords([
      ['offers', OFFER],
      ['offers', { ...OFFER, id: 600, listing: OFF_SYSTEM, rounds: [] }],
    ])
    const before = await expectSameAfterReimport(['offers'], () =>
      empty('offer_rounds', 'offer_contacts', 'offers'),
    )
    expect(before.find((line) => line.includes('"id":1,'))).toBe(
      JSON.stringify({ entity: 'offers', data: OFFER }),
    )
    expect(before.find((line) => line.includes('"id":600,'))).toBe(
      JSON.stringify({ entity: 'offers', data: { ...OFFER, id: 600, listing: OFF_SYSTEM, rounds: [] } }),
    )
  })
})
