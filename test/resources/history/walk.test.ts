/** Every write of a record is entered in the trail, whoever makes it and however. */
import { env } from 'cloudflare:workers'
import { paint, RED, toPng } from '@estia/photo-codec/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { ENTITIES } from '../../../src/admin/transfer/entities.ts'
import { routers } from '../../../src/app.ts'
import { DAILY, EVERY_MINUTE, runScheduled } from '../../../src/scheduled.ts'
import { CHANGES, RECORDS } from '../../admin/transfer/records.ts'
import { call, get, importRecords, keyWith, websiteKey } from '../../support/api.ts'
import { execute, selectAll } from '../../support/database.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { MINIMAL as ENQUIRY } from '../enquiries/seed.ts'
import { commission, EXPENSE, INCOME, seedFinances } from '../incomes/seed.ts'
import { minimalRequest, seedRequests } from '../requests/seed.ts'

const DATA = Buffer.from(toPng(paint(4, 4, () => RED))).toString('base64')

/** A call of an endpoint, and what the trail is to say of the records that it writes. */
type Step = [endpoint: string, path: string, body: unknown, entries: Entry[]]
interface Entry {
  resource: string
  version: unknown
  changed: unknown
  others: unknown
}

const made = (resource: string): Entry => ({ resource, version: 1, changed: null, others: [] })
const wrote = (resource: string, version: number, changed: object, ...others: string[]): Entry => ({
  resource,
  version,
  changed,
  others,
})
const photos = (version: number) => wrote('listings', version, {}, 'photos')
const panoramas = (version: number) => wrote('listings', version, {}, 'panorama_photos')
const DELETED = { is_deleted: [false, true] }

