/** `/admin/stats`: each figure, what moves it, and what reading them costs. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { JOB_NAMES } from '../../src/admin/stats/jobs.ts'
import { RECORD_RESOURCES } from '../../src/catalogue/resources.ts'
import { database } from '../../src/db/client.ts'
import { countRecords } from '../../src/db/record-counts.ts'
import { DAILY, EVERY_MINUTE, runScheduled } from '../../src/scheduled.ts'
import { sweepAfter } from '../files/stored.ts'
import { bearer, send, silenceLog } from '../http/send.ts'
import { createRequest, seedRequests } from '../resources/requests/seed.ts'
import { ADMIN_TOKEN, expectData, expectError, get, importRecords } from '../support/api.ts'
import { counting, databaseAround, execute } from '../support/database.ts'
import { importDemo } from '../support/demo.ts'
import { DATE } from '../support/factories/dates.ts'
import { createListing } from '../support/factories/listing.ts'
import { emptyAndSeed, emptyService } from '../support/storage.ts'
import { receive, subscribe } from './webhooks/receivers.ts'

let log: string[] = []

beforeEach(async () => {
  log = silenceLog()
  await emptyAndSeed(seedRequests)
  return () => vi.restoreAllMocks()
})

const stats = async () => (await get('/admin/stats')).body.data
const runJobs = () => runScheduled({ cron: EVERY_MINUTE }, env)
const NEWEST = env.MIGRATIONS.at(-1)?.name
const nothing = { matching: 0, webhooks: 0, tokens: 0, pictures: 0, mails: 0, imports: 0 }
const none = { total: 0, deleted: 0, status: {} }
const neverRun = { last_run: null, milliseconds: null, error: null, failed: [] }
const hasRun = { last_run: DATE, milliseconds: expect.any(Number), error: null, failed: [] }

describe('GET /admin/stats', () => {
  it('has every figure of a new agency', async () => {
    await expectData(get('/admin/stats'), {
      records: {
        ...Object.fromEntries(RECORD_RESOURCES.map(({ resource }) => [resource, none])),
        contacts: { total: 3, deleted: 1, status: {} },
      },
      waiting: { ...nothing, tokens: 6 },
      imports: { warnings: [] },
      jobs: JOB_NAMES.map((name) => ({ name, ...neverRun })),
      backup: { last: null, last_tried: null },
      restoring: null,
      database: { bytes: expect.any(Number), limit: 10_000_000_000 },
      files: { objects: null, bytes: null, date: null },
      schema: { needed: NEWEST, found: NEWEST },
    })
  })

  it('counts every resource as its rows do, whoever writes them', async () => {
    await emptyService()
    await importDemo({ contacts: 40, listings: 40 })
    await execute('delete from enquiry_users')
    await execute("delete from enquiries where status = 'closed'")
    await execute('update contracts set status_id = 1')
    await execute("update expenses set status = 'paid'")
    await execute('update external_listings set status = null where id % 2')
    const counted = (await stats()).records
    for (const [resource, { total }] of Object.entries<{ total: number }>(counted))
      expect([resource, total > 0]).toEqual([resource, true])
    expect(await countRecords(database(env))).toEqual({ counted: true })
    expect((await stats()).records).toEqual(counted)
    await execute('update record_counts set records = 0')
    expect(await countRecords(database(env))).toEqual({ counted: false })
  })

  it('shows what waits until cron has done it', { tags: 'slow' }, async () => {
    const waiting = async () => (await stats()).waiting
    await runJobs()
    expect(await waiting()).toEqual(nothing)
    receive(() => new Response('Not well', { status: 500 }))
    await subscribe({ resources: ['contacts', 'requests'] })
    const { id } = await subscribe({ resources: ['contacts'] })
    await execute('update webhooks set position = 0, enabled = 0 where id = ?', id)
    const listing = await createListing()
    await execute(
      "insert into listing_photos (listing_id, ordernum, original_image) values (?, 1, 'x')",
      listing,
    )
    await execute("insert into listing_panoramas (listing_id, ordernum, image) values (?, 1, 'x')", listing)
    await execute('update listings set version = version + 1')
    await execute('update contacts set version = version + 1 where id < 3')
    await createRequest()
    await execute('update requests set matched_version = 0')
    const left = { ...nothing, matching: 2, webhooks: 3, tokens: 4, pictures: 2 }
    expect(await waiting()).toEqual(left)
    // A subscription that the service has disabled waits for somebody to look after it.
    await execute("update webhooks set disabled_reason = 'Gone' where id = ?", id)
    expect(await waiting()).toEqual({ ...left, webhooks: 6 })
    await execute('delete from webhooks where id = ?', id)
    await execute('update webhooks set next_attempt = 0')
    receive()
    await runJobs()
    expect(await waiting()).toEqual(nothing)
  })

  it('reads no more rows when there are more records', async () => {
    const { DB, rowsRead } = counting()
    const read = async () => {
      const before = rowsRead()
      expect((await send('GET', '/admin/stats', { headers: bearer(ADMIN_TOKEN) }, { DB })).status).toBe(200)
      return rowsRead() - before
    }
    await runJobs()
    const small = await read()
    expect(small).toBeLessThan(50)
    await execute(
      `insert into contacts (first_name, created_by, date_created, date_updated)
      select value, 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00' from json_each(?)`,
      JSON.stringify(Array.from({ length: 3000 }, (_, index) => index)),
    )
    await execute(
      "update derivations set cursor = (select max(cursor) from changes) where name like 'contacts.%'",
    )
    expect((await stats()).records.contacts.total).toBe(3003)
    expect(await read()).toBe(small)
  })

  it('counts of what waits no more than 10,000', async () => {
    const listing = await createListing()
    await execute(
      `insert into listing_photos (listing_id, ordernum, original_image) select ?, value, 'x' from json_each(?)`,
      listing,
      JSON.stringify(Array.from({ length: 10_001 }, (_, index) => index + 1)),
    )
    expect((await stats()).waiting.pictures).toBe(10_000)
  })

  it('counts files once the sweep has come to the end of the bucket', async () => {
    const keys = Array.from({ length: 5 }, (_, index) => `photos/${String(index).padStart(32, '0')}.jpg`)
    await Promise.all(keys.map((key, index) => env.PHOTOS.put(key, 'x'.repeat(10 ** index))))
    await importRecords([['external_listings', { id: 5, store_id: 1, created_by: 1, photos: keys.slice(1) }]])
    const files = async () => (await stats()).files
    await sweepAfter(0, { pages: 2, size: 2 })
    expect(await files()).toEqual({ objects: null, bytes: null, date: null })
    await sweepAfter(0, { pages: 2, size: 2 })
    expect(await files()).toEqual({ objects: 5, bytes: 11_111, date: DATE })
    // A day later, the file that no record names goes.
    await sweepAfter(2, { pages: 1, size: 2 })
    expect(await files()).toMatchObject({ objects: 5 })
    await sweepAfter(2)
    expect(await files()).toEqual({ objects: 4, bytes: 11_110, date: DATE })
    // An older version has swept a part without counting.
    await execute('update file_sweeps set last_key = ?, objects = null, bytes = null', keys[1])
    await sweepAfter(3)
    expect(await files()).toMatchObject({ objects: 4 })
  })

  it('answers what it can while the database lacks a migration', async () => {
    await execute('drop table job_runs')
    await execute('delete from d1_migrations where name = ?', NEWEST)
    const { status, body } = await get('/admin/stats')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      records: { contacts: { total: 3 } },
      waiting: { matching: 0 },
      jobs: JOB_NAMES.map((name) => ({ name, ...neverRun })),
      schema: { needed: NEWEST, found: env.MIGRATIONS.at(-2)?.name },
    })
    await expectError(get('/health'), 503, 'schema behind')
    await execute("insert into d1_migrations (name) values (?), ('9999_later.sql')", NEWEST)
    expect((await get('/health')).status).toBe(200)
    // Nothing but a missing migration is passed over.
    expect((await get('/admin/stats')).status).toBe(500)
  })
})

describe('what cron notes', () => {
  const job = async (name: string) => (await stats()).jobs.find((one: { name: string }) => one.name === name)

  it('is the last run of each job, and its error until it succeeds', async () => {
    await runJobs()
    await runScheduled({ cron: DAILY }, env)
    expect((await stats()).jobs).toEqual(JOB_NAMES.map((name) => ({ name, ...hasRun })))
    const message = `cut off ${'x'.repeat(300)}`
    await runScheduled({ cron: EVERY_MINUTE }, { ...env, DB: failing(/checked_latitude/, message) })
    const error = `Error: ${message}`.slice(0, 200)
    expect(await job('public_points')).toEqual({ name: 'public_points', ...hasRun, error })
    expect(await job('matching')).toEqual({ name: 'matching', ...hasRun })
    await runJobs()
    expect(await job('public_points')).toEqual({ name: 'public_points', ...hasRun })
  })

  it('stays as it was if a run is cut off, so that its age tells', async () => {
    await runJobs()
    await execute("update job_runs set date = '2026-01-01 00:00:00'")
    const hanging = databaseAround((send, texts) =>
      texts.join().includes('checked_latitude') ? new Promise(() => undefined) : send(),
    )
    void runScheduled({ cron: EVERY_MINUTE }, { ...env, DB: hanging })
    await vi.waitFor(() => expect(log.some((line) => line.includes('"job":"matching"'))).toBe(true))
    expect(await job('matching')).toMatchObject({ last_run: '2026-01-01 00:00:00', error: null })
  })

  it('is one statement, and no job fails for it', async () => {
    await runJobs()
    log.length = 0
    await execute('drop table job_runs')
    await runJobs()
    const lines = log.map((line) => JSON.parse(line))
    expect(lines.filter(({ level }) => level === 'error')).toEqual([
      expect.objectContaining({
        work: 'noting the jobs of cron',
        error: expect.stringContaining('no such table: job_runs'),
      }),
    ])
    expect(lines.filter(({ job: name }) => name)).toHaveLength(12)
  })
})

/** The real database, in which statements of this pattern fail. */
function failing(pattern: RegExp, message: string): D1Database {
  return databaseAround(async (send, texts) => {
    if (texts.some((text) => pattern.test(text))) throw new Error(message)
    return send()
  })
}
