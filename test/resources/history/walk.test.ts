/** Every write of a record is entered in the trail, whoever makes it and however. */
import { paint, RED, toPng } from '@estia/photo-codec/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { routers } from '../../../src/app.ts'
import { call, get, importRecords, keyWith, websiteKey } from '../../support/api.ts'
import { execute, selectAll } from '../../support/database.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { MINIMAL as ENQUIRY } from '../enquiries/seed.ts'
import { minimalRequest, seedRequests } from '../requests/seed.ts'

const DATA = Buffer.from(toPng(paint(4, 4, () => RED))).toString('base64')

/** A call of an endpoint, and what the trail is to say of the records that it writes. */
type Step = [endpoint: string, path: string, body: unknown, entries: Entry[]]
interface Entry {
  resource: string
  version: number | null
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
    changed: unknown
    others: unknown
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
      expect({ endpoint, records: [...records].toSorted() }).toEqual({ endpoint, records: moved.toSorted() })
    }
  })
})

const property = { store_id: 1, created_by: 1, currency: 'EUR', listing: { external: false, listing_id: 1 } }
const offer = { ...property, status: 'submitted', is_active: true, current_listing_price: 1, contacts: [100] }
const money = { date: '2026-01-01', status: 'pending', created_by: 1 }

/** Lines of import with a change, and what the trail is to say of it. A new record comes first. */
const LINES: [
  entity: string,
  data: Record<string, unknown>,
  change: object,
  changed: object,
  others: string[],
][] = [
  ['listings', { id: 50, ...minimalListing }, { price: 3, notes: 'N' }, { price: [null, 3] }, ['notes']],
  [
    'contacts',
    { id: 50, first_name: 'A', last_name: 'B' },
    { is_lead: true },
    { is_lead: [false, true] },
    [],
  ],
  ['requests', { id: 50, ...minimalRequest }, { rooms_min: 2 }, { rooms_min: [null, 2] }, []],
  [
    'external_listings',
    { id: 50, store_id: 1, created_by: 1, users: [1] },
    { size: 3 },
    { size: [null, 3] },
    [],
  ],
  [
    'offers',
    { id: 1, ...offer },
    { status: 'accepted', notes: 'N' },
    { status: ['submitted', 'accepted'] },
    ['notes'],
  ],
  [
    'contract_statuses',
    { id: 1, name: 'A', is_completed: false, is_cancelled: false, bg_color: '#fff', text_color: '#000' },
    { name: 'B' },
    {},
    ['name'],
  ],
  [
    'contracts',
    { id: 1, ...property, offer_id: 1, status_id: 1, contacts: [100] },
    { deposit_amount: 5 },
    { deposit_amount: [null, 5] },
    [],
  ],
  ['income_other_categories', { id: 1, name: 'A' }, { name: 'B' }, {}, ['name']],
  [
    'incomes',
    { id: 1, ...money, category: 'other', other_category_id: 1, total_amount: 9 },
    { total_amount: 8, title: 'T' },
    { total_amount: ['9.00', '8.00'] },
    ['title'],
  ],
  ['expense_categories', { id: 1, name: 'A' }, { name: 'B' }, {}, ['name']],
  [
    'expenses',
    { id: 1, ...money, category_id: 1, amount: 5 },
    { amount: '5.50' },
    { amount: ['5.00', '5.50'] },
    [],
  ],
  ['settings', { key: 'trail_days', value: 7 }, { value: 8 }, {}, ['value']],
]

describe('POST /admin/import', () => {
  it.each(LINES)('enters each line of %s', async (entity, data, change, changed, others) => {
    const { id, key } = { id: undefined, key: undefined, ...data }
    const record_id = String(id ?? key)
    const created = await follow(() => importRecords([[entity, data]]))
    expect(created.entries.filter((entry) => entry.record_id !== null)).toEqual([
      expect.objectContaining({ record_id, changed: null, others: [] }),
    ])
    const updated = await follow(() => importRecords([[entity, { ...data, ...change }]]))
    expect(updated.entries.filter((entry) => entry.record_id !== null)).toEqual([
      expect.objectContaining({ record_id, changed, others }),
    ])
    const unchanged = await follow(() => importRecords([[entity, { ...data, ...change }]]))
    expect(unchanged.entries.filter((entry) => entry.record_id !== null)).toEqual([])
    const calls = [created, updated, unchanged].map(
      ({ entries }) => entries.filter(({ resource }) => resource === 'import').length,
    )
    expect(calls).toEqual([1, 1, 1])
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
        total_pages: 7,
        results_per_page: 2,
        total_results: 14,
        data: [
          {
            version: 14,
            date: expect.any(String),
            actor: { type: 'key', id: expect.stringMatching(/^[0-9a-f]{16}$/), name: 'test' },
            changed: { price: [115_000, 110_000] },
            others: [],
          },
          expect.objectContaining({ version: 13, others: ['panorama_photos'] }),
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
