/** The index is the same, whether it is loaded from the table, from portions, or kept up by the change feed. */
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { database } from '../../../../src/db/client.ts'
import { purgeChanges } from '../../../../src/resources/changes/purge.ts'
import { freshIndex, releaseIndex } from '../../../../src/resources/listings/search/engine.ts'
import form from '../../../../src/resources/listings/search/form.json' with { type: 'json' }
import { loadListings, packPortions, RANGE } from '../../../../src/resources/listings/search/portions.ts'
import { listingWords } from '../../../../src/resources/listings/search/words.ts'
import { silenceLog } from '../../../http/send.ts'
import { importRecords, put } from '../../../support/api.ts'
import { databaseOf, execute, failBefore, selectAll, selectFirst } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { minimalListing } from '../../../support/factories/listing.ts'
import { step, take } from '../steps.ts'
import { contentsOf } from './indexed.ts'

beforeAll(seedAgency)

let lines: string[] = []
beforeEach(() => {
  lines = silenceLog()
})
afterEach(() => {
  vi.restoreAllMocks()
})

const DAY = 24 * 60 * 60 * 1000

const db = database(env)
const pack = () => packPortions(db)

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

/** What an index loaded from the table alone holds. */
async function fromTable() {
  const portions = await storePortions()
  await forgetPortions()
  const found = await loadedAnew()
  await portions.restore()
  return found
}

const forgetPortions = () =>
  env.DB.batch(
    ['search_portions', 'search_portion_data'].map((table) => env.DB.prepare(`delete from ${table}`)),
  )

/** The stored portions, which can be restored. */
async function storePortions() {
  const [portions, data] = await Promise.all([
    selectAll('select * from search_portions'),
    selectAll('select * from search_portion_data'),
  ])
  return {
    restore: async () => {
      await forgetPortions()
      for (const { first_id, form, rows, cursor } of portions)
        await execute('insert into search_portions values (?, ?, ?, ?)', first_id, form, rows, cursor)
      for (const row of data)
        await execute('insert into search_portion_data values (?, ?)', row.first_id, row.data)
    },
  }
}

/** Deletes a listing, or all. */
async function deleteListings(id: number | null = null): Promise<void> {
  const tables = ['users', 'tag_links', 'contacts', 'photos', 'panoramas', 'translations', 'documents']
  const linked = ['request_matches', ...tables.map((table) => `listing_${table}`)]
  await env.DB.batch([
    ...linked.map((table) =>
      env.DB.prepare(`delete from ${table} where listing_id = ?1 or ?1 is null`).bind(id),
    ),
    env.DB.prepare('delete from listings where id = ?1 or ?1 is null').bind(id),
  ])
}

const line = (id: number, values: object = {}): [string, Record<string, unknown>] => [
  'listings',
  { ...minimalListing, id, status: 'active', code: `P-${id}`, price: id, ...values },
]

/** Drafts with these ids, stored in one statement. */
const loadDrafts = (from: number, count: number) =>
  execute(
    `insert into listings (id, store_id, category, availability, status, created_by, date_created, date_updated)
    select ? + value, 1, 'land', 'sale', 'draft', 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00' from json_each(?)`,
    from,
    JSON.stringify(Array.from({ length: count }, (_, index) => index)),
  )

const portions = () =>
  selectAll<{ first_id: number; rows: number; cursor: number; form: string; data: string }>(
    'select * from search_portions join search_portion_data using (first_id) order by first_id',
  )
const portionOf = async (first: number) => (await portions()).find(({ first_id }) => first_id === first)
const cursorNow = async () =>
  (await selectFirst<{ cursor: number }>('select max(cursor) as cursor from changes'))?.cursor ?? 0

describe('after random writes', () => {
  type Action = () => Promise<unknown>
  const ids = fc.constantFrom(RANGE - 1, RANGE, 2 * RANGE - 1, 3 * RANGE + 5, 100_000)
  const actions: fc.Arbitrary<Action> = fc.oneof(
    {
      weight: 5,
      arbitrary: step.map(
        (action): Action =>
          () =>
            take(action),
      ),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(ids, fc.nat(5), fc.constantFrom('active', 'pending')).map(
        ([id, price, status]): Action =>
          () =>
            importRecords([line(id, { price, status })]),
      ),
    },
    {
      weight: 1,
      arbitrary: ids.map(
        (id): Action =>
          () =>
            deleteListings(id),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.nat(12).map(
        (id): Action =>
          () =>
            deleteListings(id),
      ),
    },
    { weight: 2, arbitrary: fc.constant<Action>(pack) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(0, RANGE, 3 * RANGE).map(
        (first): Action =>
          () =>
            execute('delete from search_portions where first_id = ?', first).then(pack),
      ),
    },
    { weight: 1, arbitrary: fc.constant<Action>(() => purgeChanges(env, new Date(Date.now() + 100 * DAY))) },
    { weight: 2, arbitrary: fc.constant<Action>(() => freshIndex(db)) },
  )

  it('is the same in all three ways', { timeout: 120_000 }, async () => {
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
        const known = await selectAll<{ id: number }>('select id from listings order by id')
        expect([...ofTable.keys()]).toEqual(known.map(({ id }) => id))
        listings += known.length
        stored += (await portions()).length
      }),
      { numRuns: 25, interruptAfterTimeLimit: 40_000 },
    )
    expect(listings).toBeGreaterThan(50)
    expect(stored).toBeGreaterThan(20)
  })
})

