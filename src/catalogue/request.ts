/**
 * The fields and criteria of a buyer's request. Columns and schemas are derived from these tables, and so is which
 * criterion applies to which category and availability.
 */
import { z } from 'zod'
import type { Field, Fields } from '../fields/field.ts'
import * as kinds from '../fields/kinds.ts'
import { count, ids, LONG_TEXT, list, measure, unique } from '../fields/values.ts'
import { type FeatureGroup, inputKeys, keysAs } from './features.ts'
import * as enums from './property-enums.ts'

/** What decides whether a criterion applies. */
export interface ListingKind {
  category: enums.Category
  availability: enums.Availability
}

/** Where a criterion applies; elsewhere it is dropped. */
export type CriterionScope = 'building' | 'land' | 'sale' | 'shortterm'

interface Facts {
  /** Description for the documentation, with the unit. */
  doc: string
  /** Absent if the criterion always applies. */
  scope?: CriterionScope
}

/** One criterion that a request may have. */
export interface Criterion<T = unknown> extends Facts {
  schema: z.ZodType<T>
}

export type CriteriaFields = Record<string, Criterion>

const SCOPES: Record<CriterionScope, (kind: ListingKind) => boolean> = {
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

/** Fields that the service sets on each record. */
export const record = {
  id: kinds.key({ doc: 'Id of the request' }),
  date_created: kinds.dateTime({ doc: 'When it was created', assigned: true }),
  date_updated: kinds.dateTime({ doc: 'When it last changed', assigned: true }),
  created_by: kinds.reference({
    doc: 'User who created it: id from `/api/users`',
    to: 'users',
    required: true,
  }),
}

/** Who works on the request, and its status. */
export const work = {
  store_id: kinds.reference({
    doc: 'Owning office: id from `/api/stores`',
    to: 'stores',
    required: true,
    history: true,
  }),
  source_id: kinds.reference({ doc: 'Id from the sources lookup', to: 'request_sources' }),
  status: kinds.reference({
    doc: "Id from the statuses lookup; the account's default if the body has none",
    to: 'request_statuses',
    assigned: true,
    history: true,
  }),
}

/** What the request is for; decides which criteria apply. */
export const kind = {
  availability: kinds.choice(enums.AVAILABILITIES, {
    doc: 'How the property must be offered',
    required: true,
    history: true,
  }),
  category: kinds.choice(enums.CATEGORIES, {
    doc: 'Kind of property; decides which other keys apply',
    required: true,
    history: true,
  }),
}

/** Texts, and the agency's rating. */
export const remarks = {
  title: kinds.text({
    doc: 'Title; by default generated from category, availability and up to 3 places',
    person: true,
    assigned: true,
    writeOnly: true,
  }),
  notes: kinds.text({ doc: 'Internal notes', person: true, max: LONG_TEXT, writeOnly: true }),
  rating: kinds.count({ doc: "The agency's own rating, 1 to 5", min: 1, max: 5, writeOnly: true }),
}

/** Criteria at the top level of a request; each has its own column. */
export const SCALARS = {
  ...range('price', kinds.count, { doc: 'price, or rent per period, in whole units of currency' }),
  ...range('price_per_sqm', kinds.count, { doc: 'price per square metre' }),
  ...range('size', kinds.count, { doc: 'size, in square metres' }),
  ...range('year_built', kinds.count, { doc: 'year of construction', scope: 'building' }),
  ...range('rooms', kinds.count, { doc: 'number of bedrooms', scope: 'building' }),
  ...range('floor', floorNumber, {
    doc: `floor; 0 is the ground floor. One of ${HALF_FLOORS.join(', ')} or a whole number from 2 to 127`,
    scope: 'building',
  }),
  has_elevator: scoped('building', kinds.flag({ doc: 'Whether an elevator is required', history: true })),
  elevator_min_floor: scoped(
    'building',
    kinds.number({
      doc: 'Floor from which an elevator is needed; used only with `has_elevator`',
      writeOnly: true,
      history: true,
    }),
  ),
}

/** Criteria in `extra_fields`, stored in one JSON column. */
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
  is_furnished: criterion(z.enum(['yes', 'no']), { doc: 'Furnished or not', scope: 'building' }),
  ...limits('garden_size', measure, { doc: 'garden, in square metres' }),
  ...limits('land_size', count, { doc: 'plot, in square metres', scope: 'building' }),
  ...limits('parking_total', count, { doc: 'number of parking spaces', scope: 'building' }),
  ...limits('bathrooms_total', count, { doc: 'number of bathrooms', scope: 'building' }),
  ...limits('build_ratio', measure, { doc: 'floor area ratio', scope: 'land' }),
  ...limits('coverage_ratio', measure, {
    doc: 'share of the plot that may be covered, percent',
    scope: 'land',
  }),
  yield_min: criterion(z.number().min(0).max(99.99), { doc: 'Lowest yearly yield, percent', scope: 'sale' }),
  shortterm_unit: criterion(z.enum(enums.SHORTTERM_UNITS), {
    doc: 'Period that the price is for; required when availability is shortterm',
    scope: 'shortterm',
  }),
  ...limits('shortterm_max_guests', count, { doc: 'number of guests', scope: 'shortterm' }),
  special_locations: criterion(ids(), { doc: 'Points of interest; at least one must be within 1 km' }),
  listing_tags: criterion(ids(), { doc: 'Listing tags; a match must have all of them' }),
}

