/** The filters of a question as conditions by hand. */
import { columnsFor, METRES_OF_DEGREE, type ViewColumns } from './columns.ts'
import type { AskedFilters, AskedRange } from './filters.ts'
import type { View } from './service.ts'

/** A condition on a row of `listings`. */
export interface Term {
  sql: string
  params: unknown[]
  /** The columns and expressions that it reads. */
  reads: string[]
  /** How an index serves it. A `test` is made of each row that is found otherwise. */
  kind: 'equal' | 'list' | 'range' | 'test'
}

type TermsOf<Value> = (value: Value, columns: ViewColumns) => Term[]

type Terms<F> = { [Name in keyof F]-?: TermsOf<NonNullable<F[Name]>> }

/** The conditions of all filters, those first that usually leave the fewest. */
export function termsOf(filters: AskedFilters, view: View): Term[] {
  const columns = columnsFor(view)
  const visible = view === 'visitors' ? isOneOf('status')(['active'], columns) : []
  return [...visible, ...termsBy(TERMS, filters, columns)]
}

function termsBy<F>(terms: Terms<F>, filters: F, columns: ViewColumns): Term[] {
  const termOf = <Name extends keyof F>(name: Name): Term[] => {
    const value = filters[name]
    return value == null ? [] : terms[name](value, columns)
  }
  return (Object.keys(terms) as (keyof F)[]).flatMap(termOf)
}

const isOneOf =
  (name: string): TermsOf<(string | number)[]> =>
  (values, columns) => {
    const column = columns.of(name)
    if (values.length === 1) return [{ sql: `${column} = ?`, params: values, reads: [column], kind: 'equal' }]
    return [{ sql: `${column} in (${values.map(() => '?')})`, params: values, reads: [column], kind: 'list' }]
  }

const isInRange =
  (name: string): TermsOf<AskedRange> =>
  ({ min, max }, columns) => {
    const column = columns.of(name)
    const bounds = [
      ...(min === undefined ? [] : [{ sql: `${column} >= ?`, value: boundOf(min, '00:00:00') }]),
      ...(max === undefined ? [] : [{ sql: `${column} <= ?`, value: boundOf(max, '23:59:59') }]),
    ]
    const sql = bounds.map((bound) => bound.sql).join(' and ')
    return [{ sql, params: bounds.map(({ value }) => value), reads: [column], kind: 'range' }]
  }

/** A bare date is the first or the last second of the day. */
function boundOf(bound: number | string, second: string): number | string {
  return typeof bound === 'string' && bound.length === 10 ? `${bound} ${second}` : bound
}

/** The lists are JSON of plain keys. */
const hasAll =
  (name: string): TermsOf<string[]> =>
  (keys) => [
    {
      sql: keys.map(() => `instr(${name}, ?) > 0`).join(' and '),
      params: keys.map((key) => `"${key}"`),
      reads: [name],
      kind: 'test',
    },
  ]

/** @param reads what `sql` reads of the listing itself */
const isTrue =
  (
    sql: (columns: ViewColumns) => string,
    reads: (columns: ViewColumns) => string[] = () => [],
  ): TermsOf<boolean> =>
  (value, columns) => {
    const condition = sql(columns)
    const whole = value ? condition : `not (${condition})`
    return [{ sql: whole, params: [], reads: reads(columns), kind: 'test' }]
  }

const exists = (table: string, more = '') =>
  `exists (select 1 from ${table} where listing_id = listings.id ${more})`

const isLinked =
  (table: string, column: string): TermsOf<number[]> =>
  (ids) => [
    {
      sql: exists(table, `and ${column} in (${ids.map(() => '?')})`),
      params: ids,
      reads: [],
      kind: 'test',
    },
  ]

const isBetween = (column: string, low: number, high: number): Term => ({
  sql: `${column} between ? and ?`,
  params: [low, high],
  reads: [column],
  kind: 'range',
})

/** Of one level, an area is a plain equality. */
const liesIn: TermsOf<number[]> = (ids, columns) => {
  const levels = [1, 2, 3].flatMap((level) => {
    const own = ids.filter((id) => levelOf(id) === level)
    return own.length > 0 ? isOneOf(`area_level${level}`)(own, columns) : []
  })
  if (levels.length === 1) return levels
  return [
    {
      sql: levels.map(({ sql }) => sql).join(' or '),
      params: levels.flatMap(({ params }) => params),
      reads: levels.flatMap(({ reads }) => reads),
      kind: 'test',
    },
  ]
}

/** As they are numbered in `places.ts`. */
const levelOf = (id: number) => (id < 100 ? 1 : id < 1000 ? 2 : 3)

const TERMS: Terms<AskedFilters> = {
  near: (circle, columns) => {
    const { latitude, longitude, radius } = circle
    // A little larger, as the distance decides.
    const height = (1.001 * radius) / METRES_OF_DEGREE
    const width = height / Math.cos(((Math.abs(latitude) + height) * Math.PI) / 180)
    const { sql, ...distance } = columns.distanceTo(circle)
    return [
      isBetween(columns.of('latitude'), latitude - height, latitude + height),
      isBetween(columns.of('longitude'), longitude - width, longitude + width),
      { sql: `${sql} <= ?`, params: [...distance.params, radius], reads: distance.reads, kind: 'test' },
    ]
  },
  bounds: ({ south, west, north, east }, columns) => [
    isBetween(columns.of('latitude'), south, north),
    isBetween(columns.of('longitude'), west, east),
  ],
  area_level3: isOneOf('area_level3'),
  area_level2: isOneOf('area_level2'),
  area_level1: isOneOf('area_level1'),
  areas: liesIn,
  subtype: isOneOf('subtype'),
  subcategory: isOneOf('subcategory'),
  availability: isOneOf('availability'),
  category: isOneOf('category'),
  store_id: isOneOf('store_id'),
  property_condition: isOneOf('property_condition'),
  energy_class: isOneOf('energy_class'),
  status: isOneOf('status'),
  price: isInRange('price'),
  land_size: isInRange('land_size'),
  size: isInRange('size'),
  price_per_sqm: isInRange('price_per_sqm'),
  rooms: isInRange('rooms'),
  date_listed: isInRange('date_listed'),
  year_built: isInRange('year_built'),
  floor: isInRange('floor'),
  bathrooms: isInRange('bathrooms'),
  features: hasAll('features'),
  positioning: hasAll('positioning'),
  view: hasAll('view'),
  flooring: hasAll('flooring'),
  tags: isLinked('listing_tag_links', 'tag_id'),
  users: isLinked('listing_users', 'user_id'),
  is_negotiable: (value, columns) => isOneOf('is_negotiable')([value ? 1 : 0], columns),
  has_video: isTrue(
    ({ of }) => `${of('video_url')} <> ''`,
    ({ of }) => [of('video_url')],
  ),
  has_tour: isTrue(
    ({ of }) => `${exists('listing_panoramas')} or ${of('virtual_tour_url')} <> ''`,
    ({ of }) => [of('virtual_tour_url')],
  ),
  has_photos: isTrue(() =>
    exists('listing_photos', 'and coalesce(watermark_image, original_image) is not null'),
  ),
}
