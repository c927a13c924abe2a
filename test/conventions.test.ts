import { beforeAll, describe, expect, it } from 'vitest'
import { RECORD_RESOURCES } from '../src/catalogue/resources.ts'
import { ADMIN_SCOPES, RESOURCES } from '../src/catalogue/scopes.ts'
import { needsKey } from '../src/http/areas.ts'
import type { Endpoint } from '../src/http/endpoint/contract.ts'
import { scopesOf } from '../src/http/endpoint/scopes.ts'
import { bearer, endpoints, fill, send } from './http/send.ts'
import { ADMIN_TOKEN, expectError as expectAnswer, keyWith, textOf, websiteKey } from './support/api.ts'

const name = ({ method, path }: Endpoint) => `${method.toUpperCase()} ${path}`
const named = (chosen: Endpoint[]) => chosen.map((endpoint) => [name(endpoint), endpoint] as const)
const inArea = (area: string) => endpoints.filter(({ path }) => path.startsWith(`/${area}/`))

const api = endpoints.filter(({ audience }) => audience === 'api')
const admin = inArea('admin')
const reads = endpoints.filter(({ method }) => method === 'get')
const apiReads = api.filter(({ method }) => method === 'get')
const writes = api.filter(({ method }) => method !== 'get')
/** Lists that may be read without a filter. */
const lists = endpoints.filter(
  ({ contract, path }) => contract.list && !path.includes('{') && path !== '/api/contacts/duplicates',
)
const withJson = endpoints.filter(({ contract }) => contract.body && !contract.bodyType)
const withId = endpoints.filter(({ path, contract }) => path.includes('{id}') && contract.resource)

let everything = ''

beforeAll(async () => {
  everything = await keyWith('*:read', '*:write')
})

/** Credentials for anything at `path`. */
function credentials(path: string): Record<string, string> {
  if (path.startsWith('/admin')) return bearer(ADMIN_TOKEN)
  return needsKey(`${path}/`) ? bearer(everything) : {}
}

/** Calls an endpoint with credentials. */
function callEndpoint({ method, path }: Endpoint, id: string | number = 1, init: RequestInit = {}) {
  const headers = { ...credentials(path), ...(init.headers as Record<string, string> | undefined) }
  return send(method.toUpperCase(), fill(path, id), { ...init, headers })
}

/** Expects an error in the envelope, and nothing beside it. */
async function expectError(
  answer: Response | Promise<Response>,
  status: number,
  message: string,
): Promise<Response> {
  const response = await answer
  await expectAnswer(response, status, message)
  expect(response.headers.get('Content-Type')).toBe('application/json')
  return response
}

/** Expects 413 for more than `limit` bytes: as declared, and as they come. */
async function expectTooLarge(sendWith: (init: RequestInit) => Promise<Response>, limit: number) {
  const message = `Body too large: at most ${limit} bytes are accepted`
  const declared = { body: '{}', headers: { 'Content-Length': String(limit + 1) } }
  await expectError(sendWith(declared), 413, message)
  let pulls = 0
  const chunked = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulls++
      controller.enqueue(new Uint8Array(limit / 4))
    },
  })
  await expectError(sendWith({ body: chunked }), 413, message)
  // It was not waited for: the stream has no end.
  expect(pulls).toBeLessThan(10)
}

/** Methods of an endpoint's path, as the Allow header lists them. */
function allowOf(path: string): string {
  const methods = endpoints
    .filter((endpoint) => endpoint.path === path)
    .flatMap(({ method, contract }) => {
      if (method !== 'get') return [method.toUpperCase()]
      return contract.list ? ['GET', 'HEAD', 'QUERY'] : ['GET', 'HEAD']
    })
  return [...methods, 'OPTIONS'].join(', ')
}

const paths = [...new Set(endpoints.map(({ path }) => path))]

describe('the documentation', () => {
  it('lists exactly the endpoints that are served', async () => {
    const { paths } = await (await send('GET', '/openapi.json')).json<{ paths: Record<string, object> }>()
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(new Set(documented)).toEqual(new Set(endpoints.map(name)))
  })
})

