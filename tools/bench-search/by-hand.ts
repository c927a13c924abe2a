/**
 * What the bench of searches compares the service with: the same searches as SQL by hand. It has a narrow table with a
 * column for each filter, of the listings that visitors see, with the indexes that somebody makes who knows what is
 * asked, and full-text search. SQLite chooses among them by its statistics.
 */
import { AREAS } from '../../src/db/areas.ts'
import { DEFAULT_FACETS, FIELDS, type FieldName } from '../../src/resources/listings/search/fields.ts'
import { boundsAround, EARTH_RADIUS, PER_DEGREE } from '../../src/resources/listings/search/geometry.ts'
import { SOURCE_COLUMNS, SOURCE_TABLES } from '../../src/resources/listings/search/listing-index.ts'
import { keysSought } from '../../src/resources/listings/search/phonetic.ts'
import { isWhole } from '../../src/resources/listings/search/word-index.ts'
import type { BoundStatement } from '../bench/kept.ts'
import type { Question } from './questions.ts'

const LEFT_OUT =
  'price price_per_sqm has_photos date_updated latitude longitude status date_created shown.date_updated is_shown tags users'
const COLUMNS = [...SOURCE_COLUMNS.matchAll(/as "([^"]+)"/g)].flatMap(([, name = '']) =>
  name === 'id' || LEFT_OUT.split(' ').includes(name) ? [] : [`"${name}"`],
)
/** The tile of a listing on a map of zoom 22, of which fewer bits are the tile of a lower zoom. */
const TILE = `cast((shown_longitude / ${PER_DEGREE}.0 + 180) / 360 * ${2 ** 22} as integer) as x,
  cast((1 - asinh(tan(radians(shown_latitude / ${PER_DEGREE}.0))) / pi()) / 2 * ${2 ** 22} as integer) as y`
const KIND = 'availability, category'
const INDEXES = [
  `${KIND}, "shown.price"`,
  `${KIND}, subcategory, "shown.price"`,
  ...AREAS.map((level) => `${level}, ${KIND}, "shown.price"`),
  ...['shown_latitude, shown_longitude', 'date_listed', '"shown.price"', 'size', '"shown.price_per_sqm"'],
]

const INSERT = `insert into by_hand select id, ${COLUMNS}, ${TILE}
  from (select ${SOURCE_COLUMNS} from ${SOURCE_TABLES} where visible.id is not null)`

export const SETUP = [
  `create table by_hand (id integer primary key, ${COLUMNS}, x, y)`,
  INSERT,
  ...INDEXES.map((columns, number) => `create index by_hand_${number} on by_hand (${columns})`),
  `create virtual table by_hand_words using fts5(words, content='', tokenize='unicode61 remove_diacritics 0', prefix='2 3')`,
  'analyze',
]

const columnOf = (name: string) => (FIELDS[name as FieldName]?.options.shown ? `"shown.${name}"` : name)
const isIn = (column: string, values: unknown[]): BoundStatement => ({
  sql: `${column} in (${values.map(() => '?')})`,
  params: values,
})
const units = (degrees: number) => Math.round(degrees * PER_DEGREE)
const isInside = ({ south, west, north, east }: Record<string, number>): BoundStatement => ({
  sql: 'shown_latitude between ? and ? and shown_longitude between ? and ?',
  params: [south, north, west, east].map((degrees) => units(degrees ?? 0)),
})
/** The haversine formula. */
const distanceTo = ({ latitude, longitude }: { latitude: number; longitude: number }): BoundStatement => ({
  sql: `2 * ${EARTH_RADIUS} * asin(min(1, sqrt(pow(sin(radians(shown_latitude / ${PER_DEGREE}.0 - ?) / 2), 2)
    + cos(radians(shown_latitude / ${PER_DEGREE}.0)) * cos(radians(?)) * pow(sin(radians(shown_longitude / ${PER_DEGREE}.0 - ?) / 2), 2))))`,
  params: [latitude, latitude, longitude],
})

/** What phonetic keys begin with among the words: a letter that no word has. */
export const KEY_MARK = 'ʃ'

// biome-ignore lint/suspicious/noExplicitAny: each filter has values of its own.
const SPECIAL: Record<string, (value: any) => BoundStatement> = {
  areas: (ids) => {
    const levels = AREAS.map((level) => isIn(level, ids))
    return {
      sql: `(${levels.map(({ sql }) => sql).join(' or ')})`,
      params: levels.flatMap(({ params }) => params),
    }
  },
  text: (words: string[]) => ({
    sql: 'id in (select rowid from by_hand_words where by_hand_words match ?)',
    params: [
      words
        .map((word) => {
          const keys = keysSought(word).map((key) => `"${KEY_MARK}${key}"*`)
          return `(${[`"${word}"${isWhole(word) ? '' : '*'}`, ...keys].join(' OR ')})`
        })
        .join(' AND '),
    ],
  }),
  bounds: isInside,
  near: (circle) => {
    const [inside, distance] = [isInside(boundsAround(circle)), distanceTo(circle)]
    return {
      sql: `${inside.sql} and ${distance.sql} <= ?`,
      params: [...inside.params, ...distance.params, circle.radius],
    }
  },
}

