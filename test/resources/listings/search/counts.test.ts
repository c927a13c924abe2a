/** `/api/listings/facets` and `/api/listings/map`: what is counted, and how it is shown. */
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

interface Cell {
  latitude: number
  longitude: number
  count: number
  id: number | null
}

/** Points of a grid around Larissa: each in a cell of its own at zoom 20. */
const SCATTERED = Array.from(
  { length: 600 },
  (_, index) => [39 + Math.floor(index / 30) * 0.013, 22 + (index % 30) * 0.017] as const,
)

describe('the grid of a map', () => {
  const OTHERS = { category: 'other' }

  async function map(filters: object, key: string | undefined = visitor) {
    const { status, body } = await query('/api/listings/map', filters, key ? { key } : {})
    expect(status).toBe(200)
    return body
  }

  beforeAll(() =>
    importRecords(
      [[37.97, 23.7] as const, [38.2, 23.7] as const, ...SCATTERED].map(([latitude, longitude], index) =>
        line(2000 + index, {
          ...(index < 2 ? { availability: 'auction' } : OTHERS),
          location: { display_address: 'real', latitude, longitude },
        }),
      ),
    ),
  )

  /** Numbers of the cells in which the scattered points are, by the formula of Web Mercator. */
  const cellsAt = (zoom: number) => {
    const tiles = 2 ** zoom
    const at = SCATTERED.map(([latitude, longitude]) => {
      const sine = Math.sin((latitude * Math.PI) / 180)
      const row = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
      return `${Math.floor(((longitude + 180) / 360) * tiles)} ${Math.floor(row * tiles)}`
    })
    return new Set(at).size
  }

  it('is coarser where there would be more than 500 cells', async () => {
    expect(cellsAt(22)).toBe(600)
    const coarser = Array.from({ length: 22 }, (_, index) => cellsAt(22 - index)).find(
      (cells) => cells <= 500,
    )
    for (const key of [visitor, undefined]) {
      const { total_results, data } = await map({ ...OTHERS, zoom: 20 }, key)
      expect(total_results).toBe(600)
      expect(data).toHaveLength(coarser ?? 0)
      expect(data.reduce((sum: number, cell: Cell) => sum + cell.count, 0)).toBe(600)
      expect(data.every((cell: Cell) => (cell.count === 1) === (cell.id !== null))).toBe(true)
    }
  })

  it('is that of zoom 12 by default', async () => {
    const filters = { availability: 'auction', category: 'residential', facets: 'rooms' }
    const [standard, twelve, eleven] = await Promise.all(
      [{}, { zoom: 12 }, { zoom: 0 }].map((zoom) => map({ ...filters, ...zoom })),
    )
    expect(standard).toEqual(twelve)
    expect(await map({ ...filters, zoom: null })).toEqual(twelve)
    expect(standard).not.toEqual(eleven)
  })
})
