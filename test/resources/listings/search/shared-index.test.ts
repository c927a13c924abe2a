/** What the index of an isolate knows, and when: writes, other requests, failures of D1, and other databases. */
import { env } from 'cloudflare:workers'
import { processPhoto } from '@estia/photo-codec'
import { paint, RED, toPng } from '@estia/photo-codec/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { database } from '../../../../src/db/client.ts'
import { purgeChanges } from '../../../../src/resources/changes/purge.ts'
import { freshIndex, MAX_AGE, releaseIndex } from '../../../../src/resources/listings/search/shared-index.ts'
import { bearer, send } from '../../../http/send.ts'
import {
  expectError,
  get,
  importRecords,
  keyWith,
  post,
  put,
  query,
  websiteKey,
} from '../../../support/api.ts'
import { databaseAround, execute, selectFirst } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { createListing, insertListings, listingLine } from '../../../support/factories/listing.ts'
import { idsOf } from '../../../support/reads.ts'
import { emptyAndSeed, emptyService } from '../../../support/storage.ts'
import { contentsOf, idsIn } from './indexed.ts'

const BUSY = 'The database is busy, try again'

let visitor = ''
let secret = ''

const line = (id: number, values: object = {}) => listingLine(id, { price: 100, rooms: 2, ...values })

async function seed(): Promise<void> {
  await seedAgency()
  await importRecords([1, 2, 3].map((id) => line(id)))
}

beforeEach(async () => {
  await emptyAndSeed(seed)
  visitor = await websiteKey()
  secret = await keyWith('*:read', '*:write')
  releaseIndex()
})

afterEach(() => {
  MAX_AGE.visitors = 0
})

/** Lets the clock go on, but no timer. */
function later(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000)
}
const mockClock = () => vi.useFakeTimers({ toFake: ['Date'] })

interface Watched {
  DB: D1Database
  /** The statements of each call. */
  trips: string[][]
}

/** The real database. `before` runs before each call, and may fail it. */
function watched(before: (trip: string[]) => unknown = () => undefined): Watched {
  const trips: string[][] = []
  const DB = databaseAround(async (send, texts) => {
    trips.push(texts)
    await before(texts)
    return send()
  })
  return { DB, trips }
}

const broken = () =>
  watched(() => {
    throw new Error('D1_ERROR: Network connection lost.')
  })

/** A database that never answers. */
const silent = () => watched(() => new Promise(() => undefined))

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const readsOfChanges = (trips: string[][]) =>
  trips.filter((trip) => trip.some((text) => /from changes/.test(text)))

const ask = (path: string, key: string, { DB }: { DB: D1Database } = { DB: env.DB }) =>
  send('GET', path, { headers: bearer(key) }, { DB })

async function totalOf(path: string, key: string, changes?: { DB: D1Database }): Promise<number> {
  const reply = await ask(path, key, changes)
  const body: { total_results: number } = await reply.json()
  expect([path, reply.status]).toEqual([path, 200])
  return body.total_results
}

const ENDPOINTS = ['/api/listings', '/api/listings/facets', '/api/listings/map']
const CHEAP = ENDPOINTS.map((path) => `${path}?price[max]=50`)
/** Searches that each find what is cheap. */
const MANY = Array.from({ length: 12 }, (_, index) => `/api/listings/facets?price[max]=${50 + index}`)

