/** `/admin/trail`: what is entered beside the writes of records, who reads it how, and what is removed. */
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { purgeTrail } from '../../src/admin/trail/purge.ts'
import { createKey } from '../../src/http/caller/stored-keys.ts'
import { bearer, sendTo, silenceLog } from '../http/send.ts'
import {
  ADMIN_TOKEN,
  call,
  expectInvalid,
  get,
  importRecords,
  keyWith,
  ORIGIN,
  post,
  put,
  remove,
  websiteKey,
} from '../support/api.ts'
import { execute, selectAll } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { minimalListing } from '../support/factories/listing.ts'

beforeAll(seedAgency)
beforeEach(async () => {
  silenceLog()
  await execute('delete from trail')
  await execute('delete from trail_state')
})

interface Shown {
  method: string
  route: string
  resource: string | null
  record_id: string | null
  status: number
  count: number | null
}

/** What the trail has, oldest first. */
function entries(): Promise<Shown[]> {
  return selectAll<Shown & Record<string, unknown>>(
    'select method, route, resource, record_id, status, count from trail order by id',
  )
}

const entry = (method: string, route: string, resource: string, record_id: string | null = null) => ({
  method,
  route,
  resource,
  record_id,
  status: 200,
  count: null,
})

describe('calls that administer', () => {
  it('are one entry each, with what they are about', async () => {
    const { body: key } = await post('/admin/keys', { name: 'A', scopes: ['listings:read'] })
    await put(`/admin/keys/${key.data.id}`, { name: 'B' })
    await remove(`/admin/keys/${key.data.id}`)
    await get('/admin/keys')
    const { body: feed } = await post('/admin/feeds', { name: 'F', format: 'json' })
    await put(`/admin/feeds/${feed.data.id}`, { name: 'G' })
    await post(`/admin/feeds/${feed.data.id}/rotate`, undefined)
    await remove(`/admin/feeds/${feed.data.id}`)
    await remove('/admin/feeds/999')
    await post('/admin/keys', {})
    await get('/admin/export')
    expect(await entries()).toEqual([
      entry('POST', '/admin/keys', 'keys', key.data.id),
      entry('PUT', '/admin/keys/{id}', 'keys', key.data.id),
      entry('DELETE', '/admin/keys/{id}', 'keys', key.data.id),
      entry('POST', '/admin/feeds', 'feeds', String(feed.data.id)),
      entry('PUT', '/admin/feeds/{id}', 'feeds', String(feed.data.id)),
      entry('POST', '/admin/feeds/{id}/rotate', 'feeds', String(feed.data.id)),
      entry('DELETE', '/admin/feeds/{id}', 'feeds', String(feed.data.id)),
      entry('GET', '/admin/export', 'export'),
    ])
  })

  it('are entered even where records are not', async () => {
    const quiet = { RECORD_TRAIL: 'off' }
    const line = JSON.stringify({ entity: 'stores', data: { id: 7, name: 'Chania' } })
    const request = (path: string, body: string, token: string) =>
      new Request(ORIGIN + path, { method: 'POST', body, headers: bearer(token) })
    expect((await sendTo(quiet, request('/admin/import', line, ADMIN_TOKEN))).status).toBe(200)
    const key = await keyWith('*:write', '*:read')
    const sent = await sendTo(quiet, request('/api/listings', JSON.stringify(minimalListing), key))
    expect(sent.status).toBe(200)
    expect(await entries()).toEqual([entry('POST', '/admin/import', 'import')])
  })

  it('are part of the transaction of their write', async () => {
    const line = JSON.stringify({ entity: 'stores', data: { id: 8, name: 'Volos' } })
    await execute("create trigger trail_fails before insert on trail begin select raise(abort, 'full'); end")
    const request = new Request(`${ORIGIN}/admin/import`, {
      method: 'POST',
      body: line,
      headers: bearer(ADMIN_TOKEN),
    })
    const answer = await sendTo({}, request)
    await execute('drop trigger trail_fails')
    expect(await answer.json()).toEqual({
      status: 200,
      data: { accepted: 0, rejected: 1, errors: [expect.anything()], ignored: [] },
    })
    expect(await selectAll('select id from stores where id = 8')).toEqual([])
  })
})

