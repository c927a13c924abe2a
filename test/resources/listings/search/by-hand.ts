/** The model that tests compare the search with: it reads listings one after the other. Makes listings and filters, too. */

import { seeded } from '@estia/photo-codec/fixtures/random'
import fc from 'fast-check'
import { importRecords, query } from '../../../support/api.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { listingLine } from '../../../support/factories/listing.ts'
import { distanceInMetres, type Point } from '../address/distance.ts'

/** A listing with the values that a key sees, under the names that visitors see. */
export interface Shown {
  id: number
  [name: string]: unknown
  location: { latitude: number | null; longitude: number | null; [level: string]: unknown }
}

/** The same in every run. */
let random = seeded(7)
const oneOf = <T>(...values: T[]) => random.pick(values)

const LISTINGS = 90

/** A line of import with values of its own. */
const line = (id: number) =>
  listingLine(id, {
    status: oneOf('active', 'active', 'active', 'pending'),
    status_date: oneOf('2026-01-01 10:00:00', '2026-02-01 10:00:00', '2026-02-01 23:59:59'),
    store_id: oneOf(1, 2),
    category: oneOf('residential', 'commercial', 'land'),
    availability: oneOf('sale', 'rent'),
    ...oneOf<object>(
      { price: null },
      { price: 0, price_per_sqm: 0 },
      ...[100, 200, 200, 300].map((price) => ({ price })),
    ),
    size: oneOf(null, 50, 75.5, 100),
    rooms: oneOf(null, 0, 1, 2),
    floor: oneOf(null, -0.5, 1),
    property_condition: oneOf(null, 'new', 'good'),
    features: oneOf([], ['elevator'], ['elevator', 'parking']),
    location: {
      ...oneOf<object>(
        {},
        { area_level1: 1, area_level2: 11 },
        { area_level1: 1, area_level2: 12 },
        { area_level1: 2 },
      ),
      address: 'Ερμού 1',
      display_address: oneOf('real', 'fake', 'none'),
      latitude: oneOf(37.97, 37.97, 38.1, -16.5, -16.5, 90, -90),
      longitude: oneOf(23.7, 23.7, 179.95, -179.95, 180, -180),
      fake_latitude: oneOf(37.98, 38.11),
      fake_longitude: oneOf(23.71, 23.9),
    },
    extra: {
      has_hidden_price: oneOf(true, false, false),
      is_negotiable: oneOf(true, false),
      energy_class: oneOf(null, 'a', 'b'),
      video_url: oneOf(null, 'https://video.example/1'),
      virtual_tour_url: oneOf(null, 'https://tour.example/1'),
    },
    photos: oneOf([], [{ original_image: 'https://photo.example/1.jpg' }]),
  })

/** Imports the agency and its listings. */
export async function seedListings(): Promise<void> {
  // Other files of the same run have drawn numbers, too.
  random = seeded(7)
  await seedAgency()
  await importRecords(Array.from({ length: LISTINGS }, (_, index) => line(index + 1)))
}

/** All listings that `key` sees, newest first. */
export async function readListings(key: string): Promise<Shown[]> {
  const { data } = (await query('/api/listings', { per_page: 100, fields: 'all' }, { key })).body
  return data
    .map((listing: Shown) => ('date_listed' in listing ? listing : asVisitorsSee(listing)))
    .map(withoutZero)
}

/** A price of 0 is none: portals and older systems write it where there is no price. */
const withoutZero = ({ price, price_per_sqm, ...listing }: Shown): Shown => ({
  ...listing,
  ...{ price: price || null, price_per_sqm: price_per_sqm || null },
})

/** A listing as other keys see it, under the names that visitors see. */
function asVisitorsSee({ status_date, location, ...listing }: Shown): Shown {
  const { latitude, longitude } = location
  const isUnknown = latitude === null || longitude === null || (latitude === 0 && longitude === 0)
  return {
    ...listing,
    id: Number(listing.id),
    date_listed: status_date,
    location: isUnknown ? { ...location, latitude: null, longitude: null } : location,
  }
}

/** Null is what an empty control of a form becomes: no bound. */
const bound = (...values: number[]) => fc.constantFrom(...values, null, undefined)
const range = (...values: number[]) =>
  fc
    .record({ min: bound(...values), max: bound(...values) })
    .filter(
      ({ min, max }) =>
        !(min === undefined && max === undefined) && !(min != null && max != null && min > max),
    )
const some = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 })

