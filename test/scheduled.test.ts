import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import form from '../src/resources/listings/search/form.json' with { type: 'json' }
import { PORTION_SIZE } from '../src/resources/listings/search/stored-portions.ts'
import { DAILY, EVERY_MINUTE, runScheduled } from '../src/scheduled.ts'
import { entriesOf, forgetWebhooks, receive, subscribe } from './admin/webhooks/receivers.ts'
import { silenceLog } from './http/send.ts'
import { countUnmatched, expectedPairs, storedPairs } from './resources/matching/pairs.ts'
import { createRequest, seedRequests } from './resources/requests/seed.ts'
import { databaseAround, execute, selectAll, selectFirst, watching } from './support/database.ts'

beforeAll(seedRequests)

/** Stores active listings as if whoever wrote them had gone before they were matched. */
async function loadListings(count: number): Promise<void> {
  await execute(
    `insert into listings (store_id, category, availability, status, price, area_level1, created_by,
      date_created, date_updated)
    select 1, 'residential', 'sale', 'active', value, 1, 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00'
    from json_each(?)`,
    JSON.stringify(Array.from({ length: count }, (_, index) => index)),
  )
}

/** Makes matching of the listings that meet a condition fail, until `heal`. */
async function breakMatching(condition: string): Promise<void> {
  await execute(`create trigger broken before update of matched_version on listings
    when new.matched_version > 0 and ${condition} begin select raise(fail, 'broken'); end`)
}
const heal = () => execute('drop trigger if exists broken')

describe('the clock, every minute', () => {
  it('matches what is left, several runs at once', async () => {
    await loadListings(30)
    for (const price_max of [5, 10, 20]) await createRequest({ locations: [1], price_max })
    await loadListings(60)
    await env.DB.exec('update requests set matched_version = 0')
    expect(await countUnmatched()).toBe(93)
    await Promise.all([1, 2, 3].map(() => runScheduled({ cron: EVERY_MINUTE }, env)))
    expect(await countUnmatched()).toBe(0)
    expect(await storedPairs()).toEqual(await expectedPairs())
  })

  it('tells subscribers of the matches that it finds', async () => {
    const { id } = await createRequest({ locations: [1], price_max: 7 })
    await subscribe({ resources: ['matches'] })
    await loadListings(1)
    const deliveries = receive()
    await runScheduled({ cron: EVERY_MINUTE }, env)
    vi.restoreAllMocks()
    await forgetWebhooks()
    expect(entriesOf(deliveries)).toContainEqual(expect.objectContaining({ resource: 'matches', id }))
  })

  it('is not kept from the others by one that always fails', async () => {
    const lines = silenceLog()
    const [first] = await selectAll<{ id: number }>('select min(id) as id from listings')
    await breakMatching(`new.id = ${first?.id}`)
    await env.DB.exec('update listings set matched_version = 0')
    await env.DB.exec('delete from request_matches')
    await runScheduled({ cron: EVERY_MINUTE }, env)
    expect(await countUnmatched()).toBe(1)
    const logged = lines.map((line) => JSON.parse(line))
    expect(logged).toContainEqual(
      expect.objectContaining({ level: 'error', work: 'matching', resource: 'listings', id: first?.id }),
    )
    await heal()
    await runScheduled({ cron: EVERY_MINUTE }, env)
    expect(await countUnmatched()).toBe(0)
    expect(await storedPairs()).toEqual(await expectedPairs())
  })

  it('finds what is left without reading what is not', async () => {
    const seen: string[] = []
    await runScheduled({ cron: EVERY_MINUTE }, { ...env, DB: watching((text) => seen.push(text)) })
    // Webhooks, portions, derived texts and points, and the sizes of pictures have tests of their own; of idempotency keys only the counts are read, a row for each API key.
    expect(seen.filter((text) => text.includes('idempotency'))).toEqual([
      `select exists (select 1 from idempotency_usage where keys >= ? or bytes >= ?)
        or exists (select 1 from idempotency_total where bytes >= ?) as isOverThreshold`,
    ])
    const ofMatching = seen.filter(
      (text) =>
        !/webhooks|enquiry_mails|appointment_notices|idempotency|index_|change_feed|min\(id\)|checked_latitude|width|derivations|erasures|job_|backups|photo_downloads|record_counts/.test(
          text,
        ),
    )
    expect(ofMatching).toHaveLength(2)
    for (const text of ofMatching) {
      const results = await selectAll<{ detail: string }>(`explain query plan ${text}`, 0, '[]')
      expect(results.map(({ detail }) => detail).join()).toMatch(
        /using (covering )?index (listings|requests)_unmatched/i,
      )
    }
  })
})

