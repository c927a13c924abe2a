// @module-tag slow
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ENTITIES } from '../../../src/admin/transfer/entities.ts'
import { ApiError } from '../../../src/http/errors.ts'
import { checkObject } from '../../../src/http/request/check.ts'
import { minimalRequest } from '../../resources/requests/seed.ts'
import { ADMIN_TOKEN, importRecords, keyWith } from '../../support/api.ts'
import { selectFirst } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { createListing, minimalListing } from '../../support/factories/listing.ts'
import { bearer, endpoints, fill, INPUTS, send } from '../send.ts'

/** JSON texts that break careless code. JSON.stringify cannot produce some of them. */
const HOSTILE = [
  '{"length":{"toString":1}}',
  '{"length":{"valueOf":1,"toString":null}}',
  '{"length":1e400,"0":1}',
  '{"length":-1}',
  '{"toString":1}',
  '{"toString":{"toString":1},"valueOf":{}}',
  '{"then":{"then":1}}',
  '{"constructor":null}',
  '{"constructor":{"name":{"toString":1}}}',
  '{"__proto__":null}',
  '{"__proto__":{"length":{"toString":1}},"a":1}',
  '{"hasOwnProperty":1,"toJSON":{"call":1}}',
  '{"min":{"toString":1},"max":{"length":{}}}',
  '{"min":[],"max":{}}',
  '{"id":{"toString":1}}',
  '{"size":{"valueOf":1},"map":1,"flat":1,"filter":1,"trim":1}',
  '{"url":{"toString":1},"data":{"length":{"toString":1}}}',
  '[{"length":{"toString":1}}]',
  '[{"toString":1},{"valueOf":1}]',
  '[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]',
  '[null]',
  '["__proto__","constructor","toString"]',
  '[1e400,-1e400,-0,1e308,5e-324]',
  '["\\ud800","\\udc00\\ud800","\\u0000"]',
  '1e400',
  '-1e400',
  '-0',
  '1e308',
  '9007199254740993',
  '1180591620717411303424',
  '5e-324',
  '"\\ud800"',
  '"\\u0000"',
  '"__proto__"',
  '"constructor"',
  '""',
  '" "',
  '[]',
  '{}',
  'null',
  'true',
  '{"1":{"length":{"toString":1}},"2":[{"toString":1}],"3":1e400,"4":"\\ud800","5":-0}',
]

/** The same, read. Nothing writes to what a body holds. */
const VALUES: unknown[] = HOSTILE.map((text) => JSON.parse(text))

/** A path within a body: keys, and 0 for the only entry of a list. */
type Path = (string | number)[]

/** Every path within a body whose lists have one entry. */
function placesOf(schema: unknown): Path[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return placesOf(schema.unwrap())
  if (schema instanceof z.ZodPipe) return placesOf(schema.in)
  if (schema instanceof z.ZodArray) return [[], ...placesOf(schema.element).map((path): Path => [0, ...path])]
  if (schema instanceof z.ZodRecord) return [[], ['1'], ['__proto__']]
  if (!(schema instanceof z.ZodObject)) return [[]]
  const keys = Object.entries({ ...schema.shape, unknown: z.unknown(), '1': z.unknown() })
  return [[], ...keys.flatMap(([key, field]) => placesOf(field).map((path): Path => [key, ...path]))]
}

/** The same, without the body itself. */
const placesIn = (body: unknown) => placesOf(body).filter((place) => place.length > 0)

/** `body` as JSON with `texts` put at their paths. */
function plant(body: Record<string, unknown>, texts: [path: Path, text: string][]): string {
  const copy: Record<string, unknown> = structuredClone(body)
  const marks = texts.map(([path, text], index): [string, string] => {
    const mark = `mark-${index}-of-many`
    setAt(copy, path, mark)
    return [JSON.stringify(mark), text]
  })
  return marks.reduce((json, [mark, text]) => json.replace(mark, () => text), JSON.stringify(copy))
}

function setAt(root: Record<string, unknown>, path: Path, value: unknown): void {
  let at = root as Record<string | number, unknown>
  for (const [index, key] of path.entries()) {
    const isLast = index === path.length - 1
    const existing =
      Object.hasOwn(at, key) && typeof at[key] === 'object' && at[key] !== null ? at[key] : undefined
    const next = isLast ? value : (existing ?? (typeof path[index + 1] === 'number' ? [] : {}))
    Object.defineProperty(at, key, { value: next, enumerable: true, configurable: true, writable: true })
    at = next as Record<string | number, unknown>
  }
}

const withSchema = endpoints.flatMap((endpoint) => {
  const schema = endpoint.contract.body ?? endpoint.contract.filters
  const method = endpoint.contract.list ? 'QUERY' : endpoint.method.toUpperCase()
  // A single read has its filters in a GET body, which is read by the same code as that of a list.
  return schema && method !== 'GET' ? [{ ...endpoint, method, schema }] : []
})
const named = withSchema.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

