/** The rounds of an offer: each status with each type, one acceptance of a listing, and what goes with it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { OFFER_STATUSES, ROUND_TYPES } from '../../../src/catalogue/office-enums.ts'
import { expectInvalid, get, importRecords, keyWith, post } from '../../support/api.ts'
import { failBefore, selectAll } from '../../support/database.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import {
  addRound,
  count,
  expectGivenUp,
  fillRounds,
  newListing,
  newOffer,
  offer,
  offerIn,
  ofListing,
} from './deals.ts'
import { OFF_SYSTEM, seedDeals } from './seed.ts'

beforeAll(seedDeals)

const refused = (status: number, error_message: string) => ({ status, error_message })

const REOPENED = { counter_offer: 'under_negotiation', buyer_revision: 'under_negotiation' }
const GIVEN_UP = { rejected: 'rejected', withdrawn: 'withdrawn' }

/** The status that each round leads to from each status, in the words of the interface; absent: 409. */
const LEADS: Record<string, Record<string, string>> = {
  draft: { offer_submitted: 'submitted', withdrawn: 'withdrawn' },
  submitted: { ...REOPENED, accepted: 'accepted', ...GIVEN_UP },
  under_negotiation: { ...REOPENED, accepted: 'accepted', ...GIVEN_UP },
  accepted: GIVEN_UP,
  rejected: REOPENED,
  withdrawn: REOPENED,
}
const PRICED = ['offer_submitted', 'counter_offer', 'buyer_revision']

const bodyOf = (type: string) => ({
  type,
  ...(PRICED.includes(type) ? { amount: 170 } : {}),
  ...(type === 'note' ? { notes: 'Called back' } : {}),
})

describe.each(OFFER_STATUSES)('an offer that is %s', (status) => {
  it.each(ROUND_TYPES)('with a round %s', async (type) => {
    const id = await offerIn(status)
    const before = await offer(id)
    expect(before.status).toBe(status)
    const reply = await addRound(id, bodyOf(type))
    const leadsTo = type === 'note' ? status : LEADS[status]?.[type]
    if (!leadsTo) {
      expect(reply.body).toEqual(refused(409, `Offer is ${status}: ${type} is not possible`))
      expect(await offer(id)).toEqual(before)
      return
    }
    const after = await offer(id)
    const last = before.rounds.at(-1)
    const amount = type === 'accepted' ? (last.amount as number) : (bodyOf(type).amount ?? null)
    expect(reply.body).toEqual({ status: 200, created_id: after.rounds.at(-1).id, data: after })
    expect(after).toEqual({
      ...before,
      status: leadsTo,
      is_active: !['rejected', 'withdrawn'].includes(leadsTo),
      date_updated: expect.any(String),
      rounds: [
        ...before.rounds,
        {
          id: reply.body.created_id,
          type,
          amount,
          current_listing_price: 200_000,
          notes: type === 'note' ? 'Called back' : null,
          created_by: 1,
          date_created: expect.any(String),
        },
      ],
    })
    expect(reply.headers.get('ETag')).toBe((await get(`/api/offers/${id}`)).headers.get('ETag'))
  })
})

describe('a round', () => {
  it.each([
    ['no type', {}, 'Missing type'],
    ['a counter-offer without an amount', { type: 'counter_offer' }, 'Missing amount'],
    [
      'a rejection with an amount',
      { type: 'rejected', amount: 5 },
      'Invalid amount: a round rejected has none',
    ],
    ['a note without notes', { type: 'note', notes: ' ' }, 'Missing notes'],
    ['an unknown creator', { type: 'note', notes: 'n', created_by: 999 }, 'Unknown created_by 999'],
    [
      'a date before the last round',
      { type: 'note', notes: 'n', date_created: '2000-01-01 00:00:00' },
      expect.stringMatching(/^Invalid date_created: the last round is of 20/),
    ],
    [
      'a date to come',
      { type: 'note', notes: 'n', date_created: '2999-01-01 00:00:00' },
      'Invalid date_created: must not be later than now',
    ],
  ])('is refused with %s', async (_, body, message) => {
    const id = await offerIn('submitted')
    await expectInvalid(addRound(id, body), message)
    expect(await count(`from offer_rounds where offer_id = ${id}`)).toBe(1)
  })

  it('accepts no amount that nobody named', async () => {
    const [listing, id] = [await newListing(), 7001]
    const line = { ...SMALLEST.offers, ...ofListing(listing), id, status: 'submitted', rounds: [] }
    await importRecords([['offers', line]])
    await expectInvalid(addRound(id, { type: 'accepted' }), 'Missing amount')
    const { body } = await addRound(id, { type: 'accepted', amount: 7 })
    expect(body.data.status).toBe('accepted')
  })

  it('is the last of 500', async () => {
    const id = await offerIn('submitted')
    await fillRounds(id, 1)
    const note = () => addRound(id, { type: 'note', notes: 'n' })
    expect((await note()).status).toBe(200)
    expect((await note()).body).toEqual(refused(409, 'Offer has 500 rounds'))
  })
})

