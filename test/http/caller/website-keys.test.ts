import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { NO_KEY, SECRET_IN_QUERY } from '../../../src/http/caller/auth.ts'
import { createKey } from '../../../src/http/caller/stored-keys.ts'
import { expectError, get, keyWith, post, put, remove, websiteKey } from '../../support/api.ts'
import { CountingLimit } from '../../support/counting-limit.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { bearer, send, silenceLog } from '../send.ts'

const PATH = '/api/languages'
const SITE = 'https://www.site.example'
const OTHER = 'https://other.example'
const FROM_1 = { 'CF-Connecting-IP': '192.0.2.1' }

let key = ''
let lines: string[] = []

beforeAll(async () => {
  await seedAgency()
  key = await websiteKey()
})

beforeEach(() => {
  lines = silenceLog()
})

const inQuery = (secret: string, path = PATH) => `${path}${path.includes('?') ? '&' : '?'}key=${secret}`

describe('a publishable key', () => {
  it.each([
    ['as Bearer', () => send('GET', PATH, { headers: bearer(key) })],
    ['as X-API-Key', () => send('GET', PATH, { headers: { 'X-API-Key': key } })],
    ['as a password', () => send('GET', PATH, { headers: { Authorization: `Basic ${btoa(`:${key}`)}` } })],
    ['in the query', () => send('GET', inQuery(key))],
    ['percent-encoded', () => send('GET', `${PATH}?%6bey=${key.replaceAll('_', '%5F')}`)],
    ['twice the same', () => send('GET', inQuery(key, inQuery(key)))],
    ['in header and query', () => send('GET', inQuery(key), { headers: bearer(key) })],
    ['by HEAD', () => send('HEAD', inQuery(key))],
  ])('is taken %s', async (_, reply) => {
    expect((await reply()).status).toBe(200)
  })

  it('in the query wins over a key in a header, which may do more', async () => {
    const headers = bearer(await keyWith('*:read'))
    expect((await send('GET', '/api/users', { headers })).status).toBe(200)
    const answer = send('GET', inQuery(key, '/api/users'), { headers })
    await expectError(answer, 403, 'This API key lacks the scope users:read')
  })
})

describe('401 for ?key= with', () => {
  const expired = () =>
    createKey(env.API_KEYS, {
      name: 'old',
      scopes: ['listings:public'],
      expires: '2020-01-01 00:00:00',
      website: { publishable: true, origins: null, stores: null },
    })

  it.each<[string, () => string | Promise<string>, string]>([
    ['a secret key', () => keyWith('*:read'), SECRET_IN_QUERY],
    ['the secret key of a website', () => websiteKey({ publishable: false }), SECRET_IN_QUERY],
    ['an unknown key', () => `estia_pub_${'0'.repeat(48)}`, NO_KEY],
    ['a secret key after a space', async () => `+${await keyWith('*:read')}`, SECRET_IN_QUERY],
    ['an unknown secret', () => `estia_${'0'.repeat(48)}`, SECRET_IN_QUERY],
    ['an expired key', async () => (await expired()).secret, NO_KEY],
    ['several keys', async () => `${key}&key=${await websiteKey()}`, NO_KEY],
    ['a publishable and a secret key', async () => `${key}&key=${await keyWith('*:read')}`, NO_KEY],
  ])('%s, whatever the headers hold', async (_, sent, message) => {
    const path = inQuery(await sent())
    for (const headers of [{}, bearer(key), bearer(await keyWith('*:read'))]) {
      const answer = await send('GET', path, { headers })
      await expectError(answer, 401, message)
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
    }
  })

  it('a secret key counts as a failure of the address', async () => {
    const ADDRESS_BUDGET = new CountingLimit(1)
    const path = inQuery(await keyWith('*:read'))
    const call = () => send('GET', path, { headers: FROM_1 }, { ADDRESS_BUDGET, FAILURES_PER_ADDRESS: '1' })
    expect((await call()).status).toBe(401)
    expect((await call()).status).toBe(429)
    expect(ADDRESS_BUDGET.counted).toEqual(['192.0.2.1', '192.0.2.1'])
  })
})

