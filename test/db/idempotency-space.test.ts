/**
 * Limits of stored idempotency keys and replies for each API key, and how old ones make room.
 *
 * @module-tag slow
 */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { database } from '../../src/db/client.ts'
import {
  removeExpiredIdempotencyKeys,
  removeExpiredIdempotencyKeysInBulk,
} from '../../src/db/expired-idempotency-keys.ts'
import { DAILY, EVERY_MINUTE, runScheduled } from '../../src/scheduled.ts'
import { Attempt, passTime, prepareRepeatable, REPEATABLE, resultOf } from '../http/concurrency/repeatable.ts'
import { keyWith, post } from '../support/api.ts'
import { databaseOf, execute, selectFirst } from '../support/database.ts'
import { expectTrueUsage } from './usage.ts'

const MAX_KEYS = 500_000
const MAX_BYTES = 500_000_000
const DAY = 24 * 60 * 60 * 1000
const LEASE = 31_000

let token = ''

prepareRepeatable(() => undefined)

beforeEach(async () => {
  await env.DB.exec(
    'delete from idempotency_keys; delete from idempotency_usage; update idempotency_total set bytes = 0',
  )
  // A separate API key for each test.
  token = await keyWith('*:read', '*:write')
})

const contact = { first_name: 'A', last_name: 'B' }
const send = (key: string, body: object = contact) =>
  post('/api/contacts', body, { key: token, headers: { 'Idempotency-Key': key } })
const firstOf = <T>(text: string) => selectFirst<T>(text)
const usage = () =>
  firstOf<{ api_key: string; keys: number; bytes: number }>('select * from idempotency_usage')
const countKeys = () => env.DB.prepare('select count(*) from idempotency_keys').first<number>('count(*)')
const countContacts = () => env.DB.prepare('select count(*) as n from contacts').first<number>('n')
/** Sets the counters so that there is room for so many keys or bytes. */
const leave = (what: 'keys' | 'bytes', room: number) =>
  execute(`update idempotency_usage set ${what} = ?`, (what === 'keys' ? MAX_KEYS : MAX_BYTES) - room)

/** Stores other keys directly in the database; those with a date before `now` are expired. */
async function keep(apiKey: string, count: number, expires: number, answer = ''): Promise<void> {
  await execute(
    `insert into idempotency_keys (digest, fingerprint, token, api_key, held_until, expires, answer, bytes)
    select printf('%010d', key + (select ifnull(max(id), 0) from idempotency_keys)), '', '', ?1, 0, ?2, ?3, length(?3)
    from json_each(?4)`,
    apiKey,
    expires,
    answer,
    JSON.stringify(Array.from({ length: count }, () => 0)),
  )
}

describe('what is kept', () => {
  it('is counted while a call is at work, when it is answered, and not when it failed', async () => {
    expect(await usage()).toBeNull()
    expect((await send('one')).status).toBe(200)
    const row = await firstOf<{ answer: string; told: string }>('select answer, told from idempotency_keys')
    const bytes = (row?.answer.length ?? 0) + (row?.told.length ?? 0)
    const counted = { api_key: expect.stringMatching(/^[0-9a-f]{16}$/), keys: 1, bytes }
    expect(await usage()).toEqual(counted)
    // An error, and a repetition.
    expect((await send('two', {})).status).toBe(400)
    expect((await send('one')).headers.get('Idempotent-Replayed')).toBe('true')
    expect(await usage()).toEqual(counted)
    await expectTrueUsage()
  })

  it('is counted by itself for each API key, and its count goes with its last key', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await send('one')
    token = await keyWith('*:write')
    await send('one')
    const count = () => env.DB.prepare('select count(*) as n from idempotency_usage').first('n')
    expect(await count()).toBe(2)
    passTime(DAY + 1000)
    await runScheduled({ cron: DAILY }, env)
    expect([await countKeys(), await count()]).toEqual([0, 0])
  })

  it('counts an expired key that is taken again once', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await send('one', { ...contact, notes: 'long ago' })
    passTime(DAY + 1000)
    await send('one')
    expect((await usage())?.keys).toBe(1)
    await expectTrueUsage()
  })
})

describe('too many', () => {
  const refusal = { status: 429, body: { status: 429, error_message: 'Too many idempotency keys' } }

  it('keys are refused, and nothing is stored', async () => {
    await send('one')
    await leave('keys', 1)
    expect((await send('two')).status).toBe(200)
    const before = await countContacts()
    const refused = await send('three')
    expect(refused).toMatchObject(refusal)
    expect(refused.headers.get('Retry-After')).toBe('3600')
    expect(refused.headers.get('RateLimit-Policy')).toBeNull()
    expect([await countContacts(), await countKeys()]).toEqual([before, 2])
  })

  it('keys of one API key hinder neither another, nor calls without one, nor repetitions', async () => {
    const { body } = await send('one')
    await leave('keys', 0)
    expect((await send('one')).body).toEqual(body)
    expect(await send('two')).toMatchObject(refusal)
    expect((await post('/api/contacts', contact, { key: token })).status).toBe(200)
    token = await keyWith('*:write')
    expect((await send('two')).status).toBe(200)
  })

  it('keys do not keep an expired one from being taken again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await send('one')
    await leave('keys', 0)
    passTime(DAY + 1000)
    expect((await send('one')).headers.get('Idempotent-Replayed')).toBeNull()
  })

  it('bytes undo the write, and its key is free', async () => {
    await send('one')
    await leave('bytes', 10)
    const before = await countContacts()
    expect(await send('two')).toMatchObject(refusal)
    expect([await countContacts(), await countKeys()]).toEqual([before, 1])
    await leave('bytes', 1000)
    expect((await send('two')).status).toBe(200)
    expect(await countContacts()).toBe((before ?? 0) + 1)
  })

  it('calls at once keep no more than there is room for', async () => {
    await send('one')
    await leave('keys', 10)
    const before = (await countContacts()) ?? 0
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => send(`at once ${index}`.replaceAll(' ', '-'))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
    expect(await countContacts()).toBe(before + 10)
    expect((await usage())?.keys).toBe(MAX_KEYS)
  })

  it.each(REPEATABLE)('bytes: POST $pattern is done once there is room, and once only', async (kind) => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    await send('one')
    const attempt = await Attempt.of(kind, token)
    // Photos are stored one by one: there is room for the record of the first one only.
    await leave('bytes', kind.pattern.includes('photos') ? 300 : 0)
    expect(await attempt.send()).toMatchObject({ status: 429, retryAfter: '3600' })
    await leave('bytes', 1_000_000)
    passTime(LEASE)
    const answer = await attempt.send()
    expect(answer.status).toBe(200)
    expect(resultOf(await attempt.send())).toEqual(resultOf(answer))
    expect(await attempt.timesDone()).toBe(1)
  })
})

