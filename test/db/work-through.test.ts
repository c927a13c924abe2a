/** A record that makes the work of jobs on it fail keeps none of them from the others. */
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { database } from '../../src/db/client.ts'
import { followChanges } from '../../src/db/derived.ts'
import { fillPublicListings } from '../../src/resources/listings/public/fill.ts'
import { CONTACT_SEARCH } from '../../src/resources/search-texts.ts'
import { EVERY_MINUTE, runScheduled } from '../../src/scheduled.ts'
import { expectError, get, importRecords, post, put, query, websiteKey } from '../support/api.ts'
import { counting, databaseAround, execute, selectAll } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { createListing } from '../support/factories/listing.ts'

const LISTINGS = 40
const BAD = 7
/** Two such texts are above the 2 MB that a row of D1 takes. */
const LONG = 'α'.repeat(600_000)

const runCron = () => runScheduled({ cron: EVERY_MINUTE }, env)
const becomeDue = () => execute('update job_failures set due = 0')
const failures = () => selectAll('select job, resource, id from job_failures order by job')

/** Gives a listing texts that an earlier version took, which had no triggers yet. */
async function storeLongTexts(id: number): Promise<void> {
  const triggers = await selectAll<{ name: string; sql: string }>(
    "select name, sql from sqlite_master where type = 'trigger' and name like 'public~_listing_translations~_%' escape '~'",
  )
  for (const { name } of triggers) await execute(`drop trigger ${name}`)
  for (const language of [1, 2])
    await execute(
      'insert into listing_translations (listing_id, language_id, description) values (?1, ?2, ?3) on conflict do update set description = ?3',
      id,
      language,
      LONG,
    )
  for (const { sql } of triggers) await execute(sql)
}

beforeAll(async () => {
  await seedAgency()
  await importRecords([['languages', { id: 2, name: 'Other', code: 'en' }]])
  await execute(
    `insert into listings (id, store_id, category, availability, status, display_address, latitude, longitude, created_by,
      date_created, date_updated)
    select value, 1, 'land', 'sale', 'active', 'fake', 38, 23.7, 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00'
    from json_each(?)`,
    JSON.stringify(Array.from({ length: LISTINGS }, (_, index) => index + 1)),
  )
  await execute(
    `insert into listing_photos (listing_id, ordernum, original_image)
    select id, 1, 'https://example.com/1.jpg' from listings`,
  )
  await execute('update listings set fake_latitude = 38.1, fake_longitude = 23.8, version = version + 1')
  await execute('delete from public_listings')
  await execute("delete from derivations where name = 'public_listings'")
  await storeLongTexts(BAD)
})

beforeEach(() => {})

describe('a listing of which visitors would see more than a row takes', () => {
  it('keeps no job from the other listings, and is named', async () => {
    const key = await websiteKey()
    for (let run = 0; run < 2; run++) await runCron()
    const shown = await selectAll<{ id: number }>('select id from public_listings')
    expect(shown.length).toBe(LISTINGS - 1)
    expect(shown).not.toContainEqual({ id: BAD })
    expect((await query('/api/listings', {}, { key })).body.total_results).toBe(LISTINGS - 1)
    expect(await selectAll('select rows from index_portions')).toEqual([{ rows: LISTINGS }])
    // Without what visitors see of it, its pictures make nothing too long.
    expect(await selectAll('select listing_id from listing_photos where width is null')).toEqual([])
    const unchecked = 'where (fake_latitude, fake_longitude) is not (checked_latitude, checked_longitude)'
    expect(await selectAll(`select id from listings ${unchecked}`)).toEqual([{ id: BAD }])
    const { jobs } = (await get('/admin/stats')).body.data
    const failed = [{ resource: 'listings', id: BAD, error: 'Error: string or blob too big: SQLITE_TOOBIG' }]
    expect(jobs.map(({ name, error, failed }: Record<string, unknown>) => ({ name, error, failed }))).toEqual(
      jobs.map(({ name }: { name: string }) => ({
        name,
        error: null,
        failed: ['search_portions', 'public_points'].includes(name) ? failed : [],
      })),
    )
  })

  it('is passed over until it is due, for a few rows a minute', async () => {
    await runCron()
    const before = await selectAll('select * from job_failures')
    const { DB, rowsRead } = counting()
    await runScheduled({ cron: EVERY_MINUTE }, { ...env, DB })
    expect(await selectAll('select * from job_failures')).toEqual(before)
    expect(rowsRead()).toBeLessThan(600)
  })

  it('is done once it can be, also by what a user changes', async () => {
    expect((await post(`/api/listings/${BAD}/status`, { to: 'inactive' })).status).toBe(200)
    expect((await put(`/api/listings/${BAD}`, { translations: [] })).status).toBe(200)
    await execute('delete from listing_translations where listing_id = ?', BAD)
    expect((await post(`/api/listings/${BAD}/status`, { to: 'active' })).status).toBe(200)
    await becomeDue()
    await runCron()
    expect(await failures()).toEqual([])
    expect(await selectAll('select listing_id from listing_photos where width is null')).toEqual([])
    expect((await selectAll('select id from public_listings')).length).toBe(LISTINGS)
  })

  it('is refused as a draft that is to become active', async () => {
    const draft = await createListing()
    await storeLongTexts(draft)
    const before = await selectAll('select status, version from listings where id = ?', draft)
    await expectError(
      post(`/api/listings/${draft}/status`, { to: 'active' }),
      400,
      'The record is too large: shorten its texts',
    )
    expect(await selectAll('select status, version from listings where id = ?', draft)).toEqual(before)
  })
})

