import { env } from 'cloudflare:workers'
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { KEY_LIFETIME, KV_LIFETIME } from '../../../src/http/caller/key-cache.ts'
import { createKey, revokeKey } from '../../../src/http/caller/stored-keys.ts'
import { rememberDigests } from '../../../src/http/digests.ts'
import { ADMIN_TOKEN } from '../../support/api.ts'
import { CountingLimit } from '../../support/counting-limit.ts'
import { bindingWith } from '../../support/storage.ts'
import { bearer, send } from '../send.ts'

const START = Date.parse('2030-01-01T00:00:00Z')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(START)
})

/** Moves the time to so long after the start of the test. */
const passTo = (ms: number) => vi.setSystemTime(START + ms)

/** A separate deployment on the same store. Records its reads of keys; `onGet` runs before each. */
function deployment(onGet: () => unknown = () => undefined) {
  const asked: unknown[][] = []
  const API_KEYS = bindingWith(env.API_KEYS, {
    get: async (...given: Parameters<KVNamespace['get']>) => {
      const answer: unknown = await env.API_KEYS.get(...given)
      if (Array.isArray(given[0])) {
        asked.push(given)
        await onGet()
      }
      return answer
    },
  })
  const status = async (secret: string) =>
    (await send('GET', '/api/languages', { headers: bearer(secret) }, { API_KEYS })).status
  return { API_KEYS, asked, status }
}

const makeKey = (expires: string | null = null) =>
  createKey(env.API_KEYS, { name: 'test', scopes: ['*:read'], expires })

/** A text that could be a key and is none. */
const stranger = (at: number) => `estia_${String(at).padStart(48, '0')}`

/** Revokes as another location would, unnoticed by this one. */
async function revokeElsewhere(id: string): Promise<void> {
  const { keys } = await env.API_KEYS.list({ prefix: id })
  await Promise.all(keys.map(({ name }) => env.API_KEYS.delete(name)))
}

describe('a key', () => {
  it('is looked up once in 30 seconds, from the copy that KV keeps as short as it can', async () => {
    const { asked, status } = deployment()
    const { secret } = await makeKey()
    for (let call = 0; call < 20; call++) expect(await status(secret)).toBe(200)
    passTo(29_999)
    expect(await status(secret)).toBe(200)
    const names = [expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}:changes$/)]
    expect(asked).toEqual([[names, { type: 'json', cacheTtl: 30 }]])
    passTo(30_000)
    expect(await status(secret)).toBe(200)
    expect(asked).toHaveLength(2)
  })

  it('a key revoked by another isolate is refused within a minute', async () => {
    // The copy of KV may be this old, and is cached for this long.
    expect(KV_LIFETIME * 1000 + KEY_LIFETIME).toBeLessThanOrEqual(60_000)
    const { status } = deployment()
    const { key, secret } = await makeKey()
    expect(await status(secret)).toBe(200)
    await revokeElsewhere(key.id)
    passTo(KEY_LIFETIME - 1)
    expect(await status(secret)).toBe(200)
    passTo(KEY_LIFETIME)
    expect(await status(secret)).toBe(401)
  })

  it('a key revoked by this isolate is refused at once', async () => {
    const { asked, status, API_KEYS } = deployment()
    const { key, secret } = await makeKey()
    expect(await status(secret)).toBe(200)
    const headers = bearer(ADMIN_TOKEN)
    expect((await send('DELETE', `/admin/keys/${key.id}`, { headers }, { API_KEYS })).status).toBe(200)
    expect(await status(secret)).toBe(401)
    // The second is that of the revocation.
    expect(asked).toHaveLength(2)
  })

  it('a key revoked during its lookup is refused, whatever KV holds', async () => {
    const { key, secret } = await makeKey()
    const { status, asked, API_KEYS } = deployment(() => asked.length === 1 && revokeKey(API_KEYS, key.id))
    expect(await status(secret)).toBe(401)
    expect(await status(secret)).toBe(401)
    expect(asked).toHaveLength(1)
  })

  it('a key is refused after its last second, cached or not', async () => {
    const { status } = deployment()
    const { secret } = await makeKey('2030-01-01 00:00:10')
    expect(await status(secret)).toBe(200)
    passTo(9_999)
    expect(await status(secret)).toBe(200)
    passTo(10_000)
    expect(await status(secret)).toBe(401)
  })

  it('is not remembered of a look-up that failed', async () => {
    const failures = [new Error('KV request failed: 500 Internal Server Error')]
    const { status } = deployment(() => {
      for (const failure of failures.splice(0)) throw failure
    })
    const { secret } = await makeKey()
    expect(await status(secret)).toBe(500)
    expect(await status(secret)).toBe(200)
  })
})

describe('a stranger', () => {
  it('pushes no key out, however many there are, and the last thousand are remembered', {
    tags: 'slow',
  }, async () => {
    const { asked, status } = deployment()
    const { secret } = await makeKey()
    expect(await status(secret)).toBe(200)
    for (let at = 0; at < 1001; at++) expect(await status(stranger(at))).toBe(401)
    expect(asked).toHaveLength(1002)
    expect(await status(secret)).toBe(200)
    expect(await status(stranger(1000))).toBe(401)
    expect(asked).toHaveLength(1002)
    expect(await status(stranger(0))).toBe(401)
    expect(asked).toHaveLength(1003)
  })
})

