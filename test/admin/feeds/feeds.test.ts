import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  expectData,
  expectDone,
  expectError,
  expectInvalid,
  get,
  importRecords,
  type Line,
  post,
  put,
} from '../../support/api.ts'
import { execute, selectAll } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { DATE } from '../../support/factories/dates.ts'
import { minimalListing } from '../../support/factories/listing.ts'

const PAGE = 'https://www.agency.example/{language}/listings/{id}'

const fresh = {
  id: expect.any(Number),
  name: 'Portal',
  format: 'kyero',
  filters: {},
  languages: null,
  page_url: null,
  url: expect.stringMatching(/^http:\/\/estia\.test\/feeds\/[0-9a-f]{32}\/kyero\.xml$/),
  ...{ date_created: DATE, date_updated: DATE },
}

beforeAll(seedAgency)
beforeEach(async () => {
  await execute('delete from feeds')
})

const make = async (values: Record<string, unknown> = {}) =>
  (await post('/admin/feeds', { name: 'Portal', format: 'kyero', ...values })).body.data
const statusOf = async (url: string) => (await get(new URL(url).pathname)).status

describe('POST /admin/feeds', () => {
  it('makes a feed of all active listings', async () => {
    await expectData(post('/admin/feeds', { name: 'Portal', format: 'kyero' }), fresh)
  })

  it('stores filters so that they can be sent back', async () => {
    const filters = {
      search: 'RES-1',
      availability: 'sale',
      category: ['land', 'land', 'residential'],
      tags: [2, 1],
      users: 1,
      price: { min: 5 },
      date_created: { min: '2026-01-01', max: '2026-01-31' },
      features: ['has_elevator'],
      view: 'sea',
      has_photos: true,
      text: 'Κηφισιά sea',
      near: { latitude: 38, longitude: 24, radius: 500 },
      bounds: { south: 34, west: 19, north: 42, east: 30 },
      rooms: null,
    }
    const stored = {
      search: 'RES-1',
      availability: ['sale'],
      category: ['land', 'residential'],
      tags: [2, 1],
      users: [1],
      price: { min: 5, max: null },
      date_created: { min: '2026-01-01 00:00:00', max: '2026-01-31 23:59:59' },
      features: ['elevator'],
      view: ['sea_view'],
      has_photos: true,
      text: 'Κηφισιά sea',
      near: { latitude: 38, longitude: 24, radius: 500 },
      bounds: { south: 34, west: 19, north: 42, east: 30 },
    }
    const { id, filters: shown } = await make({ filters })
    expect(shown).toEqual(stored)
    expect((await put(`/admin/feeds/${id}`, { filters: shown })).status).toBe(200)
    expect((await get(`/admin/feeds/${id}`)).body.data.filters).toEqual(stored)
  })

  it('names the filters that it does not know, and pages are none', async () => {
    const filters = {
      page: 2,
      sort: 'price',
      fields: 'id',
      castle: true,
      near: { latitude: 1, longitude: 1, radius: 1, x: 1 },
    }
    const body = { name: 'Portal', format: 'kyero', filters }
    const { headers } = await post('/admin/feeds', body)
    expect(headers.get('X-Ignored-Fields')).toBe(
      'filters.page, filters.sort, filters.fields, filters.castle, filters.near.x',
    )
    await expectInvalid(
      post('/admin/feeds', body, { headers: { Prefer: 'handling=strict' } }),
      'Invalid filters.page: no such field',
    )
  })

  it('takes languages and where the pages are', async () => {
    const values = { languages: ['en', 'el', 'en'], page_url: PAGE }
    expect(await make(values)).toEqual({ ...fresh, ...values, languages: ['en', 'el'] })
    const page_url = 'http://localhost:3000/listings?id={id}'
    expect(await make({ languages: ['el'], page_url })).toMatchObject({ languages: ['el'], page_url })
  })

  const kyero = { name: 'Portal', format: 'kyero' }
  const https = 'must be an https URL without credentials'
  const behind = 'must contain {id} and {language} behind the host'

  it.each<[Record<string, unknown>, string]>([
    [{}, 'Missing name'],
    [{ name: 'Portal' }, 'Missing format'],
    [
      { ...kyero, filters: { features: ['dragon'] } },
      'Invalid filters.features: dragon is not in the list that /api/listings/features serves',
    ],
    [
      {
        ...kyero,
        filters: Object.fromEntries(
          ['ids', 'areas', 'tags', 'users', 'subtype', 'store_id'].map((name) => [
            name,
            Array.from({ length: 1000 }, (_, index) => 9e12 + index),
          ]),
        ),
      },
      'Invalid filters: must be at most 65536 bytes of JSON',
    ],
    [{ ...kyero, languages: [] }, 'Invalid languages: must not be empty'],
    [{ ...kyero, languages: ['en', 'tlh'] }, 'Invalid languages.1: must be a code of /api/languages'],
    [{ ...kyero, page_url: 'https://a.example/{language}' }, 'Invalid page_url: must contain {id}'],
    [
      { ...kyero, page_url: 'https://a.example/{id}', languages: ['en', 'el'] },
      'Invalid page_url: must contain {language}, as there are several languages',
    ],
    ...[
      'http://a.example/{language}/{id}',
      'javascript:alert("{language}{id}")',
      'https://user@a.example/{language}/{id}',
      'https://a.example/{language}/{id}\n',
      'https://a b.example/{language}/{id}',
    ].map((page_url): [Record<string, unknown>, string] => [
      { ...kyero, page_url },
      `Invalid page_url: ${https}`,
    ]),
    [{ ...kyero, page_url: 'https://{language}.a.example/{id}' }, `Invalid page_url: ${behind}`],
    [{ ...kyero, page_url: 'https://a.example/{language}#{id}' }, `Invalid page_url: ${behind}`],
    [
      { ...kyero, page_url: 'https://a.example/{language}/{slug}/{id}' },
      'Invalid page_url: must contain no other braces than {id} and {language}',
    ],
    // As the parser writes them, with the longest id: é takes six characters.
    ...[`https://a.example/${'é'.repeat(400)}/{language}/{id}`, `${PAGE}?${'{id}'.repeat(160)}`].map(
      (page_url): [Record<string, unknown>, string] => [
        { ...kyero, page_url },
        'Invalid page_url: must lead to addresses of at most 2048 characters',
      ],
    ),
    [{ ...kyero, format: 'sitemap' }, 'Missing page_url'],
  ])('refuses %j', async (body, message) => {
    await expectInvalid(post('/admin/feeds', body), message)
    expect(await selectAll('select id from feeds')).toEqual([])
  })
})

