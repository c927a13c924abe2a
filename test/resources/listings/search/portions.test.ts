/** The index is the same, whether it is loaded from the table, from portions, or kept up by the change feed. */
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { database } from '../../../../src/db/client.ts'
import { purgeChanges } from '../../../../src/resources/changes/purge.ts'
import form from '../../../../src/resources/listings/search/form.json' with { type: 'json' }
import type { ListingIndex } from '../../../../src/resources/listings/search/listing-index.ts'
import { packPortions } from '../../../../src/resources/listings/search/packing.ts'
import { loadListings, MAX_FOLLOWED } from '../../../../src/resources/listings/search/portions.ts'
import { freshIndex, releaseIndex } from '../../../../src/resources/listings/search/shared-index.ts'
import { listingWords } from '../../../../src/resources/listings/search/words.ts'
import { silenceLog } from '../../../http/send.ts'
import { importRecords, put } from '../../../support/api.ts'
import {
  counted,
  databaseAround,
  execute,
  failBefore,
  selectAll,
  selectFirst,
  watching,
} from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { insertListings, listingLine } from '../../../support/factories/listing.ts'
import { step, take } from '../steps.ts'
import { contentsOf, idsIn } from './indexed.ts'

beforeAll(seedAgency)

let lines: string[] = []
beforeEach(() => {
  lines = silenceLog()
})

const DAY = 24 * 60 * 60 * 1000

const db = database(env)
/** Listings in a portion of these tests. */
const SIZE = 3
const pack = (options: Parameters<typeof packPortions>[1] = {}) =>
  packPortions(db, { size: SIZE, ...options })

/** Every word of any listing, and some beginnings. */
async function allWords(): Promise<string[]> {
  const rows = await selectAll<{ code: string | null; titles: string }>(
    `select code, (select json_group_array(title) from listing_translations
      where listing_id = listings.id and title is not null) as titles from listings`,
  )
  const words = rows.flatMap(({ code, titles }) => listingWords({ code, titles: JSON.parse(titles) }))
  return [...new Set(words.flatMap((word) => [word, word.slice(0, 2)]))].toSorted()
}

const contents = async () => contentsOf(await freshIndex(db), await allWords())

async function loadedAnew() {
  releaseIndex()
  return contents()
}

/** A database in which no portion can be stored. */
const readOnly = () =>
  database({
    DB: failBefore(/index_forms/, () => {
      throw new Error('D1_ERROR: read-only')
    }),
  })

/** What is loaded where none ends the load. */
async function loadAll(...options: Parameters<typeof loadListings>) {
  const loaded = await loadListings(...options)
  if (!loaded) throw new Error('The load was ended')
  return loaded
}

/** What an index loaded from the table alone holds. */
async function fromTable() {
  const { index } = await loadAll(readOnly(), { form: 'without portions' })
  expect(await portions('without portions')).toEqual([])
  return contentsOf(index, await allWords())
}

const forgetPortions = () =>
  env.DB.batch(['index_portions', 'index_forms'].map((table) => env.DB.prepare(`delete from ${table}`)))

/** Leaves neither listings nor portions. */
const clear = () => deleteListings().then(forgetPortions)

/** Deletes a listing, or all. */
async function deleteListings(id: number | null = null): Promise<void> {
  const tables = ['users', 'tag_links', 'contacts', 'photos', 'panoramas', 'translations', 'documents']
  const linked = ['request_matches', ...tables.map((table) => `listing_${table}`)]
  for (const table of linked) await execute(`delete from ${table} where listing_id = ?1 or ?1 is null`, id)
  await execute('delete from listings where id = ?1 or ?1 is null', id)
}

const line = (id: number, values: object = {}) => listingLine(id, { code: `P-${id}`, price: id, ...values })

/** Drafts with these ids, stored in one statement. */
const loadDrafts = (from: number, count: number) => insertListings(count, { id: `${from} + value` })

