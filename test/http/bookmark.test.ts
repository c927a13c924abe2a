import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectError, expectInvalid, get, keyWith, post, put, query, remove } from '../support/api.ts'
import { sessionOn } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { createListing, minimalListing } from '../support/factories/listing.ts'
import { bearer, send } from './send.ts'

const OLD = '00000001-00000002-00004e2f-0a83ea2fceebc654de0640c422be4653'
const NEW = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683'

let listing = 0
/** How sessions were opened, in order. */
const opened = () => vi.mocked(env.DB.withSession).mock.calls.map(([start]) => start)

beforeAll(async () => {
  await seedAgency()
  listing = await createListing()
})

beforeEach(() => void vi.spyOn(env.DB, 'withSession'))

const from = (bookmark: string) => ({ headers: { 'X-D1-Bookmark': bookmark } })

describe('a read', () => {
  it.each([
    ['is strictly current without a bookmark', {}, 'first-primary'],
    ['begins at the bookmark it brings', from(NEW), NEW],
    ['may begin anywhere', from('any'), 'first-unconstrained'],
  ])('%s', async (_, options, start) => {
    for (const path of ['/api/listings', `/api/listings/${listing}`, '/api/listings/tags']) {
      expect((await get(path, options)).status).toBe(200)
    }
    expect((await query('/api/contacts', {}, options)).status).toBe(200)
    expect(opened()).toEqual([start, start, start, start])
  })
})

describe('a write', () => {
  it('uses the primary in each round trip, whatever bookmark it sends', async () => {
    const { body } = await post('/api/listings', minimalListing, from(OLD))
    await put(`/api/listings/${body.created_id}`, { price: 7 }, from('any'))
    await post(`/api/listings/${body.created_id}/status`, { to: 'active' }, from(OLD))
    expect(new Set(opened())).toEqual(new Set(['first-primary']))
    // One round trip for the create, a read and a write for the others: at least as many sessions.
    expect(opened().length).toBeGreaterThanOrEqual(5)
  })

  it('returns the newest bookmark of its round trips', async () => {
    const told = ['b', 'a', null].map((last) => last && `${OLD.slice(0, -1)}${last}`)
    let trips = 0
    vi.spyOn(env.DB, 'withSession').mockImplementation(() => {
      let bookmark: string | null = null
      const session = sessionOn(env.DB)
      const batch = async <T>(statements: D1PreparedStatement[]) => {
        const results = await session.batch<T>(statements)
        bookmark = told[trips++] ?? null
        return results
      }
      return { ...session, batch, getBookmark: () => bookmark }
    })
    const { status, headers } = await put(`/api/listings/${listing}`, { price: 8 })
    expect([status, trips >= 2, headers.get('X-D1-Bookmark')]).toEqual([200, true, told[0]])
  })
})

describe('the bookmark of an answer', () => {
  const FORM = /^[0-9a-f]{8}(-[0-9a-f]{8}){2}-[0-9a-f]{32}$/

  it('is in every reply that used the database, including errors, and is not older than the write', async () => {
    const created = await post('/api/contacts', { first_name: 'Anna' })
    const path = `/api/contacts/${created.body.created_id}`
    const replies = [
      created,
      await get(path),
      await put(path, { is_lead: true }),
      await put(path, { tags: [99] }),
      await remove(path),
      await get(path),
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 400, 200, 404])
    const told = replies.map(({ headers }) => headers.get('X-D1-Bookmark') ?? '')
    for (const bookmark of told) expect(bookmark).toMatch(FORM)
    expect(told).toEqual(told.toSorted((a, b) => (a < b ? -1 : 1)))
    expect(new Set([told[0], told[2], told[4]]).size).toBe(3)
  })

  it.each([
    ['there is no key', '/api/listings', null, 401],
    ['the scope is lacking', '/api/listings', 'contacts:read', 403],
    ['the call is refused before', '/api/listings?page=0', '*:read', 400],
    ['what is asked for is no data', '/api/listings/features', '*:read', 200],
  ])('is absent where %s', async (_, path, scope, status) => {
    const reply = await get(path, { key: scope && (await keyWith(scope)) })
    expect([reply.status, reply.headers.get('X-D1-Bookmark')]).toEqual([status, null])
  })
})

describe('a malformed bookmark', () => {
  it.each([
    '',
    ' ',
    'ANY',
    'first-primary',
    'latest',
    '1',
    OLD.toUpperCase(),
    `${OLD}-1`,
    OLD.replace(/-/g, ''),
    `${OLD}, ${OLD}`,
    'f'.repeat(100_000),
  ])('is refused before anything is read: %.60s', async (sent) => {
    const message = 'Invalid X-D1-Bookmark: must be the X-D1-Bookmark of an answer, or any'
    await expectInvalid(get('/api/listings/x', from(sent)), message)
    await expectInvalid(post('/api/listings', '{', from(sent)), message)
    expect(opened()).toEqual([])
  })
})

it('a bookmark that D1 itself refuses is a mistake of the caller, and no other failure is', async () => {
  const headers = bearer(await keyWith('*:read'))
  for (const [message, bookmark, expected] of [
    ['D1_ERROR: Invalid bookmark', NEW, 400],
    ['D1_ERROR: Network connection lost.', NEW, 503],
    ['D1_ERROR: Invalid bookmark', undefined, 500],
  ] as const) {
    const fail = () => Promise.reject(new Error(message))
    const session = { ...sessionOn(env.DB), batch: fail, getBookmark: () => bookmark ?? null }
    vi.spyOn(env.DB, 'withSession').mockImplementation(() => session)
    const sent = { ...headers, ...(bookmark ? { 'X-D1-Bookmark': bookmark } : {}) }
    const answer = await send('GET', '/api/contacts', { headers: sent })
    expect(answer.status).toBe(expected)
    if (expected !== 400) continue
    await expectError(answer, 400, 'Invalid X-D1-Bookmark: the database does not know it')
    expect(answer.headers.has('X-D1-Bookmark')).toBe(false)
  }
})