/** Filters by keys, all of which a list in JSON has. */
const LISTS = ['features', 'positioning', 'view', 'flooring']

function conditionOf(name: string, value: unknown): BoundStatement {
  const column = columnOf(name)
  if (SPECIAL[name]) return SPECIAL[name](value)
  if (typeof value === 'boolean') return { sql: `${column} = ?`, params: [Number(value)] }
  if (!Array.isArray(value)) {
    const { min, max } = value as Record<'min' | 'max', number | string | null>
    const numeric = (bound: number | string) =>
      typeof bound === 'string' ? Date.parse(`${bound}Z`) / 1000 : bound
    const bounds = [
      ...(min === null ? [] : [{ sql: '>=', bound: min }]),
      ...(max === null ? [] : [{ sql: '<=', bound: max }]),
    ]
    return {
      sql: bounds.map(({ sql }) => `${column} ${sql} ?`).join(' and '),
      params: bounds.map(({ bound }) => numeric(bound)),
    }
  }
  if (!LISTS.includes(name)) return isIn(column, value)
  return {
    sql: value.map(() => `instr(${name}, ?) > 0`).join(' and '),
    params: value.map((key) => `"${key}"`),
  }
}

function where(filters: Record<string, unknown>, ...without: string[]): BoundStatement {
  const conditions = Object.entries(filters).flatMap(([name, value]) =>
    without.includes(name) ? [] : [conditionOf(name, value)],
  )
  return {
    sql: `from by_hand where ${conditions.map(({ sql }) => sql).join(' and ') || 'true'}`,
    params: conditions.flatMap(({ params }) => params),
  }
}

const CARD = `page.id, card.date_updated, card.shown, card.photo_sizes, hidden.address_el as exact_address, hidden.id is not null as hides_number
  from page cross join public_listings card on card.id = page.id
  left join listings hidden on hidden.id = page.id and hidden.display_address = 'fake'`

/** What is no condition on a listing, and what else is looked into. */
interface Asked extends Record<string, unknown> {
  sort: string
  page: number
  per_page: number
  zoom: number
  facets?: FieldName[]
  near: { latitude: number; longitude: number }
  availability?: string[]
}

/** The statements of a question, in one batch. The first has the total, where the rows do not. */
export function statementsFor({ kind, filters: all, coarser }: Question): BoundStatement[] {
  const { sort, page, per_page, facets, zoom, ...filters } = all as Asked
  const found = where(filters)
  const total = { sql: `select count(*) as total ${found.sql}`, params: found.params }
  if (kind === 'list') {
    const column = columnOf(sort.replace('-', ''))
    const by = sort === 'distance' ? distanceTo(filters.near) : { sql: column, params: [] }
    const direction = sort.startsWith('-') ? 'desc' : 'asc'
    const order = column === 'id' ? `id ${direction}` : `${by.sql} ${direction} nulls last, id desc`
    return [
      total,
      {
        sql: `with page as materialized (select id ${found.sql} order by ${order} limit ? offset ?) select ${CARD}`,
        params: [...found.params, ...by.params, per_page, (page - 1) * per_page],
      },
    ]
  }
  if (kind === 'map') {
    const shift = 20 - zoom + coarser
    return [
      {
        sql: `select count(*) as count, avg(shown_latitude) as latitude, avg(shown_longitude) as longitude, min(id) as id,
        min("shown.price") as price, min(is_circle) as is_circle, x >> ${shift} as column, y >> ${shift} as line ${found.sql} group by column, line`,
        params: found.params,
      },
    ]
  }
  const names: FieldName[] = facets ?? DEFAULT_FACETS
  return [
    total,
    ...names.flatMap((name) => {
      const { sql, params } = where(filters, name, AREAS.includes(name as never) ? 'areas' : name)
      const counted = (value: string, rest: string, order = 'count desc, value') => ({
        sql: `select '${name}' as name, ${value} as value, count(*) as count ${rest} group by value order by ${order} limit 200`,
        params,
      })
      if (name === 'features')
        return [counted('key.value', sql.replace('by_hand', 'by_hand, json_each(features) key'))]
      if (name !== 'price') return [counted(name, `${sql} and ${name} is not null`)]
      const [one, ...others] = filters.availability ?? []
      if (!one || others.length) return []
      const bands =
        one === 'sale' || one === 'auction'
          ? [50, 100, 150, 200, 300, 500, 750, 1000, 2000].map((thousands) => thousands * 1000)
          : [300, 500, 700, 1000, 1500, 2000, 3000]
      const cases = bands.toReversed().map((band) => `when "shown.price" >= ${band} then ${band}`)
      return [counted(`case ${cases.join(' ')} else 0 end`, `${sql} and "shown.price" is not null`, 'value')]
    }),
  ]
}
