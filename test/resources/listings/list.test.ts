import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { expectInvalid, get, importRecords, post, put, query } from '../../support/api.ts'
import { sessionOn } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing, readListing } from '../../support/factories/listing.ts'

interface Listed {
  id: number
  code: string | null
  category: string
  subcategory: string | null
  subtype: number | null
  availability: string
  status: string
  date_created: string
  date_updated: string
}

const KINDS = [
  { category: 'residential', subcategory: 'apartment', subtype: 1, availability: 'sale' },
  { category: 'residential', subcategory: 'apartment', subtype: 2, availability: 'rent' },
  { category: 'residential', subcategory: 'villa', subtype: null, availability: 'sale' },
  { category: 'commercial', subcategory: 'office', subtype: 3, availability: 'auction' },
  { category: 'land', subcategory: null, subtype: null, availability: 'sale' },
  { category: 'other', subcategory: 'parking', subtype: null, availability: 'shortterm' },
]

const STATUSES = ['draft', 'pending', 'active', 'inactive', 'archived', 'deleted', 'active']

const nth = <T>(values: readonly T[], index: number) => values[index % values.length] as T

/** Ten days in January, six kinds: enough for two pages. */
const LISTINGS = Array.from({ length: 60 }, (_, index): Listed => {
  const day = String(1 + (index % 10)).padStart(2, '0')
  return {
    ...nth(KINDS, index),
    id: index + 1,
    code: index % 7 === 0 ? null : `AB-${index + 1}`,
    status: nth(STATUSES, index),
    date_created: `2026-01-${day} 12:00:00`,
    date_updated: `2026-02-${day} 23:59:59`,
  }
})

beforeAll(async () => {
  await seedAgency()
  await importRecords(LISTINGS.map((listing) => ['listings', { ...minimalListing, ...listing }]))
})

afterEach(() => vi.restoreAllMocks())

/** Ids of the listings that `keep` lets through, newest first. */
const idsOf = (keep: (listing: Listed) => boolean) =>
  LISTINGS.filter(keep)
    .map(({ id }) => id)
    .toReversed()

/** What a page says beside its data. */
const envelope = (page: number, total_results: number) => ({
  status: 200,
  page,
  total_pages: Math.ceil(total_results / 50),
  results_per_page: 50,
  total_results,
})

/** Reads page 1 of a list and expects it to hold these, all of them counted. */
function expectList(body: { data: { id: number }[] }, ids: number[]) {
  expect(body).toEqual({ ...envelope(1, ids.length), data: expect.anything() })
  expect(body.data.map(({ id }) => id)).toEqual(ids.slice(0, 50))
}

/** Keeps listings of which `key` is one of `values`. */
const among =
  (key: keyof Listed, ...values: unknown[]) =>
  (listing: Listed) =>
    values.includes(listing[key])

const isIn = (day: string, from: string, to: string) => day >= from && day <= to

const FILTERS: [filter: Record<string, unknown>, queries: string, keep: (listing: Listed) => boolean][] = [
  [{}, '', () => true],
  [{ status: 'active' }, 'status=active', among('status', 'active')],
  [{ status: ['active', 'draft'] }, 'status=active&status=draft', among('status', 'active', 'draft')],
  [{ status: ['deleted', 'deleted'] }, 'status=deleted&status=deleted', among('status', 'deleted')],
  [{ availability: 'sale' }, 'availability=sale', among('availability', 'sale')],
  [
    { availability: ['rent', 'auction'] },
    'availability[]=rent&availability[]=auction',
    among('availability', 'rent', 'auction'),
  ],
  [{ category: 'land' }, 'category=land', among('category', 'land')],
  [{ category: ['land', 'other'] }, 'category=land&category=other', among('category', 'land', 'other')],
  [{ subcategory: 'apartment' }, 'subcategory=apartment', among('subcategory', 'apartment')],
  [
    { subcategory: ['office', 'villa'] },
    'subcategory=office&subcategory=villa',
    among('subcategory', 'office', 'villa'),
  ],
  [{ subtype: 1 }, 'subtype=1', among('subtype', 1)],
  [{ subtype: [1, 3] }, 'subtype=1&subtype=3', among('subtype', 1, 3)],
  [{ subtype: 99 }, 'subtype=99', () => false],
  [{ subtype: 0 }, 'subtype=0', () => false],
  [{ subtype: [0, 2] }, 'subtype=0&subtype=2', among('subtype', 2)],
  [{ subtype: -1 }, 'subtype=-1', () => false],
  [{ category: 'land', subcategory: 'villa' }, 'category=land&subcategory=villa', () => false],
  [
    { status: 'active', availability: 'sale', category: ['residential', 'land'] },
    'status=active&availability=sale&category=residential&category=land',
    ({ status, availability, category }) =>
      status === 'active' && availability === 'sale' && (category === 'residential' || category === 'land'),
  ],
  [
    {
      status: 'active',
      availability: 'rent',
      category: 'residential',
      subcategory: 'apartment',
      subtype: [2],
    },
    'status=active&availability=rent&category=residential&subcategory=apartment&subtype=2',
    ({ status, subtype }) => status === 'active' && subtype === 2,
  ],
  [{ search: 'AB-9' }, 'search=AB-9', among('code', 'AB-9')],
  [{ search: '9' }, 'search=9', among('id', 9)],
  [{ search: 'ab-9' }, 'search=ab-9', () => false],
  [{ search: 'AB-' }, 'search=AB-', () => false],
  [{ search: '09' }, 'search=09', () => false],
  [{ search: '%' }, 'search=%25', () => false],
  [{ search: '  ' }, 'search=%20', () => true],
  [
    { search: '9', status: 'active' },
    'search=9&status=active',
    ({ id, status }) => id === 9 && status === 'active',
  ],
  [
    { date_created: { min: '2026-01-03', max: '2026-01-04' } },
    'date_created[min]=2026-01-03&date_created[max]=2026-01-04',
    ({ date_created }) => isIn(date_created, '2026-01-03', '2026-01-05'),
  ],
  [
    { date_created: { min: '2026-01-09 12:00:00', max: null } },
    'date_created[min]=2026-01-09%2012:00:00&date_created[max]=',
    ({ date_created }) => date_created >= '2026-01-09',
  ],
  [
    { date_created: { min: '2026-01-09 12:00:01' } },
    'date_created[min]=2026-01-09+12:00:01',
    ({ date_created }) => date_created > '2026-01-10',
  ],
  [
    { date_created: { max: '2026-01-02 11:59:59' } },
    'date_created[max]=2026-01-02%2011:59:59',
    ({ date_created }) => date_created < '2026-01-02',
  ],
  [{ date_created: { min: null, max: null } }, 'date_created[min]=&date_created[max]=', () => true],
  [
    { date_updated: { min: '2026-02-10', max: '2026-02-10' } },
    'date_updated[min]=2026-02-10&date_updated[max]=2026-02-10',
    ({ date_updated }) => date_updated.startsWith('2026-02-10'),
  ],
  [
    { date_created: { min: '2026-01-05' }, status: ['active'], category: 'residential' },
    'date_created[min]=2026-01-05&status=active&category=residential',
    ({ date_created, status, category }) =>
      date_created > '2026-01-05' && status === 'active' && category === 'residential',
  ],
  [
    { status: null, availability: [], search: null, date_created: null, subtype: [], page: null },
    'status=&availability=&search=&date_created=&subtype=&page=',
    () => true,
  ],
]