let headers: Record<string, string> = {}
let admin: Record<string, string> = {}
let listing = 0

beforeAll(async () => {
  await seedAgency()
  listing = await createListing()
  const field = { resource: 'contacts', name: 'Field' }
  await importRecords([
    ['request_statuses', { id: 1, name: 'Open' }],
    ['custom_fields', { ...field, id: 1, type: 'text' }],
    ['custom_fields', { ...field, id: 2, type: 'user_multi' }],
    ['custom_fields', { ...field, id: 3, type: 'number' }],
    ['custom_fields', { ...field, id: 4, type: 'file_multi' }],
    ['custom_fields', { ...field, id: 5, type: 'date' }],
    ['custom_fields', { ...field, id: 6, resource: 'requests', type: 'contact_multi' }],
  ])
  headers = bearer(await keyWith('*:read', '*:write'))
  admin = bearer(ADMIN_TOKEN)
})

/** A body that is otherwise valid, so that hostile values also reach the rules and the database. */
const good: Record<string, Record<string, unknown>> = {
  'POST /api/listings': minimalListing,
  'POST /api/contacts': { first_name: 'A' },
  'POST /api/external-listings': { created_by: 1, store_id: 1 },
  'POST /api/requests': { ...minimalRequest, locations: [1] },
}

/** Calls with hostile JSON at one place each until every place had its turn, some of them twice. */
function eachOnce(places: Path[], from = 0): [Path, string][] {
  return Array.from({ length: Math.max(places.length, 12) }, (_, index) => [
    places[index % places.length] ?? [],
    HOSTILE[((from + index) * 7) % HOSTILE.length] ?? '',
  ])
}

describe('hostile JSON', () => {
  it.each(INPUTS)('at every place of %s is refused or taken, and never thrown at', (name, schema) => {
    for (const path of placesIn(schema)) {
      for (const [index, value] of VALUES.entries()) {
        const raw: Record<string, unknown> = structuredClone(good[name] ?? {})
        setAt(raw, path, value)
        try {
          checkObject(schema, raw).complete()
        } catch (error) {
          expect(error, `${path.join('.')}: ${HOSTILE[index]}`).toBeInstanceOf(ApiError)
        }
      }
    }
  })

  it.each(named)('%s never fails for it', { timeout: 60_000 }, async (name, { method, path, schema }) => {
    const places = placesIn(schema)
    const call = async (body: string) => {
      const credentials = path.startsWith('/admin') ? admin : headers
      const answer = await send(method, fill(path, path.includes('contacts') ? 1 : listing), {
        headers: credentials,
        body,
      })
      const told = await answer.json<{ status: number }>()
      expect([answer.status, told.status], body).toEqual([told.status, answer.status])
      expect(answer.status, body).toBeLessThan(500)
    }
    for (const planted of eachOnce(places, name.length)) await call(plant(good[name] ?? {}, [planted]))
    const several = fc.uniqueArray(fc.tuple(fc.constantFrom(...places), fc.constantFrom(...HOSTILE)), {
      minLength: 2,
      maxLength: 5,
      selector: ([place]) => place[0],
    })
    await fc.assert(
      fc.asyncProperty(several, (texts) => call(plant(good[name] ?? {}, texts))),
      { numRuns: 5 },
    )
  })

  it('in one line of an import leaves the good lines alone', { timeout: 60_000 }, async () => {
    const lines = ENTITIES.flatMap(({ name, schema }, from) =>
      eachOnce(placesIn(schema), from).map(
        (planted) => `{"entity":${JSON.stringify(name)},"data":${plant({ id: 77 }, [planted])}}`,
      ),
    )
    const isGood = (index: number) => index % 50 === 0
    for (let from = 0; from < lines.length; from += 400) {
      const mixed = lines.slice(from, from + 400).flatMap((line, index) => {
        const tag = { entity: 'listing_tags', data: { id: 10_000 + from + index, name: 'good' } }
        return isGood(index) ? [line, JSON.stringify(tag)] : [line]
      })
      for (let next: number | null = 1; next !== null; ) {
        const body = mixed.slice(next - 1).join('\n')
        const answer = await send('POST', '/admin/import', { headers: admin, body })
        expect(answer.status).toBe(200)
        const { data } = await answer.json<{ data: { next: number | null } }>()
        next = data.next === null ? null : next - 1 + data.next
      }
    }
    const stored = await selectFirst("select count(*) as n from listing_tags where name = 'good'")
    const expected = Array.from({ length: lines.length }, (_, index) => index).filter((index) =>
      isGood(index % 400),
    )
    expect(stored?.n).toBe(expected.length)
  })
})

