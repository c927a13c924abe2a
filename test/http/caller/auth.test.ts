import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { CALLER_LIMITS } from '../../../src/http/caller/limits.ts'
import { rateLimit } from '../../../src/http/caller/rate-limits.ts'
import { ADMIN_TOKEN, expectError, keyWith, post, remove } from '../../support/api.ts'
import { bearer, send, silenceLog } from '../send.ts'

const PATH = '/api/languages'
const basic = (text: string) => ({ Authorization: `Basic ${btoa(text)}` })
const status = async (headers: HeadersInit) => (await send('GET', PATH, { headers })).status

let key = ''

beforeAll(async () => {
  key = await keyWith('*:read')
})

describe('an API key', () => {
  it('is 192 random bits', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => keyWith('*:read')))
    for (const made of keys) expect(made).toMatch(/^estia_[0-9a-f]{48}$/)
    expect(new Set(keys).size).toBe(20)
  })

  it.each([
    ['as Bearer', () => bearer(key)],
    ['as bearer in lower case', () => ({ authorization: `bearer ${key}` })],
    ['with spaces around it', () => ({ Authorization: `Bearer   ${key} ` })],
    ['as X-API-Key', () => ({ 'X-API-Key': key })],
    ['as X-API-Key with spaces', () => ({ 'X-API-Key': `  ${key} ` })],
    ['as the password of Basic', () => basic(`me:${key}`)],
    ['as the password of Basic without a name', () => basic(`:${key}`)],
    ['as all that Basic holds', () => basic(key)],
    ['as X-API-Key beside a Basic of somebody else', () => ({ ...basic('proxy:secret'), 'X-API-Key': key })],
  ])('is taken %s', async (_, headers) => {
    expect(await status(headers())).toBe(200)
  })

  it.each([
    ['nowhere', () => ({})],
    ['empty', () => ({ Authorization: 'Bearer ' })],
    ['as X-API-Key, empty', () => ({ 'X-API-Key': '' })],
    ['without a scheme', () => ({ Authorization: key })],
    ['with another scheme', () => ({ Authorization: `Token ${key}` })],
    ['with more behind it', () => ({ Authorization: `Bearer ${key} ${key}` })],
    ['one digit short', () => bearer(key.slice(0, -1))],
    ['one digit long', () => bearer(`${key}0`)],
    ['in capitals', () => bearer(key.toUpperCase())],
    ['unknown', () => bearer(`estia_${'0'.repeat(48)}`)],
    ['as the name of Basic', () => basic(`${key}:`)],
    ['in a broken Basic', () => ({ Authorization: 'Basic %%%' })],
    ['in an empty Basic', () => basic('')],
    ['of any length', () => bearer('x'.repeat(5000))],
  ])('is refused %s', async (_, headers) => {
    const answer = await send('GET', PATH, { headers: headers() })
    await expectError(answer, 401, 'Missing, unknown, revoked or expired API key')
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
  })

  it('ends when it is revoked', async () => {
    const { body } = await post('/admin/keys', { name: 'gone', scopes: ['*:read'] })
    expect(await status(bearer(body.data.key))).toBe(200)
    expect((await remove(`/admin/keys/${body.data.id}`)).status).toBe(200)
    expect(await status(bearer(body.data.key))).toBe(401)
  })

  it('rests in KV as its SHA-256 only', async () => {
    const { body } = await post('/admin/keys', { name: 'website', scopes: ['listings:read'] })
    const secret: string = body.data.key
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
    const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
    const { id, name, scopes, expires, date_created } = body.data
    expect(await env.API_KEYS.get(hash, 'json')).toEqual({
      ...{ id, name, scopes, expires, date_created },
      user_id: null,
    })
    const { keys } = await env.API_KEYS.list()
    const values = await Promise.all(keys.map(async (entry) => [entry, await env.API_KEYS.get(entry.name)]))
    const stored = JSON.stringify(values)
    expect(stored).toContain(hash)
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain(secret.slice('estia_'.length))
  })
})

describe('the admin token', () => {
  const withToken = (token: string | undefined, headers: HeadersInit) =>
    send('GET', '/admin/keys', { headers }, { ADMIN_TOKEN: token })

  it('opens admin calls as Bearer only', async () => {
    expect((await withToken(ADMIN_TOKEN, bearer(ADMIN_TOKEN))).status).toBe(200)
    expect((await withToken(ADMIN_TOKEN, { 'X-API-Key': ADMIN_TOKEN })).status).toBe(401)
    expect((await withToken(ADMIN_TOKEN, basic(`:${ADMIN_TOKEN}`))).status).toBe(401)
  })

  it.each(['x', ADMIN_TOKEN.slice(0, -1), `${ADMIN_TOKEN}x`, ADMIN_TOKEN.toUpperCase(), 'undefined', 'null'])(
    'is not %s',
    async (token) => {
      expect((await withToken(ADMIN_TOKEN, bearer(token))).status).toBe(401)
    },
  )

  it.each([undefined, ''])('while it is %j, every admin call is 401', async (unset) => {
    for (const token of ['undefined', 'null', '""', ADMIN_TOKEN]) {
      const answer = await withToken(unset, bearer(token))
      expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer'])
    }
    expect((await withToken(unset, {})).status).toBe(401)
    expect((await withToken(unset, { Authorization: 'Bearer ' })).status).toBe(401)
  })

  it('is compared in constant time, as digests of one length', async () => {
    const compare = vi.spyOn(crypto.subtle, 'timingSafeEqual')
    await withToken(ADMIN_TOKEN, bearer('a'))
    await withToken(ADMIN_TOKEN, bearer('a'.repeat(1000)))
    await withToken(ADMIN_TOKEN, bearer(ADMIN_TOKEN))
    const sizes = compare.mock.calls.map((buffers) => buffers.map((buffer) => buffer.byteLength))
    expect(sizes).toEqual(Array(3).fill([32, 32]))
    compare.mockRestore()
  })
})

it('logs once that a rate limit has no number', () => {
  const lines = silenceLog()
  // No other test has a limit of that name, and each is reported once per isolate.
  const setting = 'CALLS_PER_TEST'
  const read = (host: string, value: string) =>
    rateLimit({ env: { ADDRESS_BUDGET: {}, [setting]: value }, req: { url: `http://${host}/` } } as never, {
      ...CALLER_LIMITS.address,
      setting: setting as never,
    })
  for (const value of ['5', 'off']) read('estia.example', value)
  read('localhost', '')
  expect(lines).toEqual([])
  for (const value of ['', '', 'many']) read('estia.example', value)
  const error = `${setting} has no number, so its default holds: 30. "off" is no limit`
  expect(lines).toEqual([JSON.stringify({ level: 'error', error })])
})
