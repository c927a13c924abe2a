/**
 * Decides whether a listing matches a request, and how well. Category, availability and place must fit. Any other
 * criterion that the listing does not meet, or has no value for, is a deviation. The score is the share of criteria
 * met, in percent.
 *
 * So widening a limit never removes a match: the number of criteria stays the same, and no criterion that was met
 * becomes unmet.
 */
import { type FeatureGroup, featureKey } from '../../catalogue/features.ts'
import { SUBCATEGORIES } from '../../catalogue/property-enums.ts'
import { CRITERIA, SCALARS } from '../../catalogue/request.ts'
import type { CandidateListing, ListName, ValueName } from './listing-view.ts'
import type { MatchingRequest, PointOfInterest } from './request.ts'

interface Deviation {
  criterion: string
  wanted: unknown
  found: unknown
}

export interface Match {
  /** 0 to 100; 100 without deviations. */
  score: number
  deviations: Deviation[]
}

/** One criterion of a request. `wanted` is its value in a deviation. */
export type RequestedCriterion = { wanted: unknown } & (
  | { test: 'range'; criterion: ValueName; min: number | null; max: number | null }
  | { test: 'one of'; criterion: ValueName; values: (string | number)[] }
  | { test: 'any of' | 'all of'; criterion: ListName; values: (string | number)[] }
  | { test: 'elevator'; criterion: 'has_elevator'; from: number | null }
  | { test: 'furnished'; criterion: 'is_furnished'; furnished: boolean }
  | { test: 'near'; criterion: 'special_locations'; points: MeasuredPoint[] }
)

/** A point of interest, and the length of a degree of longitude there, in metres. */
interface MeasuredPoint extends PointOfInterest {
  metresPerLongitude: number
}

/** Maximum distance to a point of interest, in metres. */
export const NEAR_METRES = 1000
export const METRES_PER_LATITUDE = 111_320

/** Whatever a request limits from below. */
const RANGES = Object.keys({ ...SCALARS, ...CRITERIA }).flatMap(
  (name) => /^(.+)_min$/.exec(name)?.[1] ?? [],
) as ValueName[]

const CHOICES = [
  'property_condition',
  'orientation',
  'heating_type',
  'heating_source',
  'construction_type',
  'garden',
] as const

/** Score and deviations of a listing that fits in category, availability and place, whatever its status. */
export function compareCriteria(criteria: RequestedCriterion[], listing: CandidateListing): Match {
  const unmet = criteria.filter((criterion) => !meetsCriterion(criterion, listing))
  return {
    score: scoreOf(criteria.length - unmet.length, criteria.length),
    deviations: unmet.map((entry) => ({
      criterion: entry.criterion,
      wanted: entry.wanted,
      found: valueInListing(listing, entry),
    })),
  }
}

/**
 * How well `listing` matches `request`, without the deviations; null if it is no match.
 * @param criteria the criteria of the request, computed once by callers that compare many listings
 */
export function scoreMatch(
  request: MatchingRequest,
  listing: CandidateListing,
  criteria = requestedCriteria(request),
): number | null {
  if (!isEligible(request, listing)) return null
  const met = criteria.reduce((sum, criterion) => sum + Number(meetsCriterion(criterion, listing)), 0)
  return scoreOf(met, criteria.length)
}

/** The share of criteria met, in percent. `scoreSql` in find.ts does the same in SQL. */
function scoreOf(met: number, criteria: number): number {
  return criteria === 0 ? 100 : Math.round((100 * met) / criteria)
}

