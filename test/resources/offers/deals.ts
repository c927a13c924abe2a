/** Short ways to make offers and contracts over the API. */
import { expect } from 'vitest'
import { call, type Data, get, importRecords, post } from '../../support/api.ts'
import { execute, selectFirst } from '../../support/database.ts'
import { minimalListing } from '../../support/factories/listing.ts'

let nextListing = 1000

/** A listing of its own. */
export async function newListing(more: Data = {}): Promise<number> {
  const id = nextListing++
  await importRecords([['listings', { ...minimalListing, id, status: 'active', price: 200_000, ...more }]])
  return id
}

export const ofListing = (listing_id: number, more: Data = {}) => ({
  listing: { external: false, listing_id },
  contacts: [1],
  ...more,
})

/** An offer of `amount`, or a draft. Returns its id. */
export async function newOffer(listing: number, amount?: number, more: Data = {}): Promise<number> {
  const { status, body } = await post('/office/offers', ofListing(listing, { amount, ...more }))
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.created_id
}

export const addRound = (offer: number, body: Data, options: object = {}) =>
  post(`/office/offers/${offer}/rounds`, body, options)

/** The calls that lead from a draft to a status. */
const WAYS: Record<string, Data[]> = {
  draft: [],
  submitted: [{ type: 'offer_submitted', amount: 100 }],
  under_negotiation: [
    { type: 'offer_submitted', amount: 100 },
    { type: 'counter_offer', amount: 150 },
  ],
  accepted: [{ type: 'offer_submitted', amount: 100 }, { type: 'accepted' }],
  rejected: [{ type: 'offer_submitted', amount: 100 }, { type: 'rejected' }],
  withdrawn: [{ type: 'withdrawn' }],
}

/** An offer of a status, for a listing of its own unless one is named. */
export async function offerIn(status: string, listing?: number): Promise<number> {
  const id = await newOffer(listing ?? (await newListing()))
  for (const round of WAYS[status] ?? []) {
    const { body } = await addRound(id, round)
    if (body.status !== 200) throw new Error(JSON.stringify(body))
  }
  return id
}

/** Adds rounds to an offer until it has as many as it can, but for `room`. */
export async function fillRounds(id: number, room = 0): Promise<void> {
  await execute(
    `with recursive n(i) as (select count(*) + 1 from offer_rounds where offer_id = ?1 union all select i + 1 from n where i < 500 - ?2)
    insert into offer_rounds (offer_id, type, notes, created_by, date_created)
    select ?1, 'note', 'n', 1, datetime('now') from n`,
    id,
    room,
  )
}

export const offer = async (id: number) => (await get(`/api/offers/${id}`)).body.data
/** Expects that a round ended an offer, and says why. */
export async function expectGivenUp(id: number, type: string, notes: string): Promise<void> {
  const { status, is_active, rounds } = await offer(id)
  const last = expect.objectContaining({ type, amount: null, notes })
  expect([status, is_active, rounds.at(-1)]).toEqual([type, false, last])
}

export const contract = async (id: number) => (await get(`/api/contracts/${id}`)).body.data
export const newContract = (offer_id: number, more: Data = {}) =>
  call('POST', '/office/contracts', { body: { offer_id, ...more } })
export const setStatus = (id: number, to: number, more: Data = {}) =>
  post(`/office/contracts/${id}/status`, { to, ...more })
export const count = async (sql: string) => Number((await selectFirst(`select count(*) as n ${sql}`))?.n)