describe('authentication', () => {
  it('knows the resource of every scope', () => {
    const named = new Set(api.flatMap(scopesOf).map(({ resource }) => resource))
    expect([...named].toSorted()).toEqual([...RESOURCES])
  })

  it.each(named([...api, ...admin]))('%s answers 401 without credentials', async (_, { method, path }) => {
    const message = needsKey(path)
      ? 'Missing, unknown, revoked or expired API key'
      : 'Missing or wrong admin token or API key'
    const answer = await expectError(send(method.toUpperCase(), fill(path)), 401, message)
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
    expect(answer.headers.get('Cache-Control')).toBe('private, no-store')
  })

  it.each([
    ['GET', '/api'],
    ['GET', '/api/unknown'],
    ['GET', '/api/listings/1/unknown'],
    ['PATCH', '/api/listings'],
    ['GET', '/%61pi/listings'],
    ['POST', '/office/'],
    ['POST', '/office/offers/1/unknown'],
    ['GET', '/admin'],
    ['GET', '/admin/unknown'],
    ['PATCH', '/admin/keys'],
    ['QUERY', '/api/listings'],
  ])('comes before everything else: %s %s', async (method, path) => {
    const answer = await send(method, path, method === 'POST' ? { body: '{' } : {})
    expect(answer.status).toBe(401)
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
  })

  it.each(named(admin))('%s requires the scope that its contract names', async (_, endpoint) => {
    const { method, path, contract } = endpoint
    const scope = contract.scope ?? ''
    expect([path, scope]).toEqual([path, path === '/admin/self' ? '' : expect.toBeOneOf([...ADMIN_SCOPES])])
    const others = ADMIN_SCOPES.filter((one) => one !== scope)
    const call = async (...scopes: string[]) =>
      send(method.toUpperCase(), fill(path, '0000000000000000'), {
        headers: bearer(await keyWith(...scopes)),
      })
    if (scope)
      await expectError(call('*:read', '*:write', ...others), 403, `This API key lacks the scope ${scope}`)
    const { status } = await call(...(scope ? [scope] : ['users:read']))
    expect([401, 403, 500]).not.toContain(status)
  })

  it('keeps the admin token out of the API', async () => {
    const headers = bearer(ADMIN_TOKEN)
    const message = 'Missing, unknown, revoked or expired API key'
    await expectError(send('GET', '/api/listings', { headers }), 401, message)
  })
})

describe('unknown paths', () => {
  it.each([
    '/api',
    '/api/unknown',
    '/api/listings/1/photos/2/original',
    '/api//listings',
    '/office',
    '/office/listings',
    '/office/offers/1/unknown',
    '/API/listings',
    '/admin',
    '/admin/unknown',
    '/unknown',
    '/photos',
    '/photos/unknown',
    '/tours/unknown',
    '/api/%ff',
    '/%E0%A4%A',
  ])('%s is not found', async (path) => {
    for (const method of ['GET', 'QUERY']) {
      if (method === 'QUERY' && /^\/(photos|watermarks|tours)\/\w+$/.test(path)) continue
      await expectError(send(method, path, { headers: credentials(path) }), 404, 'Not found')
    }
  })
})

