/** Answers to visitors are kept for a moment. This is the only file whose cache works: see vitest.config.ts. */
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import representations from '../../../src/http/concurrency/representations.json' with { type: 'json' }
import { importRecords, keyWith, ORIGIN, post, put, remove, websiteKey } from '../../support/api.ts'
import { databaseOf } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { runs } from '../../support/runs.ts'
import { bearer, requestTo, sendAndWait, sendTo, silenceLog } from '../send.ts'

const SITE = 'https://www.site.example'
const OTHER = 'https://other.example'
const LIST = '/api/listings'
const ONE = '/api/listings/1'

let key = ''
let lines: string[] = []

beforeAll(async () => {
  await seedAgency()
  const ids = [1, 2, 3]
  await importListings(
    ids.map((id) => ({ id, store_id: id === 2 ? 2 : 1, code: `RES-0000${id}`, price: 100 * id })),
  )
  key = await websiteKey()
})

beforeEach(() => {
  lines = silenceLog()
})

const importListings = (listings: object[]) =>
  importRecords(listings.map((values) => ['listings', { ...minimalListing, status: 'active', ...values }]))

interface Sent {
  method?: string
  body?: string
  headers?: Record<string, string>
  /** In the query; by default the key of this file. Null: none. */
  key?: string | null
  host?: string
  vars?: Partial<Env>
}

interface RandomCall {
  path: string
  query: [string, string][]
  body: [string, string][] | null
  key: string
  strict: boolean
}

/** A call, and all that it leaves to be done behind the reply. */
async function call(path: string, sent: Sent = {}) {
  const { host = ORIGIN, vars = {} } = sent
  const url = new URL(host + path)
  const secret = sent.key === undefined ? key : sent.key
  const search = secret === null ? url.search : `${url.search}${url.search ? '&' : '?'}key=${secret}`
  const request = requestTo(`${url.origin}${url.pathname}${search}`, sent)
  const read = vi.spyOn(env.DB, 'withSession')
  const reply = await sendAndWait(vars, request)
  const isKept = read.mock.calls.length === 0
  read.mockRestore()
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, text, isKept, body: text && JSON.parse(text) }
}

/** A path that no other test calls, so that nothing is kept of it. */
let fresh = 0
const freshPath = () => `${LIST}?price[max]=${100_000 + fresh++}`

const idsOf = ({ body }: { body: { data: { id: number }[] } }) =>
  body.data.map(({ id }) => id).toSorted((a, b) => a - b)

/** The URLs that are asked for in the cache while `work` runs. */
async function cacheUrlsOf(work: () => Promise<unknown>): Promise<string[]> {
  const match = vi.spyOn(caches.default, 'match')
  await work()
  const urls = match.mock.calls.map(([url]) => decodeURIComponent(String(url)))
  match.mockRestore()
  // Marks of the use of keys are no answers.
  return urls.filter((url) => !url.includes('/.used/'))
}

