/** Listings as a large agency has them: every kind, in many places, at the prices of their kind. */
import type { Random } from '../../fixtures/random.ts'
import {
  AVAILABILITIES,
  type Availability,
  CATEGORIES,
  type Category,
  ENERGY_CLASSES,
  HEATING_TYPES,
  LISTING_STATUSES,
  PROPERTY_CONDITIONS,
  SUBCATEGORIES,
} from '../../src/catalogue/enums.ts'
import { type FeatureGroup, featuresOf } from '../../src/catalogue/features.ts'
import { publicPoint } from '../../src/resources/listings/address/public-point.ts'
import type { MadeNeighbourhood, Places } from './places.ts'

export const STORE_COUNT = 5
export const USER_COUNT = 20
export const TAGS = 10
/** Subtypes of each subcategory. */
export const SUBTYPES = 3
/** The languages of titles: Greek, and English for some. */
export const LANGUAGE_CODES = ['el', 'en']

/** Shares in a hundred. */
const WEIGHTS = {
  category: [70, 15, 12, 3],
  availability: [60, 32, 3, 5],
  status: [2, 1, 90, 3, 3, 1],
}
/** The middle of the prices and of the sizes, of which some are many times as high. */
const USUAL_PRICE: Record<Availability, number> = { sale: 160_000, rent: 650, auction: 90_000, shortterm: 80 }
const USUAL_SIZE: Record<Category, number> = { residential: 85, commercial: 110, land: 900, other: 30 }
/** Of a hundred listings, so many hide their price, and so many their point: a third of all do either. */
const HIDDEN = 0.18

export type TableRow = Record<string, unknown>

/** A listing and what belongs to it. */
export interface NewListing {
  /** Its row, as a draft. */
  row: TableRow
  status: string
  users: number[]
  tags: number[]
  photos: number
  hasPanorama: boolean
  /** By language. */
  titles: string[]
}

/** The listing `id`; the next of `random`. */
export function makeListing(random: Random, id: number, places: Places): NewListing {
  const category = weighted(random, CATEGORIES, WEIGHTS.category)
  const availability = weighted(random, AVAILABILITIES, WEIGHTS.availability)
  const subcategory = skewed<string>(random, SUBCATEGORIES[category])
  const place = places.pick(random)
  const price = rounded(USUAL_PRICE[availability] * spread(random, 0.6))
  const size = Math.max(8, Math.round(USUAL_SIZE[category] * spread(random, 0.5)))
  const isBuilt = category !== 'land'
  const rooms = Math.max(1, Math.round(size / 32))
  const row = {
    id,
    store_id: 1 + Math.floor(STORE_COUNT * random.next() ** 1.5),
    created_by: 1,
    code: `${category.slice(0, 3).toUpperCase()}-${String(id).padStart(7, '0')}`,
    category,
    availability,
    subcategory,
    subtype: random.chance(0.6) ? subtypeOf(subcategory, random.int(0, SUBTYPES - 1)) : null,
    price,
    size,
    price_per_sqm: Math.round((price / size) * 100) / 100,
    floor: isBuilt ? random.int(-1, 7) : null,
    rooms: isBuilt ? rooms : null,
    bathrooms: isBuilt ? Math.max(1, rooms >> 1) : null,
    year_built: isBuilt ? 2026 - Math.floor(90 * random.next() ** 2) : null,
    property_condition: isBuilt ? skewed(random, PROPERTY_CONDITIONS) : null,
    status: 'draft',
    status_date: momentOf(random),
    date_created: momentOf(random),
    date_updated: momentOf(random),
    ...locationOf(random, place),
    details: JSON.stringify(detailsOf(random, category, size)),
    extra: JSON.stringify(extraOf(random)),
    features: keysOf(random, 'features', category, 8),
    positioning: keysOf(random, 'positioning', category, 2),
    view: keysOf(random, 'view', category, 2),
    flooring: keysOf(random, 'flooring', category, 2),
    matched_version: 1,
  }
  const title = `${subcategory} ${size} τ.μ. ${place.name}`
  return {
    row,
    status: weighted(random, LISTING_STATUSES, WEIGHTS.status),
    users: random.sample(range(USER_COUNT), random.int(1, 2)),
    tags: random.sample(range(TAGS), random.int(0, 2)),
    photos: random.chance(0.85) ? random.int(1, 3) : 0,
    hasPanorama: random.chance(0.03),
    titles: [title, ...(random.chance(0.3) ? [`${subcategory} of ${size} m² for ${availability}`] : [])],
  }
}

