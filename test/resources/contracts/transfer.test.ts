import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords } from '../../support/api.ts'
import { importLine } from '../../support/transfer.ts'
import { CONTRACT, OFF_SYSTEM, OFFER, rows, seedDeals } from '../offers/seed.ts'

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
  it('turns an off-system contract into one of a listing', async () => {
    await importLine('contracts', { ...MINIMAL, id: 3, listing: OFF_SYSTEM, contacts: [1] })
    expect(
      await importLine('contracts', { ...MINIMAL, id: 3, listing: CONTRACT.listing, contacts: [3] }),
    ).toBeNull()
    expect(await read(3)).toMatchObject({ listing: CONTRACT.listing, contacts: [3] })
    expect((await rows('contracts')).at(-1)).toMatchObject({ external_property: null, external_listing: 0 })
  })
})