describe('a secret key', () => {
  it('sees each write that was acknowledged, while others search and write', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => createListing({ price: 1000 })))
    const writes = new AbortController()
    const others = [1, 2].map(async () => {
      while (!writes.signal.aborted) await query('/api/listings', { rooms: { min: 1 } })
    })
    await Promise.all(
      ids.map(async (id) => {
        for (let price = 1; price <= 8; price++) {
          await put(`/api/listings/${id}`, { price })
          for (const path of ['', '/facets', '/map']) {
            const filters = { ids: [id], price: { min: price, max: price } }
            const { body } = await query(`/api/listings${path}`, filters)
            expect([path, id, price, body.total_results]).toEqual([path, id, price, 1])
          }
        }
      }),
    )
    writes.abort()
    await Promise.all(others)
  })

  it('reads a page and what has changed in one call, and no more', async () => {
    await totalOf('/api/listings?rooms[min]=1', secret)
    const idle = watched()
    await totalOf('/api/listings?rooms[min]=1', secret, idle)
    expect(idle.trips).toHaveLength(1)
    await put('/api/listings/2', { price: 7 })
    const after = watched()
    // The page is of the same listings.
    await totalOf('/api/listings?rooms[min]=1', secret, after)
    expect(after.trips).toHaveLength(1)
    await post('/api/listings/2/status', { to: 'archived' })
    const other = watched()
    expect(await totalOf('/api/listings?rooms[min]=1&status=active', secret, other)).toBe(2)
    expect(other.trips.length).toBeLessThanOrEqual(2)
  })

  it('gets the page of a state, though somebody writes between the choice and the page', async () => {
    await totalOf('/api/listings?rooms[min]=1', secret)
    let isDone = false
    const { DB } = watched(async () => {
      if (isDone) return
      isDone = true
      await importRecords([line(4), line(2, { rooms: 0 })])
    })
    const body = await (await ask('/api/listings?rooms[min]=1', secret, { DB })).json()
    expect(body).toMatchObject({ total_results: 3, data: [4, 3, 1].map((id) => ({ id, rooms: 2 })) })
  })

  it('is answered though others write before each call', async () => {
    await totalOf('/api/listings?rooms[min]=1', secret)
    let next = 10
    const always = watched(() => importRecords([line(next++)]))
    const reply = await ask('/api/listings?rooms[min]=1', secret, always)
    expect(reply.status).toBe(200)
    const body: { data: { id: number }[] } = await reply.json()
    expect(body.data.length).toBeGreaterThanOrEqual(3)
    expect(always.trips.length).toBeLessThanOrEqual(5)
  })

  it('sees thousands of changes at once', async () => {
    await totalOf('/api/listings?rooms[min]=1', secret)
    await insertListings(2500, { id: '100 + value', rooms: 5 })
    const all = watched()
    expect(await totalOf('/api/listings/facets?rooms[min]=5', secret, all)).toBe(2500)
    expect(all.trips).toHaveLength(3)
    await execute("update listings set rooms = 6, version = version + 1 where status = 'draft'")
    expect(await totalOf('/api/listings?rooms[min]=6', secret)).toBe(2500)
    expect(await totalOf('/api/listings?rooms[max]=5', secret)).toBe(3)
  })

  it('sees new names of places', async () => {
    await importRecords([line(1, { location: { area_level1: 1, area_level2: 11 } })])
    expect(await totalOf('/api/listings?text=athens', secret)).toBe(1)
    const { trips, DB } = watched()
    await importRecords([['locations', { id: 11, name_el: 'Ρώμη', name_en: 'Rome' }]])
    expect(await totalOf('/api/listings?text=rome', secret, { DB })).toBe(1)
    expect(await totalOf('/api/listings?text=athens', secret, { DB })).toBe(0)
    // The places are read once.
    expect(trips.flat().filter((text) => /^select id, level/.test(text))).toHaveLength(1)
    const { body } = await get('/api/listings/facets?facets=area_level2')
    expect(body.data.area_level2).toMatchObject([{ value: 11, name_en: 'Rome' }])
  })
})