/** The ids of the subtypes of a subcategory are neighbours. */
export function subtypeOf(subcategory: string, index: number): number {
  const all: string[] = Object.values(SUBCATEGORIES).flat()
  return 1 + all.indexOf(subcategory) * SUBTYPES + index
}

function locationOf(random: Random, { areas, latitude, longitude }: MadeNeighbourhood): TableRow {
  const point = { latitude: latitude + random.next() * 0.01, longitude: longitude + random.next() * 0.01 }
  const [area_level1, area_level2, area_level3] = areas
  const display_address = random.chance(HIDDEN) ? 'fake' : random.chance(0.15) ? 'none' : 'real'
  return {
    area_level1,
    area_level2,
    area_level3,
    postal_code: String(random.int(10_000, 85_999)),
    display_address,
    address_el: `Οδός Ερμού ${random.int(1, 120)}`,
    address_en: 'Odos Ermou',
    ...point,
    fake_address_el: display_address === 'fake' ? 'Οδός Ερμού' : null,
    ...publicPoint({ display_address, ...point }, null),
  }
}

function detailsOf(random: Random, category: Category, size: number): TableRow {
  if (category === 'land') return { land_size: size, build_ratio: random.pick([0.4, 0.8, 1.2]) }
  return {
    wcs: random.int(0, 2),
    heating_type: random.pick(HEATING_TYPES),
    parking_total: random.int(0, 2),
    ...(random.chance(0.15) ? { land_size: size * random.int(2, 8) } : {}),
  }
}

function extraOf(random: Random): TableRow {
  return {
    has_keys: random.chance(0.5),
    ...(random.chance(HIDDEN) ? { has_hidden_price: true } : {}),
    ...(random.chance(0.1) ? { is_negotiable: true } : {}),
    ...(random.chance(0.7) ? { energy_class: skewed(random, ENERGY_CLASSES.toReversed()) } : {}),
    ...(random.chance(0.05) ? { video_url: 'https://video.example/1' } : {}),
    ...(random.chance(0.03) ? { virtual_tour_url: 'https://tour.example/1' } : {}),
    distance_sea: random.int(1, 400) * 50,
  }
}

function keysOf(random: Random, group: FeatureGroup, category: Category, most: number): string {
  const keys = featuresOf(group).flatMap((one) => (one.categories.includes(category) ? [one.key] : []))
  const drawn = Array.from({ length: random.int(0, most) }, () => keys.length > 0 && skewed(random, keys))
  return JSON.stringify([...new Set(drawn.filter(Boolean))])
}

/** A moment of the last two years. */
function momentOf(random: Random): string {
  const moment = new Date(Date.UTC(2024, 10, 1) + random.int(0, 63_000_000) * 1000)
  return moment.toISOString().slice(0, 19).replace('T', ' ')
}

/** A factor round 1, of a normal distribution of its logarithm. */
function spread(random: Random, deviation: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  return Math.exp(deviation * normal)
}

/** A price as people name it: two digits, and noughts. */
function rounded(price: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(price)) - 1)
  return Math.max(1, Math.round(price / unit)) * unit
}

/** One of `values`, the first ones much more often. */
function skewed<T>(random: Random, values: readonly T[]): T {
  return random.pick(values.slice(0, Math.ceil(values.length * random.next() ** 1.5) || 1))
}

/** One of `values`, each as often as its weight in a hundred says. */
function weighted<T>(random: Random, values: readonly T[], weights: number[]): T {
  const drawn = random.int(1, 100)
  let sum = 0
  const index = weights.findIndex((weight) => {
    sum += weight
    return drawn <= sum
  })
  return values[index] ?? random.pick(values)
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
