// @module-tag slow
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { EVERY_MINUTE, runScheduled } from '../../../src/scheduled.ts'
import { type Fault, Faults, withFaults } from '../../../tools/faults/bindings.ts'
import { bearer, sendAndWait, sendTo, silenceLog } from '../../http/send.ts'
import { ADMIN_TOKEN, importRecords, keyWith, ORIGIN } from '../../support/api.ts'
import { databaseAround, execute } from '../../support/database.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { minimalRequest, seedRequests } from '../requests/seed.ts'
import { countUnmatched, expectedPairs, storedPairs } from './pairs.ts'

const KOLONAKI = { area_level1: 1, area_level2: 11, area_level3: 111 }
const NEAR_SYNTAGMA = { latitude: 37.976, longitude: 23.735 }

let key = ''

const listing = (id: number, more: object): [string, Record<string, unknown>] => [
  'listings',
  { ...minimalListing, id, status: 'active', location: { ...KOLONAKI, ...NEAR_SYNTAGMA }, ...more },
]
const request = (id: number, more: object): [string, Record<string, unknown>] => [
  'requests',
  // Deleted ones stay deleted unless the line says otherwise.
  { ...minimalRequest, id, is_deleted: false, ...more },
]

beforeAll(async () => {
  await seedRequests()
  key = await keyWith('*:read', '*:write')
})

/** The same records before each call. */
async function reset(): Promise<void> {
  await importRecords([
    listing(1, { price: 100 }),
    listing(2, { price: 200, status: 'inactive' }),
    request(1, { price_max: 150, size_min: 5 }),
    request(2, { locations: [111], extra_fields: { special_locations: [1] } }),
    request(3, { category: 'land' }),
    ['special_locations', { id: 1, name: 'Syntagma', latitude: 37.9755, longitude: 23.7348 }],
  ])
}

/** Sends a call to a service whose database fails at one of its calls. */
async function send(method: string, path: string, body: unknown, at: number, when: Fault['when']) {
  const faults = new Faults({ at, when })
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const init = { method, headers: bearer(path.startsWith('/admin') ? ADMIN_TOKEN : key) }
  const call = new Request(ORIGIN + path, body === undefined ? init : { ...init, body: text })
  const { status } = await sendTo(withFaults({ DB: env.DB }, faults), call)
  return { status, calls: faults.calls }
}

const lines = (...records: [string, Record<string, unknown>][]) =>
  records.map(([entity, data]) => JSON.stringify({ entity, data })).join('\n')

describe('a database that fails at any step of a write', { timeout: 60_000 }, () => {
  it.each<[name: string, method: string, path: string, body: unknown]>([
    ['a new request', 'POST', '/api/requests', { ...minimalRequest, price_max: 50 }],
    ['a request that changes', 'PUT', '/api/requests/1', { price_max: 50, locations: [1] }],
    ['a request that comes into the place', 'PUT', '/api/requests/3', { category: 'residential' }],
    ['a request that is deleted', 'DELETE', '/api/requests/2', undefined],
    ['a listing that changes', 'PUT', '/api/listings/1', { price: 170 }],
    [
      'a listing that moves away',
      'PUT',
      '/api/listings/1',
      { location: { area_level1: 2, area_level2: 21, area_level3: null } },
    ],
    ['a listing that becomes active', 'POST', '/api/listings/2/status', { to: 'active' }],
    ['a listing that stops being active', 'POST', '/api/listings/1/status', { to: 'archived' }],
    ['listings that are imported', 'POST', '/admin/import', lines(listing(1, { price: 1 }), listing(3, {}))],
    [
      'a request that is imported',
      'POST',
      '/admin/import',
      lines(request(1, { price_max: 1 }), request(4, {})),
    ],
    [
      'a point of interest that moves',
      'POST',
      '/admin/import',
      lines(['special_locations', { id: 1, name: 'Moved', latitude: 35, longitude: 24 }]),
    ],
  ])('%s: the clock finishes what it left', async (_, method, path, body) => {
    let left = 0
    for (const fault of ['before', 'after'] as const) {
      for (let failing = 1; ; failing++) {
        await reset()
        const { status, calls } = await send(method, path, body, failing, fault)
        // The first call reads a record, and is tried again; the next stores it. What follows turns no stored write into an
        // error.
        const storing = method === 'DELETE' ? 1 : 2
        if (!path.startsWith('/admin')) expect(status).toBe(failing === storing ? 503 : 200)
        left += await countUnmatched()
        await runScheduled({ cron: EVERY_MINUTE }, env)
        expect(await storedPairs(), `${fault} call ${failing}`).toEqual(await expectedPairs())
        expect(await countUnmatched(), `${fault} call ${failing}`).toBe(0)
        if (calls < failing) break
      }
    }
    // A deletion takes the matches with it; everything else was left unfinished by some of the faults.
    if (method !== 'DELETE') expect(left).toBeGreaterThan(0)
  })
})

