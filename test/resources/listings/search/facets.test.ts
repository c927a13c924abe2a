/** `/api/listings/facets`: what is counted, and how it is shown. */
import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords, query, websiteKey } from '../../../support/api.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { minimalListing } from '../../../support/factories/listing.ts'

const line = (id: number, values: object): [string, Record<string, unknown>] => [
  'listings',
  { ...minimalListing, id, status: 'active', ...values },
]

/** Homes and a plot; the last is no home that visitors see. */
const LINES = [
  line(1, {
    subcategory: 'apartment',
    subtype: 1,
    rooms: 2,
    price: 49_999,
    features: ['elevator', 'parking'],
    property_condition: 'new',
    extra: { energy_class: 'a' },
    location: { area_level1: 1, area_level2: 11, area_level3: 111 },
  }),
  line(2, {
    subcategory: 'apartment',
    rooms: 2,
    price: 50_000,
    features: ['elevator'],
    location: { area_level1: 1, area_level2: 11, area_level3: 112 },
  }),
  line(3, {
    subcategory: 'villa',
    rooms: 3,
    price: 2_000_000,
    extra: { has_hidden_price: true },
    location: { area_level1: 1, area_level2: 12 },
  }),
  line(4, {
    subcategory: 'apartment',
    availability: 'rent',
    price: 300,
    location: { area_level1: 2, area_level2: 21 },
  }),
  line(5, { category: 'land', availability: 'auction', price: 150_000, store_id: 2 }),
  line(6, { status: 'pending', rooms: 3, price: 1_999_999 }),
]

const DEFAULT = [
  'category',
  'subcategory',
  'availability',
  'area_level1',
  'area_level2',
  'area_level3',
  'rooms',
  'price',
]
const ATTICA = { value: 1, name_el: 'Αττική', name_en: 'Attica' }
const CRETE = { value: 2, name_el: 'Κρήτη', name_en: 'Crete' }
const ATHENS = { value: 11, name_el: 'Αθήνα', name_en: 'Athens' }
const PIRAEUS = { value: 12, name_el: 'Πειραιάς', name_en: 'Piraeus' }
const CHANIA = { value: 21, name_el: 'Χανιά', name_en: 'Chania' }
const KOLONAKI = { value: 111, name_el: 'Κολωνάκι', name_en: 'Kolonaki' }
const PANGRATI = { value: 112, name_el: 'Παγκράτι', name_en: 'Pangrati' }

let visitor = ''

beforeAll(async () => {
  await seedAgency()
  visitor = await websiteKey()
  await importRecords(LINES)
})

const PATH = '/api/listings/facets'

/** The facets that are found for a call, of visitors unless `key` is absent. */
async function facets(filters: object, key: string | undefined = visitor) {
  const { status, body } = await query(PATH, filters, key ? { key } : {})
  expect(status).toBe(200)
  return body.data
}

const counts = (entries: { value: unknown; count: number }[]) =>
  entries.map(({ value, count }) => [value, count])

describe('facets', () => {
  it('are those of a search form by default', async () => {
    expect((await get(PATH, { key: visitor })).body).toEqual({
      status: 200,
      total_results: 5,
      data: {
        category: [
          { value: 'residential', count: 4 },
          { value: 'land', count: 1 },
        ],
        subcategory: [
          { value: 'apartment', count: 3 },
          { value: 'villa', count: 1 },
        ],
        availability: [
          { value: 'sale', count: 3 },
          { value: 'auction', count: 1 },
          { value: 'rent', count: 1 },
        ],
        area_level1: [
          { ...ATTICA, count: 3 },
          { ...CRETE, count: 1 },
        ],
        area_level2: [
          { ...ATHENS, count: 2 },
          { ...PIRAEUS, count: 1 },
          { ...CHANIA, count: 1 },
        ],
        area_level3: [
          { ...KOLONAKI, count: 1 },
          { ...PANGRATI, count: 1 },
        ],
        rooms: [
          { value: 2, count: 2 },
          { value: 3, count: 1 },
        ],
      },
    })
  })

  it('are those that are named, in an order of their own', async () => {
    const all = ['store_id', 'features', 'energy_class', 'property_condition', 'subtype', ...DEFAULT]
    for (const names of [all, all.join(','), ` ${all.join(' , ')},,`]) {
      const data = await facets({ facets: names, availability: 'sale' })
      expect(Object.keys(data)).toEqual([...DEFAULT, ...all.slice(0, 5).toReversed()])
      expect(data).toMatchObject({
        subtype: [{ value: 1, count: 1 }],
        property_condition: [{ value: 'new', count: 1 }],
        energy_class: [{ value: 'a', count: 1 }],
        features: [
          { value: 'elevator', count: 2 },
          { value: 'parking', count: 1 },
        ],
        store_id: [{ value: 1, count: 3 }],
      })
    }
  })

  it.each(['', null, [], ','])('%j names none, which means the default', async (names) => {
    expect(Object.keys(await facets({ facets: names }))).toEqual(DEFAULT.filter((name) => name !== 'price'))
  })
})

describe('a facet', () => {
  it('has at most 200 values: the most frequent, then by number', async () => {
    const rooms = [...Array.from({ length: 205 }, (_, index) => index + 1), 205]
    await importRecords(
      rooms.map((number, index) =>
        line(1000 + index, { category: 'commercial', availability: 'rent', rooms: number }),
      ),
    )
    for (const key of [visitor, undefined]) {
      const found = counts((await facets({ category: 'commercial', facets: 'rooms' }, key)).rooms)
      expect(found).toEqual([[205, 2], ...rooms.slice(0, 199).map((number) => [number, 1])])
    }
  })
})

describe('the facet of prices', () => {
  const HOME = { category: ['residential', 'land'], facets: 'price' }

  it.each([
    [
      'sale',
      [
        [0, 50_000, 1],
        [50_000, 100_000, 1],
      ],
    ],
    ['auction', [[150_000, 200_000, 1]]],
    ['rent', [[300, 500, 1]]],
    [
      ['sale'],
      [
        [0, 50_000, 1],
        [50_000, 100_000, 1],
      ],
    ],
    ['shortterm', []],
  ])('has the bands of %j', async (availability, expected) => {
    const { price } = await facets({ ...HOME, availability })
    expect(price).toEqual(expected.map(([min, max, count]) => ({ min, max, count })))
  })
})
