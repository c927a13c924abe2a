/** Calls of visitors at the same moment: equal ones are made once, and an isolate makes so many and no more. */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { keyWith, ORIGIN, websiteKey } from '../../support/api.ts'
import { databaseOf } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { bearer, requestTo, sendTo } from '../send.ts'

const LIST = '/api/listings'
/** Answers that an isolate makes at once. */
const ROOM = 32
const BUSY = { status: 503, error_message: 'Too many visitors at once, try again' }

let key = ''

beforeAll(async () => {
  await seedAgency()
  key = await websiteKey()
})

/** A database whose batches wait until `open` is called, and then `answer`. Counts them. */
function gate(answer: (statements: D1PreparedStatement[]) => Promise<unknown> = (all) => env.DB.batch(all)) {
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>()
  const batch = vi.fn((statements: D1PreparedStatement[]) => isOpen.then(() => answer(statements)))
  return { DB: databaseOf({ batch }), batch, open }
}

type Sent = Parameters<typeof requestTo>[1]

async function call(DB: D1Database, path: string, { headers, ...sent }: Sent = {}) {
  const request = requestTo(ORIGIN + path, { ...sent, headers: { ...bearer(key), ...headers } })
  const reply = await sendTo({ DB }, request)
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, text, body: text && JSON.parse(text) }
}

/** Other filters than those of all other calls. */
let fresh = 0
const other = () => `${LIST}?price[max]=${300_000 + fresh++}`

describe('equal calls at the same moment', () => {
  it('ask the database once, and each has its own headers', async () => {
    // The first search of an isolate loads the index.
    await call(env.DB, other())
    const { DB, batch, open } = gate()
    const path = `${other()}&per_page=1`
    const first = [
      call(DB, path, { headers: { 'X-Request-Id': 'one' } }),
      call(DB, path, { method: 'HEAD', headers: { 'X-Request-Id': 'two' } }),
      call(DB, path, { headers: { 'X-Request-Id': 'three', 'If-None-Match': '*' } }),
      call(DB, `${path}&utm_source=news`, { headers: { 'X-Request-Id': 'four' } }),
    ]
    await vi.waitFor(() => expect(batch).toHaveBeenCalledTimes(1))
    open()
    const replies = await Promise.all([...first, ...Array.from({ length: 20 }, () => call(DB, path))])
    expect(batch).toHaveBeenCalledTimes(1)
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 304, ...Array(21).fill(200)])
    const [get, head, known, ignoring] = replies
    expect([head?.text, known?.text]).toEqual(['', ''])
    expect(ignoring?.headers.get('X-Ignored-Fields')).toBe('utm_source')
    expect(get?.headers.get('X-Ignored-Fields')).toBe(null)
    const ids = replies.slice(0, 4).map(({ headers }) => headers.get('X-Request-Id'))
    expect(ids).toEqual(['one', 'two', 'three', 'four'])
    expect(new Set(replies.map(({ headers }) => headers.get('ETag'))).size).toBe(1)
    expect(new Set(replies.slice(3).map(({ text }) => text))).toEqual(new Set([get?.text]))
  })

  it('are those whose answers may be one, and no others', async () => {
    const { DB, batch, open } = gate()
    const path = other()
    const keys = [await websiteKey({ stores: [1] }), await websiteKey()]
    keys.push(await websiteKey({ publishable: false }))
    // From now on the isolate knows them, so that no call comes late.
    for (const known of keys) await call(env.DB, other(), { headers: bearer(known) })
    const calls = [
      call(DB, path),
      call(DB, `${path}&per_page=2`),
      call(DB, path, { method: 'QUERY', body: '{"per_page": 2}' }),
      ...keys.map((known) => call(DB, path, { headers: bearer(known) })),
    ]
    // The last two have the rights of the first.
    await vi.waitFor(() => expect(batch).toHaveBeenCalledTimes(4))
    open()
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200)
    expect(batch).toHaveBeenCalledTimes(4)
  })

  it('get the error of the one that asks, with headers of their own, and it is not kept', async () => {
    const { DB, batch, open } = gate(() => Promise.reject(new Error('gone')))
    const path = other()
    const calls = [
      call(DB, path, { headers: { 'X-Request-Id': 'one' } }),
      call(DB, path, { headers: { 'X-Request-Id': 'two', Origin: 'https://www.site.example' } }),
    ]
    await vi.waitFor(() => expect(batch).toHaveBeenCalledTimes(1))
    open()
    const [first, second] = await Promise.all(calls)
    for (const reply of [first, second]) {
      const body = { status: 500, error_message: 'Internal server error' }
      expect([reply?.status, reply?.body]).toEqual([500, body])
      expect(reply?.headers.get('Cache-Control')).toBe('private, no-store')
    }
    expect([first, second].map((reply) => reply?.headers.get('X-Request-Id'))).toEqual(['one', 'two'])
    expect(batch).toHaveBeenCalledTimes(1)
    expect((await call(env.DB, path)).status).toBe(200)
  })

  it('wait for ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { DB, batch, open } = gate()
    const path = other()
    const first = call(DB, path)
    await vi.waitFor(() => expect(batch).toHaveBeenCalled())
    const second = call(DB, path)
    await new Promise((resolve) => setTimeout(resolve, 50))
    vi.setSystemTime(Date.now() + 10_000)
    const { status, body, headers } = await second
    expect([status, body, headers.get('Retry-After')]).toEqual([503, BUSY, '1'])
    open()
    expect((await first).status).toBe(200)
  })
})

