/**
 * Each filter and each order of listings reads its own column, for every kind of key that may use it. The listings differ in
 * every column, and no two columns have their values in the same order, so a filter that reads another column finds others.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { FEATURE_GROUPS, type FeatureGroup, featuresOf } from '../../src/catalogue/features.ts'
import { core, details, extra, location } from '../../src/catalogue/listing.ts'
import {
  ALL_SUBCATEGORIES,
  belongsTo,
  CATEGORIES,
  ENERGY_CLASSES,
  PROPERTY_CONDITIONS,
} from '../../src/catalogue/property-enums.ts'
import { publicListingFilters } from '../../src/resources/listings/public/schema.ts'
import { listingFilters } from '../../src/resources/listings/schema.ts'
import { FIELD_LIST } from '../../src/resources/listings/search/fields.ts'
import { type Data, importRecords, keyWith, type Line, query, websiteKey } from '../support/api.ts'
import { seedAgency } from '../support/factories/agency.ts'

/** The number of listings: a prime, so that no two columns of `anotherColumn` agree in more than one of them. */
const COUNT = 11
const INDEXES = Array.from({ length: COUNT }, (_, index) => index)
const idOf = (index: number) => 501 + index

let columns = 0

/** A number below `COUNT` in the listing `index`, in an order that no other column has. */
function anotherColumn(): (index: number) => number {
  const column = columns++
  const factor = 1 + (column % (COUNT - 1))
  return (index) => (index * factor + 3 * Math.floor(column / (COUNT - 1)) + column) % COUNT
}

const numbers = (first: number, step = 1) => {
  const value = anotherColumn()
  return (index: number) => first + step * value(index)
}
const dates = () => {
  const value = anotherColumn()
  return (index: number) => `2026-01-${value(index) + 10} 10:00:00`
}
const oneOf = <T>(values: readonly T[]) => {
  const value = anotherColumn()
  return (index: number) => values[value(index) % values.length] as T
}
const bit = (position: number) => (index: number) => ((index >> position) & 1) === 1

const BUILT = ALL_SUBCATEGORIES.filter(
  (name) => belongsTo(name, 'residential') || belongsTo(name, 'commercial'),
)
const groupOf = (group: FeatureGroup) =>
  oneOf(
    featuresOf(group)
      .filter(({ categories }) => categories.includes('residential') && categories.includes('commercial'))
      .map(({ key }) => key),
  )

const subcategory = oneOf(BUILT.slice(0, COUNT))

/** What the listing `index` has in each field of the search. */
const VALUES: Record<string, (index: number) => unknown> = {
  subcategory,
  category: (index) => CATEGORIES.find((name) => belongsTo(subcategory(index), name)),
  availability: oneOf(['sale', 'rent']),
  price: numbers(100_000, 1000),
  price_per_sqm: numbers(1000, 0.5),
  floor: numbers(0, 0.5),
  rooms: numbers(0),
  store_id: numbers(31),
  area_level1: numbers(1001),
  area_level2: numbers(2001),
  area_level3: numbers(3001),
  date_created: dates(),
  date_updated: dates(),
  date_listed: dates(),
  tags: numbers(61),
  users: numbers(31),
  subtype: numbers(31),
  property_condition: oneOf(PROPERTY_CONDITIONS),
  energy_class: oneOf(ENERGY_CLASSES.slice(0, COUNT)),
  ...Object.fromEntries(FEATURE_GROUPS.map((group) => [group, groupOf(group)])),
  has_photos: bit(0),
  has_tour: bit(1),
  has_video: bit(2),
  is_negotiable: bit(3),
}
const [latitude, longitude] = [numbers(37.9, 0.01), numbers(37.9, 0.01)]
const pointAt = (index: number) => ({ latitude: latitude(index), longitude: longitude(index) })
// Further numbers of the catalogue: a new one is tried without a line.
for (const [name, { kind }] of FIELD_LIST)
  if (kind === 'integers' || kind === 'numbers') VALUES[name] ??= numbers(5)

/** The values of the fields in a group of the catalogue. */
const valuesIn = (group: object, index: number): Data =>
  Object.fromEntries(
    Object.entries(VALUES).flatMap(([name, value]) => (name in group ? [[name, value(index)]] : [])),
  )
const valueAt = (name: string, index: number) => VALUES[name]?.(index)
const word = (index: number) => `titleword${'abcdefghijk'[index]}`

function listing(index: number): Data {
  const whole = { category: 0, availability: 0, store_id: 0, date_created: 0, date_updated: 0 }
  const lists = [...FEATURE_GROUPS, 'tags', 'users']
  return {
    ...{ id: idOf(index), created_by: 1, code: `CODE-${index}`, status: 'active' },
    ...valuesIn({ ...core, ...whole }, index),
    status_date: valueAt('date_listed', index),
    ...Object.fromEntries(lists.map((name) => [name, [valueAt(name, index)]])),
    details: valuesIn(details, index),
    extra: {
      ...valuesIn(extra, index),
      video_url: bit(2)(index) ? 'https://video.example/1' : null,
      virtual_tour_url: bit(1)(index) ? 'https://tour.example/1' : null,
    },
    location: { ...valuesIn(location, index), ...pointAt(index), display_address: 'real' },
    translations: [{ language_id: 1, title: word(index) }],
    photos: bit(0)(index) ? [{ original_image: 'https://photo.example/1.jpg' }] : [],
  }
}

