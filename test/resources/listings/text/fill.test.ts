/** Words of records that are older than the code that makes words. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { database } from '../../../../src/db/client.ts'
import { fillText } from '../../../../src/resources/listings/text/fill.ts'
import form from '../../../../src/resources/listings/text/form.json' with { type: 'json' }
import { EVERY_MINUTE, runScheduled } from '../../../../src/scheduled.ts'
import { silenceLog } from '../../../http/send.ts'
import { expectError, get, importRecords, post, put, query, websiteKey } from '../../../support/api.ts'
import {
  databaseOf,
  execute,
  failBefore,
  RecordedStatement,
  selectAll,
  selectFirst,
} from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { minimalListing } from '../../../support/factories/listing.ts'
import { listedWords, outdatedPlaces, storedWords, storeForeignWords, wordsMadeAnew } from './stored-words.ts'

let key = ''

const title = (id: number) => `Τίτλος ${id} με θέα`

beforeEach(async () => {
  vi.restoreAllMocks()
  silenceLog()
  for (const table of ['listing_words', 'listing_word_sets', 'listing_translations'])
    await execute(`delete from ${table}`)
  for (const table of ['listing_users', 'listing_documents']) await execute(`delete from ${table}`)
  await execute('delete from listings')
  await seedAgency()
  key = await websiteKey()
  await importRecords(
    Array.from({ length: 12 }, (_, index): [string, Record<string, unknown>] => [
      'listings',
      {
        ...minimalListing,
        id: 2 * index + 1,
        status: 'active',
        code: index % 3 === 0 ? null : `RES-${index}`,
        translations: index === 5 ? [] : [{ language_id: 1, title: title(index) }],
      },
    ]),
  )
})

const state = () => selectFirst('select form, location, listing from text_fill')
const COMPLETE = { form, location: null, listing: null }
const search = (text: string | null) => query('/api/listings', { text }, { key })
const fill = (limits = {}, DB: D1Database = env.DB) => fillText(database({ DB }), limits)

async function expectFilled(): Promise<void> {
  expect(await state()).toEqual(COMPLETE)
  const words = await wordsMadeAnew()
  expect(await storedWords()).toEqual(words)
  expect(await listedWords()).toEqual(words)
  expect(await outdatedPlaces()).toEqual([])
}

/** Fills in portions until nothing is left. Returns how many runs it took. */
async function fillByPortions(size: number, DB?: D1Database): Promise<number> {
  for (let runs = 1; runs < 100; runs++) {
    await fill({ portions: 1, size }, DB)
    const { location, listing } = (await state()) ?? {}
    if (location === null && listing === null) return runs
  }
  throw new Error('The filling does not end')
}

describe('words of other code', () => {
  it('answer 503 until a run has recorded that and the next has made all anew', async () => {
    await storeForeignWords()
    const refused = await search('θέα')
    await expectError(refused, 503, 'The search for text is being prepared')
    expect(refused.headers.get('Retry-After')).toBe('60')
    // Only a search for text needs them.
    for (const text of [null, '', ' %'])
      expect(await search(text)).toMatchObject({ status: 200, body: { total_results: 12 } })
    expect((await get('/api/listings?text=', { key })).status).toBe(200)

    await runScheduled({ cron: EVERY_MINUTE }, env)
    expect(await state()).toEqual({ form, location: 0, listing: 0 })
    await expectError(search('θέα'), 503, 'The search for text is being prepared')
    await runScheduled({ cron: EVERY_MINUTE }, env)
    await expectFilled()
    expect((await search('thea')).body.total_results).toBe(11)
    expect((await search('old')).body.total_results).toBe(0)
  })

  it('are replaced in portions, each of which may be the last of its run', async () => {
    await storeForeignWords()
    await fill()
    expect(await fillByPortions(3)).toBeGreaterThan(5)
    await expectFilled()
    // Nothing is written again.
    await fill()
    await expectFilled()
  })

  it('are replaced by several runs at once', async () => {
    await storeForeignWords()
    await Promise.all([fill(), fill(), fill()])
    await Promise.all([1, 2, 3, 4].map((size) => fill({ size })))
    await expectFilled()
  })

  it('are replaced after faults between any two calls to the database', async () => {
    await storeForeignWords()
    for (let calls = 0; ; calls++) {
      let left = calls % 7
      const broken = databaseOf({
        prepare: (text: string) => new RecordedStatement({ text, params: [] }),
        batch: async (statements: RecordedStatement[]) => {
          if (left-- === 0) throw new Error('cut off')
          return env.DB.batch(statements.map((statement) => statement.send()))
        },
      })
      const isDone = await fill({ size: 4 }, broken).then(
        () => true,
        () => false,
      )
      const { location, listing } = (await state()) ?? {}
      if (isDone && location === null && listing === null) break
      expect(calls).toBeLessThan(100)
    }
    await expectFilled()
  })

  it('of a listing that is deleted go with it', async () => {
    await execute('delete from listing_users where listing_id = 3')
    await execute('delete from listing_translations where listing_id = 3')
    await execute('delete from listings where id = 3')
    expect((await storedWords()).has(3)).toBe(false)
    expect((await listedWords()).has(3)).toBe(false)
  })
})