describe('Cache-Control and Vary of an answer', () => {
  const inHeader = { key: null, headers: () => bearer(key) }
  const PRIVATE = ['private, max-age=30', 'Origin, Authorization, X-API-Key']
  const PUBLIC = ['public, max-age=30', 'Origin']
  const NONE = ['private, no-store', 'Origin']

  it.each<[string, Omit<Sent, 'headers'> & { headers?: () => Record<string, string> }, string[]]>([
    ['key in the query', {}, PUBLIC],
    ['key in the query and a header', { headers: () => bearer(key) }, PUBLIC],
    ['HEAD, key in the query', { method: 'HEAD' }, PUBLIC],
    ['key as Bearer', inHeader, PRIVATE],
    ['key as X-API-Key', { key: null, headers: () => ({ 'X-API-Key': key }) }, PRIVATE],
    [
      'key as a password',
      { key: null, headers: () => ({ Authorization: `Basic ${btoa(`:${key}`)}` }) },
      PRIVATE,
    ],
    ['HEAD, key in a header', { ...inHeader, method: 'HEAD' }, PRIVATE],
    ['body, key in the query', { body: '{"store_id": 1}' }, NONE],
    ['body, key in a header', { ...inHeader, body: '{"store_id": 1}' }, NONE],
    ['QUERY, key in the query', { method: 'QUERY', body: '{}' }, NONE],
    ['QUERY, key in a header', { ...inHeader, method: 'QUERY', body: '{}' }, NONE],
  ])('%s', async (_, sent, expected) => {
    const headers = sent.headers?.() ?? {}
    // The second filter does not exist and is ignored.
    const path = `${freshPath()}&nothing=1`
    const replies = [await call(path, { ...sent, headers }), await call(path, { ...sent, headers })]
    expect(replies.map(({ isKept }) => isKept)).toEqual([false, true])
    for (const reply of replies) {
      expect(reply.status).toBe(200)
      // The path has a filter that does not exist.
      const [control, vary] = expected
      const strict = control === 'private, no-store' ? vary : `${vary}, Prefer`
      expect([reply.headers.get('Cache-Control'), reply.headers.get('Vary')]).toEqual([control, strict])
    }
  })

  it('do not mention Prefer if nothing is ignored', async () => {
    expect((await call(`${LIST}?price[max]=100000`)).headers.get('Vary')).toBe('Origin')
    const { headers } = await call(`${LIST}?price[max]=100000`, { key: null, headers: bearer(key) })
    expect(headers.get('Vary')).toBe('Origin, Authorization, X-API-Key')
  })

  it('replies to ordinary keys have unchanged headers and are not cached', async () => {
    const urls = await cacheUrlsOf(async () => {
      const sent = { key: null, headers: bearer(await keyWith('*:read')) }
      const [list, one] = [await call(LIST, sent), await call(ONE, sent)]
      for (const { headers, status } of [list, await call(LIST, sent)]) {
        expect([status, headers.get('Cache-Control'), headers.get('Vary')]).toEqual([200, ...NONE])
      }
      // A single one has other media types, too.
      expect(['private, no-store', 'Origin, Accept']).toEqual(
        ['Cache-Control', 'Vary'].map((name) => one.headers.get(name)),
      )
      expect(list.headers.get('ETag')).toBe(null)
      expect(one.headers.get('ETag')).toMatch(/^"\d+-[0-9a-f]{12}"$/)
    })
    expect(urls).toEqual([])
  })
})

describe('a kept answer', () => {
  it.each([
    LIST,
    `${LIST}?fields=id,nothing&nonsense=1`,
    ONE,
    `${ONE}?fields=id`,
    '/api/listings/features',
    '/api/stores',
    '/api/locations?level=1',
  ])('of %s is the answer itself, under headers of each call', async (path) => {
    const host = `http://host-${fresh++}.test`
    const made = await call(path, { host, headers: { 'X-Request-Id': 'one' } })
    const kept = await call(path, {
      host,
      headers: { 'X-Request-Id': 'two', Origin: SITE },
      vars: { CORS_ORIGINS: SITE, CALLS_PER_VISITOR: '7' },
    })
    const head = await call(path, { host, method: 'HEAD', headers: { 'X-Request-Id': 'one' } })
    expect([made.isKept, kept.isKept, head.isKept]).toEqual([false, true, true])
    expect([kept.status, kept.text]).toEqual([200, made.text])
    const all = Object.fromEntries(made.headers)
    expect(Object.fromEntries(kept.headers)).toEqual({
      ...all,
      'x-request-id': 'two',
      'access-control-allow-origin': SITE,
      'ratelimit-policy': '"visitor";q=7;w=60',
    })
    expect([head.text, Object.fromEntries(head.headers)]).toEqual(['', all])
    expect(all['access-control-allow-origin']).toBe('*')
    expect(all['cf-cache-status']).toBe(undefined)
  })

  it.each<[string, string, Sent, string | null]>([
    ['the query', '&utm_source=news', {}, 'utm_source'],
    ['the query, several times', '&utm_source=a&utm_source=b', {}, 'utm_source'],
    ['the query, as parts', '&utm[a]=1&__proto__=1&constructor[min]=2', {}, 'utm[a], __proto__, constructor'],
    ['the query, as parts of a range', '&price[x]=1&price[y]=1', {}, 'price.x, price.y'],
    ['the body', '', { body: '{"utm": [1, {"a": 1e400}], "__proto__": {"price": 1}}' }, 'utm, __proto__'],
  ])(
    'is the same with unknown keys in %s, which each call is shown by itself',
    async (_, more, sent, names) => {
      const path = freshPath()
      const without = sent.body === undefined ? {} : { body: '{}' }
      const plain = await call(path, without)
      const { isKept, text, headers } = await call(path + more, sent)
      expect([plain.isKept, isKept, text]).toEqual([false, true, plain.text])
      expect([plain, { headers }].map((reply) => reply.headers.get('X-Ignored-Fields'))).toEqual([
        null,
        names,
      ])
      const strict = { headers: { Prefer: 'handling=strict' } }
      expect((await call(path + more, { ...sent, ...strict })).status).toBe(400)
      expect((await call(path, { ...without, ...strict })).isKept).toBe(true)
    },
  )

  it('goes out after its time, and a change is seen', async () => {
    const path = '/api/listings/3'
    const host = `http://host-${fresh++}.test`
    const store = vi.spyOn(caches.default, 'put')
    const before = await call(path, { host })
    const [url = '', kept] = store.mock.calls[0] ?? []
    // With ten seconds by which a search may lag, and thirty outside, a minute.
    expect(kept?.headers.get('Cache-Control')).toBe('public, max-age=20')
    await importRecords([['listings', { id: 3, price: 777 }]])
    expect((await call(path, { host })).body.data.price).toBe(before.body.data.price)
    // The cache is the platform's, and so is its clock.
    expect(await caches.default.delete(url)).toBe(true)
    const after = await call(path, { host })
    expect([after.isKept, after.body.data.price]).toEqual([false, 777])
    expect(after.headers.get('ETag')).not.toBe(before.headers.get('ETag'))
  })
})

