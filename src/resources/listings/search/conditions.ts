/**
 * The search filters as SQL conditions. The columns are named alike in `listings` and in `public_listings`, so the same
 * conditions search what the agency stores and what visitors see.
 */
import { and, type SQL, sql } from 'drizzle-orm'
import { type Conditions, isOneOf, valuesOf, within } from '../../../db/conditions.ts'
import type { Filters } from '../schema.ts'
import type { Circle, SearchFilters } from './filters.ts'

/** Mean radius of the earth, in metres. */
const EARTH_RADIUS = 6_371_000
/** Metres of a degree of latitude. */
const DEGREE = (EARTH_RADIUS * Math.PI) / 180

const column = (name: string) => sql.raw(name)

/** Keys that are looked for one by one, which is ten times as fast; D1 limits parameters to 100. */
const FEW_KEYS = 8

/** A list of keys is stored as JSON, and no key needs to be escaped in it. */
const hasAll = (name: string) => (keys: string[]) => {
  const texts = keys.map((key) => JSON.stringify(key))
  if (keys.length <= FEW_KEYS) return and(...texts.map((text) => sql`instr(${column(name)}, ${text})`))
  return sql`not exists (${valuesOf(texts)} where not instr(${column(name)}, value))`
}

const isTrue = (name: string) => (value: boolean) => sql`${column(name)} = ${value ? 1 : 0}`

const isInRange =
  <T>(name: string) =>
  (range: { min: T | null; max: T | null }) =>
    within(column(name), range)

const isAnyOf = (name: string) => (values: (string | number)[]) => isOneOf(column(name), values)

/** The filters that are judged alike by what is stored and by what is shown. */
export type CommonSearchFilters = SearchFilters &
  Pick<Filters, 'search' | 'category' | 'availability' | 'subcategory' | 'subtype'>

/** The conditions on rows of a search table. `text` is missing: it needs the table (`hasWords` in `../text/search.ts`). */
export const SEARCH_CONDITIONS = {
  search: (search) => {
    const id = /^[1-9]\d{0,14}$/.test(search) ? Number(search) : null
    return sql`id in (select id from listings where code = ${search} union select ${id})`
  },
  category: isAnyOf('category'),
  availability: isAnyOf('availability'),
  subcategory: isAnyOf('subcategory'),
  subtype: isAnyOf('subtype'),
  price: isInRange('price'),
  price_per_sqm: isInRange('price_per_sqm'),
  size: isInRange('size'),
  land_size: isInRange('land_size'),
  floor: isInRange('floor'),
  rooms: isInRange('rooms'),
  bathrooms: isInRange('bathrooms'),
  year_built: isInRange('year_built'),
  date_listed: isInRange('date_listed'),
  property_condition: isAnyOf('property_condition'),
  energy_class: isAnyOf('energy_class'),
  store_id: isAnyOf('store_id'),
  ids: isAnyOf('id'),
  areas: (ids) => {
    const areas = valuesOf(ids)
    return sql`(area_level1 in (${areas}) or area_level2 in (${areas}) or area_level3 in (${areas}))`
  },
  area_level1: isAnyOf('area_level1'),
  area_level2: isAnyOf('area_level2'),
  area_level3: isAnyOf('area_level3'),
  features: hasAll('features'),
  positioning: hasAll('positioning'),
  view: hasAll('view'),
  flooring: hasAll('flooring'),
  has_photos: isTrue('has_photos'),
  has_tour: isTrue('has_tour'),
  has_video: isTrue('has_video'),
  is_negotiable: isTrue('is_negotiable'),
  bounds: ({ south, west, north, east }) => {
    const isBetween = west <= east ? sql`longitude between ${west} and ${east}` : null
    // 180° and −180° are the same meridian.
    const isOnDateLine = sql.raw(west === -180 || east === 180 ? 'abs(longitude) = 180' : 'false')
    const longitudes = sql`(${isBetween ?? sql`longitude >= ${west} or longitude <= ${east}`} or ${isOnDateLine})`
    return sql`latitude between ${south} and ${north} and ${longitudes}`
  },
  near: (circle) => {
    const { south, north } = boxAround(circle)
    return sql`latitude between ${south} and ${north} and ${distanceTo(circle)} <= ${circle.radius}`
  },
} satisfies Conditions<Omit<CommonSearchFilters, 'text'>>

/** A rectangle that contains the circle. */
export function boxAround({ latitude, longitude, radius }: Circle): NonNullable<SearchFilters['bounds']> {
  // A little more, as the distance itself is rounded.
  const height = radius / DEGREE + 1e-6
  const [south, north] = [latitude - height, latitude + height]
  // The meridians meet at a pole, which leaves no longitude out.
  if (south <= -90 || north >= 90)
    return { south: Math.max(south, -90), north: Math.min(north, 90), west: -180, east: 180 }
  const width = degrees(Math.asin(Math.sin(radians(height)) / Math.cos(radians(latitude))))
  const [west, east] = [longitude - width, longitude + width]
  return { south, north, west: west < -180 ? west + 360 : west, east: east > 180 ? east - 360 : east }
}

const radians = (angle: number) => (angle * Math.PI) / 180
const degrees = (angle: number) => (angle * 180) / Math.PI

/** SQL for the distance of a row's point, in metres (haversine formula); null without a point. */
export function distanceTo({ latitude, longitude }: Pick<Circle, 'latitude' | 'longitude'>): SQL {
  return sql`2 * ${EARTH_RADIUS} * asin(min(1, sqrt(
    pow(sin(radians(latitude - ${latitude}) / 2), 2) + cos(radians(latitude)) * cos(radians(${latitude}))
    * pow(sin(radians(longitude - ${longitude}) / 2), 2))))`
}