const storedIds = async () =>
  (await selectAll<{ id: number }>('select id from listings order by id')).map(({ id }) => id)

const forgetChanges = () => purgeChanges(env, new Date(Date.now() + 100 * DAY))

/** Leaves the cursor behind `count` changes. */
const passChanges = (count: number) =>
  execute('update changes set cursor = cursor + ? where cursor = (select max(cursor) from changes)', count)

const portions = (of = form) =>
  selectAll<{ id: number; first_id: number; last_id: number; rows: number; cursor: number; data: string }>(
    'select * from index_portions join index_portion_data on portion_id = id where form = ? order by first_id',
    of,
  )
const cursorNow = async () =>
  (await selectFirst<{ cursor: number }>('select max(cursor) as cursor from changes'))?.cursor ?? 0

/** Portions cover each id once. */
async function expectWhole(of = form): Promise<void> {
  const all = await portions(of)
  const ranges = all.map(({ first_id, last_id }) => [first_id, last_id])
  const ends = all.slice(0, -1).map(({ last_id }) => last_id)
  expect(ranges).toEqual([...ends, LAST].map((last, at) => [at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, last]))
}
const LAST = Number.MAX_SAFE_INTEGER - 1

describe('after random writes', () => {
  type Action = () => Promise<unknown>
  const does = <T>(weight: number, arbitrary: fc.Arbitrary<T>, act: (value: T) => Promise<unknown>) => ({
    weight,
    arbitrary: arbitrary.map(
      (value): Action =>
        () =>
          act(value),
    ),
  })
  const ids = fc.constantFrom(20, 4095, 4096, 8191, 100_000, 900_000)
  const actions = fc.oneof(
    does(5, step, take),
    does(3, fc.tuple(ids, fc.nat(5), fc.constantFrom('active', 'pending')), ([id, price, status]) =>
      importRecords([line(id, { price, status })]),
    ),
    does(1, ids, deleteListings),
    does(1, fc.nat(12), deleteListings),
    does(2, fc.constant({}), pack),
    does(1, fc.tuple(fc.nat(6), fc.constantFrom(1, 2, 3, 7)), async ([at, size]) => {
      const some = 'select id from index_portions order by first_id limit 2 offset ?'
      await execute(`delete from index_portions where id in (${some})`, at)
      await pack({ size })
    }),
    does(1, fc.constant(env), forgetChanges),
    does(2, fc.constant(db), freshIndex),
  )

  it('an index that follows changes, one from portions and one from the table are equal', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    let [listings, stored] = [0, 0]
    await fc.assert(
      fc.asyncProperty(fc.array(actions, { minLength: 3, maxLength: 15 }), async (list) => {
        await freshIndex(db)
        for (const action of list) await action()
        const followed = await contents()
        const ofPortions = await loadedAnew()
        const ofTable = await fromTable()
        expect(followed).toEqual(ofTable)
        expect(ofPortions).toEqual(ofTable)
        expect([...ofTable.keys()]).toEqual(await storedIds())
        listings += ofTable.size
        stored += (await portions()).length
      }),
      { numRuns: 25, interruptAfterTimeLimit: 40_000 },
    )
    expect(listings).toBeGreaterThan(50)
    expect(stored).toBeGreaterThan(20)
  })
})