describe('visitors', () => {
  beforeEach(() => {
    MAX_AGE.visitors = 10_000
    mockClock()
  })

  it('search the same state for ten seconds, without asking D1 for more than the page', async () => {
    for (const path of CHEAP) expect(await totalOf(path, visitor)).toBe(0)
    await put('/api/listings/1', { price: 5 })
    later(9)
    const still = watched()
    for (const path of CHEAP) expect(await totalOf(path, visitor, still)).toBe(0)
    expect(still.trips.flat().filter((text) => /change_feed|from changes/.test(text))).toEqual([])
    expect(still.trips).toHaveLength(1)
    later(1.1)
    for (const path of CHEAP) expect(await totalOf(path, visitor)).toBe(1)
  })

  it('read what has changed once, however many search', async () => {
    await Promise.all([totalOf('/api/listings/map', visitor), totalOf('/api/listings/facets', visitor)])
    await put('/api/listings/1', { price: 5 })
    later(11)
    const { DB, trips } = watched(() => pause(20))
    const totals = await Promise.all(MANY.map((path) => totalOf(path, visitor, { DB })))
    expect(totals).toEqual(MANY.map(() => 1))
    expect(readsOfChanges(trips)).toHaveLength(1)
  })

  it('read for themselves what a request that is cut off does not', async () => {
    await totalOf('/api/listings/map', visitor)
    await put('/api/listings/1', { price: 5 })
    later(11)
    void freshIndex(database(silent()))
    const total = totalOf('/api/listings/map?price[max]=50', visitor)
    await pause(30)
    later(1.1)
    expect(await total).toBe(1)
  })

  it('read for themselves, once for all, what a search of a secret key that hangs does not', async () => {
    await totalOf('/api/listings/map', visitor)
    await put('/api/listings/1', { price: 5 })
    later(11)
    void ask('/api/listings/facets', secret, silent())
    await pause(30)
    const { DB, trips } = watched()
    const totals = MANY.map((path) => totalOf(path, visitor, { DB }))
    await pause(30)
    expect(readsOfChanges(trips)).toHaveLength(0)
    later(1.1)
    expect(await Promise.all(totals)).toEqual(MANY.map(() => 1))
    expect(readsOfChanges(trips)).toHaveLength(1)
  })

  it('see what has changed though the clock has gone back an hour', async () => {
    expect(await totalOf('/api/listings/map?price[max]=50', visitor)).toBe(0)
    void freshIndex(database(silent()))
    await put('/api/listings/1', { price: 5 })
    later(-3600)
    expect(await totalOf('/api/listings/map?price[max]=50', visitor)).toBe(1)
    later(9)
    await put('/api/listings/1', { price: 500 })
    expect(await totalOf('/api/listings/map?price[max]=50', visitor)).toBe(1)
    later(2)
    expect(await totalOf('/api/listings/map?price[max]=50', visitor)).toBe(0)
  })

  it('see at once what a search of a secret key has read', async () => {
    for (const path of CHEAP) expect(await totalOf(path, visitor)).toBe(0)
    await put('/api/listings/1', { price: 5 })
    expect(await totalOf(CHEAP[1] ?? '', secret)).toBe(1)
    for (const path of CHEAP) expect(await totalOf(path, visitor)).toBe(1)
  })

  it('of one store are not shown a listing that went to another meanwhile', async () => {
    const key = await websiteKey({ stores: [1] })
    expect(await totalOf('/api/listings', key)).toBe(3)
    await put('/api/listings/2', { store_id: 2, price: 7 })
    const { body } = await get('/api/listings?per_page=10', { key })
    expect(idsOf(body)).toEqual([3, 1])
  })

  it('count and see the map for a minute while D1 fails; secret keys do not, and then nobody', async () => {
    for (const path of ENDPOINTS) expect(await totalOf(path, visitor)).toBe(3)
    await put('/api/listings/1', { price: 5 })
    later(59)
    for (const path of ['/api/listings/facets', '/api/listings/map']) {
      const lost = broken()
      expect(await totalOf(path, visitor, lost)).toBe(3)
      expect(lost.trips.length).toBeGreaterThan(0)
      await expectError(ask(path, secret, broken()), 503, BUSY)
    }
    await expectError(ask('/api/listings', visitor, broken()), 503, BUSY)
    later(2)
    for (const path of ENDPOINTS) await expectError(ask(path, visitor, broken()), 503, BUSY)
    expect(await totalOf(CHEAP[1] ?? '', visitor)).toBe(1)
  })
})

