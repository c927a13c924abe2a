import { env } from 'cloudflare:workers'
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { ADMIN_SCOPES, RESOURCES } from '../../src/catalogue/scopes.ts'
import { bearer, endpoints, send } from '../http/send.ts'
import { MINIMAL } from '../resources/enquiries/seed.ts'
import {
  ADMIN_TOKEN,
  expectDone,
  expectError,
  expectInvalid,
  get,
  keyWith,
  post,
  put,
  remove,
} from '../support/api.ts'
import { execute, selectAll } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { DATE } from '../support/factories/dates.ts'
import { bindingWith } from '../support/storage.ts'

const scopeMessage = `must be <resource>:read, <resource>:write, *:read, *:write, listings:public, enquiries:create, ${ADMIN_SCOPES.slice(0, -1).join(', ')} or admin:stats`

const make = async (wanted: Record<string, unknown>) => (await post('/admin/keys', wanted)).body.data

const listed = async (id: string) =>
  (await get('/admin/keys')).body.data.find((entry: { id: string }) => entry.id === id)
const countKeys = async () => (await env.API_KEYS.list()).keys.length

/** What a key has that nothing more was said of. */
const FRESH = {
  id: expect.stringMatching(/^[0-9a-f]{16}$/),
  ...{ expires: null, user_id: null, date_created: DATE },
}
const website = { name: 'Website', scopes: ['listings:public'] }
const notOrigin = (index: number) =>
  `Invalid origins.${index}: must be http://host[:port] or https://host[:port], without a path`

describe('POST /admin/keys', () => {
  it('makes a key and shows it', async () => {
    const wanted = { name: 'Website', scopes: ['listings:read'] }
    const reply = await post('/admin/keys', wanted)
    const { key, ...made } = reply.body.data
    expect(made).toEqual({ ...wanted, ...FRESH })
    expect(key).toMatch(/^estia_[0-9a-f]{48}$/)
    expect(reply.headers.get('Cache-Control')).toBe('private, no-store')
    expect((await get('/api/listings', { key })).status).toBe(200)
  })
})

describe('a website key', () => {
  beforeAll(seedAgency)

  it('is publishable, and shown again', async () => {
    const wanted = { ...website, origins: ['https://a.example'] }
    const made = await make({ ...wanted, stores: [2, 1, 2] })
    const key = expect.stringMatching(/^estia_pub_[0-9a-f]{48}$/)
    expect(made).toEqual({ ...wanted, ...FRESH, publishable: true, stores: [2, 1], key })
    expect((await get('/admin/keys')).body.data).toContainEqual({ ...made, last_used: null })
  })

  it('is a secret of the server if it is not publishable', async () => {
    const { key, ...made } = await make({ ...website, publishable: false, stores: [1] })
    expect(key).toMatch(/^estia_[0-9a-f]{48}$/)
    expect(made).toMatchObject({ publishable: false, origins: null, stores: [1] })
    const { data } = (await get('/admin/keys')).body
    expect(data).toContainEqual({ ...made, last_used: null })
    expect(JSON.stringify(data)).not.toContain(key)
  })

  it.each([
    ['https://a.example', 'https://a.example'],
    ['HTTPS://A.Example', 'https://a.example'],
    ['https://a.example:443', 'https://a.example'],
    ['https://a.example:8443', 'https://a.example:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://σπίτια.example', 'https://xn--kxaex0aoi.example'],
    ['http://[0:0:0:0:0:0:0:1]:3000', 'http://[::1]:3000'],
  ])('stores the origin %s as browsers send it', async (origin, stored) => {
    expect((await make({ ...website, origins: [origin, stored] })).origins).toEqual([stored])
  })

  it('may change enquiries if it is secret', async () => {
    const scopes = ['listings:public', 'enquiries:write']
    const { key, ...made } = await make({ ...website, scopes, publishable: false })
    expect(made).toMatchObject({ scopes, publishable: false })
    const headers = bearer(key)
    const created = await send('POST', '/api/enquiries', { headers, body: JSON.stringify(MINIMAL) })
    expect(created.status).toBe(200)
    expect((await send('GET', '/api/enquiries/1', { headers })).status).toBe(403)
  })
})

