/** POST and PUT of offers: their defaults, and what a status fixes. */
import { beforeAll, describe, expect, it } from 'vitest'
import { expectInvalid, importRecords, post, put, remove } from '../../support/api.ts'
import { newListing, newOffer, offer, offerIn, ofListing } from './deals.ts'
import { OFF_SYSTEM, seedDeals, UNKNOWN_PROPERTY } from './seed.ts'

beforeAll(seedDeals)

describe('POST /office/offers', () => {
  it('makes a draft of a listing, with what follows from it', async () => {
    const listing = await newListing({ store_id: 1 })
    const id = await newOffer(listing)
    expect(await offer(id)).toEqual({
      id,
      status: 'draft',
      is_active: true,
      request_id: null,
      store_id: 1,
      created_by: 1,
      date_created: expect.any(String),
      date_updated: expect.any(String),
      currency: 'EUR',
      current_listing_price: 200_000,
      loan_percentage: 0,
      notes: null,
      external_contact: false,
      listing: { external: false, listing_id: listing },
      contacts: [1],
      rounds: [],
    })
  })

  it('submits an offer with an amount', async () => {
    const { status, is_active, rounds } = await offer(await newOffer(await newListing(), 150))
    expect({ status, is_active, rounds }).toEqual({
      status: 'submitted',
      is_active: true,
      rounds: [
        {
          id: expect.any(Number),
          type: 'offer_submitted',
          amount: 150,
          current_listing_price: 200_000,
          notes: null,
          created_by: 1,
          date_created: expect.any(String),
        },
      ],
    })
  })

  it('takes buyers of the request, and price and office of an off-system property and its creator', async () => {
    await importRecords([['requests', { id: 1, contacts: [1] }]])
    await importRecords([['users', { id: 1, store_id: 1 }]])
    await importRecords([['settings', { key: 'default_currency', value: 'CHF' }]])
    const { body } = await post('/office/offers', {
      listing: OFF_SYSTEM,
      request_id: 1,
      loan_percentage: 100,
    })
    expect(await offer(body.created_id)).toMatchObject({
      contacts: [1],
      store_id: 1,
      current_listing_price: 150_000,
      currency: 'CHF',
      loan_percentage: 100,
      listing: OFF_SYSTEM,
    })
  })

  it.each<[what: string, body: () => object | Promise<object>, message: Parameters<typeof expectInvalid>[1]]>(
    [
      [
        'a listing that is no reference',
        () => ({ listing: { external: false } }),
        'Missing listing.listing_id',
      ],
      [
        'a listing that is archived',
        async () => ofListing(await newListing({ status: 'archived' })),
        expect.stringMatching(/^Invalid listing\.listing_id: \d+ is archived$/),
      ],
      ['no buyer', async () => ofListing(await newListing(), { contacts: null }), 'Missing contacts'],
      [
        'a property without a price',
        () => ({ listing: UNKNOWN_PROPERTY, contacts: [1] }),
        'Missing current_listing_price',
      ],
      [
        'a creator without an office',
        async () => {
          await importRecords([['users', { id: 77, name: 'Nobody', store_id: null }]])
          return { listing: OFF_SYSTEM, contacts: [1], created_by: 77 }
        },
        'Missing store_id',
      ],
      [
        'a word for a currency',
        async () => ofListing(await newListing(), { currency: 'Euro' }),
        'Invalid currency: must be three capital letters',
      ],
    ],
  )('refuses %s', async (_, body, message) => {
    await expectInvalid(post('/office/offers', await body()), message)
  })

  it('needs no stored buyer if there is another one', async () => {
    const id = await newOffer(await newListing(), 5, { contacts: undefined, external_contact: true })
    expect(await offer(id)).toMatchObject({ contacts: [], external_contact: true })
  })
})

describe('PUT /office/offers/{id}', () => {
  it('changes a draft', async () => {
    const id = await newOffer(await newListing())
    const body = {
      listing: OFF_SYSTEM,
      currency: 'USD',
      current_listing_price: 7,
      notes: 'n',
      status: 'accepted',
    }
    const { status, headers } = await put(`/office/offers/${id}`, body)
    expect([status, headers.get('X-Ignored-Fields')]).toEqual([200, 'status'])
    const { status: _, ...changed } = body
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

  it('keeps references to what was deleted since', async () => {
    await importRecords([['contacts', { id: 9, first_name: 'Ann', created_by: 1 }]])
    const id = await newOffer(await newListing(), 5, { contacts: [9] })
    await remove('/api/contacts/9')
    expect((await put(`/office/offers/${id}`, { contacts: [9], notes: 'n' })).status).toBe(200)
    await expectInvalid(put(`/office/offers/${id}`, { contacts: [9, 8] }), 'Unknown contacts 8')
    await expectInvalid(put(`/office/offers/${id}`, { contacts: [] }), 'Missing contacts')
  })
})