/** In this order; each path names the record that the ones before have made. */
const STEPS: Step[] = [
  ['POST /api/listings', '/api/listings', { ...minimalListing, price: 120_000 }, [made('listings')]],
  [
    'PUT /api/listings/{id}',
    '/api/listings/1',
    { price: 115_000, notes: 'Secret', details: { wcs: 1, assignment_fee: 2 }, users: [2, 1], title: 'New' },
    [
      wrote(
        'listings',
        2,
        { price: [120_000, 115_000], 'details.assignment_fee': [null, 2], users: [[1], [2, 1]] },
        'notes',
        'details.wcs',
        'translations',
      ),
    ],
  ],
  ['PUT /api/listings/{id}', '/api/listings/1', { price: 115_000, notes: 'Secret' }, []],
  [
    'POST /api/listings/{id}/status',
    '/api/listings/1/status',
    { to: 'active' },
    [wrote('listings', 3, { status: ['draft', 'active'] }, 'code')],
  ],
  ['POST /api/listings/{id}/status', '/api/listings/1/status', { to: 'active' }, []],
  [
    'POST /api/listings/{id}/photos',
    '/api/listings/1/photos',
    { photos: [{ data: DATA }, { data: DATA }] },
    [photos(4), photos(5)],
  ],
  ['PUT /api/listings/{id}/photos', '/api/listings/1/photos', { order: [2, 1] }, [photos(6)]],
  ['PUT /api/listings/{id}/photos', '/api/listings/1/photos', { order: [1, 2] }, []],
  [
    'PUT /api/listings/{id}/photos/{ordernum}',
    '/api/listings/1/photos/1',
    { kind: 'floor_plan' },
    [photos(7)],
  ],
  ['DELETE /api/listings/{id}/photos/{ordernum}', '/api/listings/1/photos/1', undefined, [photos(8)]],
  [
    'POST /api/listings/{id}/panorama-photos',
    '/api/listings/1/panorama-photos',
    { photos: [{ data: DATA }, { data: DATA }] },
    [panoramas(9), panoramas(10)],
  ],
  [
    'PUT /api/listings/{id}/panorama-photos',
    '/api/listings/1/panorama-photos',
    { order: [2, 1] },
    [panoramas(11)],
  ],
  [
    'PUT /api/listings/{id}/panorama-photos/{ordernum}',
    '/api/listings/1/panorama-photos/1',
    { captions: [{ language_id: 1, caption: 'Hall' }] },
    [panoramas(12)],
  ],
  [
    'DELETE /api/listings/{id}/panorama-photos/{ordernum}',
    '/api/listings/1/panorama-photos/1',
    undefined,
    [panoramas(13)],
  ],
  [
    'POST /api/external-listings',
    '/api/external-listings',
    { store_id: 1, created_by: 1, users: [1], price: 9 },
    [made('external-listings')],
  ],
  [
    'PUT /api/external-listings/{id}',
    '/api/external-listings/1',
    { price: 8, description: 'Near the sea', contact_email: 'a@example.com' },
    [wrote('external-listings', 2, { price: [9, 8] }, 'description', 'contact_email')],
  ],
  [
    'DELETE /api/external-listings/{id}',
    '/api/external-listings/1',
    undefined,
    [wrote('external-listings', 3, DELETED)],
  ],
  ['POST /api/contacts', '/api/contacts', { first_name: 'A', last_name: 'B' }, [made('contacts')]],
  [
    'PUT /api/contacts/{id}',
    '/api/contacts/101',
    { first_name: 'C', notes: 'N', address: { area: 'X' }, users: [2] },
    [wrote('contacts', 2, { users: [[], [2]] }, 'first_name', 'notes', 'address.area')],
  ],
  ['DELETE /api/contacts/{id}', '/api/contacts/101', undefined, [wrote('contacts', 3, DELETED)]],
  ['POST /api/requests', '/api/requests', minimalRequest, [made('requests')]],
  [
    'PUT /api/requests/{id}',
    '/api/requests/1',
    { price_max: 9, notes: 'N', extra_fields: { yield_min: 3 } },
    [wrote('requests', 2, { price_max: [null, 9], 'extra_fields.yield_min': [null, 3] }, 'notes')],
  ],
  ['DELETE /api/requests/{id}', '/api/requests/1', undefined, [wrote('requests', 3, DELETED)]],
  ['POST /api/enquiries', '/api/enquiries', ENQUIRY, [made('enquiries')]],
  [
    'PUT /api/enquiries/{id}',
    '/api/enquiries/1',
    { status: 'closed', notes: 'N' },
    [wrote('enquiries', 2, { status: ['new', 'closed'] }, 'notes')],
  ],
  [
    'POST /api/enquiries/{id}/convert',
    '/api/enquiries/1/convert',
    {},
    [made('contacts'), wrote('enquiries', 3, { contact_id: [null, 102], status: ['closed', 'open'] })],
  ],
  ['POST /api/enquiries/{id}/convert', '/api/enquiries/1/convert', {}, []],
  ['POST /api/enquiries', '/api/enquiries', ENQUIRY, [made('enquiries')]],
  [
    'POST /api/enquiries/{id}/convert',
    '/api/enquiries/2/convert',
    { create_request: minimalRequest },
    [
      made('contacts'),
      made('requests'),
      wrote('enquiries', 2, { contact_id: [null, 103], request_id: [null, 2], status: ['new', 'open'] }),
    ],
  ],
]

beforeAll(async () => {
  await seedRequests()
  await importRecords([['contacts', { id: 100, first_name: 'A', last_name: 'B' }]])
  await execute("update listings set status_date = '2026-01-01 00:00:00'")
})

interface Written {
  entries: {
    resource: string
    record_id: string
    version: number | null
    changed: Record<string, unknown[]> | null
    others: string[]
  }[]
  moved: string[]
}

