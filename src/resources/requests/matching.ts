/**
 * Whether a listing meets a request, and how well. Category, availability and place must fit. Of everything else
 * that the request asks for, what the listing does not meet, or does not tell, is a deviation; the score is the
 * share that it meets, in percent.
 *
 * So raising an upper limit or lowering a lower one never removes a match: what is asked stays as many criteria,
 * and none that was met stops being met.
 */
import { SUBCATEGORIES } from '../../catalogue/enums.ts'
import { type FeatureGroup, featureKey } from '../../catalogue/features.ts'
import type { Listing, ListName, ValueName } from './candidate.ts'
import type { PointOfInterest, Wanted } from './queries.ts'

export interface Deviation {
  criterion: string
  wanted: unknown
  found: unknown
}

export interface Match {
  /** 0 to 100; 100 when nothing deviates. */
  score: number
  deviations: Deviation[]
}

/** One criterion that a request asks for; `wanted` is how a deviation tells it. */
export type Asked = { wanted: unknown } & (
  | { test: 'range'; criterion: ValueName; min: number | null; max: number | null }
  | { test: 'one of'; criterion: ValueName; values: (string | number)[] }
  | { test: 'any of' | 'all of'; criterion: ListName; values: (string | number)[] }
  | { test: 'elevator'; criterion: 'has_elevator'; from: number | null }
  | { test: 'furnished'; criterion: 'is_furnished'; furnished: boolean }
  | { test: 'near'; criterion: 'special_locations'; points: Place[] }
)

/** A point of interest, and what a degree of longitude measures there. */
export interface Place extends PointOfInterest {
  metresPerLongitude: number
}

/** How near is near, in metres. */
export const NEAR = 1000
export const METRES_PER_LATITUDE = 111_320

const RANGES = [
  'price',
  'price_per_sqm',
  'size',
  'year_built',
  'rooms',
  'floor',
  'garden_size',
  'land_size',
  'parking_total',
  'bathrooms_total',
  'build_ratio',
  'coverage_ratio',
  'yield',
  'shortterm_max_guests',
] as const

const CHOICES = [
  'property_condition',
  'orientation',
  'heating_type',
  'heating_source',
  'construction_type',
  'garden',
] as const

/**
 * How `listing` meets `request`; null when it is no match.
 * @param asked the criteria of the request, for callers that judge many listings
 */
export function match(request: Wanted, listing: Listing, asked = askedBy(request)): Match | null {
  if (!isEligible(request, listing)) return null
  return compare(asked, listing)
}

/** Score and deviations of a listing in the right place, whether it is still offered or not. */
export function compare(asked: Asked[], listing: Listing): Match {
  const deviating = asked.filter((criterion) => !meets(criterion, listing))
  return {
    score: scoreOf(asked.length - deviating.length, asked.length),
    deviations: deviating.map((entry) => ({
      criterion: entry.criterion,
      wanted: entry.wanted,
      found: foundIn(listing, entry),
    })),
  }
}

/** The score alone of what `match` tells, for callers that judge very many; null when it is no match. */
export function scoreMatch(request: Wanted, listing: Listing, asked = askedBy(request)): number | null {
  if (!isEligible(request, listing)) return null
  const met = asked.reduce((sum, criterion) => sum + Number(meets(criterion, listing)), 0)
  return scoreOf(met, asked.length)
}

/** The share of criteria met, in percent; candidates.ts says the same in SQL. */
function scoreOf(met: number, asked: number): number {
  return asked === 0 ? 100 : Math.round((100 * met) / asked)
}

/** What a request asks for beside category, availability and place. */
export function askedBy(request: Wanted): Asked[] {
  const { category, subcategories, subtypes, criteria } = request
  const wishes: Record<string, unknown> = { ...request, ...criteria }
  const isChoosy = SUBCATEGORIES[category].some((subcategory) => !subcategories.includes(subcategory))
  return [
    ...(isChoosy ? oneOf('subcategories', subcategories) : []),
    ...oneOf('subtypes', subtypes),
    ...RANGES.flatMap((criterion) => range(criterion, wishes)),
    ...elevator(request),
    ...CHOICES.flatMap((criterion) => oneOf(criterion, criteria[criterion])),
    ...keys('any of', 'view', criteria.view),
    ...keys('any of', 'positioning', criteria.positioning),
    ...keys('all of', 'features', criteria.features),
    ...furnished(criteria.is_furnished),
    ...oneOf('shortterm_unit', criteria.shortterm_unit && [criteria.shortterm_unit]),
    ...near(request),
    ...allOf('listing_tags', criteria.listing_tags),
  ]
}

