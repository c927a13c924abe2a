import { z } from 'zod'
import type { Names } from '../../../catalogue/enumeration.ts'
import { FEATURES, type FeatureGroup, featureNames, inputKeys, keysAs } from '../../../catalogue/features.ts'
import {
  ALL_SUBCATEGORIES,
  AVAILABILITIES,
  CATEGORIES,
  ENERGY_CLASSES,
  LISTING_STATUSES,
  PROPERTY_CONDITIONS,
  SUBCATEGORY,
} from '../../../catalogue/property-enums.ts'
import { list } from '../../../fields/values.ts'
import {
  booleanFilter,
  dateTimeRange,
  idsFilter,
  intRange,
  numberRange,
  oneOrMoreFilter,
  usersFilter,
} from '../../../http/request/filters.ts'
import type { Rows } from './bits.ts'
import { CodeColumn, type Column, KeysColumn, NumberColumn } from './columns.ts'

/** Keys of one group of the feature table, one or several; replies and bodies may name a key differently. */
const keysFilter = (group: FeatureGroup) => {
  const key = z.string().meta({ enum: inputKeys(group) })
  return z
    .union([key, list(key)])
    .transform((sent, context) => keysAs(group, 'key')([sent].flat(), context))
    .nullish()
}

export type FieldKind = 'integers' | 'numbers' | 'dates' | 'choice' | 'ids' | 'places' | 'keys' | 'flag'

interface Options {
  doc: string
  /** SQL over a row of `listings`; the column of the same name when absent. */
  stored?: string
  /** The column of `public_listings` with what visitors see, where that may be another value. */
  shown?: string
  /** Whether lists can be sorted by it, or those of secret keys only. */
  sort?: 'all' | 'secret'
  /** Whether it can be counted; `default` if it is unless a call names others. */
  facet?: 'default' | 'named'
  /** The names of its values, by whose words `text` finds listings. */
  names?: Readonly<Record<string, Names>>
  /** Visitors cannot filter by it. */
  isPrivate?: true
}

export interface SearchField<Filter extends z.ZodType = z.ZodType, Kept extends Column = Column> {
  readonly filter: Filter
  readonly options: Options
  readonly kind: FieldKind
  makeColumn(): Kept
  keep(column: Kept, rows: Rows, value: NonNullable<z.output<Filter>>): void
}

const field = <Filter extends z.ZodType, Kept extends Column>(
  options: Options,
  rest: Omit<SearchField<Filter, Kept>, 'options' | 'filter'> & { filter: Filter },
): SearchField<Filter, Kept> => ({ ...rest, options, filter: rest.filter.describe(options.doc) as Filter })

/**
 * A number between bounds; an integer unless it has decimals. Where there are few different values, they have codes, and
 * can be counted.
 */
const range = (options: Options & { decimals?: true; few?: true }) =>
  field(options, {
    kind: options.decimals ? 'numbers' : 'integers',
    filter: options.decimals ? numberRange() : (intRange() as ReturnType<typeof numberRange>),
    makeColumn: () => (options.few ? new CodeColumn() : new NumberColumn(options.decimals ? 100 : 1)),
    keep: (column: NumberColumn | CodeColumn, rows, { min, max }) => column.keepBetween(rows, min, max),
  })

/** A date-time between bounds, in seconds since 1970. */
const dates = (options: Options) =>
  field(
    {
      ...options,
      stored: `unixepoch(${options.stored})`,
      ...(options.shown && { shown: `unixepoch(${options.shown})` }),
    },
    {
      kind: 'dates',
      filter: dateTimeRange(),
      makeColumn: () => new NumberColumn(),
      keep: (column, rows, { min, max }) =>
        column.keepBetween(rows, min === null ? null : seconds(min), max === null ? null : seconds(max)),
    },
  )

const choice = <const Value extends readonly [string, ...string[]]>(values: Value, options: Options) =>
  field(options, {
    kind: 'choice',
    filter: oneOrMoreFilter(values),
    makeColumn: () => new CodeColumn<string>(),
    keep: (column, rows, wanted) => column.keep(rows, isAmong<string>(wanted)),
  })