describe('a key that cannot be', () => {
  beforeAll(seedAgency)

  it.each<[Record<string, unknown>, string]>([
    ...[
      'https://a.example/',
      'https://a.example,https://b.example',
      'https://me:secret@a.example',
      'https://a.example/search',
      'https://*.a.example',
      'ftp://a.example',
      '*',
    ].map((origin): [Record<string, unknown>, string] => [
      { ...website, origins: ['https://b.example', origin] },
      notOrigin(1),
    ]),
    [{ ...website, stores: [1, 99] }, 'Unknown stores 99'],
    [
      { name: 'x', scopes: ['listings:read', 'castles:read'] },
      `Invalid scopes: there is no castles; resources are ${RESOURCES.join(', ')}`,
    ],
    [{ name: 'x', scopes: ['*'] }, `Invalid scopes.0: ${scopeMessage}`],
    [{ name: 'x', scopes: ['listings:delete'] }, `Invalid scopes.0: ${scopeMessage}`],
    [{ name: 'x', scopes: ['*:read', 'x'] }, `Invalid scopes.1: ${scopeMessage}`],
    [
      { name: 'x', scopes: ['*:read'], expires: '2099-02-30 00:00:00' },
      'Invalid expires: must be a date-time, YYYY-MM-DD HH:MM:SS',
    ],
    [
      { ...website, scopes: ['listings:public', '*:read'] },
      'Invalid scopes: a key with listings:public or enquiries:create has no others',
    ],
    [
      { ...website, scopes: ['listings:public', 'enquiries:write'] },
      'Invalid scopes: a publishable key cannot have enquiries:write',
    ],
    [
      { ...website, scopes: ['enquiries:create', 'enquiries:read'], publishable: false },
      'Invalid scopes: a key with listings:public or enquiries:create has no others',
    ],
    [{ ...website, scopes: ['contacts:public'] }, `Invalid scopes.0: ${scopeMessage}`],
    [
      { ...website, publishable: false, origins: ['https://a.example'] },
      'Invalid origins: only a publishable key has them',
    ],
    [
      { name: 'x', scopes: ['*:read'], origins: ['https://a.example'] },
      'Invalid origins: only a publishable key has them',
    ],
    [
      { name: 'x', scopes: ['*:read'], stores: [1] },
      'Invalid stores: only a key with listings:public or enquiries:create has them',
    ],
    [
      { name: 'x', scopes: ['*:read'], publishable: true },
      'Invalid publishable: only a key with listings:public or enquiries:create can be',
    ],
  ])('%j is 400 and makes nothing', async (wanted, message) => {
    const before = await countKeys()
    await expectInvalid(post('/admin/keys', wanted), message)
    expect(await countKeys()).toBe(before)
  })
})

