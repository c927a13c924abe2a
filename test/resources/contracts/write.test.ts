/** Contracts: one of an accepted offer, and statuses that end an offer, or make it inactive. */
import { beforeAll, describe, expect, it } from 'vitest'
import { call, expectInvalid, get, importRecords, keyWith, post, put } from '../../support/api.ts'
import { execute, failBefore } from '../../support/database.ts'
import {
  addRound,
  contract,
  expectGivenUp,
  newContract,
  newListing,
  newOffer,
  offer,
  offerIn,
  setStatus,
} from '../offers/deals.ts'
import { CANCELLED, CONTRACT, SIGNED, seedDeals } from '../offers/seed.ts'
import { minimalRequest } from '../requests/seed.ts'

const OPEN = 3
const [COMPLETED, GONE] = [SIGNED.id, CANCELLED.id]
const refused = (error_message: string) => ({ status: 409, error_message })

beforeAll(async () => {
  await seedDeals()
  await importRecords([['contract_statuses', { ...SIGNED, id: OPEN, name: 'Prepared', is_completed: false }]])
})

async function deal(status = OPEN) {
  const offer_id = await offerIn('accepted')
  const { body } = await newContract(offer_id, { status_id: status })
  return { offer_id, id: Number(body.created_id) }
}

/** The body of the reply to a call of a service with another database. */
const callTo = async (DB: D1Database, method: string, path: string, body: object): Promise<unknown> =>
  (await call(method, path, { body, bindings: { DB } })).body

describe('POST /office/contracts', () => {
  it('takes what the offer says, and the amount that was accepted', async () => {
    const offer_id = await offerIn('under_negotiation')
    await put(`/office/offers/${offer_id}`, { loan_percentage: 40, external_contact: true })
    await addRound(offer_id, { type: 'accepted', amount: 180 })
    const { listing } = await offer(offer_id)
    // Null means the same as an absent key.
    const { body } = await newContract(offer_id, { listing: null, currency: null, contacts: null })
    expect(await contract(body.created_id)).toMatchObject({
      ...{
        offer_id,
        store_id: 1,
        status_id: OPEN,
        status_date: null,
        currency: 'EUR',
        listing,
        contacts: [1],
      },
      ...{ loan_percentage: 40, external_contact: true },
      ...{ initial_property_price: 200_000, final_property_price: 180 },
    })
  })

  it.each(['draft', 'submitted', 'under_negotiation', 'rejected', 'withdrawn'])(
    'is refused for an offer that is %s',
    async (status) => {
      const id = await offerIn(status)
      expect((await newContract(id)).body).toEqual(refused(`Offer ${id} is not accepted`))
    },
  )

  it('is refused where there is one, unless that is cancelled', async () => {
    const { offer_id, id } = await deal()
    expect((await newContract(offer_id)).body).toEqual(refused(`Offer ${offer_id} has contract ${id}`))
    await setStatus(id, GONE)
    expect((await newContract(offer_id)).body).toEqual(refused(`Offer ${offer_id} is not accepted`))
    await addRound(offer_id, { type: 'counter_offer', amount: 5 })
    await addRound(offer_id, { type: 'accepted' })
    const { body } = await newContract(offer_id)
    expect((await contract(body.created_id)).final_property_price).toBe(5)
    const taken = refused(`Offer ${offer_id} has contract ${body.created_id}`)
    expect((await setStatus(id, OPEN)).body).toEqual(taken)
  })

  it('leaves out buyers and a request that were deleted since, and refuses them where they are sent', async () => {
    await importRecords([
      ['contacts', { id: 90, first_name: 'Ann', created_by: 1 }],
      ['requests', { ...minimalRequest, id: 90, status: 1, locations: [1] }],
    ])
    const offer_id = await offerIn('accepted')
    await put(`/office/offers/${offer_id}`, { contacts: [90, 2], request_id: 90 })
    await execute('update contacts set is_deleted = 1 where id = 90')
    await execute('update requests set is_deleted = 1 where id = 90')
    await expectInvalid(newContract(offer_id, { contacts: [90, 2] }), 'Unknown contacts 90')
    await expectInvalid(newContract(offer_id, { request_id: 90 }), 'Unknown request_id 90')
    const { body } = await newContract(offer_id)
    expect(await contract(body.created_id)).toMatchObject({ contacts: [2], request_id: null })
  })

  it('refuses a status that cancels, and makes the offer inactive by one that completes', async () => {
    const offer_id = await offerIn('accepted')
    const ofStatus = (status_id: number) => newContract(offer_id, { status_id })
    await expectInvalid(ofStatus(GONE), `Invalid status_id: ${GONE} cancels contracts`)
    await expectInvalid(ofStatus(99), 'Unknown status_id 99')
    await expectInvalid(newContract(999_999), 'Unknown offer_id 999999')
    expect((await ofStatus(COMPLETED)).status).toBe(200)
    expect(await offer(offer_id)).toMatchObject({ status: 'accepted', is_active: false })
  })
})

