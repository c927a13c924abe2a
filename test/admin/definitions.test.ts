/** `/admin/definitions` and `/admin/settings`: for every lookup what an import of the same line does. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { agencyEntities } from '../../src/admin/transfer/entities/agency.ts'
import { CUSTOM_FIELD_RESOURCES } from '../../src/catalogue/custom-field.ts'
import { LOOKUPS, pathsOf } from '../../src/catalogue/lookups.ts'
import { REFERRING } from '../../src/db/referring.ts'
import { rowsRead } from '../db/plans.ts'
import { endpoints } from '../http/send.ts'
import { entered } from '../resources/changes/feed.ts'
import {
  call,
  type Data,
  expectError,
  get,
  importRecords,
  keyWith,
  type Line,
  post,
  put,
  remove,
  websiteKey,
} from '../support/api.ts'
import { databaseAround, execute, failBefore, selectAll } from '../support/database.ts'
import { importDemo } from '../support/demo.ts'
import { SMALLEST } from '../support/factories/samples.ts'
import { emptyAndSeed } from '../support/storage.ts'
import { exported, importFile } from '../support/transfer.ts'

const PLACE = {
  ...{ level: 1, parent_id: null, name_el: 'A', name_en: 'A' },
  ...{ full_name_el: 'A', full_name_en: 'A' },
}

/** Values of which the smallest line of any lookup can be made. */
const VALUES = ['Estia', 1, true, '#aabbcc', [], ...CUSTOM_FIELD_RESOURCES, 'text', 'apartment']
/** Values that hardly any field takes. */
const BAD = [{ no: 'such' }, -1.5, '', 'x'.repeat(300), 9_999_999]

const fieldsOf = (schema: z.ZodObject) =>
  Object.entries(schema.shape as Record<string, z.ZodType>).filter(([name]) => name !== 'id')

const smallest = (schema: z.ZodObject): Data =>
  Object.fromEntries(
    fieldsOf(schema)
      .filter(([, field]) => !field.safeParse(undefined).success)
      .map(([name, field]) => [name, VALUES.find((value) => field.safeParse(value).success)]),
  )

const lookups = LOOKUPS.map((lookup) => {
  const entity = agencyEntities.find(({ name }) => name === lookup.table)
  if (!entity) throw new Error(`${lookup.table} is not imported`)
  return { ...lookup, entity, path: `/admin/definitions/${lookup.table}` }
})

/** What a dry run of an import says of a line. */
async function judged(entity: string, data: Data): Promise<string[]> {
  const { body } = await post('/admin/import?dry_run=true', JSON.stringify({ entity, data }))
  return body.data.errors.flatMap(({ problems }: { problems: { message: string }[] }) =>
    problems.map(({ message }) => message),
  )
}

beforeEach(() => emptyAndSeed(seed))

/** What `smallest` refers to. */
async function seed(): Promise<void> {
  await importRecords([
    ['languages', { id: 1, code: 'el', name: 'Greek' }],
    ['users', { id: 1, name: 'One', email: 'one@example.com' }],
  ])
}

it('serves every entity of the agency but settings', () => {
  expect(agencyEntities.map(({ name }) => name).filter((name) => name !== 'settings')).toEqual(
    LOOKUPS.map(({ table }) => table),
  )
})

it('every lookup is in the feed by the path that serves it', () => {
  const served = new Set(endpoints.filter(({ method }) => method === 'get').map(({ path }) => path))
  expect(LOOKUPS.flatMap(pathsOf).filter((path) => !served.has(`/api/${path}`))).toEqual([])
})

