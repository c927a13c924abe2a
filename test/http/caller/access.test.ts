/** Persons whom Cloudflare Access has signed in. */
import { sign } from 'hono/jwt'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { personIdOf } from '../../../src/http/caller/auth.ts'
import { ADMIN_TOKEN, expectError, get, importRecords, keyWith } from '../../support/api.ts'
import { execute, selectAll } from '../../support/database.ts'
import { bearer, send } from '../send.ts'

const AUD = 'a'.repeat(64)
const NO_TOKEN = 'Missing or wrong admin token or API key'
const FROM_PAGE: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin' }

type Key = CryptoKeyPair & { kid: string }

let [signing, other] = [] as unknown as [Key, Key]
let team = ''
let teams = 0
/** Addresses that the service has fetched. */
let fetched: string[] = []
/** What the team answers: its keys, or a failure. */
let answer: () => Response | Promise<Response>

async function makeKey(kid: string): Promise<Key> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  }
  const pair = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair
  return { ...pair, kid }
}

async function certificates(...keys: Key[]) {
  const list = await Promise.all(
    keys.map(async ({ publicKey, kid }) => ({ ...(await crypto.subtle.exportKey('jwk', publicKey)), kid })),
  )
  return () => Response.json({ keys: list, public_certs: [] })
}

const now = () => Math.floor(Date.now() / 1000)

async function assertion(
  claims: Record<string, unknown> = {},
  key = signing,
  alg = 'RS256',
): Promise<string> {
  const payload = {
    iss: `https://${team}.cloudflareaccess.com`,
    aud: [AUD],
    email: 'Anna@example.com',
    exp: now() + 600,
    nbf: now() - 10,
    ...claims,
  }
  const jwk = { ...(await crypto.subtle.exportKey('jwk', key.privateKey)), alg, kid: key.kid }
  return sign(payload, jwk as Parameters<typeof sign>[1])
}

interface Sent {
  path?: string
  headers?: Record<string, string>
  vars?: Partial<Env>
  /** Makes it a POST. */
  body?: object
}

/** A call from a page of the console, by the person whom an assertion names. */
function callAs(token: string, { path = '/admin/self', headers = FROM_PAGE, vars, body }: Sent = {}) {
  return send(
    body ? 'POST' : 'GET',
    path,
    {
      headers: { 'Cf-Access-Jwt-Assertion': token, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    },
    { ACCESS_TEAM: team, ACCESS_AUD: AUD, ...vars },
  )
}

const callAsAnna = async (sent?: Sent) => callAs(await assertion(), sent)
const callAsEva = async (sent: Sent) => callAs(await assertion({ email: 'eva@example.com' }), sent)

beforeAll(async () => {
  ;[signing, other] = await Promise.all([makeKey('one'), makeKey('two')])
})

beforeEach(async () => {
  // Keys are kept by team.
  team = `team-${++teams}`
  fetched = []
  answer = await certificates(signing)
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    fetched.push(String(input))
    return answer()
  })
  await importRecords([
    ['stores', { id: 1, name: 'Athens' }],
    ['users', { id: 7, name: 'Anna', email: 'anna@Example.com', store_id: 1 }],
    [
      'settings',
      {
        key: 'console_roles',
        value: { 'anna@example.com': ['admin:*', 'enquiries:read'], '*': ['users:read'] },
      },
    ],
  ])
})