describe('PUT /office/contracts/{id}', () => {
  it('changes all but offer, property and status, until it is completed', async () => {
    const { id, offer_id } = await deal()
    const deposit = { deposit_amount: 1, deposit_date: '2026-05-01' }
    const change = { final_property_price: 9, ...deposit, notary_contact_id: 1 }
    const { listing } = CONTRACT
    const fixed = { offer_id: 1, listing, status_id: GONE, status_date: null }
    const { status, headers } = await put(`/office/contracts/${id}`, { ...change, ...fixed })
    expect([status, headers.get('X-Ignored-Fields')]).toEqual([200, Object.keys(fixed).join(', ')])
    expect(await contract(id)).toMatchObject({ ...change, offer_id, status_id: OPEN })
    await setStatus(id, COMPLETED)
    const done = await contract(id)
    const late = await put(`/office/contracts/${id}`, { deposit_amount: 2 })
    expect(late.body).toEqual(refused('Contract is completed'))
    expect((await put(`/office/contracts/${id}`, { ...done, notes: 'Keys given' })).status).toBe(200)
    expect(await contract(id)).toMatchObject({ ...change, notes: 'Keys given' })
  })
})

describe('POST /office/contracts/{id}/status', () => {
  it('cancels a contract, and ends its offer', async () => {
    for (const [as, sent] of [
      ['withdrawn', {}],
      ['rejected', { ends_offer_as: 'rejected' }],
    ] as const) {
      const { id, offer_id } = await deal()
      const { body } = await setStatus(id, GONE, { ...sent, status_date: '2026-01-02 03:04:05' })
      expect(body).toEqual({ status: 200, updated_id: id })
      expect(await contract(id)).toMatchObject({ status_id: GONE, status_date: '2026-01-02 03:04:05' })
      await expectGivenUp(offer_id, as, `Contract ${id} was cancelled`)
      expect((await setStatus(id, OPEN)).body).toEqual(refused(`Offer ${offer_id} is ${as}`))
    }
  })

  it('cancels a completed contract, whose offer is active again if it was negotiated anew', async () => {
    const { id, offer_id } = await deal(COMPLETED)
    await addRound(offer_id, { type: 'rejected' })
    await addRound(offer_id, { type: 'counter_offer', amount: 5 })
    expect(await offer(offer_id)).toMatchObject({ status: 'under_negotiation', is_active: false })
    expect((await setStatus(id, GONE)).status).toBe(200)
    expect(await offer(offer_id)).toMatchObject({ status: 'under_negotiation', is_active: true })
    const [entry] = (await get(`/api/offers/${offer_id}/history`)).body.data
    expect(entry.changed).toEqual({ is_active: [false, true] })
  })

  it('completes a contract and takes that back, unless another offer was accepted meanwhile', async () => {
    const listing = await newListing()
    const [first, second] = [await offerIn('accepted', listing), await newOffer(listing, 500)]
    const { body } = await newContract(first)
    const id = Number(body.created_id)
    await setStatus(id, COMPLETED)
    expect(await offer(first)).toMatchObject({ status: 'accepted', is_active: false })
    await setStatus(id, OPEN)
    expect(await offer(first)).toMatchObject({ status: 'accepted', is_active: true })
    await setStatus(id, COMPLETED)
    expect((await addRound(second, { type: 'accepted' })).status).toBe(200)
    expect((await setStatus(id, OPEN)).body).toEqual(refused(`Offer ${second} of this listing is accepted`))
    expect((await setStatus(id, GONE)).status).toBe(200)
    expect(await offer(first)).toMatchObject({ status: 'withdrawn', is_active: false })
    const [entry] = (await get(`/api/contracts/${id}/history`)).body.data
    expect(entry.changed).toMatchObject({ status_id: [COMPLETED, GONE] })
  })

  it('stays in step with a round that reopens its offer at the same moment', async () => {
    const { id, offer_id } = await deal()
    await addRound(offer_id, { type: 'rejected' })
    const DB = failBefore(/insert into offer_rounds/, () => setStatus(id, COMPLETED))
    await callTo(DB, 'POST', `/office/offers/${offer_id}/rounds`, { type: 'counter_offer', amount: 5 })
    expect(await offer(offer_id)).toMatchObject({ status: 'under_negotiation', is_active: false })
  })

  it('is refused where its offer is accepted at the same moment, as another of the listing is', async () => {
    const { id, offer_id } = await deal(COMPLETED)
    await addRound(offer_id, { type: 'rejected' })
    await addRound(offer_id, { type: 'counter_offer', amount: 5 })
    const other = await offerIn('accepted', (await contract(id)).listing.listing_id)
    const DB = failBefore(/^update contracts set/, () => addRound(offer_id, { type: 'accepted' }))
    expect(await callTo(DB, 'POST', `/office/contracts/${id}/status`, { to: OPEN })).toEqual(
      refused(`Offer ${other} of this listing is accepted`),
    )
    expect(await offer(offer_id)).toMatchObject({ status: 'accepted', is_active: false })
  })

  it('names what it does not take: there is no offer to end, no listing, or no change', async () => {
    const { id, offer_id } = await deal()
    const ends = { ends_offer_as: 'rejected' }
    const ignored = async (to: number, more: object) =>
      (await setStatus(id, to, { ...more })).headers.get('X-Ignored-Fields')
    for (const replayed of [null, 'true']) {
      const once = { headers: { 'Idempotency-Key': 'ends' } }
      const { headers } = await post(`/office/contracts/${id}/status`, { to: COMPLETED, ...ends }, once)
      expect(headers.get('Idempotent-Replayed')).toBe(replayed)
      expect(headers.get('X-Ignored-Fields')).toBe('ends_offer_as')
    }
    expect(await ignored(OPEN, { ends_offer_as: null })).toBe(null)
    await addRound(offer_id, { type: 'rejected' })
    expect(await ignored(GONE, ends)).toBe('ends_offer_as')
    const strict = { headers: { Prefer: 'handling=strict' } }
    await expectInvalid(
      post(`/office/contracts/${id}/status`, { to: GONE, ...ends }, strict),
      'Invalid ends_offer_as: no such field',
    )
    // Each once, also what the body alone shows to be unknown.
    const headers = { ...strict.headers, Accept: 'application/problem+json' }
    const unknown = { to: GONE, ...ends, colour: 'red' }
    const { body } = await post(`/office/contracts/${id}/status`, unknown, { headers })
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(['ends_offer_as', 'colour'])
  })

  it('of the same status changes nothing', async () => {
    const { id } = await deal()
    const before = await get(`/api/contracts/${id}`)
    const sent = { status_date: '2026-01-01 00:00:00', listing_status: 'archived' }
    const { status, headers } = await setStatus(id, OPEN, sent)
    expect([status, headers.get('X-Ignored-Fields')]).toEqual([200, 'status_date, listing_status'])
    const after = await get(`/api/contracts/${id}`)
    expect([after.body, after.headers.get('ETag')]).toEqual([before.body, before.headers.get('ETag')])
  })

  it('moves the listing only if the call says so, with its scope', async () => {
    const { id } = await deal()
    const { listing_id } = (await contract(id)).listing
    const body = { to: COMPLETED, listing_status: 'archived' }
    const send = (key: string) => call('POST', `/office/contracts/${id}/status`, { body, key })
    expect((await send(await keyWith('contracts:write'))).status).toBe(403)
    expect((await contract(id)).status_id).toBe(OPEN)
    expect((await send(await keyWith('contracts:write', 'listings:write'))).status).toBe(200)
    expect((await get(`/api/listings/${listing_id}`)).body.data.status).toBe('archived')
    await expectInvalid(setStatus(id, 99), 'Unknown to 99')
    expect((await setStatus(999_999, 1)).body).toEqual({ status: 404, error_message: 'Contract not found' })
  })
})