describe('portions', () => {
  const IDS = [1, 5, 4095, 4096, 10_009, 20_480, 20_481, 900_000]
  /** Of each portion, which listings it has. */
  const PARTS = [IDS.slice(0, 3), IDS.slice(3, 6), IDS.slice(6)]

  beforeEach(async () => {
    await clear()
    await importRecords(IDS.map((id) => line(id)))
    expect(await pack()).toEqual({ packed: PARTS.length, left: 0 })
    releaseIndex()
  })

  const loadedIds = async () => [...(await loadedAnew()).keys()]

  /** Changes that the table shows and the change feed does not: what is loaded from portions is as before. */
  const betray = () => execute('update listings set price = -1')
  const betrayedOf = (index: ListingIndex) =>
    [...contentsOf(index)].flatMap(([id, value]) => ((value as { price: number }).price === -1 ? id : []))
  const betrayed = async () => betrayedOf((await loadAll(db, { size: SIZE })).index)

  it('have so many listings, however far their ids lie apart, and are read in place of the table', async () => {
    expect((await portions()).map(({ first_id, last_id, rows }) => [first_id, last_id, rows])).toEqual([
      [0, 4095, 3],
      [4096, 20_480, 3],
      [20_481, LAST, 2],
    ])
    await betray()
    expect(await betrayed()).toEqual([])
    expect(await loadedIds()).toEqual(IDS)
  })

  it('missing portions are stored by the isolate that loads, and then read', async () => {
    await betray()
    for (let missing = 1; missing < 2 ** PARTS.length; missing++) {
      await forgetPortions()
      await execute('update listings set price = id')
      await pack()
      await betray()
      const gone = PARTS.filter((_, at) => missing & (1 << at))
      for (const [first] of gone)
        await execute('delete from index_portions where ? between first_id and last_id', first)
      const { index } = await loadAll(readOnly())
      for (const _ of [1, 2]) expect([gone, await betrayed()]).toEqual([gone, gone.flat()])
      // Where none can be stored, the table is read.
      expect(betrayedOf(index)).toEqual(gone.flat())
      expect(idsIn(index)).toEqual(IDS)
      await expectWhole()
    }
    expect(lines.join()).not.toContain('reading a portion')
  })

  it.each([
    ['of another form', "update index_portions set form = 'other' where id = ?", true],
    ['older than a forgotten deletion', 'update index_portions set cursor = -1 where id = ?', true],
    ['without data', 'delete from index_portion_data where portion_id = ?', false],
    ['that are no base64', "update index_portion_data set data = '!' where portion_id = ?", false],
    ['that are cut', 'update index_portion_data set data = substr(data, 1, 400) where portion_id = ?', false],
    ['that are empty', "update index_portion_data set data = '' where portion_id = ?", false],
    [
      'that are other bytes',
      "update index_portion_data set data = 'AAAAAAAAAAAAAAAA' where portion_id = ?",
      false,
    ],
  ])('%s are read from the table', async (what, statement, isMade) => {
    for (const [at, part] of PARTS.entries()) {
      await execute('update listings set price = id')
      await forgetPortions()
      await pack()
      await betray()
      await execute(statement, (await portions())[at]?.id)
      expect(await betrayed()).toEqual(part)
      expect(await loadedIds()).toEqual(IDS)
      if (isMade) await expectWhole()
    }
    expect(lines.some((text) => text.includes('reading a portion'))).toBe(/that are/.test(what))
  })

  it('portions replaced during loading are read from the table', async () => {
    await betray()
    let isDone = false
    const DB = databaseAround(async (send, texts) => {
      if (!isDone && texts.join().includes('index_portion_data')) {
        isDone = true
        await execute('delete from index_portions where first_id > 0')
        // In their place, with the ids of others.
        await pack({ size: 1 })
      }
      return send()
    })
    const { index } = await loadAll(database({ DB }))
    expect(betrayedOf(index)).toEqual(IDS.slice(3))
    expect(idsIn(index)).toEqual(IDS)
    expect(isDone).toBe(true)
  })

  it('are not read if a listing in them is deleted, and the feed has forgotten that', async () => {
    await deleteListings(5)
    await put('/api/listings/1', { price: 2 })
    await forgetChanges()
    expect(await selectAll("select id from changes where resource = 'listings' and id = 5")).toEqual([])
    expect(await loadedIds()).toEqual(IDS.filter((id) => id !== 5))
    expect(await pack()).toEqual({ packed: 0, left: 0 })
    await expectWhole()
  })

  it('small portions are read many at a time', async () => {
    await loadDrafts(50_000, 120)
    await forgetPortions()
    expect((await pack())?.packed).toBeGreaterThan(40)
    let calls = 0
    const DB = watching((text) => (calls += Number(text.includes('index_portion_data'))))
    const { index } = await loadAll(database({ DB }))
    expect(idsIn(index)).toEqual(await storedIds())
    expect(calls).toBe(1)
  })

  it('of an empty table are an empty one', async () => {
    for (const id of IDS) await deleteListings(id)
    expect(await loadedIds()).toEqual([])
    await forgetPortions()
    expect([await loadedIds(), await pack()]).toEqual([[], { packed: 0, left: 0 }])
    await importRecords([line(3)])
    expect([...(await contents()).keys()]).toEqual([3])
  })

  it('with more listings than one has are read from the table in several steps', async () => {
    await forgetPortions()
    await insertListings(5000, { id: '1000000 + 10000 * value' })
    const { index } = await loadAll(readOnly())
    const all = await storedIds()
    expect([idsIn(index), await loadedIds()]).toEqual([all, all])
    expect((await portions()).map(({ rows }) => rows)).toEqual([4096, 5008 - 4096])
  })

  it('are mostly at least half full, in whatever order listings come', async () => {
    await clear()
    for (const [at, place] of [3, 14, 1, 15, 9, 2, 6, 5, 35, 8].entries()) {
      await loadDrafts(1000 * place, 260)
      await pack({ size: 260 })
      await expectWhole()
      expect((await portions()).length).toBeLessThanOrEqual(2 * (at + 1))
    }
    expect(await loadedAnew()).toEqual(await fromTable())
  })

  it('portions with too many changes are made again once, and then read', async () => {
    await passChanges(MAX_FOLLOWED + 1)
    const { index } = await loadAll(db)
    expect(idsIn(index)).toEqual(IDS)
    expect(index.cursor).toBe(await cursorNow())
    await expectWhole()
  })
})