describe.each(lookups)('$table', ({ table, entity, path, ...lookup }) => {
  const small = smallest(entity.schema)
  const feed = `${lookup.pathFrom ? `${small[lookup.pathFrom]}/` : ''}${lookup.resource}`

  it('is created, read, changed and deleted; feed and trail say so', async () => {
    const ids: number[] = []
    const changes = await entered(async () => {
      const { status, body } = await post(path, small)
      expect(status).toBe(200)
      ids.push(body.created_id)
      const one = `${path}/${ids[0]}`
      const { body: read, headers } = await get(one)
      expect(read.data).toMatchObject({ ...small, id: ids[0] })
      expect(headers.get('ETag')).toMatch(/^"\d+-[\da-f]{12}"$/)
      expect((await get(path)).body.data).toContainEqual(read.data)
      // What is read can be sent back, and changes nothing.
      const same = await put(one, read.data)
      expect([same.body, same.headers.get('X-Ignored-Fields')]).toEqual([
        { status: 200, updated_id: ids[0] },
        'id',
      ])
      expect((await get(one)).headers.get('ETag')).toBe(headers.get('ETag'))
      const [name] = Object.keys(small).filter((key) => /^name|^subcategory/.test(key))
      const value = name === 'subcategory' ? 'studio_flat' : 'Changed'
      if (name !== 'subcategory') {
        expect((await put(one, { [name ?? '']: value })).status).toBe(200)
        expect((await get(one)).body.data).toEqual({ ...read.data, [name ?? '']: value })
      } else expect((await put(one, { translations: [{ language_id: 1, name: 'N' }] })).status).toBe(200)
      expect((await remove(one)).body).toEqual({ status: 200, deleted_id: ids[0] })
      await expectError(get(one), 404, 'Definition not found')
      await expectError(put(one, small), 404, 'Definition not found')
      await expectError(remove(one), 404, 'Definition not found')
    })
    expect(changes).toEqual([`${feed} ${ids[0]} deleted`])
    const entries = await selectAll<{ method: string; record_id: string; status: number }>(
      `select method, record_id, status from trail where resource = '${table.replaceAll('_', '-')}' and method <> 'POST' or
        resource = 'definitions' and method = 'POST'`,
    )
    expect(
      entries.map(({ method, record_id, status }) => `${method} ${record_id} ${status}`).toSorted(),
    ).toEqual([`DELETE ${ids[0]} 200`, `POST ${table}/${ids[0]} 200`, `PUT ${ids[0]} 200`])
    // No id is given twice.
    expect((await post(path, small)).body.created_id).toBe((ids[0] ?? 0) + 1)
  })

  it('is judged as a line of an import', async () => {
    const { created_id } = (await post(path, small)).body
    for (const [index, [name]] of fieldsOf(entity.schema).entries()) {
      for (const value of [BAD[index % BAD.length], null]) {
        const data = { ...small, [name]: value }
        const expected = await judged(table, { id: created_id + 1, ...data })
        const asMerge = await judged(table, { id: created_id, [name]: value })
        if (expected.length > 0) await expectProblemsOf(post(path, data), expected)
        if (asMerge.length > 0)
          await expectProblemsOf(put(`${path}/${created_id}`, { [name]: value }), asMerge)
      }
    }
    await expectProblemsOf(post(path, {}), await judged(table, { id: created_id + 1 }))
  })

  it('keeps what two updates at once change, and refuses an outdated If-Match', async () => {
    const { body, headers } = await post(path, small)
    const one = `${path}/${body.created_id}`
    const { data } = (await get(one)).body
    const fields = Object.entries(data).filter(([, value]) => typeof value === 'string' && value === 'Estia')
    const [[first] = ['name'], [second] = ['name']] = [fields[0], fields[1] ?? fields[0]]
    if (fields.length > 0) {
      const meanwhile: Line = [table, { id: body.created_id, [second as string]: 'Second' }]
      const DB = failBefore(/^\s*insert into "/, () => importRecords([meanwhile]))
      const { status } = await put(one, { [first as string]: 'First' }, { bindings: { DB } })
      expect(status).toBe(200)
      expect((await get(one)).body.data).toEqual({
        ...data,
        [second as string]: 'Second',
        [first as string]: 'First',
      })
    } else await put(one, { translations: [{ language_id: 1, name: 'N' }] })
    const old = { 'If-Match': headers.get('ETag') ?? '' }
    await expectError(remove(one, { headers: old }), 412, 'The record has changed')
    await expectError(put(one, small, { headers: old }), 412, 'The record has changed')
    expect(
      (await remove(one, { headers: { 'If-Match': (await get(one)).headers.get('ETag') ?? '' } })).status,
    ).toBe(200)
  })
})

async function expectProblemsOf(reply: ReturnType<typeof post>, messages: string[]): Promise<void> {
  const { status, body } = await reply
  expect([status, body.error_message]).toEqual([400, messages[0]])
}

describe('an entry in use', () => {
  it('stays, and the sentence says what uses it', async () => {
    await importRecords([
      ['contact_tags', { id: 4, name: 'VIP' }],
      ...[3, 4, 5].map((id): Line => ['stores', { id, name: 'North' }]),
      ['users', { id: 7, name: 'Seven', store_id: 3 }],
      ['users', { id: 8, name: 'Eight' }],
      ...[1, 2].map((id): Line => ['locations', { id, ...PLACE }]),
      ...[4, 5].map((id): Line => ['listing_tags', { id, name: 'VIP' }]),
      ['special_locations', { id: 5, name: 'Metro', latitude: 1, longitude: 1 }],
      ['listing_subtypes', { id: 6, subcategory: 'apartment', translations: [] }],
      ['languages', { id: 9, code: 'en', name: 'English' }],
      ['request_statuses', { id: 1, name: 'New' }],
      ...Array.from(
        { length: 31 },
        (_, index): Line => [
          'contacts',
          { id: index + 1, first_name: 'C', created_by: 7, users: [7], tags: [4] },
        ],
      ),
      ['settings', { key: 'default_user_id', value: 7 }],
      [
        'requests',
        {
          ...{ ...SMALLEST.requests, id: 1, status: 1, store_id: 5, contacts: [1], locations: [1] },
          extra_fields: { listing_tags: [5], special_locations: [5] },
        },
      ],
      [
        'enquiries',
        {
          ...{ ...SMALLEST.enquiries, id: 1, type: 'search' },
          search: { category: 'residential', subcategories: ['apartment'], locations: [2], subtypes: [6] },
        },
      ],
    ])
    const filters = { store_id: 4, tags: [4, 9], users: 8 }
    for (const feed of [{ filters, languages: ['en'] }, { filters: { store_id: [4] } }])
      expect((await post('/admin/feeds', { name: 'Feed', format: 'json', ...feed })).status).toBe(200)
    await websiteKey({ stores: [4] })
    const { body } = await post('/admin/keys', { name: 'Phone', scopes: ['*:read', '*:write'], user_id: 8 })
    for (const [path, use] of [
      ['contact_tags/4', '4 is used by 31 contacts'],
      ['users/7', '7 is used by 31 contacts and 1 setting'],
      ['stores/3', '3 is used by 1 user'],
      ['stores/4', '4 is used by 2 feeds and 1 key'],
      ['stores/5', '5 is used by 1 request'],
      ['users/8', '8 is used by 1 feed and 1 key'],
      ['listing_tags/4', '4 is used by 1 feed'],
      ['listing_tags/5', '5 is used by 1 request'],
      ['languages/9', '9 is used by 1 feed'],
      ['special_locations/5', '5 is used by 1 request'],
      ['locations/1', '1 is used by 1 request'],
      ['locations/2', '2 is used by 1 enquiry'],
      ['listing_subtypes/6', '6 is used by 1 enquiry'],
    ]) {
      await expectError(remove(`/admin/definitions/${path}`), 409, use ?? '')
      expect((await get(`/admin/definitions/${path}`)).status).toBe(200)
    }
    // A key that named one all the same, as KV is behind: it stands for nobody, and finds nothing of theirs.
    await execute('delete from users where id = 8')
    const { key } = body.data
    expect((await get('/api/requests?user_id=me', { key })).body.data).toEqual([])
    const { created_id } = (await post('/api/contacts', { first_name: 'A' }, { key })).body
    expect((await get(`/api/contacts/${created_id}`, { key })).body.data.created_by).toBe(7)
  })

  it('is found by every column that refers to one', async () => {
    const keys = await selectAll<{ table: string; column: string; target: string }>(
      `select tables.name as "table", keys."from" as "column", keys."table" as target
      from sqlite_schema tables, pragma_foreign_key_list(tables.name) keys
      where tables.type = 'table' and tables.name not like '~_cf~_%' escape '~'`,
    )
    const nameOf = ({ table, column, target }: (typeof keys)[number]) => `${table}.${column} of ${target}`
    const known = new Set(REFERRING.map(nameOf))
    const named = keys.filter(({ target }) => LOOKUPS.some((lookup) => lookup.table === target)).map(nameOf)
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  it('is read twice at most to find out: once to count, and once by SQLite', async () => {
    const contacts = (count: number): Line[] =>
      Array.from({ length: count }, (_, index) => [
        'contacts',
        { id: index + 1, first_name: 'C', created_by: 1, tags: [1, 2] },
      ])
    const tags = [1, 2, 3, 4].map((id): Line => ['contact_tags', { id, name: 'T' }])
    await importRecords([...tags, ...contacts(50)])
    const cost = (id: number) =>
      rowsRead((DB) => remove(`/admin/definitions/contact_tags/${id}`, { bindings: { DB } }))
    const few = await cost(3)
    await importRecords(contacts(250))
    // 400 links more; an index may have a page more.
    expect((await cost(4)) - few).toBeLessThan(2 * 400 + 20)
    expect((await get('/admin/definitions/contact_tags')).body.data).toHaveLength(2)
  })

  it('is refused in the transaction, too, where a record comes to use it meanwhile', async () => {
    await importRecords([
      ['contact_tags', { id: 4, name: 'VIP' }],
      ['special_locations', { id: 5, name: 'Metro', latitude: 1, longitude: 1 }],
    ])
    const line: Line = ['contacts', { id: 1, first_name: 'C', created_by: 1, tags: [4] }]
    const DB = failBefore(/^delete from contact_tags/, () => importRecords([line]))
    const removal = remove('/admin/definitions/contact_tags/4', { bindings: { DB } })
    await expectError(removal, 409, '4 is used by 1 contact')
  })

  it('is not named by a setting, request, enquiry or caption that is written at the same moment', async () => {
    const captions = [{ language_id: 2, caption: 'C' }]
    const listing = { ...SMALLEST.listings, id: 1, photos: [{ original_image: 'https://a.example/1.jpg' }] }
    const described = {
      entity: 'listings',
      data: { ...listing, photos: [{ ...listing.photos[0], captions }] },
    }
    const language: Line = ['languages', { id: 2, code: 'en', name: 'English' }]
    await importRecords([
      ...[1, 3].map((id): Line => ['stores', { id, name: 'North' }]),
      ['users', { id: 7, name: 'Seven' }],
      ['users', { id: 8, name: 'Eight' }],
      ['locations', { id: 1, ...PLACE }],
      ['locations', { id: 2, ...PLACE }],
      ['locations', { id: 3, ...PLACE }],
      ['listing_tags', { id: 4, name: 'VIP' }],
      ['listing_tags', { id: 5, name: 'Other' }],
      ['request_statuses', { id: 1, name: 'New' }],
      ['contacts', { id: 1, first_name: 'C', created_by: 1 }],
    ])
    const search = { category: 'residential', locations: [2] }
    const enquiry = { ...SMALLEST.enquiries, email: 'v@example.com', type: 'search', search }
    const sought = { ...enquiry, id: 9, search: { ...enquiry.search, locations: [3] } }
    const request = { ...SMALLEST.requests, id: 1, status: 1, store_id: 3, contacts: [1], locations: [1] }
    await importRecords([['requests', request], language, ['listings', listing]])
    const setting = { entity: 'settings', data: { key: 'default_user_id', value: 8 } }
    for (const [pattern, gone, method, path, sent, message] of [
      ['settings', 'users/7', 'PUT', '/admin/settings', { default_user_id: 7 }, 'Unknown value 7'],
      ['settings', 'users/8', 'POST', '/admin/import', setting, 'Unknown value 8'],
      [
        ...(['enquiries', 'locations/3', 'POST', '/admin/import'] as const),
        ...([{ entity: 'enquiries', data: sought }, 'Unknown search.locations 3'] as const),
      ],
      ['enquiries', 'locations/2', 'POST', '/api/enquiries', enquiry, 'Unknown search.locations 2'],
      [
        ...(['requests', 'listing_tags/4', 'PUT', '/api/requests/1'] as const),
        ...([{ extra_fields: { listing_tags: [4] } }, 'Unknown extra_fields.listing_tags 4'] as const),
      ],
      [
        ...(['listings', 'languages/2', 'PUT', '/api/listings/1/photos/1'] as const),
        ...([{ captions }, 'Unknown captions.0.language_id 2'] as const),
      ],
      [
        ...(['listings', 'languages/2', 'POST', '/admin/import'] as const),
        ...([described, 'Unknown photos.captions.language_id 2'] as const),
      ],
    ] as const) {
      await importRecords([language])
      const DB = failBefore(new RegExp(`^\\s*(insert into|update) "?(${pattern})`), () =>
        remove(`/admin/definitions/${gone}`),
      )
      const { body } = await call(method, path, { body: sent, bindings: { DB } })
      expect(JSON.stringify(body)).toContain(message)
    }
  })

  it('of the whole demo leaves nothing that refers to an entry that is gone', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    await importDemo()
    const statuses = new Set<number>()
    for (const { path } of lookups.toReversed())
      for (const { id } of (await get(path)).body.data.toReversed())
        statuses.add((await remove(`${path}/${id}`)).status)
    expect([...statuses].toSorted()).toEqual([200, 409])
    expect(await selectAll('pragma foreign_key_check')).toEqual([])
    await importFile(await exported(), 'dry_run=true&mode=replace', 500)
  })
})

describe('a call', () => {
  it('reads once and writes once, a deletion included', async () => {
    await importRecords([['stores', { id: 1, name: 'North' }]])
    const calls: [string, string, Data?][] = [
      ['POST', 'definitions/users', { name: 'Two', store_id: 1 }],
      ['PUT', 'definitions/users/1', { name: 'First', store_id: 1 }],
      ['POST', 'definitions/locations', { ...PLACE, name_el: 'B' }],
      ['POST', 'definitions/locations', { ...PLACE, level: 2, parent_id: 1 }],
      ['PUT', 'definitions/locations/2', { level: 1, parent_id: null }],
      ['POST', 'definitions/listing_subtypes', { subcategory: 'apartment', translations: [] }],
      ['PUT', 'definitions/listing_subtypes/1', { subcategory: 'villa' }],
      ['POST', 'definitions/custom_fields', { resource: 'contacts', name: 'F', type: 'text' }],
      ['PUT', 'definitions/custom_fields/1', { type: 'date' }],
      ['PUT', 'settings', { default_user_id: 1, watermark: false }],
      ['DELETE', 'definitions/users/2'],
    ]
    for (const [method, path, body] of calls) {
      const trips: boolean[] = []
      const DB = databaseAround((send, texts) => {
        // A call that administers is entered in the trail before it acts, and webhooks are looked for afterwards.
        const isBeside = texts.length <= 2 && texts.some((text) => /\b(trail|webhooks)\b/.test(text))
        if (!isBeside) trips.push(texts.every((text) => /^\s*select\b/i.test(text)))
        return send()
      })
      const { status } = await call(method, `/admin/${path}`, { body, bindings: { DB } })
      expect([method, path, status, trips]).toEqual([method, path, 200, [true, false]])
    }
  })

  it('sends long lists as they are read, by id', async () => {
    const tags = Array.from(
      { length: 2001 },
      (_, index): Line => ['contact_tags', { id: 2001 - index, name: 'T' }],
    )
    await importRecords(tags)
    const sizes: number[] = []
    const DB = databaseAround(async (send, [text = '']) => {
      const result = await send()
      if (text.includes('contact_tags')) sizes.push((result as D1Result).results.length)
      return result
    })
    const { data } = (await get('/admin/definitions/contact_tags', { bindings: { DB } })).body
    expect(data).toEqual(tags.toReversed().map(([, tag]) => tag))
    expect(sizes).toEqual([1000, 1000, 1])
  })
})

describe('D1 that fails', () => {
  const broken = (pattern: RegExp, isAfter: boolean) =>
    databaseAround(async (send, texts) => {
      const isHit = texts.some((text) => pattern.test(text))
      if (isHit && !isAfter) throw new Error('D1_ERROR: lost')
      const results = await send()
      if (isHit) throw new Error('D1_ERROR: lost')
      return results
    })
  const create = (DB: D1Database | undefined, key: string) =>
    post(
      '/admin/definitions/contact_tags',
      { name: 'VIP' },
      { bindings: DB ? { DB } : {}, headers: { 'Idempotency-Key': key } },
    )

  it.each([false, true])(
    'makes one entry of a call that is sent again (after the commit: %s)',
    async (isAfter) => {
      const failed = await create(broken(/^\s*insert into "contact_tags"/, isAfter), 'k')
      expect(failed.status).toBe(isAfter ? 200 : 500)
      const again = await create(undefined, 'k')
      expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, isAfter ? 'true' : null])
      expect((await get('/admin/definitions/contact_tags')).body.data).toEqual([{ id: 1, name: 'VIP' }])
    },
  )

  it('gives each of several entries at once an id of its own', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => post('/admin/definitions/contact_tags', { name: 'x' })),
    )
    const ids = replies.map(({ body }) => body.created_id)
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  it('leaves an entry alone that got the id first, also one that is gone again', async () => {
    const path = '/admin/definitions/contact_tags'
    const createAfter = async (meanwhile: () => Promise<unknown>) => {
      const DB = failBefore(/^\s*insert into "contact_tags"/, meanwhile)
      return (await post(path, { name: 'Mine' }, { bindings: { DB } })).body
    }
    const other = (id: number) => importRecords([['contact_tags', { id, name: 'Other' }]])
    expect(await createAfter(() => other(1))).toMatchObject({ created_id: 2 })
    const gone = async () => {
      await other(3)
      await remove(`${path}/3`)
    }
    expect(await createAfter(gone)).toMatchObject({ created_id: 4 })
    expect((await get(path)).body.data).toEqual([
      { id: 1, name: 'Other' },
      { id: 2, name: 'Mine' },
      { id: 4, name: 'Mine' },
    ])
  })
})