describe('a key in the query', () => {
  it('is in no header, no error and no line of the log', async () => {
    const unknown = `estia_pub_${'ab'.repeat(24)}`
    const replies = [
      await send('GET', inQuery(key, '/api/locations?colour=red&level=1')),
      await send('GET', inQuery(key, '/api/locations?colour=red'), {
        headers: { Prefer: 'handling=strict' },
      }),
      await send('GET', inQuery(key, '/api/contacts/7')),
      await send('GET', inQuery(key, '/api/nowhere')),
      await send('POST', inQuery(key, '/api/stores')),
      await send('GET', inQuery(unknown)),
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 400, 403, 404, 405, 401])
    const ignored = replies.map(({ headers }) => headers.get('X-Ignored-Fields'))
    expect(ignored).toEqual(['colour', null, null, null, null, null])
    expect(lines).toHaveLength(replies.length)
    const bodies = await Promise.all(replies.map((reply) => reply.text()))
    const headers = replies.map((reply) => JSON.stringify([...reply.headers]))
    expect(bodies[1]).toBe('{"status":400,"error_message":"Invalid colour: no such field"}')
    expect([...bodies.slice(1), ...headers, ...lines].join('\n')).not.toMatch(/estia_/)
  })
})

const shared = (reply: Response) => reply.headers.get('Access-Control-Allow-Origin')

describe('the origins of a key', () => {
  const from = (origin: string | null, secret: string, path = PATH, vars: Partial<Env> = {}) =>
    send('GET', inQuery(secret, path), { headers: origin === null ? {} : { Origin: origin } }, vars)

  it.each(['*', '', OTHER])('may call although CORS_ORIGINS is %j, and read errors, too', async (allowed) => {
    const limited = await websiteKey({ origins: [SITE, 'http://localhost:3000'] })
    const vars = { CORS_ORIGINS: allowed }
    for (const origin of [SITE, 'http://localhost:3000']) {
      for (const [path, status] of [
        [PATH, 200],
        ['/api/contacts', 403],
        ['/api/nowhere', 404],
        ['/api/locations?level=x', 400],
      ] as const) {
        const reply = await from(origin, limited, path, vars)
        expect([reply.status, shared(reply)]).toEqual([status, origin])
        expect(reply.headers.get('Vary')).toContain('Origin')
      }
    }
  })

  it.each([OTHER, 'null', 'http://www.site.example', `${SITE}:8443`, `${SITE}.evil.example`, ''])(
    'are the only ones that may: %j',
    async (origin) => {
      const reply = await from(origin, await websiteKey({ origins: [SITE] }), PATH, { CORS_ORIGINS: SITE })
      await expectError(reply, 403, 'Origin not allowed')
      expect(shared(reply)).toBe(null)
    },
  )

  it('are judged with the scope: after the path, method and rate limit', async () => {
    const limited = await websiteKey({ origins: [SITE] })
    expect((await from(OTHER, limited, '/api/nowhere')).status).toBe(404)
    const none = { VISITOR_BUDGET: { limit: () => Promise.resolve({ success: false }) } }
    expect((await from(OTHER, limited, PATH, { ...none, CALLS_PER_VISITOR: '1' })).status).toBe(429)
    const late = await from(SITE, limited, PATH, { ...none, CALLS_PER_VISITOR: '1', CORS_ORIGINS: '' })
    expect([late.status, shared(late)]).toEqual([429, SITE])
  })
})

