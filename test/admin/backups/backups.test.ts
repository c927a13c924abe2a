/** Backups that cron makes, and how they survive what happens meanwhile. */

import { env } from 'cloudflare:workers'
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginBackup, continueBackup, dayOf } from '../../../src/admin/backups/run.ts'
import { NEWEST_MIGRATION } from '../../../src/db/migrations.ts'
import { CRON } from '../../../src/http/caller/provenance.ts'
import { API_VERSION } from '../../../src/http/version.ts'
import { DAILY, EVERY_MINUTE, runScheduled } from '../../../src/scheduled.ts'
import { bearer, send, silenceLog } from '../../http/send.ts'
import {
  ADMIN_TOKEN,
  call,
  expectData,
  expectError,
  importRecords,
  type Line,
  put,
  textOf,
} from '../../support/api.ts'
import { databaseAround, selectAll } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { DATE } from '../../support/factories/dates.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { bindingWith, emptyAndSeed, emptyService } from '../../support/storage.ts'
import { exported, importFile } from '../../support/transfer.ts'

const NIGHT = new Date('2026-11-26T03:17:00Z')
const NAME = '2026-11-26'
/** Past any lease. */
const LATER = new Date(NIGHT.getTime() + 24 * 60 * 60_000 + Date.now())
const SMALL = { bytes: 1 }

const bucket = env.BACKUPS_OF_TESTS
const bindings = { BACKUPS: bucket }
/** A call of administration. */
const asked = (method: string, path: string, changes: Partial<Env> = bindings) =>
  send(method, path, { headers: bearer(ADMIN_TOKEN) }, changes)
const bound = (changes: Partial<Env> = {}): Env => ({ ...env, PROVENANCE: CRON, BACKUPS: bucket, ...changes })

const seed = async () => {
  await seedAgency()
  await importRecords([
    ...Array.from(
      { length: 130 },
      (_, index): Line => ['contacts', { id: index + 1, first_name: `Άννα ${index}` }],
    ),
    ['listings', { ...minimalListing, id: 1, contacts: [1] }],
    ['listings', { ...minimalListing, id: 2 }],
  ])
}
beforeEach(() => emptyAndSeed(seed))

/** Continues until the backup is whole. */
async function untilWhole(): Promise<void> {
  for (let run = 0; run < 100; run++) if ((await continueBackup(bound(), LATER, SMALL))?.finished) return
  throw new Error('The backup is never whole')
}

const keys = async (prefix = '') => (await bucket.list({ prefix })).objects.map(({ key }) => key)
const read = async (key: string) => (await bucket.get(key))?.arrayBuffer()

async function unzip(bytes: ArrayBuffer | undefined): Promise<string> {
  const stream = new Blob([bytes ?? '']).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).text()
}

/** The text of a whole backup, once all that its manifest says of its parts is checked. */
async function wholeText(name = NAME): Promise<string> {
  const manifest = await (await bucket.get(`${name}/manifest.json`))?.json<{
    counts: Record<string, number>
    parts: { name: string; bytes: number; sha256: string; lines: number }[]
  }>()
  const texts: string[] = []
  for (const part of manifest?.parts ?? []) {
    const bytes = await read(`${name}/${part.name}`)
    const sha256 = createHash('sha256')
      .update(new Uint8Array(bytes ?? []))
      .digest('hex')
    const text = await unzip(bytes)
    expect({ ...part, bytes: bytes?.byteLength, sha256, lines: text.split('\n').length - 1 }).toEqual(part)
    texts.push(text)
  }
  const lines = linesOf(texts.join(''))
  const counts = Object.groupBy(lines, (line) => JSON.parse(line).entity)
  expect(manifest?.counts).toEqual(
    Object.fromEntries(Object.entries(counts).map(([entity, some]) => [entity, some?.length])),
  )
  return texts.join('')
}

const linesOf = (text: string) => text.split('\n').filter(Boolean)

/** Expects that the backup imports into an empty service, without a refused line, as what is stored now. */
async function expectRestores(): Promise<void> {
  const [text, now] = [await wholeText(), await exported()]
  await emptyService()
  await importFile(linesOf(text))
  expect(await exported()).toEqual(now)
}