describe('PUT /admin/feeds/{id}', () => {
  it('changes what is sent', async () => {
    const made = await make({ filters: { rooms: { min: 2 } }, languages: ['en'], page_url: PAGE })
    await execute("update feeds set date_updated = '2026-01-01 00:00:00'")
    const change = { name: 'Other', filters: { rooms: { max: 3 } } }
    await expectDone(put(`/admin/feeds/${made.id}`, change), { updated_id: made.id })
    const changed = (await get(`/admin/feeds/${made.id}`)).body.data
    expect(changed).toEqual({
      ...made,
      name: 'Other',
      filters: { rooms: { min: null, max: 3 } },
      date_updated: expect.not.stringMatching('2026-01-01 00:00:00'),
    })
    await put(`/admin/feeds/${made.id}`, { filters: null, languages: null, page_url: null })
    const cleared = { ...made, name: 'Other', filters: {}, languages: null, page_url: null }
    await expectData(get(`/admin/feeds/${made.id}`), { ...cleared, date_updated: DATE })
  })

  it('moves the feed to another file with another format', async () => {
    const { id, url } = await make({ page_url: PAGE })
    await put(`/admin/feeds/${id}`, { format: 'sitemap' })
    expect(await statusOf(url)).toBe(404)
    expect(await statusOf(url.replace('kyero', 'sitemap'))).toBe(200)
  })

  it.each<[Record<string, unknown>, Record<string, unknown>, string]>([
    [{}, { format: 'sitemap' }, 'Missing page_url'],
    [{ format: 'sitemap', page_url: PAGE }, { page_url: null }, 'Missing page_url'],
    [{}, { name: null }, 'Missing name'],
    [
      { languages: ['en'], page_url: 'https://a.example/{id}' },
      { languages: null },
      'Invalid page_url: must contain {language}, as there are several languages',
    ],
  ])('refuses to make %j %j', async (values, change, message) => {
    const { id, ...made } = await make(values)
    await expectInvalid(put(`/admin/feeds/${id}`, change), message)
    await expectData(get(`/admin/feeds/${id}`), { id, ...made })
  })
})

describe('GET /admin/feeds/{id}/left-out', () => {
  const listing = (id: number, values: Record<string, unknown>): Line => [
    'listings',
    {
      ...minimalListing,
      ...{ id, status: 'active', code: `L-${id}`, subcategory: 'apartment', price: 100_000, rooms: 2 },
      location: { area_level1: 1, area_level2: 11 },
      ...values,
    },
  ]

  beforeAll(async () => {
    await importRecords([
      listing(1, {}),
      listing(2, { price: null }),
      listing(3, { extra: { has_hidden_price: true } }),
      listing(4, { price: 100_000_000 }),
      listing(5, { availability: 'auction' }),
      listing(6, { availability: 'shortterm', extra: { shortterm_unit: 'per_week' } }),
      listing(7, { location: { area_level1: 1 } }),
      listing(8, { subcategory: 'houseboat', rooms: 5 }),
      listing(9, { status: 'draft', code: null, price: null }),
    ])
  })

  it('names each listing with its reason, and the feed has all others', async () => {
    const { id, url } = await make()
    await expectData(get(`/admin/feeds/${id}/left-out`), [
      { listing_id: 2, reason: 'no_price' },
      { listing_id: 3, reason: 'hidden_price' },
      { listing_id: 4, reason: 'price_digits' },
      { listing_id: 5, reason: 'auction' },
      { listing_id: 6, reason: 'shortterm' },
      { listing_id: 7, reason: 'no_area' },
      { listing_id: 8, reason: 'no_type' },
    ])
    const { body } = await get(new URL(url).pathname)
    expect([...String(body).matchAll(/<ref>(.*)<\/ref>/g)].map(([, ref]) => ref)).toEqual(['L-1'])
  })

  it('examines what the filters find', async () => {
    const { id } = await make({ filters: { rooms: { min: 3 } } })
    await expectData(get(`/admin/feeds/${id}/left-out`), [{ listing_id: 8, reason: 'no_type' }])
  })

  it('is empty for formats that take everything', async () => {
    const { id } = await make({ format: 'json' })
    await expectData(get(`/admin/feeds/${id}/left-out`), [])
    await expectError(get('/admin/feeds/99999/left-out'), 404, 'Feed not found')
  })
})
