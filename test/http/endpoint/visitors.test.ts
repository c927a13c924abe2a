import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { routers, services } from '../../../src/app.ts'
import { createApp, Router, registerRoutes } from '../../../src/http/endpoint/router.ts'
import type { OpenReaders } from '../../../src/http/endpoint/visitors.ts'
import { notFound } from '../../../src/http/errors.ts'
import { pageBody, recordBody } from '../../../src/http/reply/envelope.ts'
import { pageFilters } from '../../../src/http/request/filters.ts'
import { expectData, expectDone, expectError, ORIGIN, websiteKey } from '../../support/api.ts'
import { bearer, endpoints, fill, send } from '../send.ts'

/** What website keys reach, with the methods. */
const REACHED = [
  'GET /api/enumerations',
  'GET /api/languages',
  'GET /api/listings',
  'GET /api/listings/facets',
  'GET /api/listings/features',
  'GET /api/listings/map',
  'GET /api/listings/subtypes',
  'GET /api/listings/{id}',
  'GET /api/locations',
  'GET /api/stores',
  'POST /api/enquiries',
]

let keys: string[] = []

beforeAll(async () => {
  keys = [await websiteKey(), await websiteKey({ publishable: false })]
})

describe('a website key', () => {
  it('reaches the endpoints for visitors', async () => {
    const declared = routers.flatMap((router) => router.visitorEndpoints)
    const names = declared.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    expect(names.toSorted()).toEqual(REACHED)
    for (const key of keys) {
      for (const { method, path } of declared) {
        // It has a scope of its own.
        if (method === 'post') continue
        // There is no listing yet.
        const status = path.includes('{') ? 404 : 200
        expect((await send('GET', fill(path), { headers: bearer(key) })).status, path).toBe(status)
        expect((await send('HEAD', `${fill(path)}/`, { headers: bearer(key) })).status, path).toBe(status)
      }
    }
  })

  const others = endpoints
    .filter(({ audience }) => audience === 'api')
    .flatMap(({ method, path, contract }) =>
      (contract.list ? ['GET', 'HEAD', 'QUERY'] : method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])
        .filter((name) => !REACHED.includes(`${name === 'HEAD' || name === 'QUERY' ? 'GET' : name} ${path}`))
        .map((name) => [name, path] as const),
    )

  it('finds others', () => {
    expect(others.length).toBeGreaterThan(60)
  })

  it.each(others)('gets 403 for %s %s, and nothing is read or written', async (method, path) => {
    const batch = vi.spyOn(env.DB, 'withSession')
    for (const key of keys) {
      const body = /POST|PUT|QUERY/.test(method) ? '{"name": "x"' : null
      const reply = await send(method, fill(path), { headers: bearer(key), body })
      expect(reply.status).toBe(403)
      const message = expect.stringMatching(/^This API key lacks the scope [a-z*-]+:(read|write)$/)
      if (method !== 'HEAD') await expectError(reply, 403, message)
      expect(reply.headers.get('X-D1-Bookmark')).toBe(null)
    }
    expect(batch).not.toHaveBeenCalled()
  })

  it.each([
    ['GET', '/api/nowhere', 404],
    ['GET', '/api/listings/features/x/y', 404],
    ['DELETE', '/api/nowhere', 404],
    ['POST', '/api/stores', 405],
    ['QUERY', '/api/stores', 405],
    ['DELETE', '/api/listings/features', 405],
    ['PATCH', '/api/listings', 405],
    ['GET', '/admin/keys', 403],
    ['GET', '/admin/export', 403],
  ])('%s %s is %i, as for any key', async (method, path, status) => {
    for (const key of keys) {
      expect((await send(method, path, { headers: bearer(key) })).status).toBe(status)
    }
  })
})

describe('an endpoint for visitors', () => {
  interface Readers {
    find: (id: number) => Promise<unknown>
    limits: unknown
  }
  const open = vi.fn<OpenReaders<Readers>>((bindings, access) => ({
    find: async (id) => {
      const { results } = await bindings.DB.prepare('select ? as id').bind(id).all()
      return id < 50 ? results[0] : null
    },
    limits: access,
  }))
  const house = z.object({ id: z.int() }).meta({ id: 'House' })
  const houses = new Router('Houses', 'For this file.')
  const filters = z.object({ page: pageFilters.page, colour: z.string().nullish() })
  const ordinary = vi.fn(() => new Response())
  houses.get('/api/houses', { summary: 'All', filters, list: true, reply: pageBody(house) }, ordinary)
  houses.get('/api/houses/{id}', { summary: 'One', resource: 'House', reply: recordBody(house) }, ordinary)
  const visitors = houses.forVisitors(['listings:public'], open)
  visitors.get('/api/houses', { filters, reply: pageBody(house) }, (visit) => {
    const { page, colour } = visit.filters().complete()
    const rows = [{ colour, link: visit.url('x'), limits: visit.readers.limits }]
    return { page: page ?? 1, total: 150, rows }
  })
  visitors.get('/api/houses/{id}', { resource: 'House', reply: recordBody(house) }, async (visit) => {
    const found = await visit.readers.find(visit.id())
    if (!found) throw notFound('House')
    return { ...found, params: visit.params(), keys: Object.keys(visit) }
  })
  const app = createApp()
  registerRoutes(app, [houses], services)

  const call = async (path: string, init: RequestInit = {}) => {
    const reply = await app.fetch(new Request(ORIGIN + path, init), env, createExecutionContext())
    return { status: reply.status, headers: reply.headers, body: await reply.json() }
  }

  it('gets what it needs to answer, and no bindings', async () => {
    await expectData(call('/api/houses/07', { headers: bearer(keys[0] ?? '') }), {
      id: 7,
      params: { id: 7 },
      keys: ['readers', 'url', 'accept', 'filters', 'id', 'params', 'replyWithDocument'],
    })
    expect(Object.keys(open.mock.lastCall?.[0] ?? {})).toEqual(['DB'])
    expect(ordinary).not.toHaveBeenCalled()
  })

  it('opens its readers with the stores of the key, and links to pages without the key', async () => {
    const key = await websiteKey({ stores: [1, 2] })
    const init = { method: 'QUERY', body: '{"colour": "red"}' }
    const reply = await call(`/api/houses?page=2&key=${key}`, init)
    await expectDone(reply, {
      ...{ page: 2, total_pages: 3, results_per_page: 50, total_results: 150 },
      data: [{ colour: 'red', link: `${ORIGIN}/x`, limits: { stores: [1, 2] } }],
    })
    expect(reply.headers.get('Link')).toBe(
      `<${ORIGIN}/api/houses?colour=red&page=1>; rel="prev", <${ORIGIN}/api/houses?colour=red&page=3>; rel="next"`,
    )
    expect(reply.headers.get('X-Ignored-Fields')).toBe(null)
  })

  it('needs an ordinary endpoint beside it', () => {
    const alone = new Router('Alone', 'For this test.')
    alone.forVisitors(['listings:public'], open).get('/api/castles', { reply: recordBody(house) }, () => [])
    expect(() => registerRoutes(createApp(), [alone], services)).toThrow('/api/castles')
  })
})