describe('one acceptance of a listing', () => {
  it('of two offers, the second is refused until the first is given up', async () => {
    const listing = await newListing()
    const [first, second] = [await offerIn('submitted', listing), await offerIn('submitted', listing)]
    expect((await addRound(first, { type: 'accepted' })).status).toBe(200)
    const sentence = `Offer ${first} of this listing is accepted`
    expect((await addRound(second, { type: 'accepted' })).body).toEqual(refused(409, sentence))
    expect((await addRound(first, { type: 'withdrawn' })).status).toBe(200)
    expect((await addRound(second, { type: 'accepted' })).status).toBe(200)
  })

  it('rejects the others and moves the listing, if the call says so, and enters it all', async () => {
    const listing = await newListing()
    const ids = new Map<string, number>()
    for (const status of OFFER_STATUSES.filter((one) => one !== 'accepted'))
      ids.set(status, await offerIn(status, listing))
    const winner = await newOffer(listing, 300)
    const body = { type: 'accepted', reject_others: true, listing_status: 'inactive' }
    const { status, body: reply } = await addRound(winner, body)
    const rejected = ['draft', 'submitted', 'under_negotiation'].map((one) => ids.get(one))
    expect([status, reply.rejected, reply.data.rounds.at(-1).amount]).toEqual([200, rejected, 300])
    for (const id of rejected) await expectGivenUp(Number(id), 'rejected', `Offer ${winner} was accepted`)
    expect((await offer(Number(ids.get('withdrawn')))).status).toBe('withdrawn')
    expect((await get(`/api/listings/${listing}`)).body.data.status).toBe('inactive')
    const [draft] = (await get(`/api/offers/${rejected[0]}/history`)).body.data
    expect(draft).toMatchObject({
      changed: { status: ['draft', 'rejected'], is_active: [true, false] },
      others: ['rounds'],
    })
    const [moved] = (await get(`/api/listings/${listing}/history`)).body.data
    expect(moved.changed).toEqual({ status: ['active', 'inactive'] })
    const routes = await selectAll(
      `select distinct route from trail where record_id = '${winner}' and resource = 'offers'`,
    )
    expect(routes).toEqual([{ route: '/office/offers' }, { route: '/office/offers/{id}/rounds' }])
  })

  it('rejects none where one of the others has 500 rounds, or is given its last meanwhile', async () => {
    const listing = await newListing()
    const [winner, other] = [await offerIn('submitted', listing), await offerIn('submitted', listing)]
    await fillRounds(other, 1)
    const body = { type: 'accepted', reject_others: true }
    const DB = failBefore(/^insert into offer_rounds/, () => addRound(other, { type: 'note', notes: 'n' }))
    const reply = await addRound(winner, body, { bindings: { DB } })
    expect(reply.body).toEqual(refused(409, `Offer ${other} has 500 rounds`))
    for (const id of [winner, other]) expect((await offer(id)).status).toBe('submitted')
    expect((await addRound(winner, { type: 'accepted' })).status).toBe(200)
  })

  it('needs listings:write to move the listing', async () => {
    const id = await offerIn('submitted')
    const body = { type: 'accepted', listing_status: 'inactive' }
    const key = await keyWith('offers:write')
    const lacks = refused(403, 'This API key lacks the scope listings:write')
    expect((await addRound(id, body, { key })).body).toEqual(lacks)
    expect((await offer(id)).status).toBe('submitted')
    const both = { key: await keyWith('offers:write', 'listings:write') }
    expect((await addRound(id, body, both)).status).toBe(200)
    await expectInvalid(
      addRound(await offerIn('submitted'), { ...body, listing_status: 'draft' }),
      expect.stringMatching(/^Invalid listing_status: must be one of/),
    )
  })

  it('ignores both for an off-system property, of which several offers may be accepted', async () => {
    const key = await keyWith('offers:write')
    for (let time = 0; time < 2; time++) {
      const made = { listing: OFF_SYSTEM, contacts: [1], store_id: 1, amount: 5 }
      const { body } = await post('/office/offers', made)
      const sent = { type: 'accepted', reject_others: true, listing_status: 'inactive', colour: 1 }
      const reply = await addRound(body.created_id, sent, { key })
      const ignored = 'colour, reject_others, listing_status'
      expect([reply.status, reply.headers.get('X-Ignored-Fields')]).toEqual([200, ignored])
      expect(reply.body.rejected).toBeUndefined()
      const strict = { headers: { Prefer: 'handling=strict' } }
      const note = addRound(body.created_id, { type: 'note', notes: 'n', reject_others: true }, strict)
      await expectInvalid(note, 'Invalid reject_others: no such field')
    }
  })
})