describe('the bound of all API keys together', () => {
  const MAX_TOTAL = 2_000_000_000
  const refusal = { status: 429, body: { status: 429, error_message: 'Too many idempotency keys' } }
  const leaveRoom = (room: number) => execute('update idempotency_total set bytes = ?', MAX_TOTAL - room)

  it('refuses a write whose reply has no room, and nothing is stored', async () => {
    await send('one')
    await leaveRoom(10)
    const before = [await countContacts(), await countKeys()]
    const refused = await send('two')
    expect(refused).toMatchObject(refusal)
    expect(refused.headers.get('Retry-After')).toBe('3600')
    token = await keyWith('*:write')
    expect(await send('three')).toMatchObject(refusal)
    expect([await countContacts(), await countKeys()]).toEqual(before)
    // Calls without a key need no room.
    expect((await post('/api/contacts', contact, { key: token })).status).toBe(200)
    await leaveRoom(1000)
    expect((await send('three')).status).toBe(200)
  })

  it('leaves repetitions alone', async () => {
    const { body } = await send('one')
    await leaveRoom(0)
    expect((await send('one')).body).toEqual(body)
  })

  it('counts 500 bytes a key beside its reply, and nothing of what is removed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const bytes = () => firstOf<{ bytes: number }>('select bytes from idempotency_total')
    expect(await bytes()).toEqual({ bytes: 0 })
    await send('one')
    await send('two', {})
    expect(await bytes()).toEqual({ bytes: 500 + ((await usage())?.bytes ?? 0) })
    passTime(DAY + 1000)
    await runScheduled({ cron: DAILY }, env)
    expect(await bytes()).toEqual({ bytes: 0 })
  })

  it('removes expired keys every minute past 200 MB, though each API key has few', async () => {
    for (const apiKey of ['a', 'b', 'c', 'd', 'e']) await keep(apiKey, 41, 1, 'x'.repeat(1_000_000))
    await keep('f', 10, Date.now() + 2 * DAY)
    await runScheduled({ cron: EVERY_MINUTE }, env)
    expect(await countKeys()).toBe(10)
    await expectTrueUsage()
  })
})

describe('cleaning', () => {
  const [PAST, FUTURE] = [1, Date.now() + 2 * DAY]

  it('every minute leaves alone what is little', async () => {
    await keep('a', 49_999, PAST)
    await runScheduled({ cron: EVERY_MINUTE }, env)
    expect(await countKeys()).toBe(49_999)
  })

  it.each([
    ['keys', 50_000, ''],
    ['bytes', 51, 'x'.repeat(1_000_000)],
  ])('every minute removes much, told by its %s', async (_, count, answer) => {
    await keep('a', count, PAST, answer)
    await keep('b', 100, FUTURE)
    await runScheduled({ cron: EVERY_MINUTE }, env)
    expect(await countKeys()).toBe(100)
    await expectTrueUsage()
  })

  it('every minute goes on where more was left, and ends where nothing has expired', async () => {
    await keep('a', 250_000, PAST)
    await runScheduled({ cron: EVERY_MINUTE }, env)
    expect(await countKeys()).toBe(50_000)
    await runScheduled({ cron: EVERY_MINUTE }, env)
    expect(await countKeys()).toBe(0)
    expect(await usage()).toBeNull()
  })

  it('every day removes all of them, though thousands of older ones are kept', async () => {
    await keep('a', 25_000, FUTURE)
    await keep('a', 30_000, PAST)
    await keep('b', 10, FUTURE)
    await keep('b', 10, PAST)
    await removeExpiredIdempotencyKeys(database(env))
    expect(await countKeys()).toBe(25_010)
    await expectTrueUsage()
  })

  it('cleaning cut off after any portion leaves true counts, and the next run finishes', async () => {
    await keep('a', 60_000, PAST)
    let batches = 0
    const batch = (statements: D1PreparedStatement[]) => {
      if (++batches > 2) throw new Error('The Worker is gone')
      return env.DB.batch(statements)
    }
    await expect(removeExpiredIdempotencyKeysInBulk(database({ DB: databaseOf({ batch }) }))).rejects.toThrow(
      'The Worker is gone',
    )
    expect(await countKeys()).toBe(40_000)
    await expectTrueUsage()
    await removeExpiredIdempotencyKeys(database(env))
    expect(await countKeys()).toBe(0)
  })
})
