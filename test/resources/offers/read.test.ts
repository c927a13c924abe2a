/** What reads of offers and contracts answer: one whole, and lists, newest first. */
import { beforeAll, describe, expect, it } from 'vitest'
import { expectData, get, importRecords } from '../../support/api.ts'
import { expectOnePage, expectRecord } from '../../support/reads.ts'
import { CANCELLED, CONTRACT, OFF_SYSTEM, OFFER, SIGNED, seedDeals } from './seed.ts'

type Data = Record<string, unknown>

const OTHER = {
  id: 2,
  request_id: 2,
  store_id: 2,
  date_created: '2024-05-01 00:00:00',
  notes: null,
  external_contact: true,
  listing: { external: false, listing_id: 2 },
  contacts: [3],
}
const EXTERNAL = { id: 3, request_id: null, listing: OFF_SYSTEM, contacts: [] }
const PRICES = { initial_property_price: null, final_property_price: null, deposit_amount: null }

const OFFERS: Data[] = [
  OFFER,
  { ...OFFER, ...OTHER, status: 'rejected', is_active: false, created_by: 3, rounds: [] },
  { ...OFFER, ...EXTERNAL, rounds: [] },
]
const CONTRACTS: Data[] = [
  CONTRACT,
  {
    ...CONTRACT,
    ...OTHER,
    ...PRICES,
    offer_id: 2,
    status_id: 2,
    deposit_date: null,
    notary_contact_id: null,
  },
  { ...CONTRACT, ...EXTERNAL, status_date: null },
]

beforeAll(async () => {
  await seedDeals()
  await importRecords([
    ...OFFERS.map((data): [string, Data] => ['offers', data]),
    ...CONTRACTS.map((data): [string, Data] => ['contracts', data]),
  ])
})

describe.each([
  { resource: 'offers', records: OFFERS, left: 'rounds' },
  // The notes of an off-system property are another matter.
  { resource: 'contracts', records: CONTRACTS, left: 'notes' },
])('GET /api/$resource', ({ resource, records, left }) => {
  it.each(records)('answers $id whole, rounds oldest first', (record) =>
    expectRecord(`/api/${resource}/${record.id}`, record),
  )

  it(`answers a list without ${left}, and whole records with fields=all`, async () => {
    const newestFirst = records.toReversed()
    const without = newestFirst.map((record) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => name !== left)),
    )
    await expectOnePage(`/api/${resource}`, without)
    expect((await get(`/api/${resource}?fields=all`)).body.data).toEqual(newestFirst)
  })
})

it('GET /api/contracts/statuses answers every status', () =>
  expectData(get('/api/contracts/statuses'), [SIGNED, CANCELLED]))