describe('cron, with a bucket of backups', () => {
  it('makes a whole one, which the calls of administration give back', async () => {
    const started = Date.now()
    await runScheduled({ cron: DAILY }, bound())
    expect(await keys()).toEqual([])
    await runScheduled({ cron: EVERY_MINUTE }, bound())
    await runScheduled({ cron: EVERY_MINUTE }, bound())
    const day = dayOf(new Date(started))
    expect(await keys()).toEqual([`${day}/manifest.json`, `${day}/part-001.ndjson.gz`, 'erased.json'])
    expect(linesOf(await wholeText(day))).toEqual(await exported())
    const manifest = await (await bucket.get(`${day}/manifest.json`))?.json<object>()
    await expectData(call('GET', '/admin/backups', { bindings }), [{ ...manifest, date_tried: null }])
    expect(manifest).toMatchObject({ name: day, version: API_VERSION, schema: NEWEST_MIGRATION })
    for (const file of ['part-001.ndjson.gz', 'manifest.json']) {
      const answer = await asked('GET', `/admin/backups/${day}/files/${file}`)
      expect([answer.status, await answer.arrayBuffer()]).toEqual([200, await read(`${day}/${file}`)])
    }
    await expectData(call('GET', '/admin/backups/erased', { bindings }), {
      erased: [],
      date_stored: DATE,
      erased_until: DATE,
      erased_position: expect.any(Number),
    })
    expect(
      await selectAll(
        "select actor_type, resource, record_id from trail where resource = 'backups' order by id",
      ),
    ).toEqual([
      { actor_type: 'cron', resource: 'backups', record_id: day },
      { actor_type: 'token', resource: 'backups', record_id: `${day}/part-001.ndjson.gz` },
      { actor_type: 'token', resource: 'backups', record_id: `${day}/manifest.json` },
    ])
    // Later runs of a day begin none.
    await runScheduled({ cron: EVERY_MINUTE }, bound())
    expect(await selectAll('select cursor, lease from backups')).toEqual([{ cursor: null, lease: 0 }])
  })

  it('makes none without a bucket, and none of a database without an office', async () => {
    expect(await beginBackup(env)).toBeUndefined()
    expect(await continueBackup(env)).toBeUndefined()
    await emptyService()
    await bucket.put('2026-01-01/part-001.ndjson.gz', 'unfinished')
    expect(await beginBackup(bound(), NIGHT)).toBeUndefined()
    expect(await keys('2')).toEqual(['2026-01-01/part-001.ndjson.gz'])
  })

  it('makes one part after the other, while records change', async () => {
    await beginBackup(bound(), NIGHT)
    const writes = [
      () => put('/api/contacts/1', { notes: 'Changed' }),
      () => importRecords([['contact_tags', { id: 9, name: 'New' }]]),
      () => put('/api/contacts/2', { tags: [9] }),
      () => importRecords([['listings', { ...minimalListing, id: 3, contacts: [2] }]]),
    ]
    for (const write of writes) {
      // No time for more than one part.
      expect(await continueBackup(bound(), LATER, { ...SMALL, milliseconds: 0 })).toEqual({
        backup: NAME,
        parts: 1,
        finished: false,
      })
      await write()
    }
    await untilWhole()
    await expectRestores()
  })

  it('is begun by the next minute where the minute of 03:17 fails, and is that of the day before until then', async () => {
    const at = (time: string) => new Date(`2026-11-26T${time}Z`)
    const away = new Proxy(bucket, { get: () => () => Promise.reject(new Error('away')) })
    await expect(beginBackup(bound({ BACKUPS: away }), at('03:17:00'))).rejects.toThrow('away')
    expect(await beginBackup(bound(), at('03:16:59'))).toMatchObject({ begun: '2026-11-25' })
    expect(await beginBackup(bound(), at('03:18:00'))).toMatchObject({ begun: NAME })
    expect(await beginBackup(bound(), at('23:59:00'))).toBeUndefined()
    await untilWhole()
    await expectRestores()
  })

  it('is not begun by two runs at once, and not where another deployment has made it', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => beginBackup(bound(), NIGHT)))
    expect(runs).toContainEqual({ begun: NAME, removed: 0 })
    await untilWhole()
    await wholeText()
    await env.DB.exec('delete from backups')
    const before = await read(`${NAME}/part-001.ndjson.gz`)
    expect(await beginBackup(bound(), NIGHT)).toBeUndefined()
    expect(await continueBackup(bound(), LATER)).toBeUndefined()
    const head = () => Promise.reject(new Error('looked for twice'))
    const BACKUPS = bindingWith(bucket, { head })
    expect(await beginBackup(bound({ BACKUPS }), NIGHT)).toBeUndefined()
    expect(await read(`${NAME}/part-001.ndjson.gz`)).toEqual(before)
  })

  it('is left alone while another run has it', async () => {
    await beginBackup(bound(), NIGHT)
    const runs = await Promise.all([1, 2, 3].map(() => continueBackup(bound(), NIGHT, SMALL)))
    expect(runs.filter(Boolean)).toEqual([{ backup: NAME, parts: expect.any(Number), finished: true }])
    await expectRestores()
  })
})