describe('methods', () => {
  it.each(paths)('%s answers 405 with Allow to any other', async (path) => {
    const allow = allowOf(path)
    const other = ['GET', 'QUERY', 'POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'].filter(
      (method) => !allow.split(', ').includes(method),
    )
    for (const method of other) {
      const answer = await expectError(
        send(method, fill(path), { headers: credentials(path) }),
        405,
        'Method not allowed',
      )
      expect(answer.headers.get('Allow'), method).toBe(allow)
    }
    if (!allow.includes('HEAD')) {
      const answer = await send('HEAD', fill(path), { headers: credentials(path) })
      expect([answer.status, await answer.text()]).toEqual([405, ''])
    }
  })

  it.each(named(reads))('%s has HEAD', async (_, endpoint) => {
    const headers = credentials(endpoint.path)
    const [got, head] = [await callEndpoint(endpoint), await send('HEAD', fill(endpoint.path), { headers })]
    expect(head.status).toBe(got.status)
    expect(await head.text()).toBe('')
    const shown = ['Content-Type', 'Cache-Control', 'X-Total-Count', 'Link', 'Access-Control-Allow-Origin']
    for (const name of shown) expect(head.headers.get(name), name).toBe(got.headers.get(name))
    await got.body?.cancel()
  })

  it.each(named(lists))('%s has QUERY', async (_, { path }) => {
    const headers = credentials(path)
    const byGet = await send('GET', path, { headers })
    const expected = { status: 200, body: await byGet.json() }
    for (const body of [undefined, '', '{}', ' {}\n', '{"page": null}', '\ufeff{}']) {
      const answer = await send('QUERY', path, { headers, ...(body === undefined ? {} : { body }) })
      expect({ status: answer.status, body: await answer.json() }, body).toEqual(expected)
    }
    for (const body of [' ', '{', '[]', '"page"', '1', 'null', 'true', '{"page":1}x', "{'page':1}"]) {
      await expectError(send('QUERY', path, { headers, body }), 400, 'Invalid JSON body')
    }
  })

  it.each(named(lists))('%s takes JSON whatever its content type says', async (_, { path }) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'image/png', 'nonsense']) {
      const headers = { ...credentials(path), 'Content-Type': type }
      expect((await send('QUERY', path, { headers, body: '{"page":1' })).status, type).toBe(400)
      expect((await send('QUERY', path, { headers, body: '{"unknown":1}' })).status, type).toBe(200)
    }
  })
})

describe('scopes', () => {
  const scope = ({ path, method }: Endpoint) => `${path.split('/')[2]}:${method === 'get' ? 'read' : 'write'}`
  const lacks = (endpoint: Endpoint) => `This API key lacks the scope ${scope(endpoint)}`
  const withKey = (key: string) => ({ headers: bearer(key) })
  const keys = { read: '', write: '', other: '' }

  beforeAll(async () => {
    keys.read = await keyWith('*:read')
    keys.write = await keyWith('*:write')
    keys.other = await keyWith('other:read', 'other:write')
  })

  // What a handler checks itself, and what any key may read, have tests of their own.
  const byPath = apiReads.filter(({ contract }) => !contract.checksScopes && contract.scope !== null)

  it.each(named(byPath))('%s wants read', async (_, endpoint) => {
    await expectError(callEndpoint(endpoint, 1, withKey(keys.other)), 403, lacks(endpoint))
    await expectError(callEndpoint(endpoint, 1, withKey(keys.write)), 403, lacks(endpoint))
    await expectError(callEndpoint(endpoint, 'abc', withKey(keys.write)), 403, lacks(endpoint))
    const further = (endpoint.contract.alsoReads ?? []).map((resource) => `${resource}:read`)
    const own = await keyWith(scope(endpoint), ...further)
    for (const key of [keys.read, own]) {
      // 400 where a filter is required.
      expect([200, 400, 404]).toContain((await callEndpoint(endpoint, 1, withKey(key))).status)
    }
    if (endpoint.contract.list) {
      const path = fill(endpoint.path)
      await expectError(send('QUERY', path, withKey(keys.write)), 403, lacks(endpoint))
      expect([200, 400, 404]).toContain((await send('QUERY', path, withKey(own))).status)
    }
  })

  it.each(named(writes))('%s wants write', async (_, endpoint) => {
    const own = await keyWith(scope(endpoint))
    const reader = await keyWith(scope(endpoint).replace('write', 'read'))
    for (const key of [keys.read, keys.other, reader]) {
      // Before the body is looked at, and before the record.
      await expectError(callEndpoint(endpoint, 1, { ...withKey(key), body: '{' }), 403, lacks(endpoint))
      await expectError(callEndpoint(endpoint, 'abc', { ...withKey(key), body: '{}' }), 403, lacks(endpoint))
    }
    for (const key of [keys.write, own]) {
      const body = endpoint.contract.body ? { body: '[]' } : {}
      expect([400, 404]).toContain((await callEndpoint(endpoint, 'abc', { ...withKey(key), ...body })).status)
    }
  })

  it('do not matter for paths and methods that do not exist', async () => {
    await expectError(send('GET', '/api/unknown', withKey(keys.other)), 404, 'Not found')
    await expectError(send('PATCH', '/api/listings', withKey(keys.other)), 405, 'Method not allowed')
  })
})