describe('isolates that load at the same time', () => {
  const LISTINGS = 600

  beforeEach(async () => {
    await clear()
    await loadDrafts(1, LISTINGS)
  })

  /** Loads as an isolate with code of a form does. Returns how often it read listings from the table. */
  async function load(of: string): Promise<number> {
    let reads = 0
    const DB = watching((text) => (reads += Number(/listings.id between/.test(text))))
    const { index } = await loadAll(database({ DB }), { form: of })
    expect(contentsOf(index).size).toBe(LISTINGS)
    return reads
  }

  /** Lets another isolate be at it for so many seconds. */
  const hold = (seconds: number) =>
    execute(`insert into index_forms values ('new', unixepoch(), unixepoch() + ${seconds})`)

  it('of two versions read the table once for each form', async () => {
    const reads = await Promise.all(
      ['new', 'old', ...Array(8).fill('new'), ...Array(8).fill('old')].map(load),
    )
    expect(reads.toSorted((a, b) => b - a)).toEqual([1, 1, ...Array(16).fill(0)])
    await expectWhole('new')
    await expectWhole('old')
  })

  it('wait for one that is at it, and take over where it was cut off', { tags: 'slow' }, async () => {
    await hold(3)
    const start = Date.now()
    expect((await Promise.all(['new', 'new', 'new'].map(load))).toSorted()).toEqual([0, 0, 1])
    expect(Date.now() - start).toBeGreaterThan(1500)
  })

  it('is at it alone after it has taken over from one that was silent, which then stops', async () => {
    const heldUntil = () => selectAll('select held_until from index_forms')
    const taken = { held_until: 9_000_000_000 }
    const DB = failBefore(/insert into index_portions/, () =>
      execute('update index_forms set held_until = ?', taken.held_until),
    )
    // It stores what it has made, and no more.
    expect(await packPortions(database({ DB }), { form: 'new', size: 1 })).toBeNull()
    expect(await portions('new')).toHaveLength(1)
    expect(await heldUntil()).toEqual([taken])
  })

  it('wait for one that has taken over from them, rather than read the table', { tags: 'slow' }, async () => {
    const DB = failBefore(/insert into index_portions/, () =>
      execute('update index_forms set held_until = unixepoch() + 2'),
    )
    const { index } = await loadAll(database({ DB }), { form: 'new', size: LISTINGS / 3 })
    expect(contentsOf(index).size).toBe(LISTINGS)
    expect((await portions('new')).map(({ rows }) => rows)).toEqual(Array(3).fill(LISTINGS / 3))
    await expectWhole('new')
  })

  it('wait for none whose clock was ahead', async () => {
    await hold(3600)
    expect(await load('new')).toBe(1)
  })
})