/** A bucket and a database of which the `broken`-th call fails, before or after it is done, and all behind it. */
function breaking(broken: number, isDone: boolean): Partial<Env> & { calls: () => number } {
  let calls = 0
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    calls++
    if (calls > broken || (calls === broken && !isDone)) throw new Error('cut off')
    const result = await work()
    if (calls === broken) throw new Error('cut off')
    return result
  }
  const methods = ['get', 'put', 'head', 'list', 'delete'] as const
  const BACKUPS = Object.fromEntries(
    methods.map((name) => [
      name,
      // biome-ignore lint/suspicious/noExplicitAny: passes on whatever it is called with
      (...given: any[]) => run(() => (bucket[name] as any)(...given)),
    ]),
  ) as unknown as R2Bucket
  return { DB: databaseAround(run), BACKUPS, calls: () => calls }
}

describe('a run that is cut off', () => {
  it.each([
    ['before', false],
    ['behind', true],
  ])('%s any of its calls loses nothing', { tags: 'slow', timeout: 240_000 }, async (_, isDone) => {
    let wasCut = true
    for (let broken = 1; wasCut; broken++) {
      await Promise.all((await keys()).map((key) => bucket.delete(key)))
      await env.DB.exec('delete from backups')
      await beginBackup(bound(), NIGHT)
      const { calls, ...changes } = breaking(broken, isDone)
      await continueBackup(bound(changes), NIGHT, SMALL).catch(() => undefined)
      wasCut = calls() >= broken
      await put('/api/contacts/1', { notes: `Cut at ${broken}` })
      if (!(await keys()).includes(`${NAME}/manifest.json`)) await untilWhole()
      else if (wasCut) await continueBackup(bound(), LATER, SMALL)
      const text = await wholeText()
      // Whatever was stored before the cut is there once, in its newest form.
      const names = linesOf(text)
        .map((line) => JSON.parse(line))
        .filter(({ mode }) => !mode)
        .map(({ entity, data }) => `${entity} ${data.id ?? data.key}`)
      expect(new Set(names).size).toBe(names.length)
      expect(await selectAll('select cursor from backups')).toEqual([{ cursor: null }])
      if (broken % 7 === 0 && text.includes(`Cut at ${broken}`)) await expectRestores()
    }
  })

  it('also when it is begun', async () => {
    for (const isDone of [false, true]) {
      let wasCut = true
      for (let broken = 1; wasCut; broken++) {
        await Promise.all((await keys()).map((key) => bucket.delete(key)))
        await env.DB.exec('delete from backups')
        const { calls, ...changes } = breaking(broken, isDone)
        await beginBackup(bound(changes), NIGHT).catch(() => undefined)
        wasCut = calls() >= broken
        await beginBackup(bound(), NIGHT)
        expect(await selectAll('select name, parts from backups')).toEqual([{ name: NAME, parts: 0 }])
      }
    }
  })

  it('by a run that took longer than its lease: parts are of one of them', async () => {
    await beginBackup(bound(), NIGHT)
    const { promise, resolve } = Promise.withResolvers<void>()
    const slow = bindingWith(bucket, {
      put: async (key: string, bytes: ArrayBuffer, options: R2PutOptions) => {
        await promise
        return bucket.put(key, bytes, options)
      },
    })
    const late = continueBackup(bound({ BACKUPS: slow }), NIGHT, SMALL)
    // Meanwhile a record changes, so that the parts of the two runs differ.
    await put('/api/contacts/1', { notes: 'Other' })
    await untilWhole()
    const before = await wholeText()
    resolve()
    expect(await late).toMatchObject({ finished: false })
    expect(await wholeText()).toBe(before)
    await expectRestores()
  })

  it.each([
    ['has gone', () => bucket.delete(`${NAME}/part-001.ndjson.gz`), `${NAME}/part-001.ndjson.gz is missing`],
    [
      'is taken by something else',
      () => bucket.put(`${NAME}/part-002.ndjson.gz`, 'x'),
      `${NAME}/part-002.ndjson.gz is taken by another run`,
    ],
  ])('is given up where a part %s; another is begun on the same day', async (_, spoil, error) => {
    await beginBackup(bound(), NIGHT)
    await continueBackup(bound(), LATER, { ...SMALL, milliseconds: 0 })
    await spoil()
    const lines = silenceLog()
    await expect(untilWhole()).rejects.toThrow(error)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 'error', work: 'backups', backup: NAME, error: 'given up' },
    ])
    expect(await keys()).not.toContain(`${NAME}/manifest.json`)
    expect(await continueBackup(bound(), LATER)).toBeUndefined()
    expect(await beginBackup(bound(), new Date(NIGHT.getTime() + 30 * 60_000))).toBeUndefined()
    expect(await beginBackup(bound(), new Date(NIGHT.getTime() + 61 * 60_000))).toMatchObject({ begun: NAME })
    await untilWhole()
    await expectRestores()
  })
})

