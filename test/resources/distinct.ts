/**
 * Records that differ in every column by which lists filter and sort, and what each filter finds among them. No two
 * columns have their values in the same order, so a filter that reads another column finds other records.
 */
import {
  ALL_SUBCATEGORIES,
  belongsTo,
  CATEGORIES,
  ENERGY_CLASSES,
  PROPERTY_CONDITIONS,
} from '../../src/catalogue/enums.ts'
import { FEATURE_GROUPS, type FeatureGroup, featuresOf } from '../../src/catalogue/features.ts'
import { core, details, extra } from '../../src/catalogue/listing.ts'
import { FIELD_LIST } from '../../src/resources/listings/search/fields.ts'
import { importRecords } from '../support/api.ts'
import { seedAgency } from '../support/factories/agency.ts'

type Data = Record<string, unknown>

/** The number of records: a prime, so that no two columns of `valueIn` agree in more than one record. */
const COUNT = 11
const INDEXES = Array.from({ length: COUNT }, (_, index) => index)
const FIRST_ID = 501

/** A number below `COUNT` in the record `index`, in an order that belongs to `column`. */
const valueIn = (column: number) => (index: number) => {
  const factor = 1 + (column % (COUNT - 1))
  return (index * factor + 3 * Math.floor(column / (COUNT - 1)) + column) % COUNT
}

/** A filter: its value in each record, and what is sent to find the records with such a value. */
interface Probe {
  name: string
  value: (index: number) => unknown
  sent: (value: never) => unknown
}

const range = (name: string, value: (index: number) => number | string): Probe => ({
  name,
  value,
  sent: (only: number | string) => ({ min: only, max: only }),
})
const equal = (name: string, value: (index: number) => unknown): Probe => ({
  name,
  value,
  sent: (only) => only,
})
const bit = (name: string, position: number) => equal(name, (index) => ((index >> position) & 1) === 1)

const numbers = (column: number, first: number, step = 1) => {
  const value = valueIn(column)
  return (index: number) => first + step * value(index)
}
const dates = (column: number, month: string) => {
  const value = valueIn(column)
  return (index: number) => `2026-${month}-${value(index) + 10} 10:00:00`
}
const oneOf = <T>(column: number, values: readonly T[]) => {
  const value = valueIn(column)
  return (index: number) => values[value(index) % values.length] as T
}

const BUILT = ALL_SUBCATEGORIES.filter(
  (name) => belongsTo(name, 'residential') || belongsTo(name, 'commercial'),
)
const groupOf = (group: FeatureGroup, column: number) =>
  oneOf(
    column,
    featuresOf(group)
      .filter(({ categories }) => categories.includes('residential') && categories.includes('commercial'))
      .map(({ key }) => key),
  )

/** The values that have no field of a group. */
const COMMON = {
  subcategory: oneOf(0, BUILT.slice(0, COUNT)),
  category: (index: number) => CATEGORIES.find((name) => belongsTo(COMMON.subcategory(index), name)),
  availability: oneOf(1, ['sale', 'rent'] as const),
  price: numbers(2, 100_000, 1000),
  price_per_sqm: numbers(3, 1000, 0.5),
  size: numbers(4, 50),
  floor: numbers(5, 0, 0.5),
  rooms: numbers(6, 0),
  bathrooms: numbers(7, 0),
  year_built: numbers(8, 1950),
  store_id: numbers(9, 31),
  area_level1: numbers(10, 1001),
  area_level2: numbers(11, 2001),
  area_level3: numbers(12, 3001),
  date_created: dates(13, '01'),
  date_updated: dates(14, '01'),
  tag: numbers(15, 61),
  user: numbers(16, 31),
  latitude: numbers(17, 37.9, 0.01),
  longitude: numbers(18, 37.9, 0.01),
  id: (index: number) => FIRST_ID + index,
}

