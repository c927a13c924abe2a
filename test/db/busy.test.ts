/** D1 fails for a reason that passes: what is tried again, what is answered, and what is stored. */
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { batch, database, runStatement } from '../../src/db/client.ts'
import { select, sqlStatement } from '../../src/db/statements.ts'
import { releaseIndex } from '../../src/resources/listings/search/shared-index.ts'
import { bearer, send, silenceLog } from '../http/send.ts'
import { expectError, keyWith, post } from '../support/api.ts'
import { databaseAround, selectFirst } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'

const BUSY = 'The database is busy, try again'
const LOST = 'D1_ERROR: Network connection lost.'

const PASSING = [
  'D1_ERROR: D1 DB reset because its code was updated.',
  LOST,
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
  'D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.',
  'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
  'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
  'D1_ERROR: D1 DB is overloaded. Too many requests queued.',
  'Network connection lost.',
  "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
  'D1_ERROR: D1 DB exceeded its CPU time limit and was reset.',
  'D1_ERROR: Currently processing a long-running export.',
  'D1_ERROR: internal error; reference = 8vqkb3p1',
  'internal error',
]

const LASTING = [
  'D1_ERROR: no such table: nothing: SQLITE_ERROR',
  'D1_ERROR: no such column: internal error',
  'lost',
]

/** When a call to D1 fails: before it takes effect, after, or not at all. */
type Fate = 'before' | 'after' | null

/** A database whose calls with a statement that matches `pattern` fail as `fates` says, one after the other; `calls` are all of those. */
function failingAt(pattern: RegExp, fates: Fate[], message = LOST) {
  const calls: string[] = []
  const DB = databaseAround(async (send, texts) => {
    const text = texts.join('; ')
    if (!pattern.test(text)) return send()
    const fate = fates[calls.length]
    calls.push(text)
    if (fate === 'before') throw new Error(message)
    const result = await send()
    if (fate === 'after') throw new Error(message)
    return result
  })
  return { DB, calls }
}

const count = async (table: string) =>
  (await selectFirst<{ count: number }>(`select count(*) as count from ${table}`))?.count

let key = ''
let log: string[] = []

beforeAll(async () => {
  key = await keyWith('*:read', '*:write')
  await seedAgency()
  await post('/api/contacts', { first_name: 'Anna', created_by: 1 })
})

beforeEach(() => {
  log = silenceLog()
})

const read = (path: string, DB: D1Database, headers = {}) =>
  send('GET', path, { headers: { ...bearer(key), ...headers } }, { DB })

const create = (DB: D1Database, headers = {}) =>
  post('/api/contacts', { first_name: 'Boris', created_by: 1 }, { key, headers, bindings: { DB } })

describe('a read', () => {
  it.each(PASSING)('is tried once more: %s', async (message) => {
    const { DB, calls } = failingAt(/select/, ['before', null], message)
    const answer = await read('/api/contacts', DB)
    expect(answer.status).toBe(200)
    expect(calls).toHaveLength(2)
    expect(calls[1]).toBe(calls[0])
    // Work that an earlier call left running may log at the same time.
    const lines = log.map((line) => JSON.parse(line))
    const ofCall = lines.filter((line) => line.request_id === answer.headers.get('X-Request-Id'))
    expect(ofCall.map((line) => line.level)).toEqual(['info'])
  })

  it.each(PASSING)('is 503 when it fails again: %s', async (message) => {
    const { DB, calls } = failingAt(/select/, ['before', 'after'], message)
    const answer = await read('/api/contacts', DB)
    expect(answer.headers.get('Retry-After')).toBe('1')
    await expectError(answer, 503, BUSY)
    expect(calls).toHaveLength(2)
    expect(log.map((line) => JSON.parse(line).error)).toEqual([`Error: ${message}`, undefined])
  })

  it.each([
    '/api/contacts',
    '/api/contacts/1',
    '/api/listings',
    '/api/listings/facets',
    '/api/stores',
    '/api/locations?level=1',
    '/api/changes',
  ])('is one anywhere: %s', async (path) => {
    // The first search reads more, to load what it searches.
    expect((await read(path, env.DB)).status).toBe(200)
    const { DB, calls } = failingAt(/select/, ['before', null])
    expect((await read(path, DB)).status).toBe(200)
    expect(calls).toHaveLength(2)
  })

  it('is tried once more while a search loads what it searches, and loaded by the next if that fails', async () => {
    for (const fails of [
      ['before', null],
      [null, 'before', null],
    ] as const) {
      releaseIndex()
      expect((await read('/api/listings/facets', failingAt(/select/, [...fails]).DB)).status).toBe(200)
    }
    releaseIndex()
    const { DB } = failingAt(/select/, ['before', 'before'])
    await expectError(read('/api/listings/facets', DB), 503, BUSY)
    expect((await read('/api/listings/facets', env.DB)).status).toBe(200)
  })

  it.each(LASTING)('is 500 at once for another reason: %s', async (message) => {
    const { DB, calls } = failingAt(/select/, ['before', null], message)
    await expectError(read('/api/contacts', DB), 500, 'Internal server error')
    expect(calls).toHaveLength(1)
  })

  it.each([
    sqlStatement(sql`select 'update or delete' as word`),
    sqlStatement(sql`with one as (select 1) select * from one`, false),
    select({ id: sql<number>`id` }, sql`from one`, sql`with one as (select 1 as id)`),
  ])('is a statement that says so, whatever its words: $sql', async (statement) => {
    const { DB, calls } = failingAt(/./, ['before', null])
    expect(await runStatement(database({ DB }), statement)).toHaveLength(1)
    expect(calls).toHaveLength(2)
  })
})