describe('a run with more to do than it may', () => {
  const LISTINGS = 1500
  const CONTACTS = 1500
  /** More portions of old states than a run makes anew. */
  const PORTIONS = 80

  /** Fills what every job works on. Every twentieth listing makes its portion fail, so that each is matched by itself. */
  async function fillAll(): Promise<void> {
    await loadListings(LISTINGS)
    await execute(
      `insert into listing_photos (listing_id, ordernum, original_image) select id, 1, 'https://example.com/1.jpg' from listings where id % 20 > 0`,
    )
    await execute(
      `insert into listing_panoramas (listing_id, ordernum, image) select id, 1, 'https://example.com/2.jpg' from listings where id % 20 > 0`,
    )
    await breakMatching('new.id % 20 = 0')
    await execute(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${CONTACTS})
      insert into contacts (first_name, last_name, created_by, date_created, date_updated)
      select n, '', 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00' from numbers`)
    await execute(
      `insert into listings (id, store_id, category, availability, status, created_by, date_created, date_updated)
      select value * ${PORTION_SIZE}, 1, 'land', 'sale', 'draft', 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00' from json_each(?)`,
      JSON.stringify(Array.from({ length: PORTIONS }, (_, index) => index + 10)),
    )
    await execute('delete from index_portions')
    await execute(
      `insert into index_portions (form, first_id, last_id, rows, cursor)
      select ?, id, id + ${PORTION_SIZE - 1}, ${PORTION_SIZE}, 0 from listings where id >= ${10 * PORTION_SIZE}`,
      form,
    )
    await execute('update listings set fake_latitude = 38, fake_longitude = 23.7 where id % 20 = 1')
    await execute(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 25000)
      insert into idempotency_keys (digest, fingerprint, token, api_key, held_until, expires)
      select n, '', '', 'busy', 0, 1 from numbers`)
    await execute("update idempotency_usage set keys = 60000 where api_key = 'busy'")
    await execute(`insert into erasures (contact_id, date, reason, progress, progress_date)
      select id, date_created, 'x', 'open', date_created from listings limit 25`)
    for (let count = 0; count < 12; count++) await subscribe({ resources: ['listings'], cursor: null })
    // All subscriptions are far behind.
    await execute('update webhooks set position = 0')
  }

  const left = () =>
    selectFirst<Record<string, number>>(`select
      (select count(*) from listings where matched_version <> version and id % 20 > 0) as matching,
      (select count(*) from webhooks where position < (select max(cursor) from changes)) as webhooks,
      (select count(*) from idempotency_keys where expires = 1) as idempotency_keys,
      (select count(*) from index_portions where cursor = 0) as search_portions,
      (select count(*) from listings
        where (fake_latitude, fake_longitude) is not (checked_latitude, checked_longitude)) as public_points,
      (select count(*) from listing_photos where width is null) as picture_sizes,
      (select count(*) from enquiry_mails) as mails,
      (select count(*) from photo_downloads where due is not null) as imported_photos,
      (select count(*) from backups where cursor is not null) as backups,
      (select count(*) from erasures where progress = 'open') as erasures,
      (select max(cursor) > ifnull((select cursor from derivations where name = 'contacts.search'), 0) from changes where resource = 'contacts') as search_texts`)

  it('stays within the calls of an invocation, starves no job, and leaves the rest to the next', {
    tags: 'slow',
    timeout: 300_000,
  }, async () => {
    const lines = silenceLog()
    await fillAll()
    receive()
    const before = await left()
    const runs: number[] = []
    for (let done = false; !done; ) {
      lines.length = 0
      let calls = 0
      const DB = databaseAround((send) => {
        calls++
        return send()
      })
      await runScheduled({ cron: EVERY_MINUTE }, { ...env, DB })
      const jobs = lines.map((line) => JSON.parse(line)).filter(({ job }) => job)
      expect(new Set(jobs.map(({ job }) => job))).toEqual(
        new Set([...Object.keys(before ?? {}), 'record_counts']),
      )
      for (const line of jobs)
        expect(line).toMatchObject({ level: 'info', cron: EVERY_MINUTE, milliseconds: expect.any(Number) })
      const sum: number = jobs.reduce((total, { calls: ofJob }) => total + ofJob, 0)
      runs.push(sum)
      // One more takes the lease, and one notes how they went and ends it.
      expect(sum + 2).toBe(calls)
      expect(sum).toBeLessThanOrEqual(950)
      if (runs.length === 1) {
        // The first used all that there is, and every job came further.
        expect(sum).toBeGreaterThan(500)
        const after = await left()
        for (const job of ['matching', 'idempotency_keys', 'search_portions', 'picture_sizes'])
          expect(after?.[job], job).toBeLessThan(before?.[job] ?? 0)
      }
      expect(await selectAll('select id from webhooks where position > 0')).not.toEqual([])
      done = Object.values((await left()) ?? {}).every((rows) => rows === 0)
      expect(runs.length).toBeLessThan(40)
    }
    vi.restoreAllMocks()
    expect(runs.length).toBeGreaterThan(1)
    await heal()
    await forgetWebhooks()
  })

  it('has a line with the error of a job that fails, beside those of the others', async () => {
    const lines = silenceLog()
    const DB = databaseAround(async (send, texts) => {
      if (texts.some((text) => text.includes('idempotency'))) throw new Error('cut off')
      return send()
    })
    await runScheduled({ cron: EVERY_MINUTE }, { ...env, DB })
    const logged = lines.map((line) => JSON.parse(line)).filter(({ job }) => job)
    expect(logged.find(({ job }) => job === 'idempotency_keys')).toEqual({
      level: 'error',
      cron: EVERY_MINUTE,
      job: 'idempotency_keys',
      milliseconds: expect.any(Number),
      calls: 1,
      error: 'Error: cut off',
      stack: expect.any(Array),
    })
    expect(logged.filter(({ level }) => level === 'info')).toHaveLength(11)
  })
})

it('a daily run and no other is planned', async () => {
  await runScheduled({ cron: DAILY }, env)
  await expect(runScheduled({ cron: '0 0 1 1 *' }, env)).rejects.toThrow('No work is planned at 0 0 1 1 *')
})