describe('a person', () => {
  it('has the scopes of their address and of everybody', async () => {
    const expires = now() + 600
    const reply = await callAs(await assertion({ exp: expires }))
    expect({ status: reply.status, body: await reply.json() }).toEqual({
      status: 200,
      body: {
        status: 200,
        data: {
          type: 'person',
          id: personIdOf('anna@example.com'),
          name: 'anna@example.com',
          scopes: expect.toSatisfy(
            (scopes: string[]) =>
              [...scopes].sort((a, b) => a.localeCompare(b)).join() === 'admin:*,enquiries:read,users:read',
          ),
          expires: new Date(expires * 1000).toISOString().slice(0, 19).replace('T', ' '),
          user_id: 7,
          time_zone: 'Europe/Athens',
        },
      },
    })
    const others = await (await callAs(await assertion({ email: 'boris@example.com' }))).json()
    expect(others).toMatchObject({
      data: { type: 'person', id: personIdOf('boris@example.com'), scopes: ['users:read'] },
    })
  })

  it('grants no scope of administration', async () => {
    const make = (scopes: string[]) => callAsAnna({ path: '/admin/keys', body: { name: 'x', scopes } })
    const message = 'Only ADMIN_TOKEN may make, change or revoke a key with an admin scope'
    await expectError(make(['admin:export']), 403, message)
    expect((await make(['listings:read'])).status).toBe(200)
  })

  it('is the actor of what they write', async () => {
    await callAsAnna({ path: '/admin/keys', body: { name: 'x', scopes: ['*:read'] } })
    const id = personIdOf('anna@example.com')
    const entries = await selectAll('select * from trail order by id')
    expect(entries.at(-1)).toMatchObject({ actor_type: 'person', actor_id: id, route: '/admin/keys' })
    // Persons who are no users of the agency are named as long as they have roles.
    for (const email of ['boris@example.com', 'eva@example.com'])
      await callAs(await assertion({ email }), { path: '/admin/keys' })
    await execute(
      `update settings set value = json_set(value, '$."boris@example.com"', json('[]')) where key = 'console_roles'`,
    )
    const trail = await callAsAnna({ path: '/admin/trail' })
    const { data } = await trail.json<{ data: { actor: object }[] }>()
    expect(data.slice(0, 3).map(({ actor }) => actor)).toEqual([
      { type: 'person', id: personIdOf('eva@example.com'), name: null },
      { type: 'person', id: personIdOf('boris@example.com'), name: 'boris@example.com' },
      { type: 'person', id, name: 'anna@example.com' },
    ])
    for (const actor of ['eva@example.com', 'EVA@example.com', personIdOf('eva@example.com')]) {
      const found = await callAsAnna({ path: `/admin/trail?actor=${actor}` })
      expect(await found.json()).toMatchObject({ data: [data[0]] })
    }
  })

  it('is the actor whatever address of a user somebody imports', async () => {
    const roles = { 'eva@example.com': ['admin:import', 'admin:settings', 'admin:people'] }
    await importRecords([
      ['settings', { key: 'console_roles', value: roles }],
      ['contacts', { id: 3, first_name: 'C', created_by: 7 }],
    ])
    await execute('delete from trail')
    for (const email of ['eva@example.com', 'anna@example.com']) {
      const user = { entity: 'users', data: { id: 7, email } }
      expect((await callAsEva({ path: '/admin/import', body: user })).status).toBe(200)
      const erasure = { path: '/admin/contacts/3/erase', body: { reason: 'Asked' } }
      expect((await callAsEva(erasure)).status).toBe(200)
    }
    const actors = await selectAll('select distinct actor_type, actor_id from trail')
    expect(actors).toEqual([{ actor_type: 'person', actor_id: personIdOf('eva@example.com') }])
    const { body } = await get('/admin/trail?per_page=1')
    expect(body.data[0].actor).toEqual({
      type: 'person',
      id: personIdOf('eva@example.com'),
      name: 'eva@example.com',
    })
  })

  it.each([
    [{ 'Sec-Fetch-Site': 'same-origin' }, 200],
    [{ Origin: 'http://estia.test' }, 200],
    [{}, 403],
    [{ 'Sec-Fetch-Site': 'none' }, 403],
    [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }, 403],
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ Origin: 'null' }, 403],
    [{ Origin: 'http://estia.test.evil.example' }, 403],
    [{ Origin: 'https://estia.test' }, 403],
    [{ Origin: 'http://estia.test:8080' }, 403],
    [{ Origin: 'http://estia.test/' }, 403],
    [{ Origin: 'http://estia.test', 'Sec-Fetch-Site': 'cross-site' }, 403],
  ])('must call from a page of the service: %j is %i', async (headers, status) => {
    const vars = { PUBLIC_BASE_URL: 'https://estia.test' }
    expect((await callAsAnna({ headers, vars })).status).toBe(status)
    expect((await callAsAnna({ headers, path: '/api/users' })).status).toBe(status)
    const route = '/admin/self'
    // Nobody is known to call then.
    const of403 = 'select distinct actor_type from trail where status = 403 and route = ?'
    expect(await selectAll(of403, route)).toEqual(status === 403 ? [{ actor_type: null }] : [])
  })

  it('is passed over where the call has a key or the token, which scripts behind Access send', async () => {
    for (const credential of [ADMIN_TOKEN, await keyWith('admin:keys')]) {
      const headers = bearer(credential)
      expect((await callAs('nonsense', { headers, path: '/admin/keys' })).status).toBe(200)
    }
    const secret = await keyWith('languages:read')
    const message = 'A secret API key must not be sent in the address: send it in a header'
    await expectError(callAsAnna({ path: `/api/users?key=${secret}` }), 401, message)
    for (const own of [bearer('wrong'), { 'X-API-Key': secret }, { Authorization: 'Basic !' }])
      for (const path of ['/admin/self', '/api/users']) {
        const { status } = await callAsAnna({ path, headers: { ...FROM_PAGE, ...own } })
        expect(status).toBe(path === '/api/users' && 'X-API-Key' in own ? 403 : 401)
      }
  })
})