/** The id of another record. */
const reference = (options: Options & { places?: true }) =>
  field(options, {
    kind: options.places ? 'places' : 'ids',
    filter: idsFilter(),
    makeColumn: () => new CodeColumn<number>(),
    keep: (column, rows, wanted) => column.keep(rows, isAmong(wanted)),
  })

/** Whether something holds: 1 or 0. */
const flag = (options: Options) =>
  field(options, {
    kind: 'flag',
    filter: booleanFilter(),
    makeColumn: () => new CodeColumn<number>(),
    keep: (column, rows, wanted) => column.keep(rows, (value) => value === Number(wanted)),
  })

/** Keys of a group of the feature table. */
const keys = (group: FeatureGroup, options: Omit<Options, 'sort'>) =>
  field(options, {
    kind: 'keys',
    filter: keysFilter(group),
    makeColumn: () => new KeysColumn(FEATURES.filter((one) => one.group === group).map(({ key }) => key)),
    keep: (column, rows, wanted) => column.keep(rows, wanted),
  })

/** The ids of linked records. Few lists are different, so each is a value of its own. */
const links = (
  table: string,
  target: string,
  {
    filter = idsFilter(),
    ...options
  }: Omit<Options, 'sort' | 'facet'> & { filter?: z.ZodType<number[] | null> },
) =>
  field(
    {
      ...options,
      stored: `(select group_concat(${target}) from (select ${target} from ${table} where listing_id = listings.id order by ${target}))`,
    },
    {
      kind: 'ids',
      filter,
      makeColumn: () => new CodeColumn<string>(),
      keep: (column, rows, wanted) => {
        const isWanted = isAmong(wanted)
        column.keep(rows, (list) => list.split(',').some((id) => isWanted(Number(id))))
      },
    },
  )

function isAmong<Value>(wanted: readonly Value[]): (value: Value) => boolean {
  const set = new Set(wanted)
  return (value) => set.has(value)
}

/** Seconds since 1970 of `YYYY-MM-DD HH:MM:SS`. */
const seconds = (dateTime: string) => Date.parse(`${dateTime.replace(' ', 'T')}Z`) / 1000

/** SQL for a value of a JSON column; null if that is no JSON, as one row must not stop the search of all. */
const valueIn = (column: string, name: string) =>
  `iif(json_valid(${column}), ${column} ->> '$.${name}', null)`
const detail = (name: string) => valueIn('details', name)
const extra = (name: string) => valueIn('extra', name)
const holds = (text: string) => `trim(coalesce(${text}, '')) <> ''`
const has = (table: string) => `exists (select 1 from ${table} where listing_id = listings.id)`

const ONE_OR_MORE = 'One value or several'