describe('refused calls', () => {
  it('are an entry each without the scope, with who called', async () => {
    const { key, secret } = await createKey(env.API_KEYS, {
      name: 'Sync',
      scopes: ['offers:read'],
      expires: null,
    })
    await get('/api/listings/1', { key: secret })
    await get('/api/listings/1', { key: secret })
    const { body } = await get('/admin/trail')
    expect(body.data).toEqual([
      {
        id: expect.any(Number),
        date: expect.any(String),
        actor: { type: 'key', id: key.id, name: 'Sync' },
        address: null,
        method: 'GET',
        route: '/api/listings/{id}',
        resource: 'listings',
        record_id: null,
        version: null,
        status: 403,
        request_id: expect.any(String),
        changed: null,
        others: [],
      },
      expect.objectContaining({ status: 403 }),
    ])
  })

  it('are counted without a key, by network, route and minute, and so are those of visitors', async () => {
    for (const address of ['192.0.2.1', '192.0.2.9', '198.51.100.7'])
      await call('GET', '/api/listings/1', { key: null, headers: { 'CF-Connecting-IP': address } })
    await call('GET', '/api/nothing', { key: 'wrong', headers: { 'CF-Connecting-IP': '192.0.2.1' } })
    const key = await websiteKey()
    await get('/api/contacts', { key })
    await get('/api/contacts', { key })
    const rows = await selectAll('select address, route, status, count, actor_type from trail order by id')
    expect(rows).toEqual([
      { address: '192.0.2.0/24', route: '/api/listings/{id}', status: 401, count: 2, actor_type: null },
      { address: '198.51.100.0/24', route: '/api/listings/{id}', status: 401, count: 1, actor_type: null },
      { address: '192.0.2.0/24', route: '/api/*', status: 401, count: 1, actor_type: null },
      { address: '', route: '/api/contacts', status: 403, count: 2, actor_type: 'visitor' },
    ])
  })

  it('are counted in at most 1,000 entries a day', async () => {
    await execute(`insert into trail (date, address, route, status, count)
      select datetime('now', 'start of day'), value, '/', 401, 1
      from (with recursive n(value) as (select 1 union all select value + 1 from n where value < 1000) select * from n)`)
    await call('GET', '/api/listings/1', { key: null })
    expect(await selectAll('select count(*) as rows from trail')).toEqual([{ rows: 1000 }])
    await execute("update trail set date = datetime('now', '-1 day')")
    await call('GET', '/api/listings/1', { key: null })
    expect(await selectAll('select count(*) as rows from trail')).toEqual([{ rows: 1001 }])
  })
})

describe('GET /admin/trail', () => {
  it('enters neither its own reads nor writes that are repeated or change nothing', async () => {
    const headers = { 'Idempotency-Key': 'once' }
    await post('/api/listings', minimalListing, { headers })
    await post('/api/listings', minimalListing, { headers })
    await get('/admin/trail')
    await importRecords([])
    expect((await entries()).map(({ route }) => route)).toEqual(['/api/listings', '/admin/import'])
  })

  it('finds entries by each filter', async () => {
    const { key, secret } = await createKey(env.API_KEYS, {
      name: 'A',
      scopes: ['*:read', '*:write'],
      expires: null,
    })
    const { body } = await post('/api/listings', minimalListing, { key: secret })
    const id: number = body.created_id
    await put(`/api/listings/${id}`, { price: 1 })
    await importRecords([['stores', { id: 1, name: 'New' }]])
    await get('/api/expenses', { key: await keyWith('offers:read') })
    const found = async (search: string) => {
      const { body: page } = await get(`/admin/trail?${search}`)
      return page.data.map(
        ({ route, resource }: { route: string; resource: string }) => `${route} ${resource}`,
      )
    }
    const update = '/api/listings/{id} listings'
    const create = '/api/listings listings'
    const [line, file] = ['/admin/import stores', '/admin/import import']
    const refused = '/api/expenses expenses'
    expect(await found('')).toEqual([refused, file, line, update, create])
    expect(await found(`actor=${key.id}`)).toEqual([create])
    expect(await found('actor=token')).toEqual([file, line])
    expect(await found('actor=cron')).toEqual([])
    expect(await found('resource=listings')).toEqual([update, create])
    expect(await found(`resource=listings&record_id=${id}`)).toEqual([update, create])
    expect(await found(`resource=stores&record_id=1`)).toEqual([line])
    expect(await found('route=/admin/import')).toEqual([file, line])
    expect(await found('status=403')).toEqual([refused])
    expect(await found('date[min]=2100-01-01 00:00:00')).toEqual([])
    expect(await found('date[max]=2100-01-01 00:00:00&per_page=2&page=2')).toEqual([line, update])
    await expectInvalid(get('/admin/trail?status=x'), 'Invalid status: must be an integer')
  })
})

describe('the daily removal', () => {
  it('removes what is old, but not of properties, offers and contracts', async () => {
    const rows = ['listings', 'external-listings', 'offers', 'contracts', 'contacts', 'keys', null]
    for (const [date, days] of [
      ['old', 731],
      ['new', 729],
    ] as const)
      for (const resource of rows)
        await execute(
          `insert into trail (date, resource, status, route) values (datetime('now', '-' || ? || ' days'), ?, 200, ?)`,
          days,
          resource,
          date,
        )
    expect(await purgeTrail(env, new Date(), 2)).toEqual({ removed: 3 })
    const left = await selectAll<{ resource: string | null; route: string }>(
      'select resource, route from trail order by id',
    )
    expect(left.map(({ resource, route }) => `${route} ${resource}`)).toEqual([
      ...rows.slice(0, 4).map((resource) => `old ${resource}`),
      ...rows.map((resource) => `new ${resource}`),
    ])
    await importRecords([['settings', { key: 'trail_days', value: 700 }]])
    expect(await purgeTrail(env)).toEqual({ removed: 3 })
    expect(await purgeTrail(env)).toEqual({ removed: 0 })
  })
})
