/** `/api/listings/facets`: what is counted, and how it is shown. */
import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords, query, websiteKey } from '../../../support/api.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { listingLine as line } from '../../../support/factories/listing.ts'

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

const DEFAULT = 'category subcategory availability area_level1 area_level2 area_level3 rooms price'.split(' ')

/** Values and how many listings have each, as they are answered. */
const counted = (...entries: [value: unknown, count: number][]) =>
  entries.map(([value, count]) => ({ value, count }))
const placed = (...entries: [value: number, name_el: string, name_en: string, count: number][]) =>
  entries.map(([value, name_el, name_en, count]) => ({ value, name_el, name_en, count }))

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

describe('facets', () => {
  it('are those of a search form by default', async () => {
    expect((await get(PATH, { key: visitor })).body).toEqual({
      status: 200,
      total_results: 5,
      data: {
        category: counted(['residential', 4], ['land', 1]),
        subcategory: counted(['apartment', 3], ['villa', 1]),
        availability: counted(['sale', 3], ['auction', 1], ['rent', 1]),
        area_level1: placed([1, 'Αττική', 'Attica', 3], [2, 'Κρήτη', 'Crete', 1]),
        area_level2: placed(
          [11, 'Αθήνα', 'Athens', 2],
          [12, 'Πειραιάς', 'Piraeus', 1],
          [21, 'Χανιά', 'Chania', 1],
        ),
        area_level3: placed([111, 'Κολωνάκι', 'Kolonaki', 1], [112, 'Παγκράτι', 'Pangrati', 1]),
        rooms: counted([2, 2], [3, 1]),
      },
    })
  })

  it('are those that are named, in an order of their own', async () => {
    const all = ['store_id', 'features', 'energy_class', 'property_condition', 'subtype', ...DEFAULT]
    for (const names of [all, all.join(','), ` ${all.join(' , ')},,`]) {
      const data = await facets({ facets: names, availability: 'sale' })
      expect(Object.keys(data)).toEqual([...DEFAULT, ...all.slice(0, 5).toReversed()])
      expect(data).toMatchObject({
        subtype: counted([1, 1]),
        property_condition: counted(['new', 1]),
        energy_class: counted(['a', 1]),
        features: counted(['elevator', 2], ['parking', 1]),
        store_id: counted([1, 3]),
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
      const found = (await facets({ category: 'commercial', facets: 'rooms' }, key)).rooms
      expect(found).toEqual([
        ...counted([205, 2]),
        ...rooms.slice(0, 199).flatMap((one) => counted([one, 1])),
      ])
    }
  })
})

describe('the facet of prices', () => {
  const HOME = { category: ['residential', 'land'], facets: 'price' }

  const [LOW, NEXT] = [
    { min: 0, max: 50_000, count: 1 },
    { min: 50_000, max: 100_000, count: 1 },
  ]

  it.each([
    ['sale', [LOW, NEXT]],
    ['auction', [{ min: 150_000, max: 200_000, count: 1 }]],
    ['rent', [{ min: 300, max: 500, count: 1 }]],
    [['sale'], [LOW, NEXT]],
    ['shortterm', []],
  ])('has the bands of %j', async (availability, expected) => {
    const { price } = await facets({ ...HOME, availability })
    expect(price).toEqual(expected)
  })
})