it('is said by the page of the console, which then asks for no key', async () => {
  const reply = await callAsAnna({ path: '/console' })
  expect(reply.status).toBe(200)
  expect((await reply.text()).slice(0, 60)).toContain('<html data-access="on" lang="en">')
})

describe('an assertion is refused', () => {
  it.each<[string, () => Promise<string>]>([
    ['of another audience', () => assertion({ aud: ['b'.repeat(64)] })],
    ['without an audience', () => assertion({ aud: undefined })],
    ['of another team', () => assertion({ iss: 'https://other.cloudflareaccess.com' })],
    ['that has ended', () => assertion({ exp: now() - 61 })],
    ['that never ends', () => assertion({ exp: undefined })],
    ['that ends after the year 9999', () => assertion({ exp: 253_402_300_800 })],
    ['that ends at a text', () => assertion({ exp: String(now() + 600) })],
    ['that is not valid yet', () => assertion({ nbf: now() + 90 })],
    ['without an e-mail address', () => assertion({ email: undefined })],
    ['with a list of addresses', () => assertion({ email: ['anna@example.com'] })],
    ['signed by an unknown key', () => assertion({}, other)],
    ['signed by another key of the same name', () => assertion({}, { ...other, kid: 'one' })],
    ['that names another algorithm', async () => forge(await assertion(), { alg: 'none' })],
    ['that names a secret', async () => forge(await assertion(), { alg: 'HS256' })],
    ['without the name of a key', async () => forge(await assertion(), { kid: undefined })],
    [
      'with other claims',
      async () => swapClaims(await assertion(), await assertion({ email: 'eva@example.com' })),
    ],
    ['without a signature', async () => `${(await assertion()).split('.').slice(0, 2).join('.')}.`],
    ['that is nonsense', async () => 'nonsense'],
    ['that is too long', async () => `${await assertion()}${'A'.repeat(8192)}`],
  ])('%s', async (_, make) => {
    await expectError(callAs(await make()), 401, NO_TOKEN)
  })

  it.each([
    ['no team', { ACCESS_TEAM: undefined }],
    ['no audience', { ACCESS_AUD: undefined }],
    ['an empty audience', { ACCESS_AUD: '' }],
    ['a team that is no name', { ACCESS_TEAM: 'evil.example/' }],
    [
      'an address where private ones are not allowed',
      { ACCESS_TEAM: 'http://127.0.0.1:8788', ALLOW_PRIVATE_PHOTO_URLS: 'false' },
    ],
    ['no admin token', { ADMIN_TOKEN: '' }],
  ])('with %s', async (_, vars) => {
    await expectError(callAsAnna({ vars }), 401, NO_TOKEN)
    expect(fetched).toEqual([])
  })

  it('unless it is less than a minute too old or too new', async () => {
    for (const claims of [{ exp: now() - 50 }, { nbf: now() + 50 }])
      expect((await callAs(await assertion(claims))).status).toBe(200)
  })
})

