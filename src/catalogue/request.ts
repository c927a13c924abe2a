/**
 * What a buyer may ask for: every limit and search criterion of a request once, on one line. Input schemas,
 * documentation, and which of them make sense for which category and availability follow from these tables.
 */
import { z } from 'zod'
import { count, ids, list, measure, unique } from '../fields/values.ts'
import * as enums from './enums.ts'
import { acceptedKeys, type FeatureGroup, findFeatures } from './features.ts'

/** What decides whether a wish applies. */
export interface Kind {
  category: enums.Category
  availability: enums.Availability
}

/** Where a wish applies; elsewhere it is dropped. */
export type WishScope = 'building' | 'land' | 'sale' | 'shortterm'

interface Facts {
  /** For the documentation, with the unit. */
  doc: string
  /** Everywhere when absent. */
  scope?: WishScope
}

/** One key that a buyer may give. */
export interface Wish<T = unknown> extends Facts {
  schema: z.ZodType<T>
}

export type Wishes = Record<string, Wish>

const SCOPES: Record<WishScope, (kind: Kind) => boolean> = {
  building: ({ category }) => category !== 'land',
  land: ({ category }) => category === 'land',
  sale: ({ availability }) => availability === 'sale',
  shortterm: ({ availability }) => availability === 'shortterm',
}

const HALF_FLOORS = [-1, -0.5, 0, 0.5, 1, 1.5]

const floor = () =>
  z
    .number()
    .refine(
      (value) => HALF_FLOORS.includes(value) || (Number.isInteger(value) && value >= 2 && value <= 127),
      `must be one of ${HALF_FLOORS.join(', ')} or a whole number from 2 to 127`,
    )
    .meta({ minimum: -1, maximum: 127, multipleOf: 0.5 })

/** Keys at the top of a request; columns of their own. */
export const SCALARS = {
  ...limits('price', count, { doc: 'price, or rent per period, in whole units of currency' }),
  ...limits('price_per_sqm', count, { doc: 'price per square metre' }),
  ...limits('size', count, { doc: 'size, in square metres' }),
  ...limits('year_built', count, { doc: 'year of construction', scope: 'building' }),
  ...limits('rooms', count, { doc: 'number of rooms', scope: 'building' }),
  ...limits('floor', floor, {
    doc: `floor; 0 is the ground floor. One of ${HALF_FLOORS.join(', ')} or a whole number from 2 to 127`,
    scope: 'building',
  }),
  has_elevator: wish(z.boolean(), { doc: 'Must have an elevator', scope: 'building' }),
  elevator_min_floor: wish(z.number(), {
    doc: 'Floor from which an elevator is needed; used only with `has_elevator`',
    scope: 'building',
  }),
}

/** Keys of `extra_fields`; one JSON column. */
export const CRITERIA = {
  view: keys('view', { doc: 'Any of these views' }),
  positioning: keys('positioning', { doc: 'Any of these' }),
  property_condition: choices(enums.PROPERTY_CONDITIONS, { doc: 'One of these' }),
  orientation: choices(enums.ORIENTATIONS, { doc: 'One of these' }),
  heating_type: choices(enums.HEATING_TYPES, { doc: 'One of these', scope: 'building' }),
  heating_source: choices(enums.HEATING_SOURCES, { doc: 'One of these', scope: 'building' }),
  construction_type: choices(enums.CONSTRUCTION_TYPES, { doc: 'One of these', scope: 'building' }),
  garden: choices(enums.GARDENS, { doc: 'One of these', scope: 'building' }),
  features: keys('features', { doc: 'All of these; each must apply to the category' }),
  is_furnished: wish(z.enum(['yes', 'no']), { doc: 'Furnished or not', scope: 'building' }),
  ...limits('garden_size', measure, { doc: 'garden, in square metres' }),
  ...limits('land_size', count, { doc: 'plot, in square metres', scope: 'building' }),
  ...limits('parking_total', count, { doc: 'number of parking spaces', scope: 'building' }),
  ...limits('bathrooms_total', count, { doc: 'number of bathrooms', scope: 'building' }),
  ...limits('build_ratio', measure, { doc: 'floor area ratio', scope: 'land' }),
  ...limits('coverage_ratio', measure, { doc: 'share that may be covered, percent', scope: 'land' }),
  yield_min: wish(z.number().min(0).max(99.99), { doc: 'Lowest yearly yield, percent', scope: 'sale' }),
  shortterm_unit: wish(z.enum(enums.SHORTTERM_UNITS), {
    doc: 'Period that the price is for; required when availability is shortterm',
    scope: 'shortterm',
  }),
  ...limits('shortterm_max_guests', count, { doc: 'number of guests', scope: 'shortterm' }),
  special_locations: wish(ids(), { doc: 'Points of interest, one of which must be within 1 km' }),
  listing_tags: wish(ids(), { doc: 'Listing tags, all of which a match must carry' }),
}

/** Criteria by name; what was not asked for is absent. */
export type Criteria = { [K in keyof typeof CRITERIA]?: z.output<(typeof CRITERIA)[K]['schema']> }

/** Whether a wish of `scope` makes sense for a request of `kind`. */
export function applies(scope: WishScope | undefined, kind: Kind): boolean {
  return !scope || SCOPES[scope](kind)
}

/** The names in `wishes` of which there is a `_min` and a `_max`. */
export function pairsOf(wishes: Wishes): string[] {
  const names = Object.keys(wishes).flatMap((key) => /^(.+)_min$/.exec(key)?.[1] ?? [])
  return names.filter((name) => `${name}_max` in wishes)
}

function wish<T>(schema: z.ZodType<T>, facts: Facts): Wish<T> {
  return { schema, ...facts }
}

function limits<const Name extends string>(name: Name, bound: () => z.ZodType<number>, facts: Facts) {
  const side = (word: string) => wish(bound(), { ...facts, doc: `${word} ${facts.doc}` })
  return { [`${name}_min`]: side('Lowest'), [`${name}_max`]: side('Highest') } as Record<
    `${Name}_min` | `${Name}_max`,
    Wish<number>
  >
}

function choices<const V extends readonly [string, ...string[]]>(values: V, facts: Facts): Wish<V[number][]> {
  return wish(list(z.enum(values)).overwrite(unique), facts)
}

/** Keys of one group of the feature table; either vocabulary in, the input vocabulary kept. */
function keys(group: FeatureGroup, facts: Facts): Wish<string[]> {
  const either = list(z.string().meta({ enum: acceptedKeys(group) }))
  const known = either.transform((names, context) =>
    unique(findFeatures(group, names, (message) => context.addIssue(message)).map(({ input }) => input)),
  )
  return wish(known.pipe(either), facts)
}
