import { beforeAll, describe, expect, it } from 'vitest'
import { call, expectError, expectInvalid, get, importRecords, keyWith, query } from '../../support/api.ts'
import { expectIndexed, expectOnePage, expectRecord, found, foundByQuery } from '../../support/reads.ts'
import { OFF_SYSTEM, OFFER, seedDeals } from './seed.ts'

const OTHER = {
  ...OFFER,
  id: 2,
  status: 'rejected',
  is_active: false,
  request_id: 2,
  store_id: 2,
  created_by: 3,
  date_created: '2024-05-01 00:00:00',
  date_updated: '2024-05-02 23:59:59',
  notes: null,
  external_contact: true,
  listing: { external: false, listing_id: 2 },
  contacts: [3],
  rounds: [],
}

const EXTERNAL = { ...OFFER, id: 3, request_id: null, listing: OFF_SYSTEM, contacts: [], rounds: [] }

beforeAll(async () => {
  await seedDeals()
  await importRecords([
    ['offers', OFFER],
    ['offers', OTHER],
    ['offers', EXTERNAL],
  ])
})

describe('GET /api/offers/{id}', () => {
  it.each([OFFER, OTHER, EXTERNAL])('answers offer $id whole, rounds oldest first', (offer) =>
    expectRecord(`/api/offers/${offer.id}`, offer),
  )

  it.each(['0', '-1', '999', '1.5', 'abc', '99999999999999999999'])('%s → 404', (id) =>
    expectError(get(`/api/offers/${id}`), 404, 'Offer not found'),
  )

  it('is read-only, and needs the scope offers:read', async () => {
    expect((await call('PUT', '/api/offers/1', { body: {} })).status).toBe(405)
    expect((await call('POST', '/api/offers', { body: {} })).status).toBe(405)
    expect((await get('/api/offers/1', { key: await keyWith('contracts:read') })).status).toBe(403)
    expect((await get('/api/offers/1', { key: await keyWith('offers:read') })).status).toBe(200)
  })
})

describe('GET /api/offers', () => {
  const listed = ({ rounds, ...rest }: typeof OFFER) => rest

  it('answers offers newest first without rounds', async () => {
    await expectOnePage(
      '/api/offers',
      [EXTERNAL, OTHER, OFFER].map((offer) => listed(offer as typeof OFFER)),
    )
  })

  it('gives the single-record form with fields=all', async () => {
    expect((await get('/api/offers?fields=all')).body.data).toEqual([EXTERNAL, OTHER, OFFER])
  })

  it.each<[Record<string, unknown>, number[]]>([
    [{ status: 'rejected' }, [2]],
    [{ status: 'under_negotiation' }, [3, 1]],
    [{ status: 'draft' }, []],
    [{ is_active: false }, [2]],
    [{ is_active: true }, [3, 1]],
    [{ listing_id: 1 }, [1]],
    [{ listing_id: 2 }, [2]],
    [{ listing_id: 3 }, []],
    [{ listing_id: 0 }, []],
    [{ request_id: 2 }, [2]],
    [{ store_id: 1 }, [3, 1]],
    [{ created_by: 3 }, [2]],
    [{ contact_id: 1 }, [1]],
    [{ contact_id: 3 }, [2]],
    [{ contact_id: 99 }, []],
    [{ date_created: { min: '2024-05-01', max: '2024-05-01' } }, [2]],
    [{ date_created: { max: '2024-01-01 10:00:00' } }, [3, 1]],
    [{ date_updated: { min: '2024-05-02', max: null } }, [2]],
    [{ date_updated: { min: null, max: '2024-02-01' } }, [3, 1]],
    [{ store_id: 1, listing_id: 1, status: 'under_negotiation', contact_id: 2, is_active: true }, [1]],
    [{ store_id: 2, listing_id: 1 }, []],
    [{ status: null, is_active: null, listing_id: null, contact_id: null, date_created: null }, [3, 2, 1]],
  ])('%j → %j', async (filters, ids) => {
    expect(await found('/api/offers', filters)).toEqual(ids)
  })

  it('takes filters from the query string', async () => {
    expect(await foundByQuery('/api/offers', 'is_active=false&contact_id=3')).toEqual([2])
    expect(await foundByQuery('/api/offers', 'status=under_negotiation&listing_id=1&page=1')).toEqual([1])
    expect(await foundByQuery('/api/offers', 'date_created[min]=2024-05-01')).toEqual([2])
  })

  it.each<[Record<string, unknown>, string]>([
    [
      { status: 'open' },
      'Invalid status: must be one of draft, submitted, under_negotiation, accepted, rejected, withdrawn',
    ],
    [{ status: ['draft'] }, 'Invalid status'],
    [{ is_active: 1 }, 'Invalid is_active: must be true or false'],
    [{ listing_id: '1' }, 'Invalid listing_id: must be an integer'],
    [{ request_id: 1.5 }, 'Invalid request_id: must be an integer'],
    [{ store_id: [1] }, 'Invalid store_id: must be an integer'],
    [{ created_by: true }, 'Invalid created_by: must be an integer'],
    [{ contact_id: {} }, 'Invalid contact_id: must be an integer'],
    [{ date_created: {} }, 'Invalid date_created: must have min, max or both'],
    [
      { date_updated: { min: '2024-02-30' } },
      'Invalid date_updated.min: must be a date-time, YYYY-MM-DD HH:MM:SS',
    ],
    [
      { date_created: { min: '2024-02-02', max: '2024-02-01' } },
      'Invalid date_created: min must not be above max',
    ],
    [{ page: 0, status: 'x' }, 'Invalid status'],
  ])('%j → 400', async (filters, message) => {
    const { status, body } = await query('/api/offers', filters)
    expect(status).toBe(400)
    expect(body.error_message).toContain(message)
  })

  it('refuses page 0', () =>
    expectInvalid(query('/api/offers', { page: 0 }), 'Invalid page: must be at least 1'))

  it.each([
    'status',
    'is_active',
    'listing_id',
    'request_id',
    'store_id',
    'created_by',
    'date_created',
    'date_updated',
  ])('looks %s up in an index', (column) => expectIndexed('offers', column))
})