describe('another database', () => {
  it('in place of the one before is loaded', async () => {
    expect(await totalOf('/api/listings/facets', secret)).toBe(3)
    await emptyService()
    await seedAgency()
    const key = await keyWith('*:read', '*:write')
    expect(await totalOf('/api/listings/facets', key)).toBe(0)
    await importRecords([line(1), line(2), line(7, { rooms: 9 })])
    expect(await totalOf('/api/listings?rooms[min]=9', key)).toBe(1)
    expect(idsIn(await freshIndex(database(env)))).toEqual([1, 2, 7])
  })

  it('a restored database is loaded after a minute, a replica that lags is not', async () => {
    mockClock()
    await put('/api/listings/1', { price: 5 })
    expect(await totalOf(CHEAP[1] ?? '', secret)).toBe(1)
    await execute('update listings set price = 100 where id = 1')
    await execute('delete from changes where cursor = (select max(cursor) from changes)')
    later(59)
    expect(await totalOf(CHEAP[1] ?? '', secret)).toBe(1)
    later(2)
    for (const _ of [1, 2]) expect(await totalOf(CHEAP[1] ?? '', secret)).toBe(0)
  })

  it('a restored database without a known deletion is loaded again', async () => {
    const seen = watched()
    expect(await totalOf('/api/listings/facets', secret, seen)).toBe(3)
    await execute('delete from listing_users where listing_id = 2')
    await execute('delete from listings where id = 2')
    await put('/api/listings/1', { price: 5 })
    await purgeChanges(env, new Date(Date.now() + 100 * 24 * 60 * 60 * 1000))
    expect(await selectFirst("select id from changes where resource = 'listings' and id = 2")).toBeNull()
    expect(await totalOf('/api/listings/facets', secret)).toBe(2)
    // Once: from then on, it knows.
    const { DB, trips } = watched()
    expect(await totalOf('/api/listings/facets', secret, { DB })).toBe(2)
    expect(trips).toHaveLength(1)
  })
})