const KINDS = {
  price: range(100, 150, 200, 300),
  price_per_sqm: range(1, 2, 4),
  size: range(50, 75.5, 80),
  rooms: range(0, 1, 2),
  floor: range(-0.5, 0, 1),
  category: some('residential', 'commercial'),
  availability: some('sale', 'rent'),
  property_condition: some('new', 'good'),
  energy_class: some('a', 'b'),
  store_id: some(1, 2),
  areas: some(1, 2, 11, 12),
  area_level2: some(11, 12),
  features: some('elevator', 'has_parking'),
  has_photos: fc.boolean(),
  has_tour: fc.boolean(),
  has_video: fc.boolean(),
  is_negotiable: fc.boolean(),
  bounds: fc.constantFrom(
    { south: 37.9, west: 23.6, north: 38.05, east: 23.8 },
    { south: -20, west: 179.9, north: 39, east: -179.9 },
    { south: -90, west: 179.9, north: 90, east: 180 },
    { south: -90, west: -180, north: 90, east: -179.9 },
    { south: -90, west: 180, north: 90, east: 180 },
    { south: -90, west: 180, north: 90, east: -180 },
    { south: -90, west: -180, north: 90, east: 180 },
    { south: 90, west: -180, north: 90, east: 30 },
  ),
  near: fc.constantFrom(
    { latitude: 37.97, longitude: 23.7, radius: 5000 },
    { latitude: -16.5, longitude: 179.99, radius: 20_000 },
    { latitude: -16.5, longitude: -180, radius: 1 },
    { latitude: -16.5, longitude: 180, radius: 6000 },
    { latitude: 90, longitude: 12, radius: 1 },
    { latitude: -89.9, longitude: 77, radius: 20_000 },
  ),
}

/** Some of the filters, as most listings fail several. */
export const filters = fc
  .subarray(Object.keys(KINDS) as (keyof typeof KINDS)[], { maxLength: 3 })
  .chain((names) =>
    fc.record(Object.fromEntries(names.map((name) => [name, KINDS[name]]))),
  ) as fc.Arbitrary<Filters>

export const sort = fc.constantFrom(
  ...['id', 'price', 'price_per_sqm', 'size', 'rooms', 'date_listed', 'date_updated'].flatMap((name) => [
    name,
    `-${name}`,
  ]),
)

export type Filters = {
  [Name in keyof typeof KINDS]?: (typeof KINDS)[Name] extends fc.Arbitrary<infer F> ? F : never
}

/** Metres between two points on a sphere. */
export const distance = (a: Point, { latitude, longitude }: Shown['location']) =>
  distanceInMetres(a, { latitude: latitude ?? 0, longitude: longitude ?? 0 })

export function matches(listing: Shown, wanted: Filters): boolean {
  const { location } = listing
  const areas = [1, 2, 3].map((level) => (location[`area_level${level}`] as { id: number } | null)?.id)
  const isKnown = location.latitude !== null && location.longitude !== null
  return Object.entries(wanted).every(([name, value]) => {
    if (value === undefined) return true
    if (name === 'areas') return areas.some((id) => id !== undefined && wanted.areas?.includes(id))
    if (name === 'area_level2') return areas[1] !== undefined && wanted.area_level2?.includes(areas[1])
    if (name === 'features') {
      return wanted.features?.every((one) => (listing.features as string[]).includes(one.replace('has_', '')))
    }
    if (name === 'has_photos') return (listing.photos as []).length > 0 === value
    if (name === 'has_tour') return (listing.virtual_tour_url !== null) === value
    if (name === 'has_video') return (listing.video_url !== null) === value
    if (name === 'near')
      return isKnown && wanted.near && distance(wanted.near, location) <= wanted.near.radius
    if (name === 'bounds' && wanted.bounds) {
      const { south, west, north, east } = wanted.bounds
      const { latitude, longitude } = location
      if (latitude === null || longitude === null) return false
      const isWithin = (degrees: number) =>
        west <= east ? degrees >= west && degrees <= east : degrees >= west || degrees <= east
      // 180 and −180 are the same meridian.
      const within = isWithin(longitude) || (Math.abs(longitude) === 180 && isWithin(-longitude))
      return latitude >= south && latitude <= north && within
    }
    const own = listing[name]
    if (Array.isArray(value)) return value.includes(own as never)
    if (typeof value === 'boolean') return own === value
    const { min = null, max = null } = value as { min?: number | null; max?: number | null }
    if (min === null && max === null) return true
    return own !== null && (min === null || Number(own) >= min) && (max === null || Number(own) <= max)
  })
}

export function inOrder(found: Shown[], by: string): number[] {
  const name = by.replace('-', '')
  const sign = by.startsWith('-') ? -1 : 1
  const compare = (a: Shown, b: Shown) => {
    const [left, right] = [a[name] as number | null, b[name] as number | null]
    if (left === right) return b.id - a.id
    if (left === null || right === null) return left === null ? 1 : -1
    return left < right ? -sign : sign
  }
  return found.toSorted(compare).map(({ id }) => id)
}