const LISTING = {
  land_size: numbers(19, 50, 0.5),
  status_date: dates(20, '01'),
  subtype: numbers(21, 31),
  property_condition: oneOf(22, PROPERTY_CONDITIONS),
  energy_class: oneOf(23, ENERGY_CLASSES.slice(0, COUNT)),
  features: groupOf('features', 24),
  positioning: groupOf('positioning', 25),
  view: groupOf('view', 26),
  flooring: groupOf('flooring', 27),
}

/** Fields of the catalogue beside those that are named here: a new one is tried without a line. */
const NAMED = new Set([...Object.keys(COMMON), ...Object.keys(LISTING)])
const NEW = FIELD_LIST.filter(
  ([name, { kind }]) => !NAMED.has(name) && (kind === 'integers' || kind === 'numbers'),
).map(([name], position) => [name, numbers(30 + position, 5)] as const)

/** The new fields of a group of the catalogue, of the listing `index`. */
const newIn = (group: object, index: number): Data =>
  Object.fromEntries(NEW.flatMap(([name, value]) => (name in group ? [[name, value(index)]] : [])))

const pointAt = (index: number) => ({ latitude: COMMON.latitude(index), longitude: COMMON.longitude(index) })

const SHARED: Probe[] = [
  ...(['category', 'availability', 'subcategory', 'store_id'] as const).map((name) =>
    equal(name, COMMON[name]),
  ),
  ...(['area_level1', 'area_level2', 'area_level3'] as const).flatMap((name) => [
    equal(name, COMMON[name]),
    equal('areas', COMMON[name]),
  ]),
  ...(['price', 'price_per_sqm', 'size', 'floor', 'rooms', 'bathrooms', 'year_built'] as const).map((name) =>
    range(name, COMMON[name]),
  ),
  equal('ids', COMMON.id),
  bit('has_photos', 0),
  {
    name: 'bounds',
    value: pointAt,
    sent: ({ latitude, longitude }: ReturnType<typeof pointAt>) => ({
      south: latitude - 0.001,
      west: longitude - 0.001,
      north: latitude + 0.001,
      east: longitude + 0.001,
    }),
  },
  { name: 'near', value: pointAt, sent: (point: object) => ({ ...point, radius: 200 }) },
]

const PRIVATE: Probe[] = [
  equal('tags', COMMON.tag),
  equal('users', COMMON.user),
  range('date_created', COMMON.date_created),
  range('date_updated', COMMON.date_updated),
]

const VISIBLE: Probe[] = [
  ...SHARED,
  range('land_size', LISTING.land_size),
  ...NEW.map(([name, value]) => range(name, value)),
  range('date_listed', LISTING.status_date),
  equal('property_condition', LISTING.property_condition),
  equal('energy_class', LISTING.energy_class),
  equal('subtype', LISTING.subtype),
  ...FEATURE_GROUPS.map((group) => equal(group, LISTING[group])),
  bit('has_tour', 1),
  bit('has_video', 2),
  bit('is_negotiable', 3),
  equal('search', (index) => `CODE-${index}`),
  equal('search', (index) => String(COMMON.id(index))),
  equal('text', (index) => `titleword${'abcdefghijk'[index]}`),
]

/** A list, its filters, and the values that it can be sorted by. */
export interface DistinctList {
  path: string
  probes: Probe[]
  orders: Record<string, (index: number) => unknown>
}

const { id, price, price_per_sqm, size, rooms, date_created, date_updated } = COMMON
const VISIBLE_ORDERS = {
  id,
  price,
  price_per_sqm,
  size,
  rooms,
  date_updated,
  date_listed: LISTING.status_date,
}

