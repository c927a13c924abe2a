/**
 * The search filters as SQL conditions. The columns are named alike in `listings` and in `public_listings`, so the same
 * conditions search what the agency stores and what visitors see.
 */
import { type SQL, sql } from 'drizzle-orm'
import { type Conditions, isOneOf, valuesOf, within } from '../../../db/conditions.ts'
import type { Circle, SearchFilters } from './filters.ts'

/** Mean radius of the earth, in metres. */
const EARTH_RADIUS = 6_371_000
/** Metres of a degree of latitude. */
const DEGREE = (EARTH_RADIUS * Math.PI) / 180

const column = (name: string) => sql.raw(name)

const hasAll = (name: string) => (keys: string[]) =>
  keys.length === 0
    ? undefined
    : sql`(select count(*) from json_each(${column(name)}) where value in (${valuesOf(keys)})) = ${keys.length}`

const isTrue = (name: string) => (value: boolean) => sql`${column(name)} = ${value ? 1 : 0}`

const isInRange =
  <T>(name: string) =>
  (range: { min: T | null; max: T | null }) =>
    within(column(name), range)

const isAnyOf = (name: string) => (values: (string | number)[]) => isOneOf(column(name), values)

/** The conditions on rows of `public_listings`. */
export const SEARCH_CONDITIONS = {
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
    const height = circle.radius / DEGREE
    const [south, north] = [circle.latitude - height, circle.latitude + height]
    return sql`latitude between ${south} and ${north} and ${distanceTo(circle)} <= ${circle.radius}`
  },
} satisfies Conditions<SearchFilters>

/** SQL for the distance of a row's point, in metres (haversine formula); null without a point. */
export function distanceTo({ latitude, longitude }: Pick<Circle, 'latitude' | 'longitude'>): SQL {
  return sql`2 * ${EARTH_RADIUS} * asin(min(1, sqrt(
    pow(sin(radians(latitude - ${latitude}) / 2), 2) + cos(radians(latitude)) * cos(radians(${latitude}))
    * pow(sin(radians(longitude - ${longitude}) / 2), 2))))`
}