describe('ids', () => {
  /** The record is looked for first. */
  const BAD_FIELDS = '{"category": "castle", "photos": 5, "to": "nowhere", "price": "x", "unknown": 1}'
  const noIds = ['abc', '0', '%20', '1%00', '٣', '9007199254740991', '__proto__', '999999']

  it.each(named(withId))('%s: what is no id of anything is not found', async (_, endpoint) => {
    const { contract } = endpoint
    const message = `${contract.resource} not found`
    for (const id of noIds) {
      const encoded = id.includes('%') ? id : encodeURIComponent(id)
      for (const body of contract.body ? ['{}', BAD_FIELDS] : contract.bodyType ? ['x'] : [null])
        await expectError(callEndpoint(endpoint, encoded, { body }), 404, message)
    }
  })
})

describe('filters', () => {
  it.each(named(lists))('%s: each is checked', async (_, { path, contract }) => {
    const headers = credentials(path)
    for (const filter of Object.keys(contract.filters?.shape ?? {})) {
      const answer = await send('QUERY', path, { headers, body: JSON.stringify({ [filter]: { x: {} } }) })
      const body = await answer.json<{ error_message: string }>()
      const isNamed = new RegExp(`^(Invalid|Missing) ${filter}\\b`).test(body.error_message)
      expect([filter, answer.status, isNamed]).toEqual([filter, 400, true])
    }
  })
})

describe('JSON bodies', () => {
  /** "Καλημέρα" as ISO 8859-7 has it: bytes that are no UTF-8. */
  const GREEK = [0xca, 0xe1, 0xeb, 0xe7, 0xec, 0xdd, 0xf1, 0xe1]
  const NO_JSON: (string | Uint8Array<ArrayBuffer>)[] = [
    ...[' ', '{', '[]', '[{}]', '"text"', '1', 'true', 'null', '{} {}', '{"a":}', 'a=1'],
    new Uint8Array([...new TextEncoder().encode('{"name":"'), ...GREEK, 0x22, 0x7d]),
    // Nested too deep.
    `{"name":${'['.repeat(1000)}1${']'.repeat(1000)}}`,
    `{"name":${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}}`,
  ]

  it.each(named(withJson))('%s: what is no JSON object is 400', async (_, endpoint) => {
    // A POST without a body is one without a field.
    for (const body of endpoint.method === 'put' ? [...NO_JSON, ''] : NO_JSON) {
      await expectError(callEndpoint(endpoint, 1, { body }), 400, 'Invalid JSON body')
      // Before the record is looked for.
      await expectError(callEndpoint(endpoint, 999999, { body }), 400, 'Invalid JSON body')
    }
  })

  it.each(named(withJson))('%s: more than the limit is 413', async (_, endpoint) => {
    const limit = endpoint.contract.maxBytes ?? 2 * 1024 * 1024
    expect(limit === 2 * 1024 * 1024 || /photos$/.test(endpoint.path)).toBe(true)
    await expectTooLarge((init) => callEndpoint(endpoint, 1, init), limit)
  })

  it.each(named(reads.filter(({ contract }) => contract.filters)))(
    '%s: filters of more than the limit are 413',
    async (_, { path, contract }) => {
      const limit = 65_536
      const headers = credentials(path)
      if (contract.list) {
        const call = (init: RequestInit) =>
          send('QUERY', fill(path), { ...init, headers: { ...headers, ...(init.headers as object) } })
        await expectTooLarge(call, limit)
      }
      const long = `${fill(path)}?x=${'x'.repeat(limit)}`
      await expectError(
        send('GET', long, { headers }),
        413,
        `Query string too large: at most ${limit} bytes are accepted`,
      )
    },
  )

  it.each(named(withJson))('%s: a body that breaks off is 400', async (_, endpoint) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"name":"'))
        controller.error(new Error('Network connection lost'))
      },
    })
    await expectError(callEndpoint(endpoint, 1, { body }), 400, 'Incomplete body')
  })

  it.each(named(withJson))('%s: a length that is none is as good as no length', async (_, endpoint) => {
    for (const length of ['-1', '-9007199254740993', '1.5', 'NaN', '0x10', 'Infinity']) {
      const init = { body: '[]', headers: { 'Content-Length': length } }
      await expectError(callEndpoint(endpoint, 1, init), 400, 'Invalid JSON body')
    }
  })

  it.each(named(withJson))('%s: hostile keys are only unknown keys', async (_, endpoint) => {
    const body = '{"__proto__":{"category":"land"},"constructor":1,"toString":null,"":1,"a.b":2,"😀":3}'
    const answer = await callEndpoint(endpoint, 1, { body })
    expect([200, 400, 404]).toContain(answer.status)
    if (answer.status === 200) {
      expect(answer.headers.get('X-Ignored-Fields')).toContain('__proto__, constructor, toString')
    }
  })
})

