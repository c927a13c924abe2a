/** What visitors may store: how many enquiries, how large, and nothing by calls that are refused. */
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { purgeEnquiries } from '../../../src/resources/enquiries/purge.ts'
import { rowsWritten } from '../../db/plans.ts'
import { expectTrueUsage as expectTrueKeyUsage } from '../../db/usage.ts'
import { bearer, send } from '../../http/send.ts'
import { expectError, get, importRecords, post, put, websiteKey } from '../../support/api.ts'
import { databaseAround, execute, failBefore, selectAll, selectFirst } from '../../support/database.ts'
import { FULL, findEnquiries, MINIMAL, seedEnquiries, storedEnquiries } from './seed.ts'

const PATH = '/api/enquiries'
const MAX_ENQUIRIES = 5000
const MAX_BYTES = 20_000_000

let keys: Awaited<ReturnType<typeof seedEnquiries>>

beforeAll(async () => {
  keys = await seedEnquiries()
})

afterEach(async () => {
  await expectTrueUsage()
  await expectTrueKeyUsage()
})

/** Expects the counters of keys to equal the rows. */
async function expectTrueUsage(): Promise<void> {
  expect(await selectAll('select * from enquiry_usage order by api_key')).toEqual(
    await selectAll(`select sent_by as api_key, count(*) as enquiries, sum(bytes) as bytes from enquiries
      where sent_by <> '' and status = 'new' group by sent_by order by sent_by`),
  )
}

/** Sends an enquiry and returns its id. */
async function sendOne(key: string, body: object = MINIMAL): Promise<number> {
  const { body: answer } = await post(PATH, body, { key })
  const [{ id }] = await findEnquiries(answer.reference)
  return id
}

/** Stores copies of the newest enquiry of a key until it has `count` new ones. */
async function fill(count: number, bytes?: number): Promise<void> {
  const columns = await selectAll<{ name: string }>(`select name from pragma_table_info('enquiries')`)
  const copied = columns.map(({ name }) => name).filter((name) => name !== 'id' && name !== 'bytes')
  await execute(
    `insert into enquiries (${copied.join(', ')}, bytes)
    select ${copied.map((name) => `newest.${name}`).join(', ')}, ifnull(?1, bytes)
    from (select * from enquiries order by id desc limit 1) newest, json_each(?2)
    limit ?3 - (select enquiries from enquiry_usage where api_key =
      (select sent_by from enquiries order by id desc limit 1))`,
    bytes ?? null,
    JSON.stringify(Array.from({ length: count }, () => 0)),
    count,
  )
}

const REFUSAL = { status: 429, body: { status: 429, error_message: 'Too many enquiries' } }
const newKey = () => websiteKey({}, ['enquiries:create'])
const tables = async () => ({
  enquiries: await storedEnquiries(),
  usage: await selectAll('select * from enquiry_usage'),
  keys: await selectAll('select * from idempotency_keys'),
  keyUsage: await selectAll('select * from idempotency_usage'),
  total: await selectAll('select * from idempotency_total'),
  changes: await selectAll('select * from changes order by cursor'),
})

