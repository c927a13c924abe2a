import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords } from '../../support/api.ts'
import { expectOnePage, expectRecord } from '../../support/reads.ts'
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
})