describe('a write during the filling', () => {
  const WRITES: Record<string, () => Promise<unknown>> = {
    'of a title': () => put('/api/listings/7', { title: 'Άλλος' }),
    'of a price': () => put('/api/listings/7', { price: 5 }),
    'of a price of the first': () => put('/api/listings/1', { price: 5 }),
    'of a price of the last': () => put('/api/listings/23', { price: 5 }),
    'of a status': () => post('/api/listings/1/status', { to: 'pending' }),
    'of a new listing': () => post('/api/listings', { ...minimalListing, title: 'Νέος' }),
    'by an import': () =>
      importRecords([
        ['listings', { id: 9, translations: [{ language_id: 2, title: 'Other' }], code: 'X-1' }],
        ['listings', { ...minimalListing, id: 8, title: 'Between' }],
      ]),
    'of a name of a place': async () => {
      const [row] = await selectAll<{ name_el: string }>('select name_el from locations where id = 11')
      const name = `${row?.name_el}ς`
      await importRecords([['locations', { id: 11, name_el: name }]])
    },
  }

  it.each(Object.entries(WRITES))('%s is neither lost nor made stale', async (_, write) => {
    await storeForeignWords()
    await fill()
    // The write comes between the reading and the writing of the first portion of places, then of listings.
    await fill({ size: 100 }, failBefore(/update locations/, write))
    await fill({ size: 100, portions: 1 })
    await expectFilled()
    await storeForeignWords()
    await fill()
    await fill({ size: 100, portions: 1 })
    await fill({ size: 100, portions: 1 }, failBefore(/insert into listing_words/, write))
    await fillByPortions(2)
    await expectFilled()
  })
})

describe('a new database', () => {
  it('needs no filling: the first words name the code', async () => {
    for (const table of ['listing_words', 'listing_word_sets']) await execute(`delete from ${table}`)
    await execute('update text_fill set form = null, location = null, listing = null')
    expect((await search('θέα')).status).toBe(200)
    await fill()
    expect(await state()).toEqual({ form: null, location: null, listing: null })
    await post('/api/listings', { ...minimalListing, title: 'First' })
    expect(await state()).toEqual(COMPLETE)
  })

  it('begins without a form; one with records begins with a filling', async () => {
    const statements = env.MIGRATIONS.find(({ name }) => name.includes('listing_words'))?.queries ?? []
    const insert = statements.find((text) => text.includes('INSERT INTO text_fill')) ?? ''
    await execute('delete from text_fill')
    await execute(insert)
    expect(await state()).toEqual({ form: '', location: 0, listing: 0 })
    await expectError(search('θέα'), 503, 'The search for text is being prepared')
    await fill()
    await fill()
    await expectFilled()
  })
})