describe('a preflight', () => {
  const preflight = async (path: string, Origin: string, vars: Partial<Env> = {}, method = 'OPTIONS') => {
    const headers = { ...FROM_1, Origin, 'Access-Control-Request-Method': 'QUERY' }
    const reply = await send(method, path, { headers }, { CORS_ORIGINS: '', ...vars })
    return [reply.status, shared(reply)]
  }

  it('knows the origins of a key in the query', async () => {
    const limited = inQuery(await websiteKey({ origins: [SITE] }))
    expect(await preflight(limited, SITE)).toEqual([204, SITE])
    expect(await preflight(limited, OTHER)).toEqual([204, null])
    for (const CORS_ORIGINS of ['*', OTHER])
      expect(await preflight(limited, OTHER, { CORS_ORIGINS })).toEqual([204, CORS_ORIGINS])
    expect(lines.join()).not.toContain('estia_')
  })

  it('with an invalid key counts as a failure of the address, and never gets 429', async () => {
    const ADDRESS_BUDGET = new CountingLimit(2)
    const send = (method: string, path: string) =>
      preflight(path, SITE, { FAILURES_PER_ADDRESS: '2', ADDRESS_BUDGET }, method)
    const valid = inQuery(await websiteKey({ origins: [SITE] }))
    const elsewhere = inQuery(await websiteKey({ origins: [OTHER] }))
    expect(await send('OPTIONS', valid)).toEqual([204, SITE])
    expect(await send('OPTIONS', elsewhere)).toEqual([204, null])
    expect(ADDRESS_BUDGET.counted).toEqual([])
    const invalid = [
      inQuery(`estia_pub_${'0'.repeat(48)}`),
      inQuery(await keyWith('*:read')),
      inQuery(key, inQuery(await websiteKey())),
    ]
    for (const path of invalid) expect(await send('OPTIONS', path)).toEqual([204, null])
    expect(ADDRESS_BUDGET.counted).toEqual(Array(3).fill('192.0.2.1'))
    // A valid key is no failure, from wherever it comes, and neither is none.
    expect(await send('OPTIONS', valid)).toEqual([204, SITE])
    for (const path of [elsewhere, PATH, `${PATH}?key=abc`, inQuery('estia_pub_x', '/health')])
      expect(await send('OPTIONS', path)).toEqual([204, null])
    expect(ADDRESS_BUDGET.counted).toHaveLength(3)
    expect(await send('OPTIONS', inQuery(`estia_pub_${'1'.repeat(48)}`))).toEqual([204, null])
    expect(ADDRESS_BUDGET.counted).toHaveLength(4)
    expect(await send('GET', valid)).toEqual([200, SITE])
    expect(await send('GET', invalid[0] ?? '')).toEqual([429, null])
  })

  it('does not pass for refused when its key cannot be read', async () => {
    const API_KEYS = { get: () => Promise.reject(new Error('KV is away')) } as unknown as KVNamespace
    const [status] = await preflight(inQuery(`estia_pub_${'2'.repeat(48)}`), SITE, { API_KEYS })
    expect(status).toBe(500)
  })

  it.each(['', '*'])(
    'counts as a call of its key, and never gets 429: CORS_ORIGINS %j',
    async (CORS_ORIGINS) => {
      const VISITOR_BUDGET = new CountingLimit(1)
      const own = inQuery(await websiteKey({ origins: [SITE] }))
      const from = (method: string) =>
        preflight(own, SITE, { CORS_ORIGINS, CALLS_PER_VISITOR: '1', VISITOR_BUDGET }, method)
      const allowed = CORS_ORIGINS || SITE
      expect(await from('OPTIONS')).toEqual([204, allowed])
      expect(await from('OPTIONS')).toEqual([204, allowed])
      expect(await from('GET')).toEqual([429, SITE])
      const visitor = expect.stringMatching(/^[0-9a-f]{16} 192\.0\.2\.1$/)
      expect(VISITOR_BUDGET.counted).toEqual(Array(3).fill(visitor))
    },
  )
})

/** Expects the status of a call within the limit that it names, or past it. */
function expectWithin({ status, headers }: Response, expected = 200, policy = '"site";q=9;w=60'): void {
  const limits = ['RateLimit-Policy', 'Retry-After'].map((name) => headers.get(name))
  expect([status, ...limits]).toEqual([expected, policy, expected === 429 ? '60' : null])
}

const LIMITS = { CALLS_PER_KEY: '9', CALLS_PER_SITE: '9', CALLS_PER_VISITOR: '3' }

describe('the rate limit', () => {
  const callFrom = (address: string, secret: string, vars: Partial<Env>) =>
    send('GET', PATH, { headers: { ...bearer(secret), 'CF-Connecting-IP': address } }, { ...LIMITS, ...vars })

  it('of a publishable key is one for each of its visitors', async () => {
    const [VISITOR_BUDGET, KEY_BUDGET] = [new CountingLimit(), new CountingLimit()]
    const vars = { VISITOR_BUDGET, KEY_BUDGET }
    for (const status of [200, 200, 200, 429])
      expectWithin(await callFrom('192.0.2.1', key, vars), status, '"visitor";q=3;w=60')
    expect((await callFrom('192.0.2.2', key, vars)).status).toBe(200)
    expect((await callFrom('2001:db8::1', key, vars)).status).toBe(200)
    expect((await callFrom('2001:db8::2', key, vars)).status).toBe(200)
    expect((await callFrom('192.0.2.1', await websiteKey(), vars)).status).toBe(200)
    expect([...VISITOR_BUDGET.counts.values()]).toEqual([4, 1, 2, 1])
    expect(KEY_BUDGET.counts.size).toBe(0)
  })

  it('of a secret website key is one of its own', async () => {
    const [VISITOR_BUDGET, SITE_BUDGET] = [new CountingLimit(), new CountingLimit()]
    const secret = await websiteKey({ publishable: false })
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      expectWithin(await callFrom(address, secret, { VISITOR_BUDGET, SITE_BUDGET }))
    }
    expect([VISITOR_BUDGET.counts.size, [...SITE_BUDGET.counts.values()]]).toEqual([0, [3]])
  })
})

