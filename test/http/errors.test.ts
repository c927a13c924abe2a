import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import journal from '../../migrations/meta/_journal.json'
import { NEWEST_MIGRATION } from '../../src/db/migrations.ts'
import { API_VERSION } from '../../src/http/version.ts'
import { notedMigrations } from '../../tools/runtime/migrations.ts'
import { call, expectError, expectInvalid, keyWith, post } from '../support/api.ts'
import { databaseOf, execute } from '../support/database.ts'
import { minimalListing } from '../support/factories/listing.ts'
import { bearer, send, silenceLog } from './send.ts'

const FAILURE = 'the disk is full'

/** A database that prepares statements and fails when they run; `seen` collects their parameters. */
function failingDatabase(seen: string[], message = `D1_ERROR: ${FAILURE}`): D1Database {
  const fail = () => Promise.reject(new Error(message, { cause: new Error(message) }))
  const statement = (text: string) => ({
    bind: (...parameters: unknown[]) => {
      seen.push(text, ...parameters.map(String))
      return statement(text)
    },
    all: fail,
    first: fail,
    run: fail,
    raw: fail,
  })
  const prepare = (text: string) => {
    seen.push(text)
    return statement(text)
  }
  return databaseOf({ prepare, batch: fail })
}

const failure = () => Promise.reject(new Error(FAILURE))
const failingBucket = { head: failure, get: failure, put: failure } as unknown as R2Bucket

let lines: string[] = []
let key = ''

beforeEach(async () => {
  lines = silenceLog()
  key = await keyWith('*:read', '*:write')
})

describe('a failing database', () => {
  it.each([
    ['GET', '/api/listings?search=Papadopoulos', undefined],
    ['GET', '/api/listings/424242', undefined],
    ['GET', '/api/listings/tags', undefined],
    ['POST', '/api/listings', { ...minimalListing, notes: 'Papadopoulos', title: 'Papadopoulos' }],
    ['PUT', '/api/listings/424242', { notes: 'Papadopoulos' }],
    ['GET', '/api/locations?search=Papadopoulos', undefined],
  ])('%s %s: 500 that tells nothing', async (method, path, body) => {
    const seen: string[] = []
    const answer = await call(method, path, { key, body, bindings: { DB: failingDatabase(seen) } })
    await expectError(answer, 500, 'Internal server error')
    expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(answer.headers.get('Cache-Control')).toBe('private, no-store')

    expect(seen.length).toBeGreaterThan(0)
    const told = lines.join('\n')
    for (const secret of [key, 'Papadopoulos', '424242'].filter(
      (part) => !(part === '424242' && path.includes(part)),
    )) {
      expect(told.toLowerCase()).not.toContain(secret.toLowerCase())
    }
    // The stack may well name a function that ends so.
    expect(told).not.toMatch(/\b(select|insert|update) /i)
  })

  it('is logged with its cause and the id of the request', async () => {
    const answer = await send('GET', '/api/listings', { headers: bearer(key) }, { DB: failingDatabase([]) })
    const logged = lines.map((line) => JSON.parse(line))
    const id = answer.headers.get('X-Request-Id')
    expect(logged).toMatchObject([
      { level: 'error', request_id: id, error: `Error: D1_ERROR: ${FAILURE}` },
      { level: 'error', request_id: id, path: '/api/listings', status: 500 },
    ])
  })
})

it.each([
  ['a failing store of keys', '/api/listings', { API_KEYS: failingBucket as unknown as KVNamespace }],
  [
    'a failing bucket, where a picture is asked for',
    `/photos/${'0'.repeat(32)}.jpg`,
    { PHOTOS: failingBucket },
  ],
])('%s is 500, not open doors', async (_, path, changes) => {
  const answer = send('GET', path, { headers: bearer(key) }, changes)
  await expectError(answer, 500, 'Internal server error')
  expect(lines.join()).not.toContain(key)
})

describe('GET /health', () => {
  const health = (changes: Partial<Env>, headers = {}) => send('GET', '/health', { headers }, changes)

  it('is well', async () => {
    const answer = await health({})
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 200,
      body: { status: 200, data: { database: 'ok', bucket: 'ok', version: API_VERSION } },
    })
  })

  it.each([
    [{ DB: failingDatabase([]) }, 'Database unavailable, bucket ok'],
    [{ PHOTOS: failingBucket }, 'Database ok, bucket unavailable'],
    [{ DB: failingDatabase([]), PHOTOS: failingBucket }, 'Database unavailable, bucket unavailable'],
  ])('is 503 when something fails', async (changes, error_message) => {
    const answer = await health(changes)
    await expectError(answer, 503, error_message)
  })

  describe('with the migrations', () => {
    const names = env.MIGRATIONS.map(({ name }) => name)
    afterEach(async () => {
      await env.DB.batch(
        ['drop table if exists d1_migrations', ...notedMigrations(names)].map((text) => env.DB.prepare(text)),
      )
    })

    it.each([
      ['of the first release alone', "delete from d1_migrations where name > '0013_webhooks.sql'"],
      ['but for the newest', `delete from d1_migrations where name = '${names.at(-1)}'`],
      ['but for any', 'delete from d1_migrations'],
      ['noted nowhere', 'drop table d1_migrations'],
    ])('%s is 503', async (_, statement) => {
      await execute(statement)
      await expectError(health({}), 503, 'schema behind')
      const unavailable = await health({ PHOTOS: failingBucket })
      await expectError(unavailable, 503, 'Database ok, bucket unavailable')
    })

    it('of a later version is well', async () => {
      await execute("insert into d1_migrations (name) values ('9999_later.sql')")
      expect((await health({})).status).toBe(200)
    })

    it('knows the newest by the list of drizzle-kit', () => {
      expect(names.at(-1)).toBe(NEWEST_MIGRATION)
      expect(journal.entries.map(({ tag }) => `${tag}.sql`)).toEqual(names)
    })
  })
})