describe('two versions at work at once', () => {
  it('read and write little, and each finds all', { timeout: 60_000 }, async () => {
    await clear()
    await loadDrafts(1, 3000)
    const minute = async (of: string) => {
      const { DB, counts } = counted()
      await packPortions(database({ DB }), { form: of, size: 500 })
      return counts
    }
    for (const of of ['new', 'old']) await minute(of)
    for (let count = 0; count < 10; count++) {
      await execute('update listings set price = ?1, version = version + 1 where id % 500 = ?1', count)
      const { rowsRead, rowsWritten } = await minute(count % 2 ? 'new' : 'old')
      expect(rowsRead).toBeLessThan(1000)
      expect(rowsWritten).toBe(0)
    }
    const { index: ofTable } = await loadAll(readOnly())
    for (const of of ['new', 'old']) {
      await expectWhole(of)
      const { index } = await loadAll(db, { form: of })
      expect(index.count).toBe(ofTable.count)
    }
  })

  it('leave nothing of one that is gone for a day', async () => {
    await clear()
    await loadDrafts(1, 70)
    await pack({ form: 'gone', size: 1, max: 100 })
    await pack({ form: 'other' })
    await execute("update index_forms set used = used - 24 * 60 * 60 - 1 where form = 'gone'")
    const stored = () => selectFirst("select count(*) as rows from index_portions where form = 'gone'")
    expect(await stored()).toEqual({ rows: 70 })
    await pack()
    expect(await stored()).toEqual({ rows: 6 })
    await pack()
    expect(await stored()).toEqual({ rows: 0 })
    expect(await selectAll("select 1 from index_forms where form = 'gone'")).toEqual([])
    expect(
      await selectAll(
        'select 1 from index_portion_data where portion_id not in (select id from index_portions)',
      ),
    ).toEqual([])
    await expectWhole('other')
  })
})

