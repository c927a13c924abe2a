import { beforeAll, describe, expect, it } from 'vitest'
import { expectData, get, importRecords } from '../../support/api.ts'
import { expectOnePage, expectRecord } from '../../support/reads.ts'
import { CANCELLED, CONTRACT, OFF_SYSTEM, OFFER, SIGNED, seedDeals } from '../offers/seed.ts'

const OTHER = {
  ...CONTRACT,
  id: 2,
  offer_id: 2,
  request_id: 2,
  store_id: 2,
  status_id: 2,
  date_created: '2024-05-01 00:00:00',
  status_date: '2024-05-02 23:59:59',
  initial_property_price: null,
  final_property_price: null,
  deposit_amount: null,
  deposit_date: null,
  notary_contact_id: null,
  notes: null,
  external_contact: true,
  listing: { external: false, listing_id: 2 },
  contacts: [3],
}

const EXTERNAL = {
  ...CONTRACT,
  id: 3,
  request_id: null,
  status_date: null,
  listing: OFF_SYSTEM,
  contacts: [],
}

beforeAll(async () => {
  await seedDeals()
  await importRecords([
    ['offers', OFFER],
    ['offers', { ...OFFER, id: 2, rounds: [] }],
    ['contracts', CONTRACT],
    ['contracts', OTHER],
    ['contracts', EXTERNAL],
  ])
})

describe('GET /api/contracts/{id}', () => {
  it.each([CONTRACT, OTHER, EXTERNAL])('answers contract $id whole', (contract) =>
    expectRecord(`/api/contracts/${contract.id}`, contract),
  )
})

describe('GET /api/contracts/statuses', () => {
  it('answers every status', () => expectData(get('/api/contracts/statuses'), [SIGNED, CANCELLED]))
})

describe('GET /api/contracts', () => {
  it('answers contracts newest first without notes', async () => {
    // The notes of the off-system property are another matter.
    await expectOnePage(
      '/api/contracts',
      [EXTERNAL, OTHER, CONTRACT].map(({ notes, ...listed }) => listed),
    )
  })

  it('gives the single-record form with fields=all', async () => {
    expect((await get('/api/contracts?fields=all')).body.data).toEqual([EXTERNAL, OTHER, CONTRACT])
  })
})