describe('scopes', () => {
  it('asks for admin:settings', async () => {
    const key = await keyWith('admin:import', '*:write')
    for (const path of ['/admin/definitions/users', '/admin/settings'])
      await expectError(get(path, { key }), 403, 'This API key lacks the scope admin:settings')
    const settingsKey = await keyWith('admin:settings')
    expect(
      (await put('/admin/definitions/users/1', { email: 'new@example.com' }, { key: settingsKey })).status,
    ).toBe(200)
  })

  it.each([
    ['/admin/definitions/castles', 'Definition not found'],
    ['/admin/definitions/settings', 'Definition not found'],
    ['/admin/definitions/users/x', 'Definition not found'],
  ])('%s is not there', (path, message) => expectError(get(path), 404, message))
})

describe('/admin/settings', () => {
  it('stores all or none, unsets by null, and names what it ignores', async () => {
    expect((await get('/admin/settings')).body).toEqual({ status: 200, data: {} })
    const sent = {
      trail_days: 30,
      default_user_id: 1,
      watermark: false,
      enquiry_email: ' a@example.com ',
      castle: 1,
    }
    const { body, headers } = await put('/admin/settings', sent)
    const stored = { default_user_id: 1, enquiry_email: 'a@example.com', trail_days: 30, watermark: false }
    expect([body, headers.get('X-Ignored-Fields')]).toEqual([{ status: 200, data: stored }, 'castle'])
    const refused = await put('/admin/settings', { watermark: true, default_user_id: 99 })
    expect([refused.status, refused.body.error_message]).toEqual([
      400,
      (await judged('settings', { key: 'default_user_id', value: 99 }))[0],
    ])
    const left = (await put('/admin/settings', { trail_days: null, enquiry_email: null, time_zone: null }))
      .body.data
    expect(left).toEqual({ default_user_id: 1, watermark: false })
    expect((await get('/admin/settings')).body.data).toEqual(left)
    const strict = { headers: { Prefer: 'handling=strict' } }
    await expectError(
      put('/admin/settings', { castle: 1, watermark: true }, strict),
      400,
      'Invalid castle: no such field',
    )
    expect((await get('/admin/settings')).body.data).toEqual(left)
  })

  it.each([
    ['trail_days', 30],
    ['console_roles', { '*': ['admin:*'] }],
  ])('leaves %s to ADMIN_TOKEN', async (name, value) => {
    const key = await keyWith('admin:settings')
    await expectError(
      put('/admin/settings', { [name]: value }, { key }),
      403,
      `Only ADMIN_TOKEN may change ${name}`,
    )
    expect((await get('/admin/settings')).body.data).toEqual({})
    expect((await put('/admin/settings', { enquiry_email: 'a@example.com' }, { key })).status).toBe(200)
  })
})

describe('stores and users', () => {
  it('are read one by one, with phone and whether they are active only where all fields are asked for', async () => {
    await post('/admin/definitions/stores', { name: 'South' })
    const user = { id: 1, name: 'One', email: 'one@example.com', store_id: null }
    expect((await get('/api/users/1')).body).toEqual({ status: 200, data: user })
    expect((await get('/api/users')).body.data).toEqual([user])
    expect((await get('/api/users?fields=all')).body.data).toEqual([
      { ...user, phone: null, is_active: true },
    ])
    await put('/admin/definitions/users/1', { phone: '690 1', is_active: false })
    expect((await get('/api/users/1?fields=all')).body.data).toEqual({
      ...user,
      phone: '690 1',
      is_active: false,
    })
    expect((await get('/api/stores/1')).body.data).toEqual((await get('/api/stores')).body.data[0])
    await expectError(get('/api/users/9'), 404, 'User not found')
    await expectError(get('/api/stores/9'), 404, 'Store not found')
  })
})