/** The criteria of a request besides category, availability and place. */
export function requestedCriteria(request: MatchingRequest): RequestedCriterion[] {
  const { category, subcategories, subtypes, criteria } = request
  const values: Record<string, unknown> = { ...request, ...criteria }
  const hasChosenSubcategories = SUBCATEGORIES[category].some(
    (subcategory) => !subcategories.includes(subcategory),
  )
  return [
    ...(hasChosenSubcategories ? oneOf('subcategories', subcategories) : []),
    ...oneOf('subtypes', subtypes),
    ...RANGES.flatMap((criterion) => range(criterion, values)),
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

/** Whether the listing is active and fits in category, availability and place. */
function isEligible({ category, availability, locations }: MatchingRequest, listing: CandidateListing) {
  if (listing.status !== 'active') return false
  if (listing.category !== category || listing.availability !== availability) return false
  return [listing.area_level1, listing.area_level2, listing.area_level3].some(
    (area) => area !== null && locations.includes(area),
  )
}

/** Whether `listing` meets one criterion. `conditionOf` in find.ts does the same in SQL. */
function meetsCriterion(criteria: RequestedCriterion, listing: CandidateListing): boolean {
  switch (criteria.test) {
    case 'range': {
      const value = listing[criteria.criterion]
      if (typeof value !== 'number') return false
      return (
        (criteria.min === null || value >= criteria.min) && (criteria.max === null || value <= criteria.max)
      )
    }
    case 'one of': {
      const value = listing[criteria.criterion]
      return value !== null && criteria.values.includes(value)
    }
    case 'any of':
      return criteria.values.some((value) => listing[criteria.criterion].includes(value))
    case 'all of':
      return criteria.values.every((value) => listing[criteria.criterion].includes(value))
    case 'elevator':
      return listing.features.includes('elevator') || isBelow(listing.floor, criteria.from)
    case 'furnished':
      return listing.features.includes('furnished') === criteria.furnished
    case 'near': {
      const distance = distanceTo(listing, criteria.points)
      return distance !== null && distance <= NEAR_METRES
    }
  }
}

/** The value of the listing, in the vocabulary of the request. */
function valueInListing(listing: CandidateListing, criteria: RequestedCriterion): unknown {
  switch (criteria.test) {
    case 'elevator':
      return criteria.from === null ? false : { elevator: false, floor: listing.floor }
    case 'furnished':
      return listing.features.includes('furnished') ? 'yes' : 'no'
    case 'near': {
      const distance = distanceTo(listing, criteria.points)
      return distance === null ? null : Math.round(distance)
    }
    case 'any of':
    case 'all of':
      return criteria.criterion === 'listing_tags'
        ? listing.listing_tags
        : inputKeys(criteria.criterion, listing[criteria.criterion])
    default:
      return listing[criteria.criterion]
  }
}

function range(criterion: ValueName, values: Record<string, unknown>): RequestedCriterion[] {
  const [min, max] = [values[`${criterion}_min`], values[`${criterion}_max`]].map((limit) =>
    typeof limit === 'number' ? limit : null,
  ) as [number | null, number | null]
  return min === null && max === null ? [] : [{ test: 'range', criterion, min, max, wanted: { min, max } }]
}

function oneOf(criterion: ValueName, values: (string | number)[] | undefined): RequestedCriterion[] {
  return values?.length ? [{ test: 'one of', criterion, values, wanted: values }] : []
}

function allOf(criterion: ListName, values: number[] | undefined): RequestedCriterion[] {
  return values?.length ? [{ test: 'all of', criterion, values, wanted: values }] : []
}

/** Requests contain input keys, listings output keys. */
function keys(
  test: 'any of' | 'all of',
  group: FeatureGroup & ListName,
  wanted: string[] | undefined,
): RequestedCriterion[] {
  if (!wanted?.length) return []
  const values = wanted.map((key) => featureKey(group, key)?.key ?? key)
  return [{ test, criterion: group, values, wanted }]
}

function inputKeys(group: FeatureGroup, list: readonly (string | number)[]): unknown[] {
  return list.map((key) => featureKey(group, String(key))?.input ?? key)
}

function elevator({ has_elevator, elevator_min_floor: from }: MatchingRequest): RequestedCriterion[] {
  if (!has_elevator) return []
  const wanted = from === null ? true : { elevator: true, from_floor: from }
  return [{ test: 'elevator', criterion: 'has_elevator', from, wanted }]
}

function furnished(wanted: 'yes' | 'no' | undefined): RequestedCriterion[] {
  return wanted ? [{ test: 'furnished', criterion: 'is_furnished', furnished: wanted === 'yes', wanted }] : []
}

function near({ criteria, points }: MatchingRequest): RequestedCriterion[] {
  const wanted = criteria.special_locations
  if (!wanted?.length) return []
  const places = points.map((point) => ({
    ...point,
    metresPerLongitude: METRES_PER_LATITUDE * Math.cos((point.latitude * Math.PI) / 180),
  }))
  return [{ test: 'near', criterion: 'special_locations', points: places, wanted }]
}

/** Whether the listing is below the floor from which an elevator is required. */
function isBelow(floor: string | number | null, from: number | null): boolean {
  return typeof floor === 'number' && from !== null && floor < from
}

/**
 * Distance in metres to the nearest of `places`; null if the location of the listing is unknown. A flat projection is
 * exact enough here.
 */
function distanceTo({ latitude, longitude }: CandidateListing, places: MeasuredPoint[]): number | null {
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) return null
  const distances = places.map((place) =>
    Math.hypot(
      (latitude - place.latitude) * METRES_PER_LATITUDE,
      (longitude - place.longitude) * place.metresPerLongitude,
    ),
  )
  return distances.length > 0 ? Math.min(...distances) : null
}