describe('a record that fails', () => {
  const derive = () => followChanges(database(env), CONTACT_SEARCH, { size: 4 })
  const other = () => selectAll("select id from contacts where search = 'other'")

  it('does not hold up what follows the feed, and is derived when it changes', async () => {
    for (let count = 0; count < 10; count++)
      await post('/api/contacts', { first_name: `Anna ${count}`, created_by: 1 })
    const [bad] = await selectAll<{ id: number }>("select id from contacts where first_name = 'Anna 5'")
    await execute("update contacts set search = 'other'")
    await execute("delete from derivations where name = 'contacts.search'")
    await execute(`create trigger broken before update of search on contacts when old.id = ${bad?.id}
      begin select raise(fail, 'broken'); end`)
    await derive()
    expect(await other()).toEqual([bad])
    expect(await failures()).toEqual([{ job: 'search_texts', resource: 'contacts', id: bad?.id }])
    await execute('drop trigger broken')
    await execute('update contacts set version = version + 1 where id = ?', bad?.id)
    await execute('update job_failures set due = 1e15')
    await derive()
    expect([await other(), await failures()]).toEqual([[], []])
  })

  it('is tried again at longer and longer intervals', async () => {
    await post('/api/contacts', { first_name: 'Eva', created_by: 1 })
    await execute("update contacts set search = 'other' where first_name = 'Eva'")
    await execute(
      `create trigger broken before update of search on contacts begin select raise(fail, 'broken'); end`,
    )
    const pauses: number[] = []
    for (let attempt = 0; attempt < 5; attempt++) {
      await becomeDue()
      const start = Date.now()
      await derive()
      const [row] = await selectAll<{ due: number }>('select due from job_failures')
      pauses.push(Math.round(((row?.due ?? 0) - start) / 60_000))
    }
    expect(pauses).toEqual([0, 10, 60, 360, 360])
    await execute('drop trigger broken')
    await becomeDue()
    await derive()
    expect([await other(), await failures()]).toEqual([[], []])
  })

  it('is none where D1 fails for a reason that passes, or is that of another version', async () => {
    for (const message of ['D1_ERROR: Network connection lost.', 'D1_ERROR: no such column: shown']) {
      await execute("delete from derivations where name = 'public_listings'")
      const { DB, sizes } = fillingWith(() => message)
      await expect(fillPublicListings(database({ ...env, DB }))).rejects.toThrow()
      expect([await failures(), sizes]).toEqual([[], [LISTINGS]])
    }
  })

  it('is none where a portion is too much for D1: it is done in smaller ones', async () => {
    const before = await selectAll('select * from public_listings order by id')
    await execute("delete from derivations where name = 'public_listings'")
    await execute("update public_listings set shown = '{}'")
    const { DB, sizes } = fillingWith((size) =>
      size > 5 ? "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset." : null,
    )
    expect(await fillPublicListings(database({ ...env, DB }))).toEqual({ isFilled: true })
    expect(await failures()).toEqual([])
    expect(Math.max(...sizes)).toBe(LISTINGS)
    expect(await selectAll('select * from public_listings order by id')).toEqual(before)
  })

  /** The database, which fails to fill in so many listings; and how many it was to fill in. */
  function fillingWith(fail: (size: number) => string | null) {
    const sizes: number[] = []
    const DB = databaseAround((send, texts, params) => {
      const fill = params[texts.findIndex((text) => text.startsWith('insert into public_listings'))]
      if (fill) {
        const size = JSON.parse(String(fill[0])).length
        sizes.push(size)
        const message = fail(size)
        if (message) throw new Error(message)
      }
      return send()
    })
    return { DB, sizes }
  }
})