describe('problem details', () => {
  const problems = async (init: RequestInit, path = '/api/listings') => {
    const headers = { ...bearer(key), Accept: 'application/problem+json, application/json;q=0.5' }
    const answer = await send('POST', path, { headers, ...init })
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
    return answer.json()
  }

  it('list every problem, in the order of the fields', async () => {
    const body = JSON.stringify({
      details: { heating_type: 'fire', wcs: -1 },
      price: '5',
      users: [],
      availability: 'swap',
    })
    expect(await problems({ body })).toEqual({
      type: 'about:blank',
      title: 'Bad request',
      detail: 'Missing category',
      status: 400,
      error_message: 'Missing category',
      errors: [
        { field: 'category', message: 'Missing category' },
        {
          field: 'availability',
          message: 'Invalid availability: must be one of sale, rent, auction, shortterm',
        },
        { field: 'store_id', message: 'Missing store_id' },
        { field: 'created_by', message: 'Missing created_by' },
        { field: 'users', message: 'Missing users' },
        { field: 'price', message: 'Invalid price: must be an integer' },
        { field: 'details.wcs', message: 'Invalid details.wcs: must be at least 0' },
        {
          field: 'details.heating_type',
          message: 'Invalid details.heating_type: must be one of individual, autonomous, central, none',
        },
      ],
    })
    await expectInvalid(post('/api/listings', JSON.parse(body)), 'Missing category')
  })

  it.each([
    ['listings', 'search availability category subcategory status subtype date_created'],
    [
      'external-listings',
      'availability category status store_id source_id area_level1 area_level2 price size date_created date_updated',
    ],
    [
      'offers',
      'status is_active listing_id request_id store_id created_by contact_id date_created date_updated',
    ],
    [
      'contracts',
      'status_id store_id offer_id listing_id request_id contact_id external_listing external_contact date_created status_date',
    ],
    ['knowledge-base/articles', 'category_id search date_created'],
    ['requests', 'status store_id contact_id user_id availability category date_created date_updated'],
    ['incomes', 'category status contract_id contact_id date date_created total_amount'],
    [
      'expenses',
      'category_id partner_id linked_income_id contact_id status auto_generated date date_created amount',
    ],
  ])('of %s are in the order in which its filters were published', async (resource, names) => {
    const filters = names.split(' ')
    const answer = await send('QUERY', `/api/${resource}`, {
      headers: { ...bearer(key), Accept: 'application/problem+json' },
      body: JSON.stringify(Object.fromEntries(filters.toReversed().map((name) => [name, {}]))),
    })
    const { errors } = await answer.json<{ errors: { field: string }[] }>()
    expect(errors.map(({ field }) => field)).toEqual(filters)
  })

  it.each([
    [{ body: '{' }, '/api/listings', 400, 'Bad request', 'Invalid JSON body'],
    [{ headers: { Accept: 'application/problem+json' } }, '/api/listings', 401, 'Unauthorized', /API key/],
    [{ body: '{}' }, '/api/listings/5/photos', 404, 'Not found', 'Listing not found'],
    [{ body: '{}' }, '/api/nothing', 404, 'Not found', 'Not found'],
    [{ body: '{}' }, '/api/listings/tags', 405, 'Method not allowed', 'Method not allowed'],
  ])('of one problem: %j %s', async (init, path, status, title, message) => {
    const text = typeof message === 'string' ? message : expect.stringMatching(message)
    expect(await problems(init, path)).toEqual({
      type: 'about:blank',
      title,
      detail: text,
      status,
      error_message: text,
      errors: [],
    })
  })

  it('are not sent to those who did not ask', async () => {
    for (const Accept of ['*/*', 'application/json', 'text/html', '']) {
      const answer = await send('POST', '/api/listings', { headers: { ...bearer(key), Accept }, body: '{' })
      expect(answer.headers.get('Content-Type')).toBe('application/json')
      expect(await answer.json()).toEqual({ status: 400, error_message: 'Invalid JSON body' })
    }
  })
})