describe('PUT /admin/keys/{id}', () => {
  beforeAll(seedAgency)

  it('changes what is sent, one after the other', async () => {
    const made = await make({ name: 'Site', scopes: ['listings:public'], origins: ['https://a.example'] })
    const changes = [
      { name: 'Σελίδα' },
      { origins: ['https://b.example'] },
      { stores: [2] },
      { expires: '2099-01-01 00:00:00' },
      { origins: null, stores: [] },
      { origins: [], expires: null, stores: [1] },
      {},
    ]
    let expected = made
    for (const change of changes) {
      await expectDone(put(`/admin/keys/${made.id}`, change), { updated_id: made.id })
      const emptied = Object.entries(change).map(([name, value]) => [
        name,
        Array.isArray(value) && value.length === 0 ? null : value,
      ])
      expected = { ...expected, ...Object.fromEntries(emptied) }
      expect(await listed(made.id)).toEqual({ ...expected, last_used: null })
    }
    expect((await remove(`/admin/keys/${made.id}`)).status).toBe(200)
    expect((await env.API_KEYS.list({ prefix: made.id })).keys).toEqual([])
  })

  it('keeps what another change has stored, though KV shows for a while what it had before', async () => {
    const { key, ...made } = await make({ name: 'Site', scopes: ['listings:public'] })
    expect((await put(`/admin/keys/${made.id}`, { stores: [1] })).status).toBe(200)
    const changesOf = (secret: string) => `${createHash('sha256').update(secret).digest('hex')}:changes`
    const former = await env.API_KEYS.get(changesOf(key))
    const API_KEYS = bindingWith(env.API_KEYS, {
      get: async (names: string[], options: object) =>
        new Map([
          ...(await env.API_KEYS.get<object>(names, options as never)),
          [changesOf(key), JSON.parse(former ?? '')],
        ]),
    })
    const change = (body: object) => put(`/admin/keys/${made.id}`, body, { bindings: { API_KEYS } })
    const changes = [
      { name: 'Σελίδα' },
      { origins: ['https://b.example'] },
      { expires: '2099-01-01 00:00:00' },
    ]
    for (const body of changes) expect((await change(body)).status).toBe(200)
    // At the same moment, too.
    const stores = [{ stores: [2] }, { name: 'B' }]
    expect((await Promise.all(stores.map(change))).map(({ status }) => status)).toEqual([200, 200])
    const expected = { ...Object.assign({}, ...changes, ...stores), last_used: null }
    expect(await listed(made.id)).toEqual({ ...made, ...expected, key })
    expect((await remove(`/admin/keys/${made.id}`)).status).toBe(200)
    expect(await selectAll('select * from key_changes where id = ?', made.id)).toEqual([])
  })

  it('keeps what was changed of a key after D1 went back, if the guide is followed', async () => {
    const { key, ...made } = await make({ name: 'Report', scopes: ['*:read'] })
    await put(`/admin/keys/${made.id}`, { name: 'Reports' })
    const [before] = await selectAll<{ changes: string }>('select changes from key_changes')
    const expires = '2026-01-01 00:00:00'
    await put(`/admin/keys/${made.id}`, { expires })
    await execute('update key_changes set changes = ?', before?.changes)
    await execute('delete from key_changes')
    await put(`/admin/keys/${made.id}`, { name: 'Again' })
    expect(await listed(made.id)).toEqual({ ...made, name: 'Again', expires, last_used: null })
  })

  it.each<[Record<string, unknown>, Record<string, unknown>, string]>([
    [
      { scopes: ['*:read'] },
      { origins: ['https://a.example'] },
      'Invalid origins: only a publishable key has them',
    ],
    [
      { scopes: ['*:read'] },
      { stores: [1] },
      'Invalid stores: only a key with listings:public or enquiries:create has them',
    ],
    [{ scopes: ['listings:public'] }, { stores: [1, 99] }, 'Unknown stores 99'],
    [{ scopes: ['listings:public'] }, { name: ' ' }, 'Missing name'],
  ])('a key with %j refuses %j', async (wanted, change, message) => {
    const { key, ...made } = await make({ name: 'x', ...wanted })
    await expectInvalid(put(`/admin/keys/${made.id}`, change), message)
    expect(await listed(made.id)).toMatchObject(made)
  })
})

describe('GET /admin/keys', () => {
  it('lists every key without its secret', async () => {
    const { key, ...made } = await make({ name: 'Listed', scopes: ['*:read'] })
    const { status, body } = await get('/admin/keys')
    expect(status).toBe(200)
    expect(body.data).toContainEqual({ ...made, last_used: null })
    expect(JSON.stringify(body)).not.toContain(key)
    expect(JSON.stringify(body)).not.toMatch(/estia_(?!pub_)/)
  })

  it('lists more than one page of the store', async () => {
    const before = (await get('/admin/keys')).body.data.length
    for (let made = 0; made < 250; made += 50) {
      await Promise.all(Array.from({ length: 50 }, () => keyWith('*:read')))
    }
    const { data } = (await get('/admin/keys')).body
    expect(data).toHaveLength(before + 250)
    expect(new Set(data.map(({ id }: { id: string }) => id)).size).toBe(before + 250)
    const dates: string[] = data.map(({ date_created }: { date_created: string }) => date_created)
    expect(dates).toEqual(dates.toSorted((a, b) => a.localeCompare(b)))
  })
})