describe(`more than ${ROOM} answers at once`, () => {
  /** As many different calls as there is room for, which wait for the database. */
  async function fill(held: ReturnType<typeof gate>) {
    const calls = Array.from({ length: ROOM }, other).map((path) => ({ path, reply: call(held.DB, path) }))
    await vi.waitFor(() => expect(held.batch).toHaveBeenCalledTimes(ROOM))
    return { calls, replies: Promise.all(calls.map(({ reply }) => reply)) }
  }

  it.each<[string, string, Sent?]>([
    ['GET', other()],
    ['a body', LIST, { body: '{"price": {"max": 1}}' }],
    ['QUERY', LIST, { method: 'QUERY', body: '{"price": {"max": 2}}' }],
    ['one listing', `${LIST}/998`],
    ['one listing with invalid options', `${LIST}/998?fields=nothing`],
    ['facets', `${LIST}/facets`],
    ['a lookup', '/api/stores'],
  ])('are refused with Retry-After: %s', async (_, path, sent) => {
    const held = gate()
    const { replies } = await fill(held)
    const { status, headers, body } = await call(env.DB, path, sent)
    expect([status, body]).toEqual([503, BUSY])
    expect([headers.get('Retry-After'), headers.get('Cache-Control')]).toEqual(['1', 'private, no-store'])
    expect(headers.get('X-Request-Id')).not.toBe(null)
    held.open()
    expect(new Set((await replies).map(({ status: of }) => of))).toEqual(new Set([200]))
    expect((await call(env.DB, path, sent)).status).not.toBe(503)
  })

  it('are not those that wait for an equal call, are refused for their own sake, or have another key', async () => {
    const held = gate()
    const { calls, replies } = await fill(held)
    const waiting = calls.map(({ path }) => call(held.DB, path))
    expect((await call(env.DB, `${LIST}?price[min]=x`)).status).toBe(503)
    expect((await call(env.DB, '/api/contacts')).status).toBe(403)
    expect((await call(env.DB, LIST, { headers: bearer(await keyWith('*:read')) })).status).toBe(200)
    held.open()
    for (const { status } of [...(await replies), ...(await Promise.all(waiting))]) expect(status).toBe(200)
    expect(held.batch).toHaveBeenCalledTimes(ROOM)
  })

  it('leave room again when they fail', async () => {
    for (let round = 0; round < 3; round++) {
      const held = gate(() => Promise.reject(new Error('gone')))
      const { replies } = await fill(held)
      held.open()
      expect(new Set((await replies).map(({ status }) => status))).toEqual(new Set([500]))
    }
    for (let count = 0; count < ROOM + 1; count++) {
      expect((await call(env.DB, `${LIST}/${900 + count}`)).status).toBe(404)
      expect((await call(env.DB, `${LIST}?price[min]=x`)).status).toBe(400)
    }
    expect((await call(env.DB, other())).status).toBe(200)
  })

  it('leave room after 30 seconds if they stop silently', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const stopped = gate()
    const { replies } = await fill(stopped)
    expect((await call(env.DB, other())).status).toBe(503)
    vi.setSystemTime(Date.now() + 30_001)
    expect((await call(env.DB, other())).status).toBe(200)
    stopped.open()
    await replies
  })
})