describe('what is kept', () => {
  const day = (index: number) => new Date(Date.UTC(2026, 8, index + 1)).toISOString().slice(0, 10)

  it('is 30 whole ones, and nothing unfinished; other files stay', async () => {
    for (let index = 0; index < 34; index++) {
      await bucket.put(`${day(index)}/part-001.ndjson.gz`, 'part')
      if (index % 12 !== 5) await bucket.put(`${day(index)}/manifest.json`, '{}')
    }
    for (const key of ['other/part-001.ndjson.gz', 'note.txt', '2026-99-99/manifest.json'])
      await bucket.put(key, 'x')
    await beginBackup(bound(), NIGHT)
    expect(await keys(day(5))).toEqual([])
    await untilWhole()
    const folders = new Set((await keys()).map((key) => key.split('/')[0]))
    const whole = Array.from({ length: 34 }, (_, index) => index).filter((index) => index % 12 !== 5)
    expect([...folders].toSorted()).toEqual(
      [...whole.slice(-29).map(day), NAME, 'other', 'note.txt', '2026-99-99', 'erased.json'].toSorted(),
    )
  })

  it('is what a lock of the bucket holds, too, without a loss for others', async () => {
    for (const index of [1, 2]) await bucket.put(`${day(index)}/part-001.ndjson.gz`, 'unfinished')
    const locked = bindingWith(bucket, {
      delete: async (given: string | string[]) => {
        if ([given].flat().some((key) => key.startsWith(day(2)))) throw new Error('locked')
        await bucket.delete(given)
      },
    })
    expect(await beginBackup(bound({ BACKUPS: locked }), NIGHT)).toEqual({ begun: NAME, removed: 1 })
    expect(await keys('2')).toEqual([`${day(2)}/part-001.ndjson.gz`])
  })
})

describe('/admin/backups', () => {
  it('leaves out what is no manifest', async () => {
    await beginBackup(bound(), NIGHT)
    await untilWhole()
    const whole = await (await bucket.get(`${NAME}/manifest.json`))?.json<{ parts: object[] }>()
    const part = { name: 'part-001.ndjson.gz?/../../x', bytes: 1, sha256: '0'.repeat(64), lines: 1 }
    const broken = ['{', '[]', '{"name":"2026-01-04"}', JSON.stringify(whole)]
    broken.push(JSON.stringify({ ...whole, name: '2026-01-05', parts: [part] }))
    for (const [index, text] of broken.entries())
      await bucket.put(`2026-01-0${index + 1}/manifest.json`, text)
    const lines = silenceLog()
    await expectData(call('GET', '/admin/backups', { bindings }), [{ ...whole, date_tried: null }])
    expect(lines.filter((line) => line.includes('manifest.json cannot be read'))).toHaveLength(broken.length)
  })

  it.each([
    ['GET', '/2026-01-01/files/manifest.json', 'Backup not found'],
    ['GET', '/2026-02-30/files/manifest.json', 'Backup not found'],
    ['GET', '/2026-01-01/files/part-1.ndjson.gz', 'Backup not found'],
    ['GET', '/2026-01-01/files/..%2F..%2Ferased.json', 'Backup not found'],
    ['POST', '/today/tried', 'Backup not found'],
    ['POST', '/2999-12-31/tried', 'Backup not found'],
    ['GET', '', 'Bucket of backups not found'],
    ['GET', '/2026-01-01/files/manifest.json', 'Bucket of backups not found'],
    ['POST', '/2026-01-01/tried', 'Bucket of backups not found'],
  ])('%s /admin/backups%s answers 404: %s', async (method, path, message) => {
    const answer = asked(method, `/admin/backups${path}`, message === 'Backup not found' ? bindings : {})
    await expectError(answer, 404, message)
  })

  it('says that no list of the erased is stored', async () => {
    const until = { erased_until: DATE, erased_position: expect.any(Number) }
    const data = { erased: [], date_stored: null, ...until }
    await expectData(call('GET', '/admin/backups/erased', { bindings }), data)
  })

  it('notes when a backup was restored, also one of another deployment', async () => {
    await beginBackup(bound(), NIGHT)
    await untilWhole()
    expect(await textOf(await asked('POST', `/admin/backups/${NAME}/tried`))).toBe(
      `{"status":200,"updated_id":"${NAME}"}`,
    )
    expect(await selectAll("select record_id from trail where route = '/admin/backups/{id}/tried'")).toEqual([
      { record_id: NAME },
    ])
    await expectData(call('GET', '/admin/backups', { bindings }), [
      expect.objectContaining({ date_tried: DATE }),
    ])
    await env.DB.exec('delete from backups')
    await asked('POST', `/admin/backups/${NAME}/tried`)
    expect(await selectAll('select name, date_finished, cursor from backups')).toEqual([
      { name: NAME, date_finished: null, cursor: null },
    ])
    // It is not taken for one that is begun.
    expect(await continueBackup(bound(), LATER)).toBeUndefined()
  })
})