describe('fields of a body', () => {
  const creating = withJson.filter(({ method, path }) => method === 'post' && !path.includes('{'))

  it.each(named(creating))('%s: each is checked, and every problem named', async (_, endpoint) => {
    const fields = Object.keys(endpoint.contract.body?.shape ?? {})
    const refused = new Set<string>()
    // A group takes the first as an unknown key.
    for (const wrong of [{ x: {} }, [[]]]) {
      const body = JSON.stringify(Object.fromEntries(fields.map((field) => [field, wrong])))
      const answer = await callEndpoint(endpoint, 1, {
        body,
        headers: { Accept: 'application/problem+json' },
      })
      const { errors } = await answer.json<{ errors: { field: string }[] }>()
      expect(answer.status).toBe(400)
      for (const { field } of errors) refused.add(field.split('.')[0] ?? '')
    }
    expect(fields.filter((field) => !refused.has(field))).toEqual([])
  })
})

describe('junk in the query string', () => {
  const junk = [
    'page=0',
    'page=99999999999999999999',
    'page=1&page=2',
    'fields=some',
    '__proto__=1',
    'toString=1&hasOwnProperty=2&valueOf=true',
    '[min]=1',
    '%ff=%ff',
    '%00=%00',
    'search=%ED%A0%80',
    `search=${'α'.repeat(300)}`,
    'date_created[min]=x',
    'status=x',
    Array.from({ length: 300 }, (_, index) => `k${index}=${index}`).join('&'),
  ]

  it.each(named(reads))('%s never fails for it', async (_, endpoint) => {
    for (const query of junk) {
      const answer = await send('GET', `${fill(endpoint.path)}?${query}`, {
        headers: credentials(endpoint.path),
      })
      expect(answer.status, query.slice(0, 100)).toBeLessThan(500)
      await answer.body?.cancel()
    }
  })
})

describe('addresses', () => {
  it.each(named(reads))('%s tolerates a trailing slash', async (_, endpoint) => {
    const headers = credentials(endpoint.path)
    const read = async (path: string) => {
      const answer = await send('GET', path, { headers })
      return [answer.status, await textOf(answer)]
    }
    expect(await read(`${fill(endpoint.path)}/`)).toEqual(await read(fill(endpoint.path)))
  })
})