describe('no answer is given to a call', () => {
  it('a call that differs in a filter, key, host or header gets no cached reply', async () => {
    const long = (last: string) => `${LIST}?fields=id${`&fields=${'y'.repeat(200)}`.repeat(5)}${last}`
    const calls: [path: string, sent: Sent][] = [
      [LIST, {}],
      [LIST, { key: await websiteKey({ stores: [1] }) }],
      [LIST, { body: '{"store_id": 2}' }],
      [LIST, { body: '{"store_id": 1}' }],
      [LIST, { method: 'QUERY' }],
      [LIST, { method: 'QUERY', body: '{"store_id": 1}' }],
      [`${LIST}?store_id=2&page=2`, {}],
      [`${LIST}/`, {}],
      [ONE, {}],
      [LIST, { host: 'http://other.test' }],
      [LIST, { host: 'https://estia.test' }],
      [LIST, { vars: { PUBLIC_BASE_URL: 'https://pictures.example' } }],
      [LIST, { vars: { PICTURES_BASE_URL: 'https://pictures.example' } }],
      [LIST, { headers: { Accept: 'application/ld+json' } }],
      [long('a'), {}],
      [long('b'), {}],
    ]
    const urls = await cacheUrlsOf(async () => {
      for (const [path, sent] of calls) await call(path, sent)
    })
    expect(new Set(urls).size).toBe(calls.length)
  })

  it('two calls share a cached reply only if the database gives both the same', async () => {
    const keys = [key, await websiteKey({ stores: [1] }), await websiteKey({ stores: [2] })]
    const names = [
      'price',
      'price[min]',
      'price[max]',
      'store_id',
      'fields',
      'page',
      'per_page',
      'x',
      'y[min]',
    ]
    const filter = fc.tuple(fc.constantFrom(...names), fc.constantFrom('', '1', '2', '150', 'id', 'code'))
    const sent: fc.Arbitrary<RandomCall> = fc.record({
      path: fc.constantFrom(LIST, LIST, ONE, '/api/stores'),
      query: fc.array(filter, { maxLength: 3 }),
      body: fc.option(fc.array(filter, { maxLength: 2 })),
      key: fc.constantFrom(...keys),
      strict: fc.boolean(),
    })
    const reply = async ({ path, query, body, key: own, strict }: RandomCall) => {
      const { status, text, headers, isKept } = await call(`${path}?${new URLSearchParams(query)}`, {
        key: own,
        headers: strict ? { Prefer: 'handling=strict' } : {},
        ...(body && { body: JSON.stringify(Object.fromEntries(body)) }),
      })
      const shown = ['ETag', 'Link', 'X-Total-Count', 'X-Ignored-Fields', 'Cache-Control', 'Vary']
      return { isKept, answer: [status, text, ...shown.map((name) => headers.get(name))] }
    }
    let kept = 0
    await fc.assert(
      fc.asyncProperty(sent, async (one) => {
        const [first, second] = [await reply(one), await reply(one)]
        const match = vi.spyOn(caches.default, 'match').mockResolvedValue(undefined)
        const third = await reply(one)
        match.mockRestore()
        expect([first.answer, second.answer]).toEqual([third.answer, third.answer])
        kept += Number(first.isKept)
      }),
      { numRuns: runs(120) },
    )
    // Some calls differ in order only.
    expect(kept).toBeGreaterThan(3)
  })

  it.each<[string, string, string, number | null]>([
    ['infinity and null', '{"price": {"min": 1, "max": null}}', '{"price": {"min": 1, "max": 1e400}}', null],
    ['minus infinity and null', '{"price": {"max": 200}}', '{"price": {"min": -1e400, "max": 200}}', null],
    ['a number as text', '{"price": {"min": 250}}', '{"price": {"min": "250"}}', null],
    ['an integer that is not exact', '{"store_id": null}', '{"store_id": 9007199254740993}', null],
    ['zero and null', '{"price": {"min": 1, "max": null}}', '{"price": {"min": 1, "max": 0}}', null],
    ['less than any number and null', '{"price": {"max": null, "min": 1}}', '{"price": {"max": 1e-400}}', 0],
    ['another of the same keys', '{"store_id": 2, "store_id": 1}', '{"store_id": 1, "store_id": 2}', 1],
    ['half a character', '{"text": "a"}', '{"text": "a\\ud800"}', null],
    ['another prototype', '{"price": {"min": 1}}', '{"price": {"__proto__": {"min": 1}}}', null],
  ])('with %s', async (_, first, second, total) => {
    const host = `http://host-${fresh++}.test`
    expect((await call(LIST, { host, method: 'QUERY', body: first })).status).toBe(200)
    const { status, isKept, body } = await call(LIST, { host, method: 'QUERY', body: second })
    expect(isKept).toBe(false)
    expect([status, body.total_results]).toEqual(total === null ? [400, undefined] : [200, total])
  })

  it('of a key that is revoked, has expired, has another scope or lost a store', async () => {
    const path = freshPath()
    const { body } = await post('/admin/keys', { name: 'site', scopes: ['listings:public'] })
    const { id, key: secret } = body.data
    const status = async () => (await call(path, { key: secret })).status
    expect([await status(), await status()]).toEqual([200, 200])
    await put(`/admin/keys/${id}`, { stores: [2] })
    expect(idsOf(await call(path, { key: secret }))).toEqual([2])
    await put(`/admin/keys/${id}`, { expires: '2020-01-01 00:00:00' })
    expect(await status()).toBe(401)
    await put(`/admin/keys/${id}`, { expires: null })
    expect(await status()).toBe(200)
    await remove(`/admin/keys/${id}`)
    expect(await status()).toBe(401)
    expect((await call(path, { key: null })).status).toBe(401)
    const contacts = await call(path, { key: null, headers: bearer(await keyWith('contacts:read')) })
    expect(contacts.status).toBe(403)
  })

  it('from another origin, or past the limit', async () => {
    const path = freshPath()
    const limited = await websiteKey({ origins: [SITE] })
    const vars = { CORS_ORIGINS: '' }
    const from = (origin: string, more: Partial<Env> = {}) =>
      call(path, { key: limited, headers: { Origin: origin }, vars: { ...vars, ...more } })
    const mine = await from(SITE)
    expect([mine.status, mine.headers.get('Access-Control-Allow-Origin')]).toEqual([200, SITE])
    const theirs = await from(OTHER)
    expect([theirs.status, theirs.headers.get('Access-Control-Allow-Origin')]).toEqual([403, null])
    expect(theirs.headers.get('Cache-Control')).toBe('private, no-store')
    // The same answer for a key without origins, which any page may use but none may read here.
    const open = await call(path, { headers: { Origin: OTHER }, vars })
    expect([open.isKept, open.headers.get('Access-Control-Allow-Origin')]).toEqual([true, null])
    const VISITOR_BUDGET = { limit: () => Promise.resolve({ success: false }) }
    expect((await from(SITE, { VISITOR_BUDGET, CALLS_PER_VISITOR: '1' })).status).toBe(429)
  })
})