/** Segments of a path that are no id. */
const SEGMENTS = [
  ...['0', '-1', '1.0', '1e3', '01', '9007199254740993', '%00', '%', '%E0%A4%A', '%2e%2e%2f', ''],
  ...["1'--", 'null', 'x'.repeat(3000), '6900000123@mail', 'ffffffffffffffff'],
]
const HEADERS: [name: string, value: string][] = [
  ['Accept', 'application/problem+json'],
  ['Accept', '*/*,'.repeat(500)],
  ['Authorization', 'Bearer'],
  ['Authorization', `Basic ${'A'.repeat(5000)}`],
  ['Authorization', `Bearer ${' '.repeat(5000)}x`],
  ['Content-Type', 'multipart/form-data; boundary=x'],
  ['Content-Type', 'image/png'],
  ['Content-Type', 'text/plain; charset=utf-16'],
  ['Content-Encoding', 'gzip'],
  ['Content-Length', '-1'],
  ['Prefer', 'handling=strict'],
  ['Prefer', `handling=strict, ${'respond-async; wait=10, '.repeat(100)}`],
  ['Range', 'bytes=9-1,2-3'],
  ['If-None-Match', '"a",'.repeat(2000)],
  ['If-Match', 'W/"x'],
  ['If-Match', '*'],
  ['If-Modified-Since', 'yesterday'],
  ['Idempotency-Key', '"'],
  ['Idempotency-Key', 'key-1'],
  ['X-D1-Bookmark', '0-0-0-0'],
  ['Origin', 'null'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Cookie', `a=${'b'.repeat(3000)}`],
]
/** What shows how the service is made. */
const INTERNALS = /SQLITE_|D1_ERROR|drizzle|\bselect .{1,200} from\b|\.[jt]s:\d+:\d+|\n\s+at \w/i

/** A call that is damaged in several places at once: path, query, headers, body. */
const damagedCall = fc.constantFrom(...endpoints).chain(({ method, path, contract }) => {
  const schema = contract.body ?? contract.filters ?? z.object({})
  const places = placesIn(schema)
  const values = fc.constantFrom(...HOSTILE)
  const planted = places.length > 0 ? fc.tuple(fc.constantFrom(...places), values) : fc.constant(null)
  return fc.record({
    method: fc.oneof(
      { weight: 6, arbitrary: fc.constant(method.toUpperCase()) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'QUERY'),
      },
    ),
    path: fc
      .oneof(
        { weight: 3, arbitrary: fc.constant('1') },
        { weight: 1, arbitrary: fc.constantFrom(...SEGMENTS) },
      )
      .map((segment) => fill(path, segment)),
    query: fc.array(
      fc.tuple(
        fc.constantFrom(
          ...Object.keys(schema.shape),
          'page',
          'price[min]',
          'price[]',
          '[',
          'a[b][c]',
          'search',
        ),
        values,
      ),
      { maxLength: 2 },
    ),
    headers: fc.array(fc.constantFrom(...HEADERS), { maxLength: 2 }),
    body: fc.uniqueArray(planted, { maxLength: 3, selector: (one) => one?.[0][0] }).map((all) =>
      plant(
        good[`${method.toUpperCase()} ${path}`] ?? {},
        all.filter((one) => one !== null),
      ),
    ),
    cut: fc.tuple(
      fc.nat(3),
      fc.nat(),
      fc.constantFrom('"', '{', ']', ',', '\\u0000', 'NaN', '1e999', '\ufeff', ''),
    ),
  })
})

describe('damaged calls', () => {
  it('are answered as every call is', { timeout: 120_000 }, async () => {
    const counts = new Map<number, number>()
    const property = fc.asyncProperty(
      damagedCall,
      async ({ method, path, query, headers: more, body, cut }) => {
        const [isCut, at, inserted] = cut
        const place = at % (body.length + 1)
        const text = isCut === 0 ? body.slice(0, place) + inserted + body.slice(place + (at % 3)) : body
        const credentials = path.startsWith('/admin') ? admin : headers
        const address = query.length > 0 ? `${path}?${new URLSearchParams(query)}` : path
        const hasBody = !['GET', 'HEAD'].includes(method)
        const reply = await send(method, address, {
          headers: { ...credentials, ...Object.fromEntries(more) },
          ...(hasBody && { body: text }),
        })
        const { status } = reply
        counts.set(status, (counts.get(status) ?? 0) + 1)
        const answered = await reply.text()
        expect(status === 503 ? answered : status).not.toBeGreaterThanOrEqual(500)
        if (status < 400 || method === 'HEAD') return
        expect(answered).not.toMatch(INTERNALS)
        const told = JSON.parse(answered)
        const isDetailed = reply.headers.get('Content-Type')?.includes('problem+json')
        const keys = isDetailed ? 'type,title,detail,status,error_message,errors' : 'status,error_message'
        expect([told.status, Object.keys(told).join()]).toEqual([status, keys])
      },
    )
    await fc.assert(property, { numRuns: 1000 })
    for (const status of [200, 400, 404])
      expect([status, (counts.get(status) ?? 0) > 20]).toEqual([status, true])
  })
})
