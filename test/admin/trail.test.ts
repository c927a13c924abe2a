/** `/admin/trail`: what is entered beside the writes of records, who reads it how, and what is removed. */
import { env } from 'cloudflare:workers'
import { createHash } from 'node:crypto'
import { paint, RED, toPng } from '@estia/photo-codec/testing'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ONLY_TOKEN } from '../../src/admin/keys/rules.ts'
import { purgeTrail } from '../../src/admin/trail/purge.ts'
import { routers } from '../../src/app.ts'
import { RECORD_RESOURCES } from '../../src/catalogue/resources.ts'
import { createKey } from '../../src/http/caller/stored-keys.ts'
import {
  call,
  expectError,
  expectInvalid,
  get,
  importRecords,
  keyWith,
  post,
  put,
  remove,
  websiteKey,
} from '../support/api.ts'
import { everyTable, execute, selectAll } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { minimalListing } from '../support/factories/listing.ts'
import { RECORDS } from '../support/factories/samples.ts'

beforeAll(seedAgency)
beforeEach(async () => {
  await execute('delete from trail')
  await execute('delete from trail_state')
})

const idOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 16)

interface Shown {
  method: string
  route: string
  resource: string | null
  record_id: string | null
  status: number
  count: number | null
}

/** What the trail has, oldest first. */
function entries(where = ''): Promise<Shown[]> {
  return selectAll<Shown & Record<string, unknown>>(
    `select method, route, resource, record_id, status, count from trail ${where} order by id`,
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

/** Each call that administers, with a body that it takes, in this order; `{id}` is what the last POST has made. */
const CALLS: [endpoint: string, body?: unknown][] = [
  ['POST /admin/keys', { name: 'A', scopes: ['listings:read'] }],
  ['PUT /admin/keys/{id}', { name: 'B' }],
  ['DELETE /admin/keys/{id}'],
  ['POST /admin/webhooks', { url: 'https://crm.invalid/hook' }],
  ['PUT /admin/webhooks/{id}', { description: 'CRM' }],
  ['POST /admin/webhooks/{id}/test'],
  ['POST /admin/webhooks/{id}/rotate'],
  ['DELETE /admin/webhooks/{id}'],
  ['POST /admin/feeds', { name: 'F', format: 'json' }],
  ['PUT /admin/feeds/{id}', { name: 'G' }],
  ['POST /admin/feeds/{id}/rotate'],
  ['DELETE /admin/feeds/{id}'],
  ['POST /admin/calendars', { user_id: 1 }],
  ['PUT /admin/calendars/{id}', { tasks: true }],
  ['POST /admin/calendars/{id}/rotate'],
  ['DELETE /admin/calendars/{id}'],
  ['POST /admin/import', ''],
  ['GET /admin/export'],
  ['PUT /admin/stores/{id}/watermark', toPng(paint(4, 4, () => RED))],
  ['DELETE /admin/stores/{id}/watermark'],
  ['PUT /admin/knowledge-base/files/{id}', new Uint8Array([1, 2, 3])],
  ['POST /admin/contacts/{id}/hold', { reason: 'A lawsuit' }],
  ['DELETE /admin/contacts/{id}/hold'],
  ['GET /admin/contacts/{id}/person'],
  ['POST /admin/contacts/{id}/erase', { reason: 'Asked for it' }],
]

/** Calls that the tests of `backups/` try, with a bucket for backups or in an empty service. */
const ELSEWHERE = [
  // test/admin/definitions.test.ts
  'POST /admin/definitions/{entity}',
  'PUT /admin/definitions/{entity}/{id}',
  'DELETE /admin/definitions/{entity}/{id}',
  'PUT /admin/settings',
  'POST /admin/backups/erased',
  'GET /admin/backups/{id}/files/{file}',
  'POST /admin/backups/{id}/tried',
  'PUT /admin/restore',
  'DELETE /admin/restore',
]

/** What calls are about that make nothing, by what their paths contain. */
const ABOUT = { watermark: '1', files: '50', contacts: '2' }

/** What D1, KV and R2 hold. */
async function everythingStored() {
  const rows = await everyTable()
  const [keys, files] = [await env.API_KEYS.list(), await env.PHOTOS.list()]
  const values = await Promise.all(keys.keys.map(async ({ name }) => [name, await env.API_KEYS.get(name)]))
  const objects = files.objects.map(({ key, etag }) => [key, etag])
  return { rows, values, objects }
}

describe('calls that administer', () => {
  beforeAll(() => importRecords(RECORDS.filter(([entity]) => entity.startsWith('knowledge_base'))))

  it('are all tried here', () => {
    const declared = routers
      .flatMap(({ endpoints }) => endpoints)
      .filter(
        ({ audience, method, contract }) =>
          audience === 'admin' && (method !== 'get' || contract.readsInBulk),
      )
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    expect(new Set([...CALLS.map(([endpoint]) => endpoint), ...ELSEWHERE])).toEqual(new Set(declared))
  })

  it('are one entry each, with what they are about, and do nothing where they cannot be entered', async () => {
    const failure = 'The call cannot be entered in the trail, so nothing was done; try again'
    let made = ''
    for (const [endpoint, body] of CALLS) {
      const [method = '', route = ''] = endpoint.split(' ')
      made = Object.entries(ABOUT).find(([part]) => route.includes(part))?.[1] ?? made
      const send = () => call(method, route.replace('{id}', made), { body })
      await execute('delete from trail')
      const before = await everythingStored()
      await execute(
        "create trigger trail_fails before insert on trail begin select raise(abort, 'full'); end",
      )
      const refused = await send()
      await execute('drop trigger trail_fails')
      await expectError(refused, 503, failure)
      expect([endpoint, refused.headers.get('Retry-After')]).toEqual([endpoint, '1'])
      expect({ endpoint, stored: await everythingStored() }).toEqual({ endpoint, stored: before })
      const reply = await send()
      expect({ endpoint, status: reply.status }).toEqual({ endpoint, status: 200 })
      if (method === 'POST' && !route.includes('{id}')) made = String(reply.body.data.id)
      const [, , resource = ''] = route.split('/')
      const about = /import|export/.test(route) ? null : made
      // Records that it writes have entries of their own.
      const ofCall = await entries('where others is null')
      expect({ endpoint, ofCall }).toEqual({ endpoint, ofCall: [entry(method, route, resource, about)] })
    }
  })

  it('are not entered if they fail, or only read', async () => {
    await get('/admin/keys')
    await post('/admin/keys', {})
    await remove('/admin/feeds/999')
    await remove('/admin/stores/999/watermark')
    await remove('/admin/webhooks/999')
    await call('PUT', '/admin/knowledge-base/files/999', { body: 'x' })
    expect(await entries()).toEqual([])
  })

  it('are entered even where records are not', async () => {
    const quiet = { RECORD_TRAIL: 'off' }
    const line = JSON.stringify({ entity: 'stores', data: { id: 7, name: 'Chania' } })
    expect((await post('/admin/import', line, { bindings: quiet })).status).toBe(200)
    expect((await post('/api/listings', minimalListing, { bindings: quiet })).status).toBe(200)
    expect(await entries()).toEqual([entry('POST', '/admin/import', 'import')])
  })

  it('keep the status 0 where they are cut off or their end cannot be noted, and their own otherwise', async () => {
    const failing = "before update on trail begin select raise(abort, 'full'); end"
    await execute(`create trigger trail_fails ${failing}`)
    const { status } = await post('/admin/feeds', { name: 'F', format: 'json' })
    await execute('drop trigger trail_fails')
    expect(status).toBe(200)
    const put = vi.spyOn(env.API_KEYS, 'put').mockRejectedValue(new Error('KV is away'))
    expect((await post('/admin/keys', { name: 'A', scopes: ['*:read'] })).status).toBe(500)
    put.mockRestore()
    const [feeds, keys] = [entry('POST', '/admin/feeds', 'feeds'), entry('POST', '/admin/keys', 'keys')]
    expect(await entries()).toEqual([
      { ...feeds, status: 0 },
      { ...keys, status: 500 },
    ])
    const { body } = await get('/admin/trail?status=0')
    expect(body.data).toMatchObject([{ status: 0, resource: 'feeds', record_id: null }])
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

  it('are at most 100 entries a day and caller, the last of which counts all further ones', async () => {
    vi.useFakeTimers({ now: new Date('2031-05-05 10:00:00Z'), toFake: ['Date'] })
    const [key, other] = [await keyWith('offers:read', 'admin:keys'), await keyWith('offers:read')]
    const grant = { name: 'x', scopes: ['admin:export'] }
    const rows = () =>
      selectAll(`select actor_id as actor, count(*) as entries, count(request_id) as calls, max(count) as more,
        sum(count is not null and coalesce(method, route, resource, address, request_id) is null) as counting
        from trail group by date(date), actor_id order by min(id)`)
    for (let calls = 0; calls < 120; calls += 3) {
      vi.setSystemTime(Date.now() + 60_000)
      await get('/api/contacts', { key })
      await get('/api/listings/1', { key })
      // What a call refuses that has entered itself counts, too.
      await expectError(post('/admin/keys', grant, { key }), 403, ONLY_TOKEN)
    }
    await get('/api/contacts', { key: other })
    const full = { actor: idOf(key), entries: 100, calls: 99, more: 21, counting: 1 }
    const single = { entries: 1, calls: 1, more: null, counting: 0 }
    expect(await rows()).toEqual([full, { actor: idOf(other), ...single }])
    vi.setSystemTime(Date.now() + 24 * 3_600_000)
    await get('/api/contacts', { key })
    expect(await rows()).toEqual([full, { actor: idOf(other), ...single }, { actor: idOf(key), ...single }])
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
    const tomorrow = new Date(Date.now() + 24 * 3600 * 1000)
    vi.useFakeTimers({ now: tomorrow, toFake: ['Date'] })
    await execute(
      `insert into trail (date, address, route, status, count) select ?, value, '/', 401, 1
      from (with recursive n(value) as (select 1 union all select value + 1 from n where value < 999) select * from n)`,
      `${tomorrow.toISOString().slice(0, 10)} 00:00:00`,
    )
    const refused = (path: string) => call('GET', path, { key: null })
    const rows = () => selectAll('select count(*) as rows, sum(count) as calls from trail')
    await refused('/api/listings/1')
    await refused('/api/listings/1')
    expect(await rows()).toEqual([{ rows: 1000, calls: 1001 }])
    await refused('/api/contacts/1')
    await refused('/api/listings/1')
    expect(await rows()).toEqual([{ rows: 1000, calls: 1001 }])
    // Those of visitors count by themselves.
    await get('/api/contacts', { key: await websiteKey() })
    expect(await rows()).toEqual([{ rows: 1001, calls: 1002 }])
    vi.setSystemTime(tomorrow.getTime() + 24 * 3600 * 1000)
    await refused('/api/listings/1')
    vi.useRealTimers()
    expect(await rows()).toEqual([{ rows: 1002, calls: 1003 }])
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
    expect(await found('')).toEqual([refused, line, file, update, create])
    expect(await found(`actor=${key.id}`)).toEqual([create])
    expect(await found('actor=token')).toEqual([line, file])
    expect(await found('actor=cron')).toEqual([])
    expect(await found('resource=listings')).toEqual([update, create])
    expect(await found(`resource=listings&record_id=${id}`)).toEqual([update, create])
    expect(await found(`resource=stores&record_id=1`)).toEqual([line])
    expect(await found('route=/admin/import')).toEqual([line, file])
    expect(await found('status=403')).toEqual([refused])
    expect(await found('date[min]=2100-01-01 00:00:00')).toEqual([])
    expect(await found('date[max]=2100-01-01 00:00:00&per_page=2&page=2')).toEqual([file, update])
    await expectInvalid(get('/admin/trail?status=x'), 'Invalid status: must be an integer')
  })
})

describe('entries of a record', () => {
  const fill = (resource: string, record: number, others: string | null) =>
    execute(
      `insert into trail (date, resource, record_id, others, status)
      select '2031-01-01 00:00:00', ?, ?, ?, 200
      from (with recursive n(value) as (select 1 union all select value + 1 from n where value < 1000) select * from n)`,
      ...[resource, String(record), others],
    )
  const left = (resource: string) =>
    selectAll(
      'select count(*) as entries, min(id) as oldest from trail where resource = ? and others is not null',
      resource,
    )

  it('are the newest 1,000, whatever the record is, and calls about it besides', async () => {
    const listing: number = (await post('/api/listings', minimalListing)).body.created_id
    await execute('delete from trail')
    await fill('listings', listing, null)
    await fill('listings', listing, '[]')
    await fill('listings', listing + 1, '[]')
    await fill('stores', 1, '[]')
    await execute('update listings set version = 1000 where id = ?', listing)
    for (const price of [1, 2, 3]) {
      expect((await put(`/api/listings/${listing}`, { price })).status).toBe(200)
      await importRecords([['stores', { id: 1, name: `Store ${price}` }]])
    }
    expect(await left('listings')).toEqual([{ entries: 2000, oldest: 1004 }])
    expect(await left('stores')).toEqual([{ entries: 1000, oldest: 3004 }])
    expect(await selectAll('select count(*) as calls from trail where id <= 1000')).toEqual([{ calls: 1000 }])
  })
})

describe('the daily removal', () => {
  it('removes what is old, but nothing of properties, offers and contracts', async () => {
    const kept = RECORD_RESOURCES.flatMap(({ resource, history }) => (history === 'kept' ? resource : []))
    const rows = [...kept.map((resource) => [resource, '[]']), ['contacts', '[]'], ['keys'], ['listings']]
    for (const [date, days] of [
      ['old', 731],
      ['new', 729],
    ] as const)
      for (const [resource, others = null] of rows)
        await execute(
          `insert into trail (date, resource, others, status, route)
          values (datetime('now', '-' || ? || ' days'), ?, ?, 200, ?)`,
          ...[days, resource, others, date],
        )
    expect(await purgeTrail(env, new Date(), 2)).toEqual({ removed: 3 })
    const left = await selectAll<{ resource: string | null; route: string }>(
      'select resource, route from trail order by id',
    )
    expect(left.map(({ resource, route }) => `${route} ${resource}`)).toEqual([
      ...kept.map((resource) => `old ${resource}`),
      ...rows.map(([resource]) => `new ${resource}`),
    ])
    await importRecords([['settings', { key: 'trail_days', value: 700 }]])
    expect(await purgeTrail(env)).toEqual({ removed: 3 })
    expect(await purgeTrail(env)).toEqual({ removed: 0 })
  })
})