describe('X-Visitor-Address', () => {
  const makeBudgets = () => ({
    VISITOR_BUDGET: new CountingLimit(),
    KEY_BUDGET: new CountingLimit(),
    SITE_BUDGET: new CountingLimit(),
  })
  let budgets = makeBudgets()
  let secret = ''

  beforeEach(async () => {
    budgets = makeBudgets()
    secret = await websiteKey({ publishable: false })
  })

  const callFor = (address: string, apiKey = secret, path = PATH) => {
    const headers = { ...bearer(apiKey), 'CF-Connecting-IP': '192.0.2.99', 'X-Visitor-Address': address }
    return send('GET', path, { headers }, { ...budgets, ...LIMITS })
  }
  /** The visitors that were counted, without the ids of the keys. */
  const visitors = () => budgets.VISITOR_BUDGET.counted.map((name) => name.replace(/^[0-9a-f]{16} /, ''))

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
  ])('%j counts a call of %s, beside that of the key', async (address, network) => {
    expectWithin(await callFor(address))
    expect([visitors(), budgets.SITE_BUDGET.counted]).toEqual([
      [network],
      [expect.stringMatching(/^[0-9a-f]{16}$/)],
    ])
  })

  it.each(['', '192.0.2.1/32', 'localhost', '192.0.2.1, 192.0.2.2', '192.0.2.1:80', '192.0.2.256'])(
    '%j is 400, and counts for the key alone',
    async (address) => {
      await expectError(callFor(address), 400, 'Invalid X-Visitor-Address: must be one IP address')
      expect([visitors(), budgets.SITE_BUDGET.counted.length]).toEqual([[], 1])
    },
  )

  it('is ignored with other keys, whatever it holds', async () => {
    for (const apiKey of [key, await keyWith('*:read')]) {
      for (const address of ['192.0.2.1', '192.0.2.1/32', 'nonsense']) {
        expect((await callFor(address, apiKey)).status).toBe(200)
      }
    }
    expect([visitors(), budgets.KEY_BUDGET.counted.length]).toEqual([Array(3).fill('192.0.2.99'), 3])
    expect((await callFor('192.0.2.1', key)).status).toBe(429)
    expect((await callFor('nonsense', key, inQuery(key))).status).toBe(429)
  })

  it('gives each visitor a limit of their own, which costs the key nothing once it is exceeded', async () => {
    for (const status of [200, 200, 200, 429, 429]) {
      const policy = status === 429 ? '"visitor";q=3;w=60' : '"site";q=9;w=60'
      expectWithin(await callFor('2001:db8::1'), status, policy)
    }
    expect(budgets.SITE_BUDGET.counted).toHaveLength(3)
    expect((await callFor('2001:db8::ffff')).status).toBe(429)
    // Another site has visitors of its own.
    expect((await callFor('2001:db8::1', await websiteKey({ publishable: false }))).status).toBe(200)
  })
})

describe('the bookmark', () => {
  const BOOKMARK = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683'

  it.each([true, false])('is neither followed nor sent (publishable: %s)', async (publishable) => {
    const secret = await websiteKey({ publishable })
    const open = vi.spyOn(env.DB, 'withSession')
    for (const sent of [undefined, BOOKMARK, 'any', 'nonsense']) {
      const headers: Record<string, string> = sent === undefined ? {} : { 'X-D1-Bookmark': sent }
      const { status, headers: replied } = await get(PATH, { key: secret, headers })
      expect([status, replied.get('X-D1-Bookmark')]).toEqual([200, null])
    }
    expect(open.mock.calls).toEqual(Array(4).fill(['first-unconstrained']))
  })
})

describe('a change', () => {
  it('cannot restore a key that is revoked at the same time', async () => {
    const { body } = await post('/admin/keys', { name: 'site', scopes: ['listings:public'] })
    const { id, key: secret } = body.data
    const change = env.API_KEYS.put.bind(env.API_KEYS)
    vi.spyOn(env.API_KEYS, 'put').mockImplementation(async (name: string, value: unknown) => {
      await remove(`/admin/keys/${id}`)
      await change(name, String(value))
    })
    await put(`/admin/keys/${id}`, { name: 'late' })
    vi.restoreAllMocks()
    expect((await send('GET', inQuery(secret))).status).toBe(401)
    expect((await get('/admin/keys')).body.data.map((entry: { id: string }) => entry.id)).not.toContain(id)
    expect((await put(`/admin/keys/${id}`, { name: 'again' })).status).toBe(404)
    expect((await remove(`/admin/keys/${id}`)).status).toBe(404)
  })
})
