/** The filters by which listings are searched, and the orders of the results. */
import { z } from 'zod'
import { ENERGY_CLASSES, PROPERTY_CONDITIONS } from '../../../catalogue/enums.ts'
import { type FeatureGroup, findFeatures, inputKeys } from '../../../catalogue/features.ts'
import { int, list, text, unique } from '../../../fields/values.ts'
import type { Draft } from '../../../http/request/check.ts'
import {
  booleanFilter,
  dateTimeRange,
  idsFilter,
  intRange,
  namesFilter,
  numberRange,
  oneOrMoreFilter,
} from '../../../http/request/filters.ts'
import { foldedWords } from '../text/words.ts'

/** Keys of one group of the feature table, one or several; replies and bodies may name a key differently. */
const allOf = (group: FeatureGroup, doc: string) => {
  const key = z.string().meta({ enum: inputKeys(group) })
  return z
    .union([key, list(key)])
    .transform((sent, context) => {
      const keys = [sent].flat()
      return unique(findFeatures(group, keys, (message) => context.addIssue(message)).map((one) => one.key))
    })
    .nullish()
    .describe(`${doc}: the listing has all of them`)
}

const MAX_TEXT = 100
const MAX_WORDS = 8

/** The words of a text, folded; null if it has none. */
const wordsFilter = () =>
  text(MAX_TEXT)
    .nullish()
    .transform((sent, context) => {
      const words = foldedWords(sent ?? '')
      if (words.length > MAX_WORDS) context.addIssue(`must have at most ${MAX_WORDS} words`)
      return words.length > 0 ? unique(words) : null
    })

const latitude = () => z.number().min(-90).max(90)
const longitude = () => z.number().min(-180).max(180)

/** The filters that a listing meets by its own values. */
export const searchFilters = {
  price: intRange().describe('Asking price, or rent per period'),
  price_per_sqm: numberRange().describe('Price per square metre'),
  size: numberRange().describe('Square metres'),
  land_size: numberRange().describe('Plot, in square metres'),
  floor: numberRange().describe('Floor; 0 is the ground floor'),
  rooms: intRange().describe('Number of bedrooms'),
  bathrooms: intRange().describe('Number of bathrooms'),
  year_built: intRange().describe('Year of construction'),
  date_listed: dateTimeRange().describe('When it became active'),
  property_condition: oneOrMoreFilter(PROPERTY_CONDITIONS).describe('One value or several'),
  energy_class: oneOrMoreFilter(ENERGY_CLASSES).describe('One value or several'),
  store_id: idsFilter().describe('One id or several from `/api/stores`'),
  ids: idsFilter().describe('One id of a listing or several'),
  areas: idsFilter().describe('One id or several from `/api/locations`, of any level'),
  area_level1: idsFilter().describe('One id or several of regions'),
  area_level2: idsFilter().describe('One id or several of municipalities or districts'),
  area_level3: idsFilter().describe('One id or several of neighbourhoods'),
  features: allOf('features', 'Feature keys'),
  positioning: allOf('positioning', 'Positions on the plot or floor'),
  view: allOf('view', 'Views'),
  flooring: allOf('flooring', 'Floors'),
  has_photos: booleanFilter().describe('Whether it has a photo'),
  has_tour: booleanFilter().describe('Whether it has a panorama or a link to a tour'),
  has_video: booleanFilter().describe('Whether it has a link to a video'),
  is_negotiable: booleanFilter().describe('Whether the price is negotiable'),
  text: wordsFilter().describe(
    `Words that are all in a title, the code or the names of the areas, in Greek or Latin letters; at most ${MAX_WORDS}. Each may be ` +
      'the beginning of a longer word, unless it is a single character',
  ),
  bounds: z
    .object({
      south: latitude().describe('Degrees'),
      west: longitude().describe('Degrees; greater than `east` if the rectangle crosses the date line'),
      north: latitude().describe('Degrees'),
      east: longitude().describe('Degrees'),
    })
    .meta({ id: 'BoundsFilter', description: 'A rectangle on the map' })
    .nullish(),
  near: z
    .object({
      latitude: latitude().describe('Degrees'),
      longitude: longitude().describe('Degrees'),
      radius: z.number().min(1).max(50_000).describe('Metres'),
    })
    .meta({ id: 'NearFilter', description: 'A circle on the map' })
    .nullish(),
}

/** Fields whose values can be counted. */
export const FACETS = [
  'category',
  'subcategory',
  'availability',
  'area_level1',
  'area_level2',
  'area_level3',
  'rooms',
  'price',
  'subtype',
  'property_condition',
  'energy_class',
  'features',
  'store_id',
] as const

export type Facet = (typeof FACETS)[number]

export const DEFAULT_FACETS: Facet[] = FACETS.slice(0, FACETS.indexOf('price') + 1)

export const facetsFilter = () =>
  namesFilter(FACETS).describe(
    `Names of facets, with commas between them; \`${DEFAULT_FACETS.join(',')}\` when omitted`,
  )

export const DEFAULT_ZOOM = 12
const MAX_ZOOM = 20

export const zoomFilter = () =>
  int()
    .min(0)
    .max(MAX_ZOOM)
    .nullish()
    .describe(`Zoom of the map as usual on the web, 0 to ${MAX_ZOOM}; ${DEFAULT_ZOOM} when omitted`)

/** What lists of listings can be sorted by, beside the id. */
export const ORDERS = [
  'price',
  'price_per_sqm',
  'size',
  'rooms',
  'date_updated',
  'date_listed',
  'distance',
] as const

/** Refuses bounds that are upside down, and an order by distance without a point. */
export function checkSearch(
  draft: Draft<Pick<SearchFilters, 'bounds' | 'near'> & { sort?: string | null | undefined }>,
): void {
  const { sort, near, bounds } = draft.values
  if (bounds && bounds.south > bounds.north)
    draft.refuse('bounds', 'Invalid bounds: south must not be above north')
  if (sort?.endsWith('distance') && !near) draft.refuse('sort', 'Invalid sort: distance needs near')
}

export type SearchFilters = z.output<z.ZodObject<typeof searchFilters>>

/** A point and a distance in metres. */
export type Circle = NonNullable<SearchFilters['near']>