describe('new enquiries of a key', () => {
  it('are 5,000 at most, those that programs fill in included', { timeout: 60_000 }, async () => {
    const key = await newKey()
    await sendOne(key)
    await fill(MAX_ENQUIRIES - 1)
    expect((await post(PATH, { ...MINIMAL, website: 'x' }, { key })).status).toBe(200)
    expect((await post(PATH, MINIMAL, { key })).status).toBe(200)
    const before = await tables()
    for (const body of [MINIMAL, FULL, { ...MINIMAL, website: 'x' }]) {
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      for (const options of [{ key }, { key, headers }]) {
        const reply = await post(PATH, body, options)
        expect(reply).toMatchObject(REFUSAL)
        expect([reply.headers.get('Retry-After'), reply.headers.has('RateLimit-Policy')]).toEqual([
          '3600',
          false,
        ])
      }
    }
    expect(await tables()).toEqual(before)
    // Other keys have room, and a website's server and the agency are not bounded.
    for (const other of [await newKey(), keys.server, keys.writer])
      expect((await post(PATH, MINIMAL, { key: other })).status).toBe(200)
    await execute('delete from enquiries')
  })

  it('are 20 MB at most', async () => {
    const key = await newKey()
    const id = await sendOne(key)
    const row = await selectFirst<{ bytes: number }>('select bytes from enquiries where id = ?', id)
    const { bytes = 0 } = row ?? {}
    await fill(2, MAX_BYTES - 2 * bytes)
    expect((await post(PATH, MINIMAL, { key })).status).toBe(200)
    expect(await post(PATH, MINIMAL, { key })).toMatchObject(REFUSAL)
    await execute('delete from enquiries where id = ?', id)
    expect((await post(PATH, MINIMAL, { key })).status).toBe(200)
  })

  it('are no more than there is room for when many come at once', async () => {
    const key = await newKey()
    await sendOne(key)
    await fill(3, MAX_BYTES / 2 - 2000)
    const replies = await Promise.all(Array.from({ length: 12 }, () => post(PATH, MINIMAL, { key })))
    const stored = replies.filter(({ status }) => status === 200).length
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(12 - stored)
    expect([stored > 0, stored < 12]).toEqual([true, true])
    await execute('delete from enquiries')
  })

  it.each<[string, (id: number) => Promise<unknown>]>([
    ['opened', (id) => put(`${PATH}/${id}`, { status: 'open' })],
    ['closed', (id) => put(`${PATH}/${id}`, { status: 'closed', notes: 'x' })],
    ['marked as spam', (id) => put(`${PATH}/${id}`, { status: 'spam' })],
    ['converted', (id) => post(`${PATH}/${id}/convert`, {})],
    ['imported as open', (id) => importRecords([['enquiries', { id, status: 'open' }]])],
    ['deleted', (id) => execute('delete from enquiries where id = ?', id)],
    [
      'removed as spam',
      async (id) => {
        await put(`${PATH}/${id}`, { status: 'spam' })
        await purgeEnquiries(env, new Date('2030-01-01'))
        expect((await get(`${PATH}/${id}`)).status).toBe(404)
      },
    ],
  ])('make room when one is %s', async (_, leave) => {
    const key = await newKey()
    const id = await sendOne(key)
    const usage = () => selectFirst(`select enquiries from enquiry_usage`)
    expect(await usage()).toEqual({ enquiries: 1 })
    await leave(id)
    expect(await usage()).toBeNull()
    await expectTrueUsage()
    await execute('delete from enquiries')
  })

  it('may be made new again by the agency, however many there are', { timeout: 60_000 }, async () => {
    const key = await newKey()
    const id = await sendOne(key)
    await put(`${PATH}/${id}`, { status: 'closed' })
    await sendOne(key)
    await fill(MAX_ENQUIRIES)
    expect((await put(`${PATH}/${id}`, { status: 'new' })).status).toBe(200)
    expect((await put(`${PATH}/${id}`, { notes: 'x' })).status).toBe(200)
    expect(await selectFirst('select enquiries from enquiry_usage')).toEqual({
      enquiries: MAX_ENQUIRIES + 1,
    })
    await importRecords([['enquiries', { id, phone: '210' }]])
    await put(`${PATH}/${id}`, { status: 'closed' })
    expect(await post(PATH, MINIMAL, { key })).toMatchObject(REFUSAL)
    await execute('delete from enquiries')
  })
})

describe('an enquiry', () => {
  /** Three letters each when they are decomposed. */
  const HANGUL = '뷁'.repeat(5000)

  it('of 5,000 Hangul letters takes little more than they do, and is found', async () => {
    const id = await sendOne(keys.page, { ...MINIMAL, message: `뭘 찾고 ${HANGUL.slice(0, 4990)}` })
    const row = await selectFirst<Record<string, string>>('select * from enquiries where id = ?', id)
    const bytes = (text = '') => new TextEncoder().encode(text).byteLength
    expect([...(row?.search ?? '')]).toHaveLength(2000)
    expect(row?.search).toBe(row?.search?.normalize('NFC'))
    expect(bytes(row?.search)).toBeLessThan(6000)
    expect(Number(row?.bytes)).toBeLessThan(22_000)
    expect(Number(row?.bytes)).toBeGreaterThan(bytes(row?.message) + bytes(row?.search))
    for (const text of ['찾고', '찾고'.normalize('NFD'), HANGUL.slice(0, 100)]) {
      const found = (await get(`${PATH}?search=${encodeURIComponent(text)}`)).body.data
      expect(found.map((found: { id: number }) => found.id)).toEqual([id])
    }
  })

  it('is cut between letters, and found by what comes first', async () => {
    const names = { first_name: '🏠'.repeat(255), last_name: '👨'.repeat(255) }
    const id = await sendOne(keys.page, { ...MINIMAL, ...names, phone: '210 5', message: '🌊'.repeat(5000) })
    const row = await selectFirst<{ search: string }>('select search from enquiries where id = ?', id)
    expect([...(row?.search ?? '')]).toHaveLength(2000)
    expect(row?.search.isWellFormed()).toBe(true)
    expect((await get(`${PATH}?search=210%205`)).body.data).toMatchObject([{ id }])
  })
})