describe('a write', () => {
  it('a write without effect answers 503 and is not tried again', async () => {
    const before = await count('contacts')
    const { DB, calls } = failingAt(/insert into contacts/, ['before', null])
    const answer = await create(DB)
    expect(answer.headers.get('Retry-After')).toBe('1')
    await expectError(answer, 503, BUSY)
    expect([calls.length, await count('contacts')]).toEqual([1, before])
  })

  it('a write whose result is lost answers 503 and is stored once', async () => {
    const before = (await count('contacts')) ?? 0
    const { DB, calls } = failingAt(/insert into contacts/, ['after', null])
    await expectError(create(DB), 503, BUSY)
    expect([calls.length, await count('contacts')]).toEqual([1, before + 1])
  })

  it('a failed write of a record answers 503, while its read is tried again', async () => {
    const put = (DB: D1Database) =>
      send('PUT', '/api/contacts/1', { headers: bearer(key), body: '{"first_name":"Eva"}' }, { DB })
    const writing = failingAt(/update contacts/, ['before', null])
    await expectError(put(writing.DB), 503, BUSY)
    expect(writing.calls).toHaveLength(1)
    const reading = failingAt(/^(?!.*update contacts)/s, ['before', null])
    expect((await put(reading.DB)).status).toBe(200)
  })

  it('with a key gets the kept answer: at once, or by repeating it', async () => {
    const before = (await count('contacts')) ?? 0
    const once = { 'Idempotency-Key': crypto.randomUUID() }
    const stored = await create(failingAt(/insert into contacts/, ['after']).DB, once)
    expect(stored.status).toBe(200)
    const twice = { 'Idempotency-Key': crypto.randomUUID() }
    // The write and all that asks for its outcome.
    const { DB, calls } = failingAt(/insert into contacts|update idempotency_keys/, [
      'after',
      'before',
      'before',
      'before',
    ])
    await expectError(create(DB, twice), 503, BUSY)
    expect(calls.filter((text) => text.includes('insert into contacts'))).toHaveLength(1)
    const repeated = await create(env.DB, twice)
    expect([repeated.status, repeated.headers.get('Idempotent-Replayed')]).toEqual([200, 'true'])
    expect(await count('contacts')).toBe(before + 2)
  })

  it.each([
    'with new as (select 900 as id) insert into tags (id, name) select id, ? from new',
    'WITH new AS (SELECT 900 AS id)\n  Delete from tags where id in (select id from new) and name = ?',
    'replace into tags (id, name) values (900, ?)',
    'update tags set name = ? where id = 900',
    'pragma user_version = 1 -- ?',
  ])('is what does not say that it reads: %s', async (text) => {
    const [before = '', after = ''] = text.split('?')
    const statement = sqlStatement(sql`${sql.raw(before)}${'x'}${sql.raw(after)}`)
    for (const work of [
      (DB: D1Database) => runStatement(database({ DB }), statement),
      (DB: D1Database) => batch(database({ DB }), { read: sqlStatement(sql`select 1`), statement }),
    ]) {
      const { DB, calls } = failingAt(/./, ['before', null])
      await expect(work(DB)).rejects.toThrow('The database is busy')
      expect(calls).toHaveLength(1)
    }
  })
})
