/** Keys that administer, and what a call may know of itself. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { app } from '../../src/app.ts'
import type { ApiKey } from '../../src/http/context.ts'
import { bearer, send } from '../http/send.ts'
import {
  expectData,
  expectError,
  get,
  importRecords,
  keyWith,
  ORIGIN,
  post,
  put,
  remove,
  websiteKey,
} from '../support/api.ts'
import { CountingLimit } from '../support/counting-limit.ts'
import { execute } from '../support/database.ts'
import { bindingWith } from '../support/storage.ts'

const ONLY_TOKEN = 'Only ADMIN_TOKEN may make, change or revoke a key with an admin scope'

describe('GET /admin/self', () => {
  it('says what the admin token may do', async () => {
    await expectData(get('/admin/self'), {
      type: 'token',
      id: null,
      name: 'ADMIN_TOKEN',
      scopes: ['admin:*'],
      expires: null,
      user_id: null,
      time_zone: 'Europe/Athens',
    })
    await importRecords([['settings', { key: 'time_zone', value: 'Asia/Nicosia' }]])
    expect((await get('/admin/self')).body.data.time_zone).toBe('Asia/Nicosia')
    await execute(`delete from settings where key = 'time_zone'`)
  })

  it.each([
    [['admin:export', 'listings:read'], '2099-01-01 00:00:00'],
    [['users:read'], null],
    [['listings:public'], null],
  ])('says what a key with %j may do', async (scopes, expires) => {
    const { body } = await post('/admin/keys', { name: 'Backup', scopes, expires })
    const { id, key } = body.data
    const named = {
      type: 'key',
      id,
      name: 'Backup',
      scopes,
      expires,
      user_id: null,
      time_zone: 'Europe/Athens',
    }
    await expectData(get('/admin/self', { key }), named)
  })

  it('is refused to pages of other sites than those of a key', async () => {
    const key = await websiteKey({ origins: ['https://www.agency.example'] })
    const headers = { Origin: 'https://evil.example' }
    await expectError(get('/admin/self', { key, headers }), 403, 'Origin not allowed')
    expect(
      (await get('/admin/self', { key, headers: { Origin: 'https://www.agency.example' } })).status,
    ).toBe(200)
  })
})

describe('a key that administers', () => {
  it('is made by the admin token alone', async () => {
    const wanted = { name: 'x', scopes: ['admin:export', 'listings:read'] }
    const keys = await keyWith('admin:keys', '*:read', '*:write')
    await expectError(post('/admin/keys', wanted, { key: keys }), 403, ONLY_TOKEN)
    const { status, body } = await post('/admin/keys', wanted)
    expect([status, body.data.scopes]).toEqual([200, wanted.scopes])
    const { id } = body.data
    await expectError(put(`/admin/keys/${id}`, { name: 'y' }, { key: keys }), 403, ONLY_TOKEN)
    await expectError(remove(`/admin/keys/${id}`, { key: keys }), 403, ONLY_TOKEN)
    await expectError(
      put(`/admin/keys/${id}`, { name: 'y' }, { key: body.data.key }),
      403,
      'This API key lacks the scope admin:keys',
    )
    expect((await put(`/admin/keys/${id}`, { name: 'y' })).status).toBe(200)
    expect((await remove(`/admin/keys/${id}`)).status).toBe(200)
  })

  it('makes, changes and revokes other keys with admin:keys', async () => {
    const key = await keyWith('admin:keys')
    const { status, body } = await post('/admin/keys', { name: 'x', scopes: ['*:write'] }, { key })
    expect(status).toBe(200)
    expect((await put(`/admin/keys/${body.data.id}`, { name: 'y' }, { key })).status).toBe(200)
    expect((await remove(`/admin/keys/${body.data.id}`, { key })).status).toBe(200)
    await expectError(remove(`/admin/keys/${body.data.id}`, { key }), 404, 'Key not found')
  })

  it('ends with the admin token', async () => {
    const headers = bearer(await keyWith('admin:stats', 'admin:keys'))
    for (const ADMIN_TOKEN of ['', undefined]) {
      expect((await send('GET', '/admin/keys', { headers }, { ADMIN_TOKEN })).status).toBe(401)
    }
    expect((await send('GET', '/admin/keys', { headers })).status).toBe(200)
  })
})

describe('limits of admin calls', () => {
  it('count by key, and for the admin token', async () => {
    const KEY_BUDGET = new CountingLimit(2)
    const limits = { KEY_BUDGET, CALLS_PER_KEY: '2' }
    for (const caller of [await keyWith('admin:keys'), 'test-admin-token']) {
      const call = () => send('GET', '/admin/self', { headers: bearer(caller) }, limits)
      const first = await call()
      expect([first.status, first.headers.get('RateLimit-Policy')]).toEqual([200, '"key";q=2;w=60'])
      await call()
      await expectError(call(), 429, 'Too many requests')
    }
  })
})

describe('the last use of a key', () => {
  const HOUR = /^\d{4}-\d\d-\d\d \d\d:00:00$/
  const uses = async (id: string) =>
    (await get('/admin/keys')).body.data.find((one: { id: string }) => one.id === id)?.last_used
  const useIn = async (key: string, bindings: Env) => {
    const context = createExecutionContext()
    const request = new Request(`${ORIGIN}/api/languages`, { headers: bearer(key) })
    const { status } = await app.fetch(request, bindings, context)
    await waitOnExecutionContext(context)
    return status
  }

  it('is the hour, written once', async () => {
    const { id, key } = (await post('/admin/keys', { name: 'x', scopes: ['*:read'] })).body.data
    expect(await uses(id)).toBeNull()
    const put = vi.spyOn(env.API_KEYS, 'put')
    for (let count = 0; count < 3; count++) expect((await get('/api/languages', { key })).status).toBe(200)
    expect(await uses(id)).toMatch(HOUR)
    expect(put.mock.calls.map(([name]) => name)).toEqual([`${id}:used`])
    put.mockRestore()
    expect((await remove(`/admin/keys/${id}`)).status).toBe(200)
    expect((await env.API_KEYS.list({ prefix: id })).keys).toEqual([])
  })

  it('is written once by the isolates of a location, although KV shows for a while that it is not', async () => {
    const kept = new Map<string, Response>()
    vi.spyOn(caches.default, 'match').mockImplementation(async (url) => kept.get(String(url)))
    vi.spyOn(caches.default, 'put').mockImplementation(
      async (url, reply) => void kept.set(String(url), reply),
    )
    const put = vi.fn(async () => undefined)
    const API_KEYS = { get: async () => null, put } as unknown as KVNamespace
    for (let isolate = 0; isolate < 5; isolate++) {
      vi.resetModules()
      const { noteUse } = await import('../../src/http/caller/stored-keys.ts')
      const work: Promise<unknown>[] = []
      const executionCtx = { waitUntil: (promise: Promise<unknown>) => work.push(promise) }
      const c = { env: { API_KEYS }, req: { url: `${ORIGIN}/api/languages` }, executionCtx }
      noteUse(c as unknown as Parameters<typeof noteUse>[0], { id: '0123456789abcdef' } as ApiKey)
      await Promise.all(work)
    }
    expect(put).toHaveBeenCalledTimes(1)
  })

  it('does not fail a call when it cannot be written', async () => {
    const { key } = (await post('/admin/keys', { name: 'x', scopes: ['*:read'] })).body.data
    const API_KEYS = bindingWith(env.API_KEYS, { put: () => Promise.reject(new Error('KV is away')) })
    expect(await useIn(key, { ...env, API_KEYS })).toBe(200)
  })
})
