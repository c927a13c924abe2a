import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { RATE_LIMITS } from '../../../src/catalogue/rate-limits.ts'
import { PUBLIC_TOKEN } from '../../../src/http/caller/admin-scope.ts'
import { ADMIN_TOKEN, expectError, keyWith } from '../../support/api.ts'
import { CountingLimit } from '../../support/counting-limit.ts'
import { bearer, send, sendTo, silenceLog } from '../send.ts'

const PATH = '/api/languages'
const WRONG_KEY = `estia_${'0'.repeat(48)}`

const generous: RateLimit = { limit: () => Promise.resolve({ success: true }) }
const failing: RateLimit = { limit: () => Promise.reject(new Error('no such namespace')) }
const THREE = { CALLS_PER_KEY: '3', FAILURES_PER_ADDRESS: '3' }

let keys = new CountingLimit()
let addresses = new CountingLimit()
let log: string[] = []
let key = ''

beforeEach(async () => {
  log = silenceLog()
  keys = new CountingLimit()
  addresses = new CountingLimit()
  key = await keyWith('languages:read')
})

interface Sent {
  path?: string
  method?: string
  from?: string
  accept?: string
  vars?: Partial<Env>
}

/** Calls with `credential` as bearer token. */
function callAs(
  credential: string,
  { path = PATH, method = 'GET', from = '192.0.2.1', accept = '*/*', vars = {} }: Sent = {},
): Promise<Response> {
  const headers = { ...bearer(credential), 'CF-Connecting-IP': from, Accept: accept }
  const budgets = { ...THREE, KEY_BUDGET: keys, ADDRESS_BUDGET: addresses }
  return send(method, path, { headers }, { ...budgets, ...vars })
}

/** Statuses of `times` equal calls, one after the other. */
async function statusesOf(times: number, credential: string, sent: Sent = {}): Promise<number[]> {
  const statuses: number[] = []
  for (let time = 0; time < times; time++) statuses.push((await callAs(credential, sent)).status)
  return statuses
}

describe('the budget of a key', () => {
  it('is in every reply, with the time of the next try', async () => {
    for (const status of [200, 200, 200, 429]) {
      const answer = await callAs(key)
      if (status === 429) await expectError(answer, 429, 'Too many requests')
      const limits = ['RateLimit-Policy', 'Retry-After', 'Cache-Control'].map((name) =>
        answer.headers.get(name),
      )
      const wait = status === 429 ? '60' : null
      expect([answer.status, ...limits]).toEqual([status, '"key";q=3;w=60', wait, 'private, no-store'])
    }
  })

  it('counts every call of that key, from wherever it comes, and of no other', async () => {
    const other = await keyWith('languages:read')
    expect(await statusesOf(2, key, { from: '192.0.2.1' })).toEqual([200, 200])
    expect(await statusesOf(2, key, { from: '192.0.2.2' })).toEqual([200, 429])
    expect(await statusesOf(1, other)).toEqual([200])
    expect([...keys.counts.values()]).toEqual([4, 1])
    expect(addresses.counts.size).toBe(0)
  })

  it('knows the key by its id, not by its secret', async () => {
    await callAs(key)
    expect([...keys.counts.keys()].join()).toMatch(/^[0-9a-f]{16}$/)
  })

  it('is no concern of preflights and of what is public', async () => {
    expect(await statusesOf(5, key, { path: '/health' })).toEqual(Array(5).fill(200))
    expect(await statusesOf(5, key, { method: 'OPTIONS' })).toEqual(Array(5).fill(204))
    expect([keys.counts.size, addresses.counts.size]).toEqual([0, 0])
  })
})

describe('the budget of an address', () => {
  it.each([
    ['a wrong key', WRONG_KEY, PATH, 'Missing, unknown, revoked or expired API key'],
    ['no key at an unknown path', '', '/api/unknown', 'Missing, unknown, revoked or expired API key'],
    ['a wrong admin token', 'wrong', '/admin/keys', 'Missing or wrong admin token or API key'],
  ])('is spent by %s', async (_, credential, path, message) => {
    for (const status of [401, 401, 401, 429]) {
      const answer = await callAs(credential, { path })
      await expectError(answer, status, status === 401 ? message : 'Too many requests')
      const limits = ['RateLimit-Policy', 'WWW-Authenticate', 'Retry-After'].map((name) =>
        answer.headers.get(name),
      )
      expect(limits).toEqual(['"address";q=3;w=60', ...(status === 401 ? ['Bearer', null] : [null, '60'])])
    }
  })

  it('is spent by the admin token that was published', async () => {
    const sent = { path: '/admin/keys', vars: { ADMIN_TOKEN: PUBLIC_TOKEN } }
    expect(await statusesOf(4, PUBLIC_TOKEN, sent)).toEqual([401, 401, 401, 429])
  })

  it('leaves a valid key and the admin token alone, and other addresses', async () => {
    expect(await statusesOf(1, key)).toEqual([200])
    expect(await statusesOf(5, WRONG_KEY)).toEqual([401, 401, 401, 429, 429])
    expect(await statusesOf(2, key)).toEqual([200, 200])
    expect(await statusesOf(3, ADMIN_TOKEN, { path: '/admin/keys' })).toEqual([200, 200, 200])
    expect(await statusesOf(1, WRONG_KEY, { from: '192.0.2.2' })).toEqual([401])
  })

  it.each([
    ['an IPv4 address', ['192.0.2.7'], '192.0.2.7'],
    [
      'the /64 of an IPv6 address',
      ['2001:db8:1:2:3:4:5:6', '2001:0DB8:1:2::1', '2001:db8:1:2::'],
      '2001:db8:1:2::/64',
    ],
    ['a short IPv6 address', ['2001:db8::1', '2001:db8:0:0:1::'], '2001:db8:0:0::/64'],
    ['the local IPv6 address', ['::1'], '0:0:0:0::/64'],
    [
      'an IPv4 address within IPv6',
      [
        '::ffff:192.0.2.7',
        '::FFFF:192.0.2.7',
        '::ffff:c000:207',
        '0:0:0:0:0:ffff:192.0.2.7',
        '0::0:ffff:C000:0207',
      ],
      '192.0.2.7',
    ],
    ['nothing, where there is none', [''], ''],
    ['what a caller sends that is no address', ['1::2:3:4:5:6:7:8:9'], '1::2:3:4:5:6:7:8:9'],
  ])('is that of %s', async (_, senders, spender) => {
    for (const from of senders) await callAs(WRONG_KEY, { from })
    expect(Object.fromEntries(addresses.counts)).toEqual({ [spender]: senders.length })
  })
})