describe('a text that cannot be a key', () => {
  const hex = '0'.repeat(48)

  it.each([
    'nobody',
    'estia_',
    `estia_${hex.slice(1)}`,
    `estia_${hex}0`,
    `estia_pub_${hex.slice(1)}`,
    `estia_${hex.slice(1)}g`,
    `estia_${'A'.repeat(48)}`,
    `Estia_${hex}`,
    'x'.repeat(5000),
  ])('is not looked up: %.60s', async (text) => {
    const { asked, status, API_KEYS } = deployment()
    expect(await status(text)).toBe(401)
    const headers = { Origin: 'https://a.example' }
    for (const method of ['GET', 'OPTIONS'])
      await send(method, `/api/languages?key=${text}`, { headers }, { API_KEYS })
    expect(asked).toEqual([])
  })
})

describe('an address that has sent too many invalid keys', () => {
  /** A deployment whose address may fail twice until `reset` is called. */
  function limited() {
    const { asked, API_KEYS } = deployment()
    const vars = { API_KEYS, ADDRESS_BUDGET: new CountingLimit(2), FAILURES_PER_ADDRESS: '2' }
    const call = async (secret: string, path = '/api/languages', method = 'GET') => {
      const headers = path.includes('?') ? { Origin: 'https://a.example' } : bearer(secret)
      return (await send(method, path, { headers }, vars)).status
    }
    return { asked, call, reset: () => vars.ADDRESS_BUDGET.counts.clear() }
  }

  it('costs no read of KV with further ones, by whatever way they come', async () => {
    const { asked, call } = limited()
    for (const [at, status] of [401, 401, 429].entries()) expect(await call(stranger(at))).toBe(status)
    expect(asked).toHaveLength(3)
    for (let at = 4; at < 20; at++) expect(await call(stranger(at))).toBe(429)
    const inQuery = `/api/languages?key=estia_pub_${'1'.repeat(48)}`
    expect([await call('', inQuery), await call('', inQuery, 'OPTIONS')]).toEqual([429, 204])
    expect(await call('nobody')).toBe(429)
    expect(asked).toHaveLength(3)
  })

  it('keeps the keys that the isolate has seen, also when they are looked up again', async () => {
    const { asked, call } = limited()
    const { secret } = await makeKey()
    const { secret: unseen } = await makeKey()
    expect(await call(secret)).toBe(200)
    for (let at = 0; at < 3; at++) await call(stranger(at))
    expect(asked).toHaveLength(4)
    expect([await call(secret), await call(unseen)]).toEqual([200, 429])
    expect(asked).toHaveLength(4)
    passTo(KEY_LIFETIME)
    expect([await call(secret), await call(unseen)]).toEqual([200, 429])
    expect(asked).toHaveLength(5)
  })

  it('is remembered until a thousand others have done so', async () => {
    const { asked, API_KEYS } = deployment()
    const vars = {
      API_KEYS,
      ADDRESS_BUDGET: new CountingLimit(0),
      FAILURES_PER_ADDRESS: '1',
    }
    const callFrom = async (at: number, secret: string) => {
      const headers = { ...bearer(secret), 'CF-Connecting-IP': `192.0.${at >> 8}.${at & 255}` }
      return (await send('GET', '/api/languages', { headers }, vars)).status
    }
    for (let at = 0; at < 1001; at++) expect(await callFrom(at, stranger(0))).toBe(429)
    expect(asked).toHaveLength(1)
    expect([await callFrom(1, stranger(1)), asked.length]).toEqual([429, 1])
    expect([await callFrom(0, stranger(2)), asked.length]).toEqual([429, 2])
  })

  it('is heard again when the limiter lets it, and a minute later in any case', async () => {
    const { asked, call, reset } = limited()
    const { secret } = await makeKey()
    for (let at = 0; at < 3; at++) await call(stranger(at))
    expect(await call(secret)).toBe(429)
    reset()
    expect(await call(secret)).toBe(200)
    const other = limited()
    for (let at = 0; at < 3; at++) await other.call(stranger(at))
    const { secret: unseen } = await makeKey()
    passTo(60_000)
    expect(await other.call(unseen)).toBe(200)
    expect([asked, other.asked].map(({ length }) => length)).toEqual([4, 4])
  })
})

describe('the keys of two deployments', () => {
  it('are not mixed up', async () => {
    const { secret } = await makeKey()
    const empty = { get: () => Promise.resolve(new Map()) } as unknown as KVNamespace
    const headers = bearer(secret)
    expect(await deployment().status(secret)).toBe(200)
    expect((await send('GET', '/api/languages', { headers }, { API_KEYS: empty })).status).toBe(401)
  })
})

it('remembered digests are those of their own texts, however many texts there are', () => {
  const digestOf = rememberDigests(2)
  for (const text of ['a', 'b', 'a', 'c', 'd', 'a', '']) {
    expect(digestOf(text)).toBe(createHash('sha256').update(text).digest('hex'))
  }
})