describe('what a status means', () => {
  const change = (id: number, body: object) => put(`/admin/definitions/contract_statuses/${id}`, body)
  const unused = async () =>
    (await post('/admin/definitions/contract_statuses', { ...SIGNED, is_completed: false })).body.created_id

  it('is fixed while contracts have it, and its looks are not', async () => {
    const status = await unused()
    expect((await change(status, { is_cancelled: true })).status).toBe(200)
    expect((await change(status, { is_cancelled: false })).status).toBe(200)
    const { offer_id } = await deal(status)
    for (const body of [{ is_completed: true }, { is_cancelled: true, name: 'Gone' }])
      expect((await change(status, body)).body).toEqual(refused(`${status} is used by 1 contract`))
    expect((await change(status, { name: 'Ready', is_completed: false })).status).toBe(200)
    expect(await offer(offer_id)).toMatchObject({ is_active: true })
  })

  it('is fixed by a contract that is made at the same moment', async () => {
    const [status, offer_id] = [await unused(), await offerIn('accepted')]
    const DB = failBefore(/^update agency_versions/, () => newContract(offer_id, { status_id: status }))
    const path = `/admin/definitions/contract_statuses/${status}`
    const reply = await callTo(DB, 'PUT', path, { is_completed: true })
    expect(reply).toEqual(refused(`${status} is used by 1 contract`))
  })

  it.each([
    ['made', () => offerIn('accepted')],
    ['moved', () => deal()],
  ])('is looked at again by a contract that is %s meanwhile', async (_, make) => {
    const [status, made] = [await unused(), await make()]
    const isNew = typeof made === 'number'
    const offer_id = isNew ? made : made.offer_id
    const DB = failBefore(/^(insert into|update) contracts/, () => change(status, { is_completed: true }))
    const path = isNew ? '/office/contracts' : `/office/contracts/${made.id}/status`
    await callTo(DB, 'POST', path, isNew ? { offer_id, status_id: status } : { to: status })
    expect(await offer(offer_id)).toMatchObject({ status: 'accepted', is_active: false })
  })
})