describe('headers', () => {
  it.each(named(reads))('%s answers with the usual ones', async (_, endpoint) => {
    const answer = await callEndpoint(endpoint)
    const { headers } = answer
    expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Strict-Transport-Security')).toMatch(/^max-age=\d{7,}/)
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
    const inFrames = endpoint.path.startsWith('/tours/')
    expect(headers.get('X-Frame-Options')).toBe(inFrames ? null : 'SAMEORIGIN')
    const isOwn = /^\/(admin|console)\b/.test(endpoint.path)
    expect(headers.get('Access-Control-Allow-Origin')).toBe(isOwn ? null : '*')
    const readers = isOwn ? 'same-origin' : 'cross-origin'
    expect(headers.get('Cross-Origin-Resource-Policy')).toBe(readers)
    expect(headers.has('X-Powered-By')).toBe(false)
    if (/^\/(api|admin)\//.test(endpoint.path)) {
      expect(headers.get('Cache-Control')).toBe('private, no-store')
    }
    await answer.body?.cancel()
  })

  it('X-Request-Id is the client’s own when it is harmless', async () => {
    const withId = (id: string) => send('GET', '/api/listings', { headers: { 'X-Request-Id': id } })
    expect((await withId('trace-123')).headers.get('X-Request-Id')).toBe('trace-123')
    expect((await withId('<script>')).headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
    expect((await withId('x'.repeat(300))).headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('preflight', () => {
  it.each(paths)('OPTIONS %s needs no credentials', async (path) => {
    const answer = await send('OPTIONS', fill(path), {
      headers: {
        Origin: 'https://agency.example',
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'authorization, content-type, prefer',
      },
    })
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(path.startsWith('/admin') ? null : '*')
    expect(answer.headers.get('Access-Control-Allow-Methods')).toBe('GET,HEAD,QUERY,POST,PUT,DELETE')
    expect(answer.headers.get('Access-Control-Allow-Headers')).toBe('authorization,content-type,prefer')
    expect(answer.headers.get('Access-Control-Max-Age')).toBe('86400')
  })

  it('is answered for unknown paths, too', async () => {
    const answer = await send('OPTIONS', '/api/unknown', { headers: { Origin: 'https://agency.example' } })
    expect(answer.status).toBe(204)
  })
})

describe('origins', () => {
  const from = (Origin: string, CORS_ORIGINS?: string) =>
    send('GET', '/health', { headers: { Origin } }, { CORS_ORIGINS })
  const allowed = async (origin: string, origins?: string) =>
    (await from(origin, origins)).headers.get('Access-Control-Allow-Origin')

  it('are all allowed unless the deployment names some', async () => {
    expect(await allowed('https://a.example')).toBe('*')
    expect(await allowed('https://a.example', '*')).toBe('*')
    expect(await allowed('https://a.example', ' * ')).toBe('*')
  })

  it('are never allowed where the service is administered, not even by name or key', async () => {
    const Origin = 'https://www.agency.example'
    const key = await websiteKey({ origins: [Origin] })
    const own = ['/admin', '/admin/self', '/admin/nothing', '/console', '/console/console.js', '/console/']
    for (const method of ['GET', 'OPTIONS'])
      for (const path of own)
        for (const CORS_ORIGINS of ['*', Origin, undefined]) {
          const sent = { headers: { Origin, Authorization: `Bearer ${key}` } }
          const { headers } = await send(method, path, sent, { CORS_ORIGINS })
          const read = headers.get('Access-Control-Allow-Origin')
          expect({ method, path, CORS_ORIGINS, read }).toEqual({ method, path, CORS_ORIGINS, read: null })
        }
    expect(await allowed(Origin)).toBe('*')
  })

  it('are allowed by name, whole', async () => {
    const origins = 'https://a.example, https://b.example'
    expect(await allowed('https://a.example', origins)).toBe('https://a.example')
    expect(await allowed('https://b.example', origins)).toBe('https://b.example')
    for (const other of ['https://c.example', 'https://a.example.evil', 'http://a.example', 'null', '*']) {
      expect(await allowed(other, origins), other).toBeNull()
    }
    expect((await from('https://a.example', origins)).headers.get('Vary')).toContain('Origin')
  })
})

describe('the area /office/', () => {
  it('has no reads, and everything behind it is read under /api/', () => {
    const read = new Set(reads.map(({ path }) => path))
    for (const { method, path } of inArea('office')) {
      const collection = path.replace('/office/', '/api/').replace(/\/\{id\}.*/, '')
      expect([path, method, read.has(collection)]).toEqual([path, expect.not.stringMatching('get'), true])
    }
  })

  it('leaves what it writes to be only read under /api/', () => {
    for (const { resource } of RECORD_RESOURCES.filter(({ door }) => door)) {
      const ofRecords = endpoints.filter(({ path }) =>
        [`/api/${resource}`, `/api/${resource}/{id}`].includes(path),
      )
      expect(ofRecords.map(({ method }) => method)).toEqual(['get', 'get'])
    }
  })
})