describe('DELETE /admin/keys/{id}', () => {
  it('revokes one key', async () => {
    const [gone, kept] = await Promise.all(['a', 'b'].map((name) => make({ name, scopes: ['*:read'] })))
    await expectDone(remove(`/admin/keys/${gone.id}`), { deleted_id: gone.id })
    expect((await get('/api/listings', { key: gone.key })).status).toBe(401)
    expect((await get('/api/listings', { key: kept.key })).status).toBe(200)
    expect((await remove(`/admin/keys/${gone.id}`)).status).toBe(404)
  })

  it('revokes no key of administration by another key while KV does not show what it lists', async () => {
    const { id, key } = await make({ name: 'a', scopes: ['admin:export'] })
    const API_KEYS = bindingWith(env.API_KEYS, {
      get: async (names: string[], options: object) => {
        const found = await env.API_KEYS.get<object>(names, options as never)
        return new Map([...found].map(([one, value]) => [one, one.startsWith(id) ? null : value]))
      },
    })
    const revoke = (key: string) => remove(`/admin/keys/${id}`, { key, bindings: { API_KEYS } })
    await expectError(revoke(await keyWith('admin:keys')), 404, 'Key not found')
    expect((await get('/admin/self', { key })).status).toBe(200)
    expect((await revoke(ADMIN_TOKEN)).status).toBe(200)
    expect((await env.API_KEYS.list({ prefix: id })).keys).toEqual([])
  })
})

describe('the user of a key', () => {
  it('is shown, changes, and must exist', async () => {
    await seedAgency()
    const scopes = ['*:read', '*:write', 'users:read']
    const { id, key, user_id } = await make({ name: 'Anna', scopes, user_id: 2 })
    expect(user_id).toBe(2)
    expect((await get('/admin/self', { key })).body.data.user_id).toBe(2)
    for (const wrong of [
      post('/admin/keys', { name: 'x', scopes, user_id: 99 }),
      put(`/admin/keys/${id}`, { user_id: 99 }),
    ])
      await expectInvalid(wrong, 'Unknown user_id 99')
    await put(`/admin/keys/${id}`, { user_id: null })
    expect((await listed(id)).user_id).toBeNull()
    expect((await get('/admin/self', { key })).body.data.user_id).toBeNull()
  })

  it('is me in filters, and creates what names nobody', async () => {
    await seedAgency()
    const { key } = await make({ name: 'Anna', scopes: ['*:read', '*:write'], user_id: 2 })
    const { body } = await post('/api/contacts', { first_name: 'A' }, { key })
    expect((await get(`/api/contacts/${body.created_id}`, { key })).body.data.created_by).toBe(2)
    await execute('insert into contact_users (contact_id, user_id, position) values (1, 2, 0)')
    for (const path of [
      '/api/requests?user_id=me',
      '/api/offers?created_by=me',
      '/api/listings?users=me',
      '/api/listings?users[]=me&users[]=3',
      '/api/external-listings?users=me',
      '/api/expenses?partner_id=me',
    ]) {
      const [, name = ''] = /\?(\w+)/.exec(path) ?? []
      const nobody = 'me is the user behind the key or the person who calls, and there is none'
      await expectInvalid(get(path), `Invalid ${name}: ${nobody}`)
      expect([path, (await get(path, { key })).status]).toEqual([path, 200])
    }
    await expectInvalid(get('/api/requests?user_id=you'), 'Invalid user_id: must be an integer')
  })

  it('may be named in every filter of users', () => {
    const filters = endpoints.flatMap(({ path, contract: { filters, list } }) =>
      list
        ? Object.entries(filters?.shape ?? {}).map(([name, schema]) => [`${path} ${name}`, schema] as const)
        : [],
    )
    const ofUsers = filters.filter(([name]) => / (user_id|users|created_by|partner_id)$/.test(name))
    expect(ofUsers.length).toBeGreaterThan(4)
    const taken = ofUsers.filter(([, schema]) => {
      const { error } = (schema as unknown as z.ZodType).safeParse('me')
      return !error?.issues[0]?.message.startsWith('me is ')
    })
    expect(taken.map(([name]) => name)).toEqual([])
  })
})