/** Runs `write`, and returns the entries of records that it makes, and the records that the change feed says it changes. */
async function follow(write: () => Promise<unknown>): Promise<Written> {
  const [before] = await selectAll<{ cursor: number; id: number }>(
    'select ifnull((select max(cursor) from changes), 0) as cursor, ifnull((select max(id) from trail), 0) as id',
  )
  await write()
  const moved = await selectAll<{ record: string }>(
    `select distinct resource || ' ' || id as record from changes where cursor > ? and resource <> 'matches'`,
    before?.cursor,
  )
  const rows = await selectAll<{
    resource: string
    record_id: string
    version: number
    changed: string
    others: string
  }>('select resource, record_id, version, changed, others from trail where id > ? order by id', before?.id)
  const entries = rows.map(({ changed, others, ...row }) => ({
    ...row,
    changed: JSON.parse(changed),
    others: JSON.parse(others) ?? [],
  }))
  return { entries, moved: moved.map(({ record }) => record) }
}

describe('the trail', () => {
  it('knows a step for each call that writes', () => {
    const writes = routers
      .flatMap(({ endpoints }) => endpoints)
      .filter(({ audience, method }) => audience === 'api' && method !== 'get')
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    expect([...new Set(STEPS.map(([endpoint]) => endpoint))].toSorted()).toEqual(writes.toSorted())
  })

  it('has an entry for each record that a call writes, and none for what a call leaves as it is', async () => {
    for (const [endpoint, path, body, expected] of STEPS) {
      const [method = ''] = endpoint.split(' ')
      const { entries, moved } = await follow(async () => {
        const { status, body: reply } = await call(method, path, { body })
        expect({ endpoint, status, reply }).toEqual({ endpoint, status: 200, reply: expect.anything() })
      })
      const shown = entries.map(({ record_id, ...entry }) => entry)
      expect({ endpoint, shown }).toEqual({ endpoint, shown: expected })
      const records = new Set(entries.map(({ resource, record_id }) => `${resource} ${record_id}`))
      expect({ endpoint, records }).toEqual({ endpoint, records: new Set(moved) })
    }
  })
})

/** A line of each entity that import takes, with a change of one key. Most of the others are lists of names. */
const LINES = ENTITIES.map(({ name }) => {
  const known = RECORDS.find(([entity]) => entity === name)
  return known
    ? { name, data: known[1], change: CHANGES[name] ?? {} }
    : { name, data: { id: 50, name: 'A' }, change: { name: 'B' } }
})

const isGroup = (value: unknown) => value instanceof Object && !Array.isArray(value)

/** `{ location: { address: null } }` → `location.address` */
const namesIn = (change: object) =>
  Object.entries(change).flatMap(([key, value]) =>
    isGroup(value) ? Object.keys(value).map((name) => `${key}.${name}`) : [key],
  )

const importing = (entity: string, data: object, query = '') =>
  follow(async () => {
    const { body } = await call('POST', `/admin/import${query}`, { body: JSON.stringify({ entity, data }) })
    expect(body.data).toEqual({ accepted: 1, rejected: 0, errors: [], ignored: [] })
  })

/** The entries of records, without that of the call. */
const ofRecords = ({ entries }: Written) => entries.filter(({ resource }) => resource !== 'import')

const recordsIn = (written: Written) =>
  ofRecords(written).map(({ resource, record_id }) => `${resource} ${record_id}`)

