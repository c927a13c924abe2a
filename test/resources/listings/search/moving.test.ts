/** Searches of every kind of key find what is stored, while listings are written, imported and read anew. */

import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { database } from '../../../../src/db/client.ts'
import { freshIndex, releaseIndex } from '../../../../src/resources/listings/search/engine.ts'
import { packPortions } from '../../../../src/resources/listings/search/packing.ts'
import { ADMIN_TOKEN, keyWith, post, put, query, websiteKey } from '../../../support/api.ts'
import { databaseOf } from '../../../support/database.ts'
import { type Filters, filters, inOrder, line, matches, readListings, seedListings, sort } from './by-hand.ts'

const ID = fc.integer({ min: 1, max: 95 })

/** What happens between two searches. */
const STEPS = fc.oneof(
  fc.record({ kind: fc.constant('update' as const), id: ID, price: fc.constantFrom(100, 150, 300, null) }),
  fc.record({
    kind: fc.constant('move' as const),
    id: ID,
    status: fc.constantFrom('active', 'pending', 'deleted'),
  }),
  fc.record({ kind: fc.constant('hide' as const), id: ID, has_hidden_price: fc.boolean() }),
  // Ids in any order: an import may add one below those that are there.
  fc.record({
    kind: fc.constant('import' as const),
    ids: fc.array(fc.integer({ min: 80, max: 98 }), { maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('release' as const) }),
  fc.record({ kind: fc.constant('pack' as const) }),
  fc.record({ kind: fc.constant('fail' as const) }),
)
type Step = typeof STEPS extends fc.Arbitrary<infer T> ? T : never

const fail = () => Promise.reject(new Error('D1_ERROR: internal error'))
const failing = databaseOf({ prepare: () => ({ bind: () => ({ all: fail }) }), batch: fail })

let writer = ''

/** Imports lines. A listing that is there may refuse one. */
async function importLines(ids: number[]): Promise<void> {
  const lines = ids.map((id) => {
    const [entity, data] = line(id)
    return JSON.stringify({ entity, data })
  })
  const { status } = await post('/admin/import', `${lines.join('\n')}\n`, { key: ADMIN_TOKEN })
  expect(status).toBe(200)
}

async function take(step: Step): Promise<void> {
  const call = { key: writer }
  if (step.kind === 'update') await put(`/api/listings/${step.id}`, { price: step.price }, call)
  else if (step.kind === 'move') await post(`/api/listings/${step.id}/status`, { to: step.status }, call)
  else if (step.kind === 'hide')
    await put(`/api/listings/${step.id}`, { extra: { has_hidden_price: step.has_hidden_price } }, call)
  else if (step.kind === 'import') await importLines(step.ids)
  else if (step.kind === 'release') releaseIndex()
  else if (step.kind === 'pack') await packPortions(database(env))
  else await expect(freshIndex(database({ DB: failing }))).rejects.toThrow('The database is busy')
}

describe('searches', () => {
  let keys: Record<string, string> = {}

  beforeAll(async () => {
    await seedListings()
    writer = await keyWith('listings:read', 'listings:write')
    keys = { visitor: await websiteKey(), office: await websiteKey({ stores: [2] }), all: writer }
  })

  async function compare(key: string, wanted: Filters, by: string): Promise<number> {
    const all = await readListings(key)
    const expected = inOrder(
      all.filter((listing) => matches(listing, wanted)),
      by,
    )
    const [list, facets, map] = await Promise.all(
      ['', '/facets', '/map'].map((path) =>
        query(`/api/listings${path}`, { ...wanted, ...(path ? {} : { sort: by, per_page: 100 }) }, { key }),
      ),
    )
    expect(list?.body.data?.map(({ id }: { id: number }) => id)).toEqual(expected.slice(0, 100))
    expect([list, facets, map].map((reply) => reply?.body.total_results)).toEqual(
      Array.from({ length: 3 }, () => expected.length),
    )
    return expected.length
  }

  it('see every write at once', { tags: 'slow', timeout: 180_000 }, async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(fc.array(STEPS, { maxLength: 8 }), filters, sort, async (steps, wanted, by) => {
        for (const step of steps) await take(step)
        for (const key of Object.values(keys)) found += await compare(key, wanted, by)
      }),
      { numRuns: 30, interruptAfterTimeLimit: 90_000 },
    )
    expect(found).toBeGreaterThan(100)
  })
})