beforeAll(async () => {
  await seedAgency()
  const records = (entity: string, of: (index: number) => Data) =>
    INDEXES.map((index): Line => [entity, of(index)])
  const named = (entity: string, field: string) =>
    records(entity, (index) => ({ id: valueAt(field, index), name: 'N' }))
  const places = (level: number) =>
    records('locations', (index) => ({
      ...{ name_el: 'Α', name_en: 'A', full_name_el: 'Α', full_name_en: 'A', level },
      id: valueAt(`area_level${level}`, index),
      parent_id: valueAt(`area_level${level - 1}`, index) ?? null,
    }))
  await importRecords([
    ...named('stores', 'store_id'),
    ...named('users', 'users'),
    ...named('listing_tags', 'tags'),
    ...[1, 2, 3].flatMap(places),
    ...records('listing_subtypes', (index) => ({
      ...{ id: valueAt('subtype', index), subcategory: subcategory(index), translations: [] },
    })),
    ...records('listings', listing),
  ])
})

/** A filter: its value in each listing, and what is sent to find the listings with such a value. */
interface Probe {
  name: string
  value: (index: number) => unknown
  sent?: (value: never) => unknown
}

const asRange = (only: unknown) => ({ min: only, max: only })

/** A single status is what other tests have. */
const FIELDS = FIELD_LIST.filter(([name]) => name !== 'status').map(([name, field]) => ({ name, ...field }))

const probesOf = (fields: typeof FIELDS): Probe[] => [
  ...fields.map(({ name, kind }) => ({
    ...{ name, value: (index: number) => valueAt(name, index) },
    ...(/^(integers|numbers|dates)$/.test(kind) && { sent: asRange }),
  })),
  ...[1, 2, 3].map((level) => ({
    ...{ name: 'areas', value: (index: number) => valueAt(`area_level${level}`, index) },
  })),
  { name: 'ids', value: idOf },
  {
    name: 'bounds',
    value: pointAt,
    sent: ({ latitude, longitude }: ReturnType<typeof pointAt>) => ({
      ...{ south: latitude - 0.001, west: longitude - 0.001 },
      ...{ north: latitude + 0.001, east: longitude + 0.001 },
    }),
  },
  { name: 'near', value: pointAt, sent: (point: object) => ({ ...point, radius: 200 }) },
  { name: 'search', value: (index) => `CODE-${index}` },
  { name: 'search', value: (index) => String(idOf(index)) },
  { name: 'text', value: word },
]

/** Filters that choose what is shown of the records, and those with a single value, which other tests have. */
const OTHERS = ['page', 'per_page', 'sort', 'fields', 'status']

/** Filters and orders that all listings meet, with which a list may be read in another way. */
const WAYS = [
  {},
  { rooms: { min: 0 } },
  { sort: 'date_updated' },
  { rooms: { min: 0 }, sort: 'date_updated' },
]

// Visitors send private filters only empty, and the dates that they see are not those of the record.
const PUBLIC = FIELDS.filter(({ options }) => !options.isPrivate)
const PRIVATE = FIELDS.filter((field) => !PUBLIC.includes(field)).map(({ name }) => name)

const KEYS: [string, typeof FIELDS, object, string[], () => Promise<string>][] = [
  ['an ordinary key', FIELDS, listingFilters.shape, OTHERS, () => keyWith('listings:read')],
  ['a publishable key', PUBLIC, publicListingFilters.shape, [...OTHERS, ...PRIVATE], () => websiteKey()],
]

describe.each(KEYS)('%s', (_, fields, filters, others, makeKey) => {
  const probes = probesOf(fields)
  const orders = ['id', ...fields.flatMap(({ name, options }) => (options.sort ? name : []))]
  let key = ''

  beforeAll(async () => {
    key = await makeKey()
  })

  const find = async (body: Data) => {
    const { status, body: answer } = await query('/api/listings', { per_page: 100, ...body }, { key })
    expect([status, answer.error_message]).toEqual([200, undefined])
    return answer.data.map(({ id }: { id: number }) => id) as number[]
  }

  it('has all filters here', () => {
    const names = new Set([...probes.map(({ name }) => name), ...others])
    expect(names).toEqual(new Set(Object.keys(filters)))
  })

  it.each(probes)('finds by its own value: $name', async ({ name, value, sent = (only) => only }) => {
    for (const index of INDEXES) {
      const isSame = (other: number) => JSON.stringify(value(other)) === JSON.stringify(value(index))
      const found = INDEXES.filter(isSame).map(idOf)
      for (const others of index < 2 ? WAYS : [{ fields: 'id' }]) {
        const body = { ...others, [name]: sent(value(index) as never) }
        const ids = (await find(body)).toSorted((a, b) => a - b)
        expect({ body, ids }).toEqual({ body, ids: found })
      }
    }
  })

  it.each(orders)('orders by its own value: %s', async (name) => {
    const value = name === 'id' ? idOf : (index: number) => valueAt(name, index) as number
    for (const others of [{}, { rooms: { min: 0 } }]) {
      for (const [sort, sign] of [[name, 1] as const, [`-${name}`, -1] as const]) {
        const ids: number[] = []
        // One order chooses the records of a page, another arranges them.
        for (const page of [1, 2, 3]) ids.push(...(await find({ ...others, sort, per_page: 4, page })))
        // Of equal ones the highest id comes first.
        const compare = (a: number, b: number) => {
          const [x, y] = [value(a), value(b)]
          return x === y ? b - a : x < y ? -sign : sign
        }
        const expected = INDEXES.toSorted(compare).map(idOf)
        expect({ sort, ids, all: await find({ ...others, sort }) }).toEqual({
          ...{ sort, ids: expected, all: expected },
        })
      }
    }
  })
})