describe('portions', () => {
  const IDS = [1, 5, RANGE - 1, RANGE, 2 * RANGE + 9, 5 * RANGE, 5 * RANGE + 1, 7 * RANGE + 3]
  const FIRST = [0, RANGE, 2 * RANGE, 5 * RANGE, 7 * RANGE]

  beforeEach(async () => {
    await deleteListings()
    await forgetPortions()
    await importRecords(IDS.map((id) => line(id)))
    expect(await pack()).toEqual({ packed: FIRST.length, left: 0 })
    releaseIndex()
  })

  const loadedIds = async () => [...(await loadedAnew()).keys()]

  /** Changes that the table shows and the change feed does not: what is loaded from portions is as before. */
  const betray = () => execute('update listings set price = -1')
  const betrayed = async () =>
    [...(await loadedAnew())].flatMap(([id, value]) => ((value as { price: number }).price === -1 ? id : []))

  it('have the listings of ranges of ids, and are read in place of the table', async () => {
    expect((await portions()).map(({ first_id, rows }) => [first_id, rows])).toEqual([
      [0, 3],
      [RANGE, 1],
      [2 * RANGE, 1],
      [5 * RANGE, 2],
      [7 * RANGE, 1],
    ])
    await betray()
    expect(await betrayed()).toEqual([])
    expect(await loadedIds()).toEqual(IDS)
  })

  it('that are missing are read from the table, whichever they are', async () => {
    await betray()
    const all = await storePortions()
    for (let missing = 0; missing < 2 ** FIRST.length; missing++) {
      const gone = FIRST.filter((_, at) => missing & (1 << at))
      for (const first of gone) await execute('delete from search_portions where first_id = ?', first)
      const expected = IDS.filter((id) => gone.includes(Math.floor(id / RANGE) * RANGE))
      expect([gone, await betrayed()]).toEqual([gone, expected])
      expect(await loadedIds()).toEqual(IDS)
      await all.restore()
    }
    expect(lines.join()).not.toContain('reading a portion')
  })

  it.each([
    ['of another form', "update search_portions set form = 'other' where first_id = ?"],
    ['older than a forgotten deletion', 'update search_portions set cursor = -1 where first_id = ?'],
    ['without data', 'delete from search_portion_data where first_id = ?'],
    ['that are no base64', "update search_portion_data set data = '!' where first_id = ?"],
    ['that are cut', 'update search_portion_data set data = substr(data, 1, 400) where first_id = ?'],
    ['that are empty', "update search_portion_data set data = '' where first_id = ?"],
    ['that are other bytes', "update search_portion_data set data = 'AAAAAAAAAAAAAAAA' where first_id = ?"],
  ])('%s are read from the table', async (what, statement) => {
    await betray()
    for (const first of FIRST) {
      const all = await storePortions()
      await execute(statement, first)
      const own = IDS.filter((id) => Math.floor(id / RANGE) * RANGE === first)
      expect(await betrayed()).toEqual(own)
      expect(await loadedIds()).toEqual(IDS)
      await all.restore()
    }
    expect(lines.some((text) => text.includes('reading a portion'))).toBe(/that are/.test(what))
  })

  it('that another version replaces while they are loaded are read from the table', async () => {
    await betray()
    let isDone = false
    const DB = databaseOf({
      prepare: (text: string) => ({
        bind: (...params: unknown[]) => {
          const real = env.DB.prepare(text).bind(...params)
          const all = async () => {
            if (!isDone && text.includes('search_portion_data')) {
              isDone = true
              await execute("update search_portions set form = 'other' where first_id = ?", RANGE)
            }
            return real.all()
          }
          return { real, all }
        },
      }),
      batch: (list: { real: D1PreparedStatement }[]) => env.DB.batch(list.map(({ real }) => real)),
    })
    const { index } = await loadListings(database({ DB }))
    const prices = [...contentsOf(index)].map(([id, value]) => [id, (value as { price: number }).price])
    expect(prices).toEqual(IDS.map((id) => [id, id === RANGE ? -1 : id]))
    expect(isDone).toBe(true)
  })

  it('whose listings are gone, and listings without a portion', async () => {
    for (const id of [1, 2 * RANGE + 9, 7 * RANGE + 3]) await deleteListings(id)
    await importRecords([line(3 * RANGE + 1), line(90 * RANGE), line(RANGE + 1)])
    const expected = [5, RANGE - 1, RANGE, RANGE + 1, 3 * RANGE + 1, 5 * RANGE, 5 * RANGE + 1, 90 * RANGE]
    expect(await loadedIds()).toEqual(expected)
    expect(await loadedAnew()).toEqual(await fromTable())
    expect(await pack()).toEqual({ packed: 2, left: 0 })
    expect(await loadedIds()).toEqual(expected)
  })

  it('are not read if a listing in them is deleted, and the feed has forgotten that', async () => {
    await deleteListings(5)
    await put('/api/listings/1', { price: 2 })
    await purgeChanges(env, new Date(Date.now() + 100 * DAY))
    expect(await selectAll("select id from changes where resource = 'listings' and id = 5")).toEqual([])
    expect(await loadedIds()).toEqual(IDS.filter((id) => id !== 5))
    expect(await pack()).toEqual({ packed: FIRST.length, left: 0 })
    expect(await loadedIds()).toEqual(IDS.filter((id) => id !== 5))
  })

  it('that are small are read many at a time', async () => {
    await forgetPortions()
    for (let first = 10; first < 130; first++) await loadDrafts(first * RANGE, 1)
    while ((await pack()).left > 0);
    const all = (await selectAll<{ id: number }>('select id from listings order by id')).map(({ id }) => id)
    let calls = 0
    const DB = databaseOf({
      prepare: (text: string) => {
        if (text.includes('search_portion_data')) calls++
        return env.DB.prepare(text)
      },
      batch: (list: D1PreparedStatement[]) => env.DB.batch(list),
    })
    const { index } = await loadListings(database({ DB }))
    expect([...contentsOf(index).keys()]).toEqual(all)
    expect(calls).toBe(1)
  })

  it('are none of an empty table', async () => {
    for (const id of IDS) await deleteListings(id)
    expect(await loadedIds()).toEqual([])
    await forgetPortions()
    expect([await loadedIds(), await pack()]).toEqual([[], { packed: 0, left: 0 }])
    await importRecords([line(3)])
    expect([...(await contents()).keys()]).toEqual([3])
  })

  it('with more listings than a range has ids are read from the table in several steps', async () => {
    await forgetPortions()
    await loadDrafts(20 * RANGE + 7, 2 * RANGE + 100)
    const all = (await selectAll<{ id: number }>('select id from listings order by id')).map(({ id }) => id)
    expect(await loadedIds()).toEqual(all)
    expect((await pack()).packed).toBe(FIRST.length + 3)
    expect(await portionOf(21 * RANGE)).toMatchObject({ rows: RANGE })
    expect(await loadedIds()).toEqual(all)
  })
})