/** The fields, in the order of facets and of the index. */
export const FIELDS = {
  category: choice(CATEGORIES, { doc: 'Kind of property; one value or several', facet: 'default' }),
  subcategory: choice(ALL_SUBCATEGORIES, { doc: ONE_OR_MORE, facet: 'default', names: SUBCATEGORY }),
  availability: choice(AVAILABILITIES, { doc: 'How it is offered; one value or several', facet: 'default' }),
  subtype: reference({ doc: 'One id or several from the subtypes lookup', facet: 'named' }),
  status: choice(LISTING_STATUSES, {
    doc: 'One value or several; every status when omitted',
  }),
  date_created: dates({
    doc: 'When it was created',
    stored: 'date_created',
    sort: 'secret',
    isPrivate: true,
  }),
  date_updated: dates({
    doc: 'When it last changed, photos included; finds what is new since a sync',
    stored: 'listings.date_updated',
    shown: 'visible.date_updated',
    sort: 'all',
    isPrivate: true,
  }),
  area_level1: reference({ doc: 'One id or several of regions', places: true, facet: 'default' }),
  area_level2: reference({
    doc: 'One id or several of municipalities or districts',
    places: true,
    facet: 'default',
  }),
  area_level3: reference({ doc: 'One id or several of neighbourhoods', places: true, facet: 'default' }),
  rooms: range({ doc: 'Number of bedrooms', few: true, sort: 'all', facet: 'default' }),
  price: range({
    doc: 'Asking price, or rent per period',
    // 0 is written where there is no price.
    stored: 'nullif(listings.price, 0)',
    shown: 'nullif(visible.price, 0)',
    sort: 'all',
    facet: 'default',
  }),
  price_per_sqm: range({
    doc: 'Price per square metre',
    stored: 'nullif(listings.price_per_sqm, 0)',
    shown: 'nullif(visible.price_per_sqm, 0)',
    decimals: true,
    sort: 'all',
  }),
  size: range({ doc: 'Square metres', decimals: true, sort: 'all' }),
  land_size: range({ doc: 'Plot, in square metres', stored: detail('land_size'), decimals: true }),
  floor: range({ doc: 'Floor; 0 is the ground floor', decimals: true }),
  bathrooms: range({ doc: 'Number of bathrooms' }),
  year_built: range({ doc: 'Year of construction' }),
  date_listed: dates({ doc: 'When it became active', stored: 'status_date', sort: 'all' }),
  property_condition: choice(PROPERTY_CONDITIONS, { doc: ONE_OR_MORE, facet: 'named' }),
  energy_class: choice(ENERGY_CLASSES, { doc: ONE_OR_MORE, stored: extra('energy_class'), facet: 'named' }),
  features: keys('features', {
    doc: 'Feature keys: the listing has all of them',
    facet: 'named',
    names: featureNames('features'),
  }),
  positioning: keys('positioning', { doc: 'Positions on the plot or floor: the listing has all of them' }),
  view: keys('view', { doc: 'Views: the listing has all of them', names: featureNames('view') }),
  flooring: keys('flooring', { doc: 'Floors: the listing has all of them' }),
  store_id: reference({
    doc: 'One id or several from `/api/stores`',
    stored: 'listings.store_id',
    facet: 'named',
  }),
  has_photos: flag({
    doc: 'Whether it has a photo',
    stored: has('listing_photos'),
    shown: 'visible.has_photos',
  }),
  has_tour: flag({
    doc: 'Whether it has a panorama or a link to a tour',
    stored: `(${has('listing_panoramas')} or ${holds(extra('virtual_tour_url'))})`,
  }),
  has_video: flag({ doc: 'Whether it has a link to a video', stored: holds(extra('video_url')) }),
  is_negotiable: flag({
    doc: 'Whether the price is negotiable',
    stored: `coalesce(${extra('is_negotiable')}, 0)`,
  }),
  tags: links('listing_tag_links', 'tag_id', {
    doc: 'One id or several from the tags lookup',
    isPrivate: true,
  }),
  users: links('listing_users', 'user_id', {
    doc: 'One id or several of agents',
    isPrivate: true,
    filter: usersFilter(),
  }),
} as const

type Fields = typeof FIELDS
export type FieldName = keyof Fields

export const FIELD_LIST = Object.entries(FIELDS) as [FieldName, SearchField][]

export const fieldFilters = Object.fromEntries(
  FIELD_LIST.map(([name, { filter }]) => [name, filter]),
) as unknown as { [Name in FieldName]: Fields[Name]['filter'] }

const namesWhere = (test: (options: Options) => boolean) =>
  FIELD_LIST.flatMap(([name, { options }]) => (test(options) ? [name] : []))

/** What lists can be sorted by, beside the id. */
export const SORTS = [...namesWhere(({ sort }) => sort !== undefined), 'distance' as const]
export const PUBLIC_SORTS = [...namesWhere(({ sort }) => sort === 'all'), 'distance' as const]

/** What can be counted, first what is unless a call names others. */
export const DEFAULT_FACETS = namesWhere(({ facet }) => facet === 'default')
export const FACETS = [...DEFAULT_FACETS, ...namesWhere(({ facet }) => facet === 'named')]

/** The columns of the index, by name: those that visitors see in another way have one more. */
export const shownName = (name: FieldName) => `shown.${name}` as const
export type ColumnName = FieldName | `shown.${FieldName}`