describe('QUERY /api/listings', () => {
  it.each(FILTERS)('%j', async (filter, _, keep) => {
    expectList((await query('/api/listings', filter)).body, idsOf(keep))
  })
})

describe('GET /api/listings', () => {
  it.each(FILTERS)('%j as a query string', async (_, queries, keep) => {
    expectList((await get(`/api/listings?${queries}`)).body, idsOf(keep))
  })

  it('shows each record as it is read alone, also with fields=all', async () => {
    for (const suffix of ['', '&fields=all']) {
      const { body } = await get(`/api/listings?search=9${suffix}`)
      expect(body.data).toEqual([(await get(`/api/listings/9?${suffix}`)).body.data])
    }
    const { body } = await query('/api/listings?fields=all', { search: '9' })
    expect(Object.keys(body.data[0])).toContain('land_use')
  })

  it('a range of one moment may be given as a date on both sides', async () => {
    const { body } = await query('/api/listings', {
      date_created: { min: '2026-01-01', max: '2026-01-01 00:00:00' },
    })
    expect(body.total_results).toBe(0)
  })
})

describe('GET /api/listings: pages', () => {
  it.each([{ status: 'active' }, {}, { date_created: { min: '2026-01-01' } }])(
    'past the end are empty, with the true totals (%j)',
    async (filter) => {
      const { body } = await query('/api/listings', { ...filter, page: 99 })
      const total = idsOf(({ status }) => !('status' in filter) || status === 'active').length
      expect(body).toEqual({ ...envelope(99, total), data: [] })
    },
  )

  it.each([
    {},
    { status: 'active' },
    { category: 'residential', subtype: [1, 2] },
    { search: '9' },
    { date_created: { min: '2026-01-03' }, status: ['active'] },
  ])('cost one round trip to the database (%j)', async (filter) => {
    // Once before, so that the documents are stored.
    await query('/api/listings', filter)
    const statement = Object.getPrototypeOf(env.DB.prepare('select 1'))
    const alone = (['first', 'run', 'all', 'raw'] as const).map((method) => vi.spyOn(statement, method))
    vi.spyOn(env.DB, 'withSession').mockImplementation(() => sessionOn(env.DB))
    const batch = vi.spyOn(env.DB, 'batch')
    expect((await query('/api/listings', filter)).status).toBe(200)
    const calls = [batch, ...alone].map((spy) => spy.mock.calls.length)
    expect(calls.reduce((sum, times) => sum + times, 0)).toBe(1)
  })
})

describe('GET /api/listings/{id}', () => {
  it('refuses a form of output that there is not', () =>
    expectInvalid(get('/api/listings/9?fields=none'), 'Invalid fields: must name a field of the record'))
})

describe('totals', () => {
  it('follow every write', async () => {
    const total = async (filter: object) => (await query('/api/listings', filter)).body.total_results
    const before = await total({ status: 'pending', availability: 'rent' })
    const { body } = await post('/api/listings', { ...minimalListing, availability: 'rent' })
    expect(await total({})).toBe(61)
    await post(`/api/listings/${body.created_id}/status`, { to: 'pending' })
    expect(await total({ status: 'pending', availability: 'rent' })).toBe(before + 1)
    await put(`/api/listings/${body.created_id}`, { availability: 'auction' })
    expect(await total({ status: 'pending', availability: 'rent' })).toBe(before)
    expect(await readListing(body.created_id)).toMatchObject({ status: 'pending', availability: 'auction' })
    expect(await total({ search: String(body.created_id) })).toBe(1)
  })
})