describe('cron', () => {
  const BUSY = 10 * RANGE
  const QUIET = 20 * RANGE
  const CHANGED = 30 * RANGE

  beforeEach(async () => {
    await deleteListings()
    await forgetPortions()
    await loadDrafts(BUSY, 300)
    await loadDrafts(QUIET, 3)
    await loadDrafts(CHANGED, 3)
    expect(await pack()).toEqual({ packed: 3, left: 0 })
  })

  const change = (first: number, count: number) =>
    execute(
      'update listings set version = version + 1, price = 7 where id >= ? and id < ?',
      first,
      first + count,
    )

  const expectRight = async () => expect(await loadedAnew()).toEqual(await fromTable())

  it('leaves a portion as long as few of its listings have changed', async () => {
    const before = await portions()
    expect(before.every((portion) => portion.form === form)).toBe(true)
    await change(BUSY, 255)
    expect(await pack()).toEqual({ packed: 0, left: 0 })
    // The same listings again are no more changes.
    await change(BUSY, 255)
    expect(await pack()).toEqual({ packed: 0, left: 0 })
    expect(await portions()).toEqual(before)
    await expectRight()
    await change(BUSY + 255, 1)
    expect(await pack()).toEqual({ packed: 1, left: 0 })
    const after = await portions()
    expect(after.map(({ data }, at) => data === before[at]?.data)).toEqual([false, true, true])
    expect(after.map(({ cursor }) => cursor)).toEqual([
      await cursorNow(),
      before[1]?.cursor,
      before[2]?.cursor,
    ])
    await expectRight()
    expect(await pack()).toEqual({ packed: 0, left: 0 })
  })

  it('follows with those of which nothing changes, and makes those anew that would lag behind', async () => {
    const before = await portions()
    await change(CHANGED, 1)
    for (let count = 0; count < 5; count++) {
      await change(BUSY, 250)
      await pack()
    }
    await change(BUSY, 1)
    const now = await cursorNow()
    expect(now - (before[1]?.cursor ?? 0)).toBeGreaterThan(1024)
    await pack()
    const after = await portions()
    const last = after.map(({ cursor }) => cursor)
    expect(Math.min(...last)).toBeGreaterThan(now - 1024)
    // The quiet one was moved, not made.
    expect(after[1]?.data).toBe(before[1]?.data)
    expect(after[2]?.data).not.toBe(before[2]?.data)
    await expectRight()
  })

  it('makes a portion once for all runs at the same time', async () => {
    await forgetPortions()
    const runs = await Promise.all([1, 2, 3, 4].map(pack))
    expect(runs.every(({ left }) => left === 0)).toBe(true)
    expect((await portions()).map(({ first_id, rows }) => [first_id, rows])).toEqual([
      [BUSY, 300],
      [QUIET, 3],
      [CHANGED, 3],
    ])
    await expectRight()
  })

  it('stores nothing older than another run has stored meanwhile', async () => {
    await execute('delete from search_portions where first_id = ?', QUIET)
    let latest: Awaited<ReturnType<typeof portionOf>>
    const DB = failBefore(/insert into search_portions/, async () => {
      await change(QUIET, 2)
      expect(await pack()).toEqual({ packed: 1, left: 0 })
      latest = await portionOf(QUIET)
    })
    await packPortions(database({ DB }))
    // Neither its cursor nor its data.
    expect(latest).toMatchObject({ cursor: await cursorNow(), rows: 3 })
    expect(await portionOf(QUIET)).toEqual(latest)
    await expectRight()
    // Nor does it note that it has what came after it.
    await forgetPortions()
    const late = failBefore(/insert into search_portions/, () => change(QUIET, 3))
    await packPortions(database({ DB: late }))
    await expectRight()
  })

  it('replaces those of other code at once', async () => {
    await execute("update search_portions set form = 'other', cursor = cursor + 1000000")
    expect(await pack()).toEqual({ packed: 3, left: 0 })
    expect((await portions()).map((portion) => [portion.form, portion.cursor])).toEqual(
      Array(3).fill([form, await cursorNow()]),
    )
    await expectRight()
  })

  it('asks D1 once for nothing to do', async () => {
    let calls = 0
    const DB = databaseOf({
      batch: (statements: D1PreparedStatement[]) => {
        calls++
        return env.DB.batch(statements)
      },
    })
    expect(await packPortions(database({ DB }))).toEqual({ packed: 0, left: 0 })
    expect(calls).toBe(1)
  })

  it('makes the others although one would be too long for D1, whose listings are read from the table', {
    tags: 'slow',
    timeout: 60_000,
  }, async () => {
    await loadDrafts(0, RANGE)
    await execute('delete from search_portions where first_id > 0')
    await execute(
      `insert into listing_translations (listing_id, language_id, title)
      select id, 1, substr(hex(randomblob(120)), 1, 200) || ' ' || id from listings where id < ?`,
      RANGE,
    )
    await execute(
      `insert into listing_translations (listing_id, language_id, title)
      select listing_id, 2, replace(title, 'A', ' ') from listing_translations where language_id = 1`,
    )
    await pack()
    await pack()
    expect((await portions()).map(({ first_id }) => first_id)).toEqual([BUSY, QUIET, CHANGED])
    expect(lines.filter((text) => text.includes('storing a portion')).length).toBeGreaterThan(0)
    releaseIndex()
    const index = await freshIndex(db)
    expect(contentsOf(index).size).toBe(RANGE + 306)
    await execute('delete from listing_translations')
  })

  it('tells what it leaves to the next run', async () => {
    for (let first = 40; first < 110; first++) await loadDrafts(first * RANGE, 1)
    expect(await pack()).toEqual({ packed: 64, left: 1 })
    expect(await pack()).toEqual({ packed: 6, left: 0 })
    expect(await pack()).toEqual({ packed: 0, left: 0 })
    await expectRight()
  })
})
