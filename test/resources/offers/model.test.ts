/**
 * Offers and contracts of one listing under random calls of two callers at once, while D1 fails before and after commits:
 * nothing is half done, and nothing is done twice.
 */
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { callUntilAnswered } from '../../support/answered.ts'
import { importRecords, keyWith } from '../../support/api.ts'
import { type BatchFault, failingBatch, selectAll } from '../../support/database.ts'
import { runs } from '../../support/runs.ts'
import { newListing, newOffer } from './deals.ts'
import { SIGNED, seedDeals } from './seed.ts'

const STATUSES = [1, 2, 3]
let key = ''

beforeAll(async () => {
  await seedDeals()
  await importRecords([['contract_statuses', { ...SIGNED, id: 3, is_completed: false }]])
  key = await keyWith('*:read', '*:write')
})

type Call =
  | { kind: 'round'; offer: number; type: string; amount: number; others: boolean }
  | { kind: 'contract'; offer: number }
  | { kind: 'status'; contract: number; to: number }

const calls = fc.array(
  fc.record({
    call: fc.oneof(
      fc.record({
        kind: fc.constant('round' as const),
        offer: fc.nat({ max: 2 }),
        type: fc.constantFrom(
          'offer_submitted',
          'counter_offer',
          'accepted',
          'accepted',
          'rejected',
          'withdrawn',
        ),
        amount: fc.integer({ min: 1, max: 9 }),
        others: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('contract' as const), offer: fc.nat({ max: 2 }) }),
      fc.record({
        kind: fc.constant('status' as const),
        contract: fc.nat({ max: 2 }),
        to: fc.constantFrom(...STATUSES),
      }),
    ),
    fault: fc.option(fc.record({ at: fc.integer({ min: 1, max: 3 }), isStored: fc.boolean() }), { freq: 2 }),
  }),
  { minLength: 8, maxLength: 16 },
)

let faults = 0

async function callOnce(path: string, body: object, fault: BatchFault) {
  const failing = { DB: failingBatch(fault, () => faults++) }
  const { status } = await callUntilAnswered(key, ['POST', path, body], failing)
  expect([200, 400, 409]).toContain(status)
  return status
}

interface Stored {
  id: number
  status: string
  is_active: number
  version: number
}

async function checkAll(ids: readonly number[], done: Map<number, number>) {
  const list = ids.join(', ')
  const offers = await selectAll<Stored>(
    `select id, status, is_active, version from offers where id in (${list})`,
  )
  const rounds = await selectAll<{
    offer_id: number
    type: string
    amount: number | null
    notes: string | null
  }>(
    `select offer_id, type, amount, notes from offer_rounds where offer_id in (${list}) order by date_created, id`,
  )
  const contracts = await selectAll<{
    id: number
    offer_id: number
    is_cancelled: number
    is_completed: number
    final_property_price: number
  }>(
    `select contracts.id, offer_id, is_cancelled, is_completed, final_property_price from contracts
      join contract_statuses on contract_statuses.id = status_id where offer_id in (${list})`,
  )
  const trail = await selectAll<{ record_id: string; n: number }>(
    `select record_id, count(*) as n from trail where resource = 'offers' and record_id in (${ids.map((id) => `'${id}'`).join(', ')})
      group by record_id`,
  )
  expect(offers.filter(({ status, is_active }) => status === 'accepted' && is_active).length).toBeLessThan(2)
  for (const { id, status, is_active, version } of offers) {
    const own = rounds.filter(({ offer_id }) => offer_id === id)
    const leads: Record<string, string> = { offer_submitted: 'submitted', counter_offer: 'under_negotiation' }
    const last = own.at(-1)?.type
    expect([id, last ? (leads[last] ?? last) : 'draft']).toEqual([id, status])
    const its = contracts.filter(({ offer_id }) => offer_id === id)
    expect(its.filter(({ is_cancelled }) => !is_cancelled).length).toBeLessThan(2)
    // The amount was accepted before the contract, whatever came after.
    const amounts = own.filter(({ type }) => type === 'accepted').map(({ amount }) => amount)
    for (const { final_property_price } of its) expect(amounts).toContain(final_property_price)
    const isCompleted = its.some(({ is_completed }) => is_completed)
    expect([id, is_active]).toEqual([id, !['rejected', 'withdrawn'].includes(status) && !isCompleted ? 1 : 0])
    // Each write is one version and one entry.
    expect(trail).toContainEqual({ record_id: String(id), n: version })
    const byCalls = own.filter(({ notes }) => notes === null).length
    expect([id, byCalls]).toEqual([id, done.get(id) ?? 0])
  }
}

it('keeps deals whole', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (all) => {
      const listing = await newListing()
      const ids: [number, number, number] = [
        await newOffer(listing),
        await newOffer(listing, 5),
        await newOffer(listing, 6),
      ]
      const done = new Map<number, number>([
        [ids[1], 1],
        [ids[2], 1],
      ])
      const contracts: number[] = []
      const run = async ({ call, fault }: { call: Call; fault: BatchFault }) => {
        const offer = call.kind === 'status' ? 0 : (ids[call.offer] ?? 0)
        if (call.kind === 'round') {
          const { type, amount, others } = call
          const body = {
            type,
            ...(['offer_submitted', 'counter_offer'].includes(type) ? { amount } : {}),
            ...(type === 'accepted' ? { reject_others: others } : {}),
          }
          const status = await callOnce(`/office/offers/${offer}/rounds`, body, fault)
          if (status === 200) done.set(offer, (done.get(offer) ?? 0) + 1)
        } else if (call.kind === 'contract') {
          await callOnce('/office/contracts', { offer_id: offer }, fault)
          const stored = await selectAll<{ id: number }>(
            `select id from contracts where offer_id in (${ids.join(', ')}) order by id`,
          )
          contracts.splice(0, contracts.length, ...stored.map(({ id }) => id))
        } else if (contracts.length > 0) {
          const id = contracts[call.contract % contracts.length]
          await callOnce(`/office/contracts/${id}/status`, { to: call.to }, fault)
        }
      }
      // Two callers at once, in pairs.
      for (let at = 0; at < all.length; at += 2) await Promise.all(all.slice(at, at + 2).map(run))
      await checkAll(ids, done)
    }),
    { seed: 37, numRuns: runs(20) },
  )
  expect(faults).toBeGreaterThan(runs(50))
})