describe('the URLs of the cache', () => {
  it('hold the hash of the code and the host, and neither key nor origin', async () => {
    const urls = await cacheUrlsOf(async () => {
      for (const path of [LIST, `${LIST}?price[max]=900`, ONE, '/api/stores']) {
        for (const headers of [bearer(key), { Origin: SITE }]) {
          await call(path, { headers })
          await call(path, { headers, method: 'QUERY', body: '{"store_id": 1}' })
        }
        await call(path, { key: null, headers: { ...bearer(key), Origin: SITE } })
        await call(`${path}${path.includes('?') ? '&' : '?'}%6bey=${key}`, { key: null })
      }
    })
    expect(urls.length).toBeGreaterThan(16)
    for (const url of urls) {
      expect(url).not.toMatch(/key=|estia_|site\.example/)
      expect(url).toMatch(new RegExp(`^${ORIGIN}/api/`))
      expect(url).toContain(`/code=${representations}/`)
    }
  })

  it('stay short', async () => {
    const urls = await cacheUrlsOf(async () => {
      await call(LIST, {
        method: 'QUERY',
        body: JSON.stringify({ fields: ['id', ...Array(100).fill('ψ'.repeat(200))] }),
        headers: { Accept: `application/ld+json, ${'a/b, '.repeat(1_000)}` },
        key: await websiteKey({ stores: Array.from({ length: 500 }, (_, at) => at + 1) }),
      })
    })
    expect(urls).toHaveLength(1)
    expect(urls[0]?.length).toBeLessThan(1_000)
  })

  it('are the same for calls in another order, and others for other calls', async () => {
    const names = ['price[min]', 'size[max]', 'store_id', 'page', 'x', 'y z', 'ü', '__proto__']
    const parameter = fc.tuple(fc.constantFrom(...names), fc.constantFrom('1', '2'))
    const search = (parameters: [string, string][]) => `${LIST}?${new URLSearchParams(parameters)}`
    const filterOf = (one: string) => one.split('[')[0]
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(parameter, { maxLength: 5, selector: ([one]) => filterOf(one) }),
        async (sent) => {
          const urls = await cacheUrlsOf(async () => {
            await call(search(sent))
            await call(search(sent.toReversed()))
            await call(search([...sent, ['z', '1']]))
            await call(search([...sent, ['per_page', '7']]))
          })
          expect(urls).toHaveLength(4)
          expect(urls.slice(1, 3)).toEqual([urls[0], urls[0]])
          expect(urls[3]).not.toBe(urls[0])
        },
      ),
      { numRuns: runs(50) },
    )
  })
})

