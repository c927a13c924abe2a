/** POST, PUT and import of offers: their defaults, and what a status fixes. */
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInvalid, importRecords, post, put } from '../../support/api.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { importLine } from '../../support/transfer.ts'
import { newListing, newOffer, offer, offerIn, ofListing } from './deals.ts'
import { OFF_SYSTEM, seedDeals, UNKNOWN_PROPERTY } from './seed.ts'

beforeAll(seedDeals)

describe('POST /office/offers', () => {
  it('makes a draft of a listing, with what follows from it', async () => {
    const listing = await newListing({ store_id: 1 })
    const id = await newOffer(listing)
    expect(await offer(id)).toMatchObject({
      ...{ status: 'draft', is_active: true, store_id: 1, current_listing_price: 200_000, rounds: [] },
      listing: { external: false, listing_id: listing },
    })
  })

  it('submits an offer with an amount', async () => {
    const { status, is_active, rounds } = await offer(await newOffer(await newListing(), 150))
    expect([status, is_active, rounds.length]).toEqual(['submitted', true, 1])
    const priced = { amount: 150, current_listing_price: 200_000, notes: null, created_by: 1 }
    expect(rounds[0]).toMatchObject({ type: 'offer_submitted', ...priced })
  })

  it('takes buyers of the request, and price and office of an off-system property and its creator', async () => {
    await importRecords([
      ['requests', { id: 1, contacts: [1] }],
      ['users', { id: 1, store_id: 1 }],
      ['settings', { key: 'default_currency', value: 'CHF' }],
    ])
    const sent = { listing: OFF_SYSTEM, loan_percentage: 100 }
    const { body } = await post('/office/offers', { ...sent, request_id: 1 })
    const followed = { contacts: [1], store_id: 1, current_listing_price: 150_000, currency: 'CHF' }
    expect(await offer(body.created_id)).toMatchObject({ ...sent, ...followed })
  })

  const off = (listing: object, more: object = {}) => ({ listing, contacts: [1], ...more })

  it.each<[what: string, body: object, message: string]>([
    ['a listing that is no reference', { listing: { external: false } }, 'Missing listing.listing_id'],
    ['a listing that is archived', ofListing(71), 'Invalid listing.listing_id: 71 is archived'],
    ['no buyer', ofListing(1, { contacts: null }), 'Missing contacts'],
    ['a property without a price', off(UNKNOWN_PROPERTY), 'Missing current_listing_price'],
    ['a creator without an office', off(OFF_SYSTEM, { created_by: 77 }), 'Missing store_id'],
    [
      'no code of a currency',
      ofListing(1, { currency: 'Euro' }),
      'Invalid currency: must be three capital letters',
    ],
  ])('refuses %s', async (_, body, message) => {
    await importRecords([
      ['users', { id: 77, name: 'Nobody', store_id: null }],
      ['listings', { ...minimalListing, id: 71, status: 'archived' }],
      ['listings', { id: 1, price: 200_000 }],
    ])
    await expectInvalid(post('/office/offers', body), message)
  })

  it('needs no stored buyer if there is another one', async () => {
    const id = await newOffer(await newListing(), 5, { contacts: undefined, external_contact: true })
    expect(await offer(id)).toMatchObject({ contacts: [], external_contact: true })
  })
})

describe('PUT /office/offers/{id}', () => {
  it('changes a draft', async () => {
    const id = await newOffer(await newListing())
    const changed = { listing: OFF_SYSTEM, currency: 'USD', current_listing_price: 7, notes: 'n' }
    const { status, headers } = await put(`/office/offers/${id}`, { ...changed, status: 'accepted' })
    expect([status, headers.get('X-Ignored-Fields')]).toEqual([200, 'status'])
    expect(await offer(id)).toMatchObject({ ...changed, status: 'draft' })
  })

  it.each([
    ['listing', { listing: OFF_SYSTEM }],
    ['currency', { currency: 'USD' }],
    ['current_listing_price', { current_listing_price: 7, notes: 'n' }],
  ])('once it is submitted, %s is fixed', async (field, body) => {
    const id = await offerIn('submitted')
    const before = await offer(id)
    const error_message = `Offer is submitted: ${field} is fixed`
    expect((await put(`/office/offers/${id}`, body)).body).toEqual({ status: 409, error_message })
    expect(await offer(id)).toEqual(before)
    // What changes nothing is no change.
    const same = { listing: before.listing, currency: before.currency, notes: 'Other' }
    expect((await put(`/office/offers/${id}`, same)).status).toBe(200)
    expect((await offer(id)).notes).toBe('Other')
  })

  it('keeps a buyer', async () => {
    const id = await newOffer(await newListing(), 5)
    await expectInvalid(put(`/office/offers/${id}`, { contacts: [] }), 'Missing contacts')
  })
})

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
    expect(await importLine('offers', { ...SMALLEST.offers, id: 903, listing })).toBeNull()
    expect((await offer(903)).listing).toEqual(expected)
  })

  it('refers to deleted contacts and requests, as a living database does', async () => {
    expect(
      await importLine('offers', { ...SMALLEST.offers, id: 904, contacts: [3, 1, 3], request_id: 3 }),
    ).toBeNull()
    expect(await offer(904)).toMatchObject({ contacts: [3, 1], request_id: 3 })
  })
})