describe('POST /admin/import', () => {
  beforeAll(seedFinances)

  it.each(LINES)('enters each line of $name, and the call itself', async ({ name, data, change }) => {
    const { id, key } = { id: undefined, key: undefined, ...data }
    const record_id = String(id ?? key)
    const created = await importing(name, data)
    expect(ofRecords(created)).toContainEqual(
      expect.objectContaining({ record_id, changed: null, others: [] }),
    )
    const updated = await importing(name, { ...(key === undefined ? { id } : { key }), ...change })
    expect(
      ofRecords(updated).map((entry) => [entry.record_id, Object.keys(entry.changed ?? {}), entry.others]),
    ).toEqual([[record_id, expect.any(Array), expect.any(Array)]])
    const [entry] = ofRecords(updated)
    expect([...Object.keys(entry?.changed ?? {}), ...(entry?.others ?? [])]).toEqual(namesIn(change))
    for (const written of [created, updated])
      expect(recordsIn(written)).toEqual(expect.arrayContaining(written.moved))
    const unchanged = await importing(name, { ...(key === undefined ? { id } : { key }), ...change })
    expect(ofRecords(unchanged)).toEqual([])
    const calls = [created, updated, unchanged].map(
      ({ entries }) => entries.filter(({ resource }) => resource === 'import').length,
    )
    expect(calls).toEqual([1, 1, 1])
  })

  it.each<[string, object, object, string]>([
    [
      'listings',
      { price: 3, notes: 'N', details: { land_size: 21 } },
      { price: [1000, 3], price_per_sqm: [33.33, 0.1], 'details.land_size': [20, 21] },
      'notes',
    ],
    ['contacts', { is_lead: true, first_name: 'Anna' }, { is_lead: [false, true] }, 'first_name'],
    ['requests', { rooms_min: 2, notes: 'N' }, { rooms_min: [null, 2] }, 'notes'],
    ['external_listings', { size: 4, photos: [] }, { size: [3, 4], price_per_sqm: [3.33, 2.5] }, 'photos'],
    ['offers', { status: 'accepted', notes: 'N' }, { status: ['under_negotiation', 'accepted'] }, 'notes'],
    ['contracts', { deposit_amount: 5, contacts: [] }, { deposit_amount: [19_000, 5] }, 'contacts'],
    ['incomes', { total_amount: 8, title: 'T' }, { total_amount: ['3000.30', '8.00'] }, 'title'],
    ['expenses', { amount: '5.50', title: 'T' }, { amount: ['6.00', '5.50'] }, 'title'],
  ])('shows the values of %s that are to be shown', async (name, change, changed, other) => {
    const id = name === 'expenses' ? 52 : 50
    const written = await importing(name, { id, ...change })
    expect(ofRecords(written)).toEqual([expect.objectContaining({ changed, others: [other] })])
  })

  it('enters the expenses that commissions make, change and end, under whatever ids', async () => {
    const [paid, other] = [{ partner_commission_amount: 7 }, commission(61)]
    const income = (change: object) => ['incomes', { id: 60, ...change }] as const
    const CONFIRMED = { status: ['pending', 'confirmed'] }
    const steps: [readonly [entity: string, data: object], Record<string, [unknown, string[]]>][] = [
      [
        income({ ...INCOME, id: 60, commissions: [commission(60), other] }),
        { 'incomes 60': [null, []], 'expenses 53': [null, []], 'expenses 54': [null, []] },
      ],
      [
        income({ date: '2024-05-01', commissions: [commission(60, paid), other] }),
        {
          'incomes 60': [{}, ['date', 'commissions']],
          'expenses 53': [{ amount: ['100.01', '7.00'] }, ['date']],
          'expenses 54': [{}, ['date']],
        },
      ],
      [
        income({ commissions: [commission(60, { ...paid, expense_id: 70 }), other] }),
        { 'incomes 60': [{}, ['commissions']], 'expenses 53': [{}, ['id']], 'expenses 70': [{}, ['id']] },
      ],
      [['expenses', { ...EXPENSE, id: 70 }], { 'expenses 70': [null, []], 'expenses 71': [{}, ['id']] }],
      [
        income({ status: 'confirmed' }),
        { 'incomes 60': [CONFIRMED, []], 'expenses 71': [CONFIRMED, []], 'expenses 54': [CONFIRMED, []] },
      ],
      [
        income({ commissions: [] }),
        {
          'incomes 60': [{}, ['commissions']],
          'expenses 71': [{}, ['linked_income_commission_id']],
          'expenses 54': [{}, ['linked_income_commission_id']],
        },
      ],
    ]
    for (const [[entity, data], expected] of steps) {
      const written = await importing(entity, data)
      // Of two entries of a record the later one.
      const entries = ofRecords(written).map(({ resource, record_id, changed, others }) => [
        `${resource} ${record_id}`,
        [changed, others],
      ])
      expect(Object.fromEntries(entries)).toEqual(expected)
      expect(new Set(written.moved)).toEqual(new Set(Object.keys(expected)))
    }
  })
})

