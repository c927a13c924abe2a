/** Every write of a record is entered in the trail, whoever makes it and however. */
import { env } from 'cloudflare:workers'
import { paint, RED, toPng } from '@estia/photo-codec/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { RECORD_RESOURCES, writePathOf } from '../../../src/catalogue/resources.ts'
import { DAILY, EVERY_MINUTE, runScheduled } from '../../../src/scheduled.ts'
import { endpoints } from '../../http/send.ts'
import { call, get, importRecords, keyWith } from '../../support/api.ts'
import { execute, selectAll } from '../../support/database.ts'
import { DATE } from '../../support/factories/dates.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { CREATED, RECORDS, SMALLEST, UPDATES } from '../../support/factories/samples.ts'
import { MINIMAL as ENQUIRY } from '../enquiries/seed.ts'
import { seedFinances } from '../incomes/seed.ts'
import { CANCELLED, SIGNED } from '../offers/seed.ts'
import { minimalRequest, seedRequests } from '../requests/seed.ts'
import { follow } from './follow.ts'

const DATA = Buffer.from(toPng(paint(4, 4, () => RED))).toString('base64')

/** A call, and what the trail is to say of the records that it writes. */
type Step = [call: string, body: unknown, entries: Entry[]]
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
const DELETED = { is_deleted: [false, true] }
const CONFIRMED = { status: ['pending', 'confirmed'] }
const REOPENED = { status: ['confirmed', 'pending'] }
const SHARE = { side: 'owner_side', partner_id: 1, partner_commission_amount: '30.00' }

/** The steps of pictures of listing 1, whose next version is `version`. */
function pictures(kind: 'photos' | 'panorama-photos', version: number): Step[] {
  const path = `/api/listings/1/${kind}`
  const at = (later: number) => wrote('listings', version + later, {}, kind.replace('-', '_'))
  return [
    [`POST ${path}`, { photos: [{ data: DATA }, { data: DATA }] }, [at(0), at(1)]],
    [`PUT ${path}`, { order: [2, 1] }, [at(2)]],
    [`PUT ${path}`, { order: [1, 2] }, []],
    [`PUT ${path}/1`, { captions: [{ language_id: 1, caption: 'Hall' }] }, [at(3)]],
    [`DELETE ${path}/1`, undefined, [at(4)]],
  ]
}

/** The steps of resources whose samples have an update. */
const PLAIN = RECORD_RESOURCES.flatMap((facts): Step[] => {
  const { resource, table, writes } = facts
  const update = UPDATES[table]
  if (!update) return []
  const path = writePathOf(facts)
  const [body, changed, others] = update
  const steps: Step[] = [
    [`POST ${path}`, CREATED[table], [made(resource)]],
    [`PUT ${path}/{id}`, body, [wrote(resource, 2, changed, ...others)]],
    [`DELETE ${path}/{id}`, undefined, [wrote(resource, 3, DELETED)]],
  ]
  return writes.includes('delete') ? steps : steps.slice(0, 2)
})

const [CATEGORIES, ARTICLES] = ['/office/knowledge-base/categories', '/office/knowledge-base/articles']