/** Replies at `host`, to a valid key and to a wrong one: their statuses and limits. */
async function repliesAt(host: string, vars: Partial<Env>) {
  const replies: unknown[] = []
  for (const credential of [key, WRONG_KEY]) {
    const request = new Request(`http://${host}${PATH}`, { headers: bearer(credential) })
    const { status, headers } = await sendTo(
      { KEY_BUDGET: generous, ADDRESS_BUDGET: generous, ...vars },
      request,
    )
    replies.push([status, headers.get('RateLimit-Policy')])
  }
  return replies
}

const NONE = [
  [200, null],
  [401, null],
]
const DEFAULTS = [
  [200, '"key";q=1200;w=60'],
  [401, '"address";q=30;w=60'],
]

describe('a setting', () => {
  const settings = (value: string | undefined) => ({ CALLS_PER_KEY: value, FAILURES_PER_ADDRESS: value })

  it('without a number leaves the default in force', async () => {
    for (const host of ['estia.example', '192.168.1.5', 'localhost.example'])
      for (const value of ['', undefined, 'many', '0', '-1', 'OFF'])
        expect(await repliesAt(host, settings(value)), `${host} ${value}`).toEqual(DEFAULTS)
  })

  it.each(['localhost:8787', '127.0.0.1', '[::1]:9100'])('that is empty is no limit at %s', async (host) => {
    for (const value of ['', undefined]) expect(await repliesAt(host, settings(value))).toEqual(NONE)
    expect(await repliesAt(host, settings('many'))).toEqual(DEFAULTS)
  })
})

describe('a deployment', () => {
  it.each([
    ['without the bindings', { KEY_BUDGET: undefined, ADDRESS_BUDGET: undefined }],
    ['whose settings are off', { CALLS_PER_KEY: 'off', FAILURES_PER_ADDRESS: 'off' }],
  ])('%s has no budgets', async (_, changes) => {
    const vars = changes as Partial<Env>
    for (const [credential, status] of [
      [key, 200],
      [WRONG_KEY, 401],
    ] as const) {
      expect(await statusesOf(5, credential, { vars })).toEqual(Array(5).fill(status))
      expect((await callAs(credential, { vars })).headers.get('RateLimit-Policy')).toBe(null)
    }
  })

  it('whose limiter fails answers all the same, and says so in its log', async () => {
    const vars = { KEY_BUDGET: failing, ADDRESS_BUDGET: failing }
    log.length = 0
    expect((await callAs(key, { vars })).status).toBe(200)
    expect((await callAs(WRONG_KEY, { vars, from: '192.0.2.99' })).status).toBe(401)
    const errors = log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')
    expect(errors.map(({ budget, error }) => [budget, error])).toEqual([
      ['key', 'Error: no such namespace'],
      ['address', 'Error: no such namespace'],
    ])
    expect(log.join('\n')).not.toContain('192.0.2.99')
  })
})

describe('the platform', () => {
  it('counts by key and lets calls through again when the time is over', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    const vars = { KEY_BUDGET: env.BUDGET_OF_THREE }
    const other = await keyWith('languages:read')
    const seen = new Set<number>()
    // The period may end in between: then the first calls count again.
    for (let time = 0; time < 7 && !seen.has(429); time++) seen.add((await callAs(key, { vars })).status)
    expect(seen).toEqual(new Set([200, 429]))
    expect((await callAs(other, { vars })).status).toBe(200)
    await expect
      .poll(async () => (await callAs(key, { vars })).status, { timeout: 60_000, interval: 500 })
      .toBe(200)
  })
})

describe('the settings', () => {
  it('say what wrangler.toml has the platform count', async () => {
    const { default: text } = await import('../../../wrangler.toml?raw')
    const counted = [
      ...text.matchAll(
        /^name = "(\w+)"\nnamespace_id = "\d+"\nsimple = \{ limit = (\d+), period = (\d+) \}$/gm,
      ),
    ]
    const variable = (name: string) => new RegExp(`^${name} = "(\\d+)"$`, 'm').exec(text)?.[1]
    const declared = Object.values(RATE_LIMITS)
    expect(new Set(counted.map(([, ...limit]) => limit.join()))).toEqual(
      new Set(declared.map(({ binding, setting }) => `${binding},${variable(setting)},60`)),
    )
    expect(declared.map(({ setting, calls }) => [setting, String(calls)])).toEqual(
      declared.map(({ setting }) => [setting, variable(setting)]),
    )
    expect(counted.map(([, , limit]) => limit).join()).toBe('1200,6000,30,300,5,50,60,10,30')
  })

  it('of local work are no secrets of a deployment made by the button', async () => {
    const { default: text } = await import('../../../.dev.vars.example?raw')
    expect(text.match(/^[^#\n].*$/gm)).toEqual(['ADMIN_TOKEN=""'])
  })
})