describe('the tag of an answer', () => {
  it.each([LIST, ONE, '/api/stores', '/api/listings/features', '/api/locations?level=2'])(
    'of %s gets 304, kept or not, with the headers of the call',
    async (path) => {
      const host = `http://tag-${fresh++}.test`
      const first = await call(path, { host })
      const tag = first.headers.get('ETag') ?? ''
      expect(tag).toMatch(/^"[0-9a-f]{32}"$/)
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        for (const [method, body] of [['GET'], ['HEAD'], ['GET', '{}']]) {
          const sent = {
            host,
            method: method ?? 'GET',
            headers: { 'If-None-Match': known, 'X-Request-Id': 'mine' },
          }
          const reply = await call(path, body ? { ...sent, body } : sent)
          expect([reply.status, reply.text, reply.headers.get('ETag')]).toEqual([304, '', tag])
          expect(reply.headers.get('X-Request-Id')).toBe('mine')
          expect(reply.headers.get('Content-Type')).toBe(null)
          expect(reply.headers.get('Access-Control-Allow-Origin')).toBe('*')
          expect(reply.headers.get('Cache-Control')).toBe(body ? 'private, no-store' : 'public, max-age=30')
        }
      }
      const other = await call(path, { host, headers: { 'If-None-Match': '"other"' } })
      expect([other.status, other.text]).toEqual([200, first.text])
    },
  )
})