describe('cron', () => {
  it('enters what it does to records', async () => {
    await execute("update enquiries set status = 'spam', status_date = '2020-01-01 00:00:00' where id = 1")
    await execute('update listings set fake_latitude = 1, fake_longitude = 2 where id = 1')
    await execute(`update listing_photos set width = null, height = null, original_image =
      (select original_image from listing_photos where listing_id = 1 limit 1) where listing_id = 50`)
    const run = (cron: string) => follow(() => runScheduled({ cron }, env))
    const entry = (record_id: number, written: Entry) => ({ ...written, record_id: String(record_id) })
    const { entries, moved } = await run(EVERY_MINUTE)
    expect(entries.toSorted((a, b) => Number(a.record_id) - Number(b.record_id))).toEqual([
      entry(1, wrote('listings', 15, {}, 'location.fake_latitude', 'location.fake_longitude')),
      entry(50, { ...photos(0), version: expect.any(Number) }),
    ])
    expect(new Set(moved)).toEqual(new Set(['listings 1', 'listings 50']))
    expect(await run(DAILY)).toEqual({
      entries: [entry(1, wrote('enquiries', 4, DELETED))],
      moved: ['enquiries 1'],
    })
    const actors = await selectAll(
      "select distinct actor_type, actor_id, address, method, route from trail where actor_type = 'cron'",
    )
    expect(actors).toEqual([{ actor_type: 'cron', actor_id: null, address: null, method: null, route: null }])
  })
})

describe('GET …/history', () => {
  it('shows who wrote a record, newest first, whose names are those of today', async () => {
    const key = await keyWith('listings:read', 'listings:write')
    await call('PUT', '/api/listings/1', { body: { price: 110_000 }, key })
    const { status, body } = await get('/api/listings/1/history?per_page=2')
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 200,
        page: 1,
        total_pages: 8,
        results_per_page: 2,
        total_results: 16,
        data: [
          {
            version: 16,
            date: expect.any(String),
            actor: { type: 'key', id: expect.stringMatching(/^[0-9a-f]{16}$/), name: 'test' },
            changed: { price: [115_000, 110_000] },
            others: [],
          },
          expect.objectContaining({ version: 15, actor: { type: 'cron', id: null, name: null } }),
        ],
      },
    })
  })

  it.each(['listings', 'external-listings', 'requests', 'contacts', 'offers', 'contracts', 'enquiries'])(
    'is there for %s, deleted ones too, and 404 for none',
    async (resource) => {
      const id = resource === 'contacts' ? 101 : 1
      const { status, body } = await get(`/api/${resource}/${id}/history`)
      expect({ status, first: body.data.at(-1).changed }).toEqual({ status: 200, first: null })
      expect((await get(`/api/${resource}/999/history`)).status).toBe(404)
      expect((await get(`/api/${resource}/1/history`, { key: await keyWith('expenses:read') })).status).toBe(
        403,
      )
      expect((await get(`/api/${resource}/1/history`, { key: await websiteKey() })).status).toBe(403)
    },
  )
})

describe('writes at the same moment', () => {
  it('are one entry each, in the order in which they are stored', async () => {
    const prices = [1, 2, 3, 4, 5, 6, 7, 8]
    const { entries } = await follow(() =>
      Promise.all(prices.map((price) => call('PUT', '/api/listings/1', { body: { price } }))),
    )
    const versions = entries.map(({ version }) => Number(version))
    expect(versions).toEqual(versions.map((_, index) => (versions[0] ?? 0) + index))
    const pairs = entries.map(({ changed }) => changed?.price ?? [])
    expect(new Set(pairs.map(([, after]) => after))).toEqual(new Set(prices))
    for (const [index, [before]] of pairs.entries()) if (index > 0) expect(before).toBe(pairs[index - 1]?.[1])
  })
})