/** In this order; `{id}` is that of the record made last, other paths name what the ones before have made. */
const STEPS: Step[] = [
  ...PLAIN,
  ['POST /api/listings', { ...minimalListing, price: 120_000 }, [made('listings')]],
  [
    'PUT /api/listings/1',
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
  ['PUT /api/listings/1', { price: 115_000, notes: 'Secret' }, []],
  [
    'POST /api/listings/1/status',
    { to: 'active' },
    [wrote('listings', 3, { status: ['draft', 'active'] }, 'code')],
  ],
  ['POST /api/listings/1/status', { to: 'active' }, []],
  ...pictures('photos', 4),
  ...pictures('panorama-photos', 9),
  [
    'POST /api/enquiries/1/convert',
    {},
    [made('contacts'), wrote('enquiries', 3, { contact_id: [null, 102], status: ['closed', 'open'] })],
  ],
  ['POST /api/enquiries/1/convert', {}, []],
  ['POST /api/enquiries', ENQUIRY, [made('enquiries')]],
  [
    'POST /api/enquiries/2/convert',
    { create_request: minimalRequest },
    [
      made('contacts'),
      made('requests'),
      wrote('enquiries', 2, { contact_id: [null, 103], request_id: [null, 2], status: ['new', 'open'] }),
    ],
  ],
  [
    'POST /office/incomes',
    { category: 'valuation', date: '2026-05-01', owner_side_amount: 90, commissions: [SHARE] },
    [made('expenses'), made('incomes')],
  ],
  [
    'PUT /office/incomes/1',
    { date: '2026-05-02', owner_side_amount: 100, notes: 'N', commissions: [{ id: 1 }] },
    [
      wrote(
        'incomes',
        2,
        {
          date: ['2026-05-01', '2026-05-02'],
          owner_side_amount: ['90.00', '100.00'],
          total_amount: ['90.00', '100.00'],
          commissions: ['90.00', '100.00'].map((side_total_commission) => [
            { ...SHARE, side_total_commission },
          ]),
        },
        'notes',
      ),
      wrote('expenses', 2, { date: ['2026-05-01', '2026-05-02'] }),
    ],
  ],
  [
    'POST /office/incomes/1/confirm',
    undefined,
    [wrote('incomes', 3, CONFIRMED), wrote('expenses', 3, CONFIRMED)],
  ],
  ['POST /office/incomes/1/confirm', { date: '2026-07-01' }, []],
  ['POST /office/incomes/1/reopen', { reason: 'A slip' }, [wrote('incomes', 4, REOPENED, 'notes')]],
  ['POST /office/expenses/1/reopen', { reason: 'A slip' }, [wrote('expenses', 4, REOPENED, 'notes')]],
  ['POST /office/expenses/1/reopen', { reason: 'Again' }, []],
  ['DELETE /office/incomes/1', undefined, [wrote('incomes', 5, DELETED), wrote('expenses', 5, DELETED)]],
  ['POST /office/expenses', { category_id: 1, amount: 5, date: '2026-05-01' }, [made('expenses')]],
  [
    'PUT /office/expenses/2',
    { amount: '6.50', partner_id: 1, title: 'T' },
    [wrote('expenses', 2, { amount: ['5.00', '6.50'], partner_id: [null, 1] }, 'title')],
  ],
  [
    'POST /office/expenses/2/confirm',
    { date: '2026-06-01' },
    [wrote('expenses', 3, { ...CONFIRMED, date: ['2026-05-01', '2026-06-01'] })],
  ],
  ['POST /office/expenses/2/reopen', { reason: 'A slip' }, [wrote('expenses', 4, REOPENED, 'notes')]],
  ['DELETE /office/expenses/2', undefined, [wrote('expenses', 5, DELETED)]],
  [
    'POST /office/offers',
    { listing: { external: false, listing_id: 1 }, contacts: [100], store_id: 1, amount: 90 },
    [made('offers')],
  ],
  [
    'PUT /office/offers/1',
    { loan_percentage: 50, notes: 'N' },
    [wrote('offers', 2, { loan_percentage: [0, 50] }, 'notes')],
  ],
  [
    'POST /office/offers/1/rounds',
    { type: 'accepted', amount: 95 },
    [wrote('offers', 3, { status: ['submitted', 'accepted'], 'rounds.amount': [90, 95] }, 'rounds')],
  ],
  ['POST /office/contracts', { offer_id: 1, status_id: 1 }, [made('contracts')]],
  [
    'PUT /office/contracts/1',
    { deposit_amount: 5, notes: 'N' },
    [wrote('contracts', 2, { deposit_amount: [null, 5] }, 'notes')],
  ],
  [
    'POST /office/contracts/1/status',
    { to: 2, status_date: '2026-01-01 00:00:00' },
    [
      wrote('contracts', 3, { status_id: [1, 2], status_date: [null, '2026-01-01 00:00:00'] }),
      wrote('offers', 4, { status: ['accepted', 'withdrawn'], is_active: [true, false] }, 'rounds'),
    ],
  ],
  ['POST /api/tasks', { title: 'T', user_id: 1 }, [made('tasks')]],
  [
    'POST /api/tasks/{id}/done',
    { result: 'R', next: { title: 'N' } },
    [
      wrote('tasks', 2, { status: ['open', 'done'], done_date: [null, expect.any(String)] }, 'result'),
      made('tasks'),
    ],
  ],
  [`POST ${CATEGORIES}`, { name: 'C', color: '#fff' }, [made('knowledge-base/categories')]],
  [`PUT ${CATEGORIES}/1`, { description: 'D' }, [wrote('knowledge-base/categories', 2, {}, 'description')]],
  [`POST ${ARTICLES}`, { title: 'T', category_id: 1 }, [made('knowledge-base/articles')]],
  [`PUT ${ARTICLES}/1`, { title: 'U' }, [wrote('knowledge-base/articles', 2, {}, 'title')]],
  [`POST ${ARTICLES}/1/files?name=a.txt`, { a: 1 }, [wrote('knowledge-base/articles', 3, {}, 'files')]],
  [`DELETE ${ARTICLES}/1/files/1`, undefined, [wrote('knowledge-base/articles', 4, {}, 'files')]],
  [`DELETE ${ARTICLES}/1`, undefined, [wrote('knowledge-base/articles', 5, DELETED)]],
  [`DELETE ${CATEGORIES}/1`, undefined, [wrote('knowledge-base/categories', 3, DELETED)]],
  [
    'POST /api/appointments',
    { ...CREATED.appointments, type: 'viewing', listing_id: 1, contacts: [] },
    [made('appointments')],
  ],
  [
    'POST /api/appointments/{id}/status',
    { to: 'confirmed', reason: 'R' },
    [wrote('appointments', 2, { status: ['proposed', 'confirmed'] }, 'notes')],
  ],
  ['POST /api/appointments/{id}/status', { to: 'confirmed' }, []],
  [
    'POST /api/appointments/{id}/confirmations',
    { party: 'owner', via: 'phone' },
    [wrote('appointments', 3, {}, 'confirmations')],
  ],
  [
    'DELETE /api/appointments/{id}/confirmations/owner',
    undefined,
    [wrote('appointments', 4, {}, 'confirmations')],
  ],
  [
    'PUT /api/appointments/{id}/feedback',
    { interest: 'undecided', text: 'T' },
    [
      wrote(
        'appointments',
        5,
        {
          status: ['confirmed', 'done'],
          'feedback.interest': [null, 'undecided'],
          'feedback.date': [null, expect.any(String)],
        },
        'feedback.text',
      ),
    ],
  ],
  [
    'POST /api/contacts/100/merge',
    { contacts: [102] },
    [
      wrote('contacts', 2, { consents: [[], [expect.objectContaining({ purpose: 'marketing' })]] }, 'emails'),
      wrote('contacts', 2, { is_deleted: [false, true], merged_into: [null, 100] }),
      wrote('enquiries', 4, { contact_id: [102, 100] }),
    ],
  ],
  [
    'POST /api/contacts/100/unmerge',
    { contact_id: 102 },
    [
      wrote('contacts', 3, {}),
      wrote('contacts', 3, { is_deleted: [true, false], merged_into: [100, null] }),
      wrote('enquiries', 5, { contact_id: [100, 102] }),
    ],
  ],
]

beforeAll(async () => {
  await importRecords([
    ['contract_statuses', { ...SIGNED, is_completed: false }],
    ['contract_statuses', CANCELLED],
  ])
  await seedRequests()
  await importRecords([
    ['contacts', { id: 100, first_name: 'A', last_name: 'B' }],
    ['expense_categories', { id: 1, name: 'Commissions' }],
  ])
  await execute("update listings set status_date = '2026-01-01 00:00:00'")
})

describe('the trail', () => {
  it('knows a step for each call that writes', () => {
    const writes = endpoints.filter(({ audience, method }) => audience === 'api' && method !== 'get')
    const forgotten = writes.filter(({ method, path }) => {
      const isOf = new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`, 'i')
      return !STEPS.some(([step]) => isOf.test(step))
    })
    expect(forgotten.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  it('has an entry for each record that a call writes, and none for what a call leaves as it is', async () => {
    let last = 0
    for (const [step, body, expected] of STEPS) {
      const [method = '', path = ''] = step.replace('{id}', String(last)).split(' ')
      const { entries, moved } = await follow(async () => {
        const { status, body: reply } = await call(method, path, { body })
        last = reply.created_id ?? reply.data?.id ?? last
        expect({ step, status, reply }).toEqual({ step, status: 200, reply: expect.anything() })
      })
      const shown = entries.map(({ record_id, ...entry }) => entry)
      expect({ step, shown }).toEqual({ step, shown: expected })
      const records = new Set(entries.map(({ resource, record_id }) => `${resource} ${record_id}`))
      expect({ step, records }).toEqual({ step, records: new Set(moved) })
    }
  })
})

describe('cron', () => {
  beforeAll(async () => {
    await seedFinances()
    await importRecords(RECORDS.filter(([entity]) => entity === 'listings'))
  })

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
      entry(50, { ...wrote('listings', 0, {}, 'photos'), version: expect.any(Number) }),
    ])
    expect(new Set(moved)).toEqual(new Set(['listings 1', 'listings 50']))
    expect(await run(DAILY)).toEqual({
      entries: [entry(1, wrote('enquiries', 6, DELETED))],
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
    const { body } = await get('/api/listings/1/history?per_page=2')
    const actor = { type: 'key', id: expect.stringMatching(/^[0-9a-f]{16}$/), name: 'test' }
    expect(body).toMatchObject({ page: 1, total_pages: 8, results_per_page: 2, total_results: 16 })
    expect(body.data).toEqual([
      { version: 16, date: DATE, actor, changed: { price: [115_000, 110_000] }, others: [] },
      expect.objectContaining({ version: 15, actor: { type: 'cron', id: null, name: null } }),
    ])
  })

  it.each(RECORD_RESOURCES.filter(({ history }) => history))(
    'is there for $resource, deleted ones too, and 404 for none',
    async ({ resource, table, deletedIf }) => {
      await importRecords([[table, { ...SMALLEST[table], id: 900 }]])
      const gone = deletedIf === 'is_deleted' ? { is_deleted: true } : { status: 'deleted' }
      if (deletedIf) await importRecords([[table, { id: 900, ...gone }]])
      const { status, body } = await get(`/api/${resource}/900/history`)
      expect({ status, first: body.data.at(-1).changed }).toEqual({ status: 200, first: null })
      expect((await get(`/api/${resource}/999/history`)).status).toBe(404)
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
