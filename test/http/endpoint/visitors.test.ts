import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { routers } from '../../../src/app.ts'
import { websiteKey } from '../../support/api.ts'
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
beforeEach(() => {
  vi.restoreAllMocks()
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
      if (method !== 'HEAD') {
        expect(await reply.json()).toEqual({
          status: 403,
          error_message: expect.stringMatching(/^This API key lacks the scope [a-z*-]+:(read|write)$/),
        })
      }
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