describe('an error', () => {
  it.each([
    ['400', `${LIST}?price[min]=x`],
    ['400', `${LIST}?users=1`],
    ['400', `${ONE}?fields=nothing`],
    ['404', '/api/listings/999'],
    ['403', '/api/contacts'],
    ['404', '/api/nowhere'],
  ])('%s for %s is not kept, inside or outside', async (status, path) => {
    const store = vi.spyOn(caches.default, 'put')
    for (const sent of [{}, {}, { headers: { 'If-None-Match': '*' } }, { key: null, headers: bearer(key) }]) {
      const reply = await call(path, sent)
      expect([String(reply.status), reply.headers.get('Cache-Control')]).toEqual([
        status,
        'private, no-store',
      ])
      const vary = /listings\/\d/.test(path) ? 'Origin, Accept' : 'Origin'
      expect([reply.headers.get('ETag'), reply.headers.get('Vary')]).toEqual([null, vary])
    }
    expect(store).not.toHaveBeenCalled()
  })

  it('of the database is not kept, and an answer hides it as long as it is kept', async () => {
    const path = freshPath()
    const prepare = () => {
      throw new Error('gone')
    }
    const broken = { DB: databaseOf({ prepare }) }
    const failed = await call(path, { vars: broken })
    expect([failed.status, failed.headers.get('Cache-Control')]).toEqual([500, 'private, no-store'])
    expect((await call(path)).status).toBe(200)
    expect((await call(path, { vars: broken })).status).toBe(200)
  })
})

describe('a call is answered by the database', () => {
  const never = () => new Promise<never>(() => undefined)
  const throwing = () => {
    throw new Error('no cache here')
  }
  const rejecting = () => Promise.reject(new Error('no cache here'))

  it.each([
    ['throws', throwing],
    ['rejects', rejecting],
    ['hangs', never],
    ['has an error', () => Promise.resolve(new Response('{}', { status: 500 }))],
    [
      'breaks off',
      () =>
        Promise.resolve(
          new Response(new ReadableStream({ start: (stream) => stream.error(new Error('no')) })),
        ),
    ],
    ['stops', () => Promise.resolve(new Response(new ReadableStream({ pull: never })))],
  ])('when match %s', async (_, match) => {
    const path = freshPath()
    await call(path)
    vi.spyOn(caches.default, 'match').mockImplementation(match)
    const { status, isKept, body } = await call(path)
    expect([status, isKept, body.total_results]).toEqual([200, false, 3])
  })

  it.each([
    ['throws', throwing],
    ['rejects', rejecting],
  ])('when put %s, which is logged without the URL', async (_, store) => {
    const path = freshPath()
    vi.spyOn(caches.default, 'put').mockImplementation(store)
    for (let at = 0; at < 2; at++) {
      const { status, isKept } = await call(path)
      expect([status, isKept]).toEqual([200, false])
    }
    const logged = lines.filter((line) => line.includes('no cache here'))
    expect(logged).toHaveLength(2)
    expect(logged.join()).not.toMatch(/nothing|estia_/)
  })

  it('when put hangs, for which no reply waits', async () => {
    vi.spyOn(caches.default, 'put').mockImplementation(never)
    const reply = await sendTo({}, new Request(`${ORIGIN}${freshPath()}&key=${key}`))
    expect([reply.status, (await reply.text()).length > 100]).toEqual([200, true])
  })

  it('when its answer is too long to be kept', async () => {
    const translations = [{ language_id: 1, title: 'x', description: 'x'.repeat(60_000) }]
    await importListings(
      Array.from({ length: 40 }, (_, at) => ({ id: 100 + at, code: `LONG-${at}`, translations })),
    )
    const store = vi.spyOn(caches.default, 'put')
    const { status, text: long } = await call(LIST, { host: 'http://long.test' })
    expect([status, long.length > 2 * 1024 * 1024]).toEqual([200, true])
    expect(store).not.toHaveBeenCalled()
  })
})