it('a listing that others keep changing keeps its mark, and the log says so', async () => {
  const lines = silenceLog()
  await reset()
  const restless = databaseAround(async (send) => {
    const results = await send()
    await execute(`update listings set version = version + 1, notes = 'Papadopoulos' where id = 1`)
    return results
  })
  const init = { method: 'POST', headers: bearer(key), body: JSON.stringify({ to: 'pending' }) }
  // The delivery to webhooks comes through the same database: it must be over before the next test.
  const { status } = await sendAndWait({ DB: restless }, new Request(`${ORIGIN}/api/listings/1/status`, init))
  expect({ status, unmatched: await countUnmatched() }).toEqual({ status: 200, unmatched: 1 })
  const [logged] = lines.map((line) => JSON.parse(line)).filter(({ work }) => work === 'matching')
  expect(logged).toMatchObject({
    level: 'error',
    listings: [1],
    error: 'Error: Listings kept changing while they were matched',
  })
  expect(lines.join()).not.toContain('Papadopoulos')
  await runScheduled({ cron: EVERY_MINUTE }, env)
  expect(await storedPairs()).toEqual(await expectedPairs())
})

it('a write of fields without effect on matches leaves nothing to be matched', async () => {
  await reset()
  const pixel = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
  const photo = { photos: [{ data: pixel }] }
  const { status } = await send('POST', '/api/listings/1/photos', photo, 0, 'before')
  const draft = await send('POST', '/api/listings', { ...minimalListing, location: KOLONAKI }, 0, 'before')
  const before = await countUnmatched()
  const changed = await send('PUT', '/api/listings/2', { notes: 'Still inactive' }, 0, 'before')
  expect([status, draft.status, changed.status, before, await countUnmatched()]).toEqual([
    200, 200, 200, 0, 0,
  ])
  // One round trip to read where there is something to read, one to write, none to match.
  expect([draft.calls, changed.calls]).toEqual([1, 2])
})

it('a change that crosses no limit of a request is matched in the round trip that stores it', async () => {
  await reset()
  const calls = []
  for (const body of [{ price: 120 }, { notes: 'Still the same' }, { price: 160 }, { price: 140 }]) {
    const sent = await send('PUT', '/api/listings/1', body, 0, 'before')
    calls.push(sent.calls)
    expect([sent.status, await countUnmatched()]).toEqual([200, 0])
    expect(await storedPairs()).toEqual(await expectedPairs())
  }
  // One more where one is crossed, to store what that changes.
  expect(calls).toEqual([2, 2, 3, 3])
})

it('a listing that was not matched is matched whatever changes', async () => {
  await reset()
  await execute('update listings set price = 500, version = version + 1 where id = 1')
  const { calls } = await send('PUT', '/api/listings/1', { price: 510 }, 0, 'before')
  expect([calls, await countUnmatched()]).toEqual([3, 0])
  expect(await storedPairs()).toEqual(await expectedPairs())
})

it('a listing that no request can want is matched in the round trip that stores it', async () => {
  await reset()
  await importRecords([listing(5, { category: 'commercial', availability: 'auction' })])
  const { status, calls } = await send('PUT', '/api/listings/5', { price: 7 }, 0, 'before')
  expect({ status, calls, unmatched: await countUnmatched() }).toEqual({
    status: 200,
    calls: 2,
    unmatched: 0,
  })
})
