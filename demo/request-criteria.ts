import type { Random } from '../fixtures/random.ts'
import { type FeatureGroup, featureKey } from '../src/catalogue/features.ts'
import { CUSTOM_FIELDS, SPECIAL_LOCATIONS, USERS } from './agency.ts'
import type { DemoListing } from './listings.ts'
import { DAY, dateOf } from './moments.ts'

/** Search criteria that `target` meets, and values of the custom fields of requests. */
export function criteria(random: Random, target: DemoListing, created: number): Record<string, unknown> {
  return {
    ...criteriaOf(random, target),
    ...(target.category === 'land' ? plotCriteria(random, target) : buildingCriteria(random, target)),
    ...(target.availability === 'shortterm' ? stay(random, target) : {}),
    ...customFields(random, created),
  }
}

function criteriaOf(
  random: Random,
  { features, view, positioning, tags, location, ...listing }: DemoListing,
) {
  const near = SPECIAL_LOCATIONS.filter((place) => distance(place, location) < 1_000)
  const { orientation } = listing['the service']
  return {
    ...some(random, 0.35, 'features', random.sample(requestKeys('features', features), random.int(1, 2))),
    ...some(random, 0.3, 'view', requestKeys('view', view)),
    ...some(random, 0.15, 'positioning', requestKeys('positioning', positioning)),
    ...some(random, 0.15, 'orientation', [orientation]),
    ...some(
      random,
      0.5,
      'special_locations',
      near.map(({ id }) => id),
    ),
    ...some(random, 0.08, 'listing_tags', tags.slice(0, 1)),
  }
}

function buildingCriteria(random: Random, { property_condition = null, details, ...listing }: DemoListing) {
  const group: Record<string, unknown> = details
  const { yield: yearly }: { yield?: number } = listing['the service']
  return {
    ...some(random, 0.3, 'property_condition', property_condition === null ? [] : [property_condition]),
    ...some(random, 0.15, 'heating_type', present(group.heating_type)),
    ...some(random, 0.1, 'heating_source', present(group.heating_source)),
    ...some(random, 0.05, 'construction_type', present(group.construction_type)),
    ...some(random, 0.1, 'garden', present(group.garden)),
    ...(typeof group.parking_total === 'number' && random.chance(0.4)
      ? { parking_total_min: Math.min(1, group.parking_total) }
      : {}),
    ...(typeof listing.bathrooms === 'number' && random.chance(0.3)
      ? { bathrooms_total_min: listing.bathrooms }
      : {}),
    ...(listing.category === 'residential' && random.chance(0.1) ? { is_furnished: 'no' } : {}),
    ...(yearly !== undefined ? { yield_min: Math.floor(yearly) } : {}),
  }
}

function plotCriteria(random: Random, { details }: DemoListing) {
  const { build_ratio, coverage_ratio }: Record<string, unknown> = details
  return {
    ...(build_ratio !== undefined && random.chance(0.5) ? { build_ratio_min: build_ratio } : {}),
    ...(coverage_ratio !== undefined && random.chance(0.3) ? { coverage_ratio_max: coverage_ratio } : {}),
  }
}

function stay(random: Random, listing: DemoListing) {
  const {
    shortterm_unit,
    shortterm_max_guests,
  }: { shortterm_unit?: unknown; shortterm_max_guests?: number } = listing['the service']
  return {
    shortterm_unit: shortterm_unit ?? 'per_day',
    ...(shortterm_max_guests && random.chance(0.5) ? { shortterm_max_guests_min: shortterm_max_guests } : {}),
  }
}

/** Values for some of the custom fields of requests, under their ids. */
function customFields(random: Random, created: number): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const field of CUSTOM_FIELDS) {
    if (field.resource !== 'requests' || !random.chance(0.2)) continue
    if (field.type === 'select') values[field.id] = random.pick(field.options).id
    if (field.type === 'select_multi') values[field.id] = random.sample(field.options, 2).map(({ id }) => id)
    if (field.type === 'checkbox') values[field.id] = random.chance(0.5)
    if (field.type === 'currency') values[field.id] = random.int(2, 60) * 5_000
    if (field.type === 'date') values[field.id] = dateOf(created + random.int(20, 300) * DAY)
    // The first contacts exist in a demo of any size; the thirtieth is deleted.
    if (field.type === 'contact') values[field.id] = random.int(1, 5)
    if (field.type === 'user_multi') values[field.id] = random.sample(USERS, 2).map(({ id }) => id)
  }
  return values
}

/** The criterion under its name, with `probability`, and only if it has values. */
function some(random: Random, probability: number, name: string, values: readonly unknown[]) {
  return values.length > 0 && random.chance(probability) ? { [name]: values } : {}
}

function present(value: unknown): unknown[] {
  return value === undefined || value === null ? [] : [value]
}

/** Keys as requests name them. */
function requestKeys(group: FeatureGroup, keys: readonly string[]): string[] {
  return keys.flatMap((key) => featureKey(group, key)?.input ?? [])
}

/** Metres between two points, near enough for a city. */
function distance(a: Point, b: Point): number {
  const east = (a.longitude - b.longitude) * 111_320 * Math.cos((a.latitude * Math.PI) / 180)
  return Math.hypot((a.latitude - b.latitude) * 111_320, east)
}

interface Point {
  readonly latitude: number
  readonly longitude: number
}