export const VISITED_LISTINGS: DistinctList = {
  path: '/api/listings',
  probes: VISIBLE,
  // The dates that visitors see are not those of the record.
  orders: { id, price, price_per_sqm, size, rooms, date_listed: LISTING.status_date },
}
export const LISTINGS: DistinctList = {
  path: '/api/listings',
  probes: [...VISIBLE, ...PRIVATE],
  orders: { ...VISIBLE_ORDERS, date_created },
}
/** The filters and what each has to find, by the ids in ascending order. */
export function casesOf({ probes }: DistinctList): { name: string; sent: unknown; found: number[] }[] {
  return probes.flatMap(({ name, value, sent }) =>
    INDEXES.map((index) => ({
      name,
      sent: sent(value(index) as never),
      found: INDEXES.filter((other) => JSON.stringify(value(other)) === JSON.stringify(value(index))).map(
        COMMON.id,
      ),
    })),
  )
}

/** The ids in the order of `value`; of equal ones the highest id comes first. */
export function inOrderOf(value: (index: number) => unknown, isDescending: boolean): number[] {
  const compare = (a: number, b: number) => {
    const [x, y] = [value(a) as number, value(b) as number]
    return x === y ? b - a : (x < y ? -1 : 1) * (isDescending ? -1 : 1)
  }
  return INDEXES.toSorted(compare).map(COMMON.id)
}

/** Imports the records and what they refer to. */
export async function seedDistinct(): Promise<void> {
  await seedAgency()
  const names = { name_el: 'Α', name_en: 'A', full_name_el: 'Α', full_name_en: 'A' }
  const records = (entity: string, of: (index: number) => Data) =>
    INDEXES.map((index): [string, Data] => [entity, of(index)])
  await importRecords([
    ...records('stores', (index) => ({ id: COMMON.store_id(index), name: 'S' })),
    ...records('users', (index) => ({ id: COMMON.user(index), name: 'U' })),
    ...records('locations', (index) => ({ ...names, id: COMMON.area_level1(index), level: 1 })),
    ...records('locations', (index) => ({
      ...names,
      id: COMMON.area_level2(index),
      level: 2,
      parent_id: COMMON.area_level1(index),
    })),
    ...records('locations', (index) => ({
      ...names,
      id: COMMON.area_level3(index),
      level: 3,
      parent_id: COMMON.area_level2(index),
    })),
    ...records('listing_tags', (index) => ({ id: COMMON.tag(index), name: 'T' })),
    ...records('listing_subtypes', (index) => ({
      id: LISTING.subtype(index),
      subcategory: COMMON.subcategory(index),
      translations: [],
    })),
    ...records('listings', listing),
  ])
}

function common(index: number): Data {
  const { tag, user, area_level1, area_level2, area_level3, latitude, longitude, ...rest } = COMMON
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value(index)])),
    created_by: 1,
    tags: [tag(index)],
    users: [user(index)],
  }
}

const areasOf = (index: number) => ({
  area_level1: COMMON.area_level1(index),
  area_level2: COMMON.area_level2(index),
  area_level3: COMMON.area_level3(index),
  ...pointAt(index),
})

function listing(index: number): Data {
  const has = (position: number) => ((index >> position) & 1) === 1
  return {
    ...common(index),
    code: `CODE-${index}`,
    status: 'active',
    status_date: LISTING.status_date(index),
    subtype: LISTING.subtype(index),
    property_condition: LISTING.property_condition(index),
    ...Object.fromEntries(FEATURE_GROUPS.map((group) => [group, [LISTING[group](index)]])),
    ...newIn(core, index),
    details: { land_size: LISTING.land_size(index), ...newIn(details, index) },
    extra: {
      ...newIn(extra, index),
      energy_class: LISTING.energy_class(index),
      is_negotiable: has(3),
      video_url: has(2) ? 'https://video.example/1' : null,
      virtual_tour_url: has(1) ? 'https://tour.example/1' : null,
    },
    location: { ...areasOf(index), display_address: 'real' },
    translations: [{ language_id: 1, title: `titleword${'abcdefghijk'[index]}` }],
    photos: has(0) ? [{ original_image: 'https://photo.example/1.jpg' }] : [],
  }
}