describe('the keys of the team', () => {
  /** Calls by keys so many seconds after the first, and how often the service has fetched by then. At first it finds `keys`. */
  type KeyCall = [seconds: number, key: 'one' | 'two', status: number, fetched: number]
  it.each<[what: string, keys: () => Key[], calls: KeyCall[]]>([
    [
      'are kept for an hour',
      () => [signing],
      [
        [0, 'one', 200, 1],
        [0, 'one', 200, 1],
        [3600, 'one', 200, 2],
      ],
    ],
    [
      'are not fetched again for a known key',
      () => [signing, other],
      [
        [0, 'one', 200, 1],
        [60, 'two', 200, 1],
        [120, 'one', 200, 1],
      ],
    ],
    [
      'are fetched again for an unknown key, once a minute',
      () => [signing],
      [
        [0, 'one', 200, 1],
        [0, 'two', 401, 1],
        [0, 'two', 401, 1],
        [60, 'two', 200, 2],
      ],
    ],
  ])('%s', async (_, keys, calls) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    answer = await certificates(...keys())
    const start = Date.now()
    for (const [seconds, kid, status, count] of calls) {
      vi.setSystemTime(start + 1000 * seconds)
      expect((await callAs(await assertion({}, kid === 'one' ? signing : other))).status).toBe(status)
      expect(fetched).toEqual(Array(count).fill(`https://${team}.cloudflareaccess.com/cdn-cgi/access/certs`))
      answer = await certificates(signing, other)
    }
  })

  it.each<[string, () => Response | Promise<Response>]>([
    ['the team does not answer', () => Promise.reject(new Error('Network connection lost'))],
    ['it answers an error', () => new Response('', { status: 500 })],
    ['it answers no JSON', () => new Response('<html>')],
    ['it answers other JSON', () => Response.json({ keys: 'none' })],
    ['it leads elsewhere', () => Response.redirect('https://evil.example/certs')],
    ['it answers without an end', () => new Response(endless())],
    ['it answers too much', () => new Response(`${' '.repeat(65_536)}{"keys": []}`)],
  ])('where %s: 503 without any kept, and those kept otherwise', async (_, failure) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const working = answer
    answer = failure
    const refused = await callAsAnna()
    expect(refused.headers.get('Retry-After')).toBe('5')
    await expectError(refused, 503, 'The keys of Cloudflare Access cannot be had; try again')
    vi.setSystemTime(Date.now() + 2000)
    answer = working
    expect((await callAsAnna()).status).toBe(200)
    answer = failure
    vi.setSystemTime(Date.now() + 60_000)
    expect((await callAsAnna()).status).toBe(200)
    const asked = fetched.length
    for (const pause of [0, 2000, 57_000]) {
      vi.setSystemTime(Date.now() + pause)
      expect((await callAs(await assertion({}, other))).status).toBe(401)
    }
    expect(fetched).toHaveLength(asked + 1)
  })
})

describe('the setting console_roles', () => {
  const store = async (value: unknown, credential = ADMIN_TOKEN, key = 'console_roles') => {
    const line = JSON.stringify({ entity: 'settings', data: { key, value } })
    const reply = await send('POST', '/admin/import', { headers: bearer(credential), body: line })
    const { data } = await reply.json<{ data: { errors: { message: string }[] } }>()
    return data.errors.map(({ message }) => message)
  }

  it.each([
    [{ '*': ['admin:everything'] }],
    [{ 'anna@example.com': ['castles:read'] }],
    [{ 'anna@example.com': ['listings:public'] }],
    [{ 'anna@example.com': ['listings:read:write'] }],
    [{ 'anna@example.com': 'admin:*' }],
    [{ anna: ['admin:*'] }],
    [5],
    [true],
  ])('is not %j', async (value) => {
    expect(await store(value)).toEqual(['Invalid value: not one for console_roles'])
  })

  it('is changed by the admin token alone, and so is how long the trail is kept', async () => {
    const key = await keyWith('admin:import')
    const roles = { 'mallory@example.com': ['admin:*'] }
    expect(await store(roles, key)).toEqual(['Only ADMIN_TOKEN may change console_roles'])
    expect(await store(1, key, 'trail_days')).toEqual(['Only ADMIN_TOKEN may change trail_days'])
    const body = { entity: 'settings', data: { key: 'console_roles', value: roles } }
    const reply = await callAsAnna({ path: '/admin/import', body })
    expect(await reply.json()).toMatchObject({ data: { accepted: 0, rejected: 1 } })
    // What is stored already changes nothing, as in a file of an export.
    expect(await store(roles)).toEqual([])
    expect(await store(roles, key)).toEqual([])
    expect(await store(9, key, 'enquiry_spam_days')).toEqual([])
  })
})

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(10_000).fill(32)) })
}

/** The assertion with another header, its signature unchanged. */
function forge(token: string, changes: Record<string, unknown>): string {
  const [header = '', ...rest] = token.split('.')
  const changed = JSON.stringify({ ...JSON.parse(atob(header)), ...changes })
  return [btoa(changed).replace(/=+$/, ''), ...rest].join('.')
}

function swapClaims(token: string, from: string): string {
  const [header, , signature] = token.split('.')
  return [header, from.split('.')[1], signature].join('.')
}