describe('cron', () => {
  /** The first listing of three portions. */
  const [BUSY, QUIET, CHANGED] = [1000, 2000, 3000] as const
  const COUNT = 300
  const packAll = () => pack({ size: COUNT })

  beforeEach(async () => {
    await clear()
    for (const first of [BUSY, QUIET, CHANGED]) await loadDrafts(first, COUNT)
    expect(await packAll()).toEqual({ packed: 3, left: 0 })
  })

  const change = (first: number, count: number) =>
    execute(
      'update listings set version = version + 1, price = 7 where id >= ? and id < ?',
      first,
      first + count,
    )
  const portionOf = async (id: number) =>
    (await portions()).find(({ first_id, last_id }) => id >= first_id && id <= last_id)

  const expectRight = async () => {
    expect(await loadedAnew()).toEqual(await fromTable())
    await expectWhole()
  }

  it('leaves a portion as long as few of its listings have changed', async () => {
    const before = await portions()
    await change(BUSY, 255)
    expect(await packAll()).toEqual({ packed: 0, left: 0 })
    // The same listings again are no more changes.
    await change(BUSY, 255)
    expect(await packAll()).toEqual({ packed: 0, left: 0 })
    expect(await portions()).toEqual(before)
    await expectRight()
    await change(BUSY + 255, 1)
    expect(await packAll()).toEqual({ packed: 1, left: 0 })
    const after = await portions()
    expect(after.map(({ data }, at) => data === before[at]?.data)).toEqual([false, true, true])
    expect(after.map(({ cursor }) => cursor)).toEqual([
      await cursorNow(),
      before[1]?.cursor,
      before[2]?.cursor,
    ])
    await expectRight()
    expect(await packAll()).toEqual({ packed: 0, left: 0 })
  })

  it('follows with those of which nothing changes, and makes those anew that would lag behind', async () => {
    const before = await portions()
    await change(CHANGED, 1)
    for (let count = 0; count < 5; count++) {
      await change(BUSY, 250)
      await packAll()
    }
    await change(BUSY, 1)
    const now = await cursorNow()
    expect(now - (before[1]?.cursor ?? 0)).toBeGreaterThan(1024)
    await packAll()
    const after = await portions()
    const last = after.map(({ cursor }) => cursor)
    expect(Math.min(...last)).toBeGreaterThan(now - 1024)
    // The quiet one was moved, not made.
    expect(after[1]?.data).toBe(before[1]?.data)
    expect(after[2]?.data).not.toBe(before[2]?.data)
    await expectRight()
  })

  it('makes portions once for all runs at the same time', async () => {
    await forgetPortions()
    const runs = await Promise.all([1, 2, 3, 4].map(packAll))
    expect(runs.filter((run) => run !== null && run.packed > 0)).toEqual([{ packed: 3, left: 0 }])
    await expectRight()
  })

  it('stores nothing older than another run has stored meanwhile', async () => {
    await execute('delete from index_portions where first_id = ?', QUIET)
    let latest: Awaited<ReturnType<typeof portionOf>>
    const DB = failBefore(/insert into index_portions/, async () => {
      await change(QUIET, 2)
      await execute('update index_forms set held_until = 0')
      expect(await packAll()).toEqual({ packed: 1, left: 0 })
      latest = await portionOf(QUIET)
    })
    await packPortions(database({ DB }), { size: COUNT })
    // Neither its cursor nor its data.
    expect(latest).toMatchObject({ cursor: await cursorNow(), rows: COUNT })
    expect(await portionOf(QUIET)).toEqual(latest)
    await expectRight()
    // Nor does it note that it has what came after it.
    await forgetPortions()
    const late = failBefore(/insert into index_portions/, () => change(QUIET, 3))
    await packPortions(database({ DB: late }), { size: COUNT })
    await expectRight()
  })

  it('makes a portion of fewer listings where they would be too long for D1', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    await loadDrafts(10_000, 4096)
    await execute(
      `insert into listing_translations (listing_id, language_id, title)
      select id, 1, substr(hex(randomblob(120)), 1, 200) || ' ' || id from listings where id >= 10000`,
    )
    await execute(
      `insert into listing_translations (listing_id, language_id, title)
      select listing_id, 2, replace(title, 'A', ' ') from listing_translations where language_id = 1`,
    )
    await forgetPortions()
    await packPortions(db)
    expect((await portions()).map(({ rows }) => rows)).toEqual([2048, 1474, 1474])
    await expectWhole()
    const { index } = await loadAll(db)
    expect(index.count).toBe(4096 + 3 * COUNT)
    await execute('delete from listing_translations')
  })

  it('asks D1 once for nothing to do', async () => {
    const { DB, counts } = counted()
    expect(await packPortions(database({ DB }), { size: COUNT })).toEqual({ packed: 0, left: 0 })
    expect(counts.trips).toBe(1)
  })

  it('says what it leaves to the next run', async () => {
    await forgetPortions()
    expect(await pack({ size: 10 })).toEqual({ packed: 64, left: 1 })
    expect(await pack({ size: 10 })).toEqual({ packed: 26, left: 0 })
    expect(await pack({ size: 10 })).toEqual({ packed: 0, left: 0 })
    await expectRight()
  })
})