describe('loading', () => {
  const isLoad = (trip: string[]) => trip.some((text) => /^select id, data from index_portions/.test(text))

  it('is done once for all who search at first', async () => {
    const { DB, trips } = watched(() => pause(10))
    const found = await Promise.all(Array.from({ length: 12 }, () => freshIndex(database({ DB }))))
    expect(new Set(found).size).toBe(1)
    expect(trips.filter(isLoad)).toHaveLength(1)
    expect(idsIn(found[0] ?? (await freshIndex(database(env))))).toEqual([1, 2, 3])
  })

  it('gives its memory back at once, and is begun again', async () => {
    await freshIndex(database(env))
    releaseIndex()
    let reads = 0
    const { DB } = watched((texts) => {
      if (!texts.join().includes('index_portion_data')) return
      reads++
      // More than three listings need: not for less.
      releaseIndex(100_000_000)
      if (reads === 2) releaseIndex()
    })
    await freshIndex(database({ DB }))
    releaseIndex()
    const index = await freshIndex(database({ DB }))
    expect(reads).toBe(3)
    expect(idsIn(index)).toEqual([1, 2, 3])
    expect((await query('/api/listings', { price: { min: 1 } }, { key: secret })).body.total_results).toBe(3)
  })

  it('is done again where the index was released while a search read what has changed', async () => {
    const releasing = () => {
      let isFirst = true
      return watched(() => {
        if (isFirst) releaseIndex()
        isFirst = false
      })
    }
    for (const path of CHEAP) {
      await put('/api/listings/1', { price: 500 })
      const index = await freshIndex(database(env))
      const { cursor } = index
      await put('/api/listings/1', { price: 5 })
      const { DB, trips } = releasing()
      expect(await totalOf(path, secret, { DB })).toBe(1)
      // What was released is held by no search.
      expect([path, index.cursor, trips.filter(isLoad).length]).toEqual([path, cursor, 1])
    }
    // A page of which nothing has changed needs it no more.
    const { DB, trips } = releasing()
    expect(await totalOf(CHEAP[0] ?? '', secret, { DB })).toBe(1)
    expect(trips).toHaveLength(1)
  })

  it('by a request that fails is taken over by those that wait', async () => {
    let fails = 1
    const { DB } = watched(async () => {
      await pause(10)
      if (fails-- > 0) throw new Error('broken')
    })
    const found = await Promise.allSettled([1, 2, 3].map(() => freshIndex(database({ DB }))))
    expect(found.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  })

  it('by a request that is cut off is taken over after five seconds of silence', async () => {
    mockClock()
    void freshIndex(database(silent()))
    const { DB, trips } = watched()
    const next = freshIndex(database({ DB }))
    await pause(30)
    expect(trips).toEqual([])
    later(5.1)
    expect(idsIn(await next)).toEqual([1, 2, 3])
    expect(trips.filter(isLoad)).toHaveLength(1)
    // Nobody waits for the other any more.
    releaseIndex()
    expect(idsIn(await freshIndex(database(env)))).toEqual([1, 2, 3])
  })

  it('gives back the memory that a photo has left in the codec', async () => {
    const photo = toPng(paint(2, 2, () => RED))
    processPhoto(photo, { maxSide: 2, watermark: null })
    const { Instance } = WebAssembly
    // biome-ignore lint/complexity/useArrowFunction: it is called by `new`.
    const started = vi.spyOn(WebAssembly, 'Instance').mockImplementation(function (module, imports) {
      return new Instance(module, imports)
    })
    processPhoto(photo, { maxSide: 2, watermark: null })
    expect(started).toHaveBeenCalledTimes(0)
    await freshIndex(database(env))
    processPhoto(photo, { maxSide: 2, watermark: null })
    expect(started).toHaveBeenCalledTimes(1)
  })

  it('a silent load ends when another has taken over, and uses its index', async () => {
    mockClock()
    const answer = Promise.withResolvers<void>()
    const slow = watched(() => answer.promise)
    const first = freshIndex(database(slow))
    await vi.waitFor(() => expect(slow.trips).toHaveLength(1))
    later(5.1)
    const index = await freshIndex(database(env))
    answer.resolve()
    expect(await first).toBe(index)
    expect(slow.trips.filter(isLoad)).toEqual([])
    expect(await freshIndex(database(env))).toBe(index)
  })

  it('is done again rather than to follow far more changes than a portion has, and ends however many come', async () => {
    const first = await freshIndex(database(env))
    const pass = () =>
      execute('update changes set cursor = cursor + 20000 where cursor = (select max(cursor) from changes)')
    await pass()
    const { DB, trips } = watched((trip) => (isLoad(trip) ? pass() : undefined))
    const next = await freshIndex(database({ DB }))
    expect(next).not.toBe(first)
    expect(trips.filter(isLoad)).toHaveLength(1)
    expect(idsIn(next)).toEqual([1, 2, 3])
    // It was up to date since, and so it is loaded again.
    await pass()
    expect(await freshIndex(database(env))).not.toBe(next)
  })

  it('reads all that is written while it goes on', async () => {
    let isDone = false
    const { DB } = watched(async (trip) => {
      if (isDone || !isLoad(trip)) return
      isDone = true
      await importRecords([line(2, { price: 5 }), line(9)])
      await execute('delete from listing_users where listing_id = 1')
      await execute('delete from listings where id = 1')
    })
    const index = await freshIndex(database({ DB }))
    expect(isDone).toBe(true)
    const prices = [...contentsOf(index).values()].map((value) => (value as { price: number }).price)
    expect([idsIn(index), prices]).toEqual([
      [2, 3, 9],
      [5, 100, 100],
    ])
  })
})

describe('a listing with a broken column', () => {
  it.each(['features', 'view', 'details', 'extra'])(
    '%s is found without it, and stops no search',
    async (name) => {
      for (const broken of ['x', '{', 'null', '5', '']) {
        await post('/api/listings/2/status', { to: 'archived' })
        await execute(`update listings set ${name} = ?, version = version + 1 where id = 2`, broken)
        // Of lists, the page itself reads the broken listing.
        expect([broken, await totalOf('/api/listings/facets?rooms[min]=2', secret)]).toEqual([broken, 3])
        releaseIndex()
        expect([broken, await totalOf('/api/listings/map?rooms[min]=2', secret)]).toEqual([broken, 3])
        for (const path of ENDPOINTS) expect([broken, await totalOf(path, visitor)]).toEqual([broken, 2])
        expect(await totalOf('/api/listings?rooms[min]=2&ids=1&ids=3&features=elevator', secret)).toBe(0)
      }
    },
  )
})