describe('a refused call of a visitor', () => {
  const refused = (limit: number): Partial<Env> => ({
    ENQUIRY_BUDGET: { limit: async () => ({ success: limit !== 1 }) },
    ENQUIRIES_PER_VISITOR: '5',
    NETWORK_BUDGET: { limit: async () => ({ success: limit !== 2 }) },
    ENQUIRIES_PER_NETWORK: '50',
  })
  const newHeaders = () => ({ 'Idempotency-Key': crypto.randomUUID() })

  it.each<[string, object | string, Partial<Env>, number]>([
    ['invalid', { ...MINIMAL, type: 'x' }, {}, 400],
    ['no JSON', '{', {}, 400],
    ['about an unknown listing', { ...MINIMAL, listing_id: 99 }, {}, 400],
    ['past the limit of its address', MINIMAL, refused(1), 429],
    ['past the limit of its network', MINIMAL, refused(2), 429],
    ['past a limit, and filled in by a program', { ...MINIMAL, website: 'x' }, refused(1), 429],
    ['without a token', MINIMAL, { TURNSTILE_SECRET: 'x' }, 400],
  ])('that is %s writes nothing, with a key or without', async (_, body, changes, status) => {
    const before = await tables()
    for (const more of [{}, newHeaders(), newHeaders()]) {
      const headers = { ...bearer(keys.page), ...more }
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const rows = await rowsWritten(async (DB) => {
        const reply = await send('POST', PATH, { headers, body: text }, { ...changes, DB })
        expect(reply.status).toBe(status)
      })
      expect(rows).toBe(0)
    }
    expect(await tables()).toEqual(before)
  })

  it('with the key of another enquiry writes nothing', async () => {
    const headers = { ...bearer(keys.page), 'Idempotency-Key': 'taken' }
    const sendWith = (body: object, DB = env.DB) =>
      send('POST', PATH, { headers, body: JSON.stringify(body) }, { DB })
    expect((await sendWith(MINIMAL)).status).toBe(200)
    const before = await tables()
    for (const body of [FULL, {}, { ...MINIMAL, website: 'x' }]) {
      const rows = await rowsWritten(async (DB) => {
        await expectError(sendWith(body, DB), 422, 'Idempotency-Key was used for another request')
      })
      expect(rows).toBe(0)
    }
    expect(await tables()).toEqual(before)
  })
})

describe('equal calls of a visitor', () => {
  const sendOnce = (key: string, headers: Record<string, string>, body: object = MINIMAL, DB = env.DB) =>
    send('POST', PATH, { headers: { ...bearer(key), ...headers }, body: JSON.stringify(body) }, { DB })

  it.each(['page', 'server'] as const)('of a %s at once store one', async (name) => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const before = (await storedEnquiries()).length
    const replies = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const reply = await sendOnce(keys[name], headers)
        return [reply.status, await reply.text(), reply.headers.get('Idempotent-Replayed')]
      }),
    )
    expect(new Set(replies.map(([status, text]) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]?.[0]).toBe(200)
    expect(replies.filter(([, , replayed]) => replayed === null)).toHaveLength(1)
    expect((await storedEnquiries()).length).toBe(before + 1)
  })

  it('calls with the hidden field filled in are answered alike and not stored', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const before = await storedEnquiries()
    const texts = await Promise.all(
      Array.from({ length: 10 }, async () =>
        (await sendOnce(keys.page, headers, { ...MINIMAL, website: 'x' })).text(),
      ),
    )
    expect(new Set(texts).size).toBe(1)
    expect(await storedEnquiries()).toEqual(before)
  })

  it('with the key of another that is faster are 422, and store nothing', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const DB = failBefore(/^insert into enquiries/, () => sendOnce(keys.page, headers, FULL))
    const before = (await storedEnquiries()).length
    await expectError(
      sendOnce(keys.page, headers, MINIMAL, DB),
      422,
      'Idempotency-Key was used for another request',
    )
    expect((await storedEnquiries()).length).toBe(before + 1)
  })

  it('are answered when the reply of the database was lost, and stored once', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    let lost = 0
    const DB = databaseAround(async (send) => {
      const before = (await storedEnquiries()).length
      const results = await send()
      if ((await storedEnquiries()).length === before) return results
      lost++
      throw new Error('D1_ERROR: Network connection lost.')
    })
    const before = (await storedEnquiries()).length
    const first = await sendOnce(keys.page, headers, MINIMAL, DB)
    expect([first.status, first.headers.get('Idempotent-Replayed'), lost]).toEqual([200, null, 1])
    const again = await sendOnce(keys.page, headers)
    expect(await again.text()).toBe(await first.text())
    expect((await storedEnquiries()).length).toBe(before + 1)
  })

  it('are done and not kept where all keys together have no room', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    await execute('update idempotency_total set bytes = bytes + 2000000000')
    const texts = [
      await (await sendOnce(keys.page, headers)).text(),
      await (await sendOnce(keys.page, headers)).text(),
    ]
    await execute('update idempotency_total set bytes = bytes - 2000000000')
    expect(texts[0]).not.toBe(texts[1])
    for (const text of texts) expect(await findEnquiries(JSON.parse(text).reference)).toHaveLength(1)
  })
})