/** What excludes a listing altogether. */
function isEligible({ category, availability, locations }: Wanted, listing: Listing): boolean {
  if (listing.status !== 'active') return false
  if (listing.category !== category || listing.availability !== availability) return false
  return [listing.area_level1, listing.area_level2, listing.area_level3].some(
    (area) => area !== null && locations.includes(area),
  )
}

/** Whether `listing` meets one criterion; candidates.ts says the same in SQL. */
function meets(asked: Asked, listing: Listing): boolean {
  switch (asked.test) {
    case 'range': {
      const value = listing[asked.criterion]
      if (typeof value !== 'number') return false
      return (asked.min === null || value >= asked.min) && (asked.max === null || value <= asked.max)
    }
    case 'one of': {
      const value = listing[asked.criterion]
      return value !== null && asked.values.includes(value)
    }
    case 'any of':
      return asked.values.some((value) => listing[asked.criterion].includes(value))
    case 'all of':
      return asked.values.every((value) => listing[asked.criterion].includes(value))
    case 'elevator':
      return listing.features.includes('elevator') || isBelow(listing.floor, asked.from)
    case 'furnished':
      return listing.features.includes('furnished') === asked.furnished
    case 'near': {
      const distance = distanceTo(listing, asked.points)
      return distance !== null && distance <= NEAR
    }
  }
}

/** What a listing has instead, in the words of the request. */
function foundIn(listing: Listing, asked: Asked): unknown {
  switch (asked.test) {
    case 'elevator':
      return asked.from === null ? false : { elevator: false, floor: listing.floor }
    case 'furnished':
      return listing.features.includes('furnished') ? 'yes' : 'no'
    case 'near': {
      const distance = distanceTo(listing, asked.points)
      return distance === null ? null : Math.round(distance)
    }
    case 'any of':
    case 'all of':
      return asked.criterion === 'listing_tags'
        ? listing.listing_tags
        : inputKeys(asked.criterion, listing[asked.criterion])
    default:
      return listing[asked.criterion]
  }
}

function range(criterion: (typeof RANGES)[number], wishes: Record<string, unknown>): Asked[] {
  const [min, max] = [wishes[`${criterion}_min`], wishes[`${criterion}_max`]].map((limit) =>
    typeof limit === 'number' ? limit : null,
  ) as [number | null, number | null]
  return min === null && max === null ? [] : [{ test: 'range', criterion, min, max, wanted: { min, max } }]
}

function oneOf(criterion: ValueName, values: (string | number)[] | undefined): Asked[] {
  return values?.length ? [{ test: 'one of', criterion, values, wanted: values }] : []
}

function allOf(criterion: ListName, values: number[] | undefined): Asked[] {
  return values?.length ? [{ test: 'all of', criterion, values, wanted: values }] : []
}

/** Requests hold the input vocabulary, listings the output one. */
function keys(
  test: 'any of' | 'all of',
  group: FeatureGroup & ListName,
  wanted: string[] | undefined,
): Asked[] {
  if (!wanted?.length) return []
  const values = wanted.map((key) => featureKey(group, key)?.key ?? key)
  return [{ test, criterion: group, values, wanted }]
}

function inputKeys(group: FeatureGroup, list: readonly (string | number)[]): unknown[] {
  return list.map((key) => featureKey(group, String(key))?.input ?? key)
}

function elevator({ has_elevator, elevator_min_floor: from }: Wanted): Asked[] {
  if (!has_elevator) return []
  const wanted = from === null ? true : { elevator: true, from_floor: from }
  return [{ test: 'elevator', criterion: 'has_elevator', from, wanted }]
}

function furnished(wanted: 'yes' | 'no' | undefined): Asked[] {
  return wanted ? [{ test: 'furnished', criterion: 'is_furnished', furnished: wanted === 'yes', wanted }] : []
}

function near({ criteria, points }: Wanted): Asked[] {
  const wanted = criteria.special_locations
  if (!wanted?.length) return []
  const places = points.map((point) => ({
    ...point,
    metresPerLongitude: METRES_PER_LATITUDE * Math.cos((point.latitude * Math.PI) / 180),
  }))
  return [{ test: 'near', criterion: 'special_locations', points: places, wanted }]
}

/** An elevator is not needed below the floor from which it is wanted. */
function isBelow(floor: string | number | null, from: number | null): boolean {
  return typeof floor === 'number' && from !== null && floor < from
}

/** Metres to the nearest of `places`; null where the listing's point is not known. Flat, which is exact enough so near. */
function distanceTo({ latitude, longitude }: Listing, places: Place[]): number | null {
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) return null
  const distances = places.map((place) =>
    Math.hypot(
      (latitude - place.latitude) * METRES_PER_LATITUDE,
      (longitude - place.longitude) * place.metresPerLongitude,
    ),
  )
  return distances.length > 0 ? Math.min(...distances) : null
}