/** Values of criteria by name; absent if the request does not have the criterion. */
export type Criteria = { [K in keyof typeof CRITERIA]?: z.output<(typeof CRITERIA)[K]['schema']> }

/** Whether a criterion with `scope` applies to a request of `kind`. */
export function criterionApplies(scope: CriterionScope | undefined, kind: ListingKind): boolean {
  return !scope || SCOPES[scope](kind)
}

/** The names of ranges: `price` if `fields` has both `price_min` and `price_max`. */
export function rangePairsOf(fields: CriteriaFields | Fields): string[] {
  const names = Object.keys(fields).flatMap((key) => /^(.+)_min$/.exec(key)?.[1] ?? [])
  return names.filter((name) => `${name}_max` in fields)
}

function scoped<F extends Field>(scope: CriterionScope | undefined, field: F): F & Pick<Facts, 'scope'> {
  return { ...field, scope }
}

/** Two columns: the minimum and the maximum that a buyer accepts. */
function range<const Name extends string, F extends Field>(
  name: Name,
  bound: (facts: { doc: string }) => F,
  { doc, scope }: Facts,
) {
  const side = (word: string) => ({
    ...scoped(scope, bound({ doc: `${word} ${doc}` })),
    history: true as const,
  })
  return { [`${name}_min`]: side('Lowest'), [`${name}_max`]: side('Highest') } as Record<
    `${Name}_min` | `${Name}_max`,
    F & Pick<Facts, 'scope'>
  >
}

/** A floor number, which may be a half floor. */
function floorNumber(facts: { doc: string }) {
  const schema = floor().nullable().describe(facts.doc)
  return { ...kinds.number(facts), input: schema, stored: schema }
}

function criterion<T>(schema: z.ZodType<T>, facts: Facts): Criterion<T> {
  return { schema, ...facts }
}

function limits<const Name extends string>(name: Name, bound: () => z.ZodType<number>, facts: Facts) {
  const side = (word: string) => criterion(bound(), { ...facts, doc: `${word} ${facts.doc}` })
  return { [`${name}_min`]: side('Lowest'), [`${name}_max`]: side('Highest') } as Record<
    `${Name}_min` | `${Name}_max`,
    Criterion<number>
  >
}

function choices<const V extends readonly [string, ...string[]]>(
  values: V,
  facts: Facts,
): Criterion<V[number][]> {
  return criterion(list(z.enum(values)).overwrite(unique), facts)
}

/** Names of one feature group. Accepts input and output names, and stores input names. */
function keys(group: FeatureGroup, facts: Facts): Criterion<string[]> {
  const either = list(z.string().meta({ enum: inputKeys(group) }))
  return criterion(either.transform(keysAs(group, 'input')).pipe(either), facts)
}
