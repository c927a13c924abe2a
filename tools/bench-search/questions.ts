/** What visitors of a website ask, drawn from listings that there are, so that most questions find something. */
import { type Random, seeded } from '../../fixtures/random.ts'
import { foldedWords } from '../../src/db/fold.ts'
import { FACETS } from '../../src/resources/listings/search/fields.ts'
import { listingMaker, makePlaces } from './database.ts'

export interface Question {
  kind: 'list' | 'facets' | 'map'
  /** The line of the report that it belongs to. */
  line: string
  /** As the service has them once they are checked. */
  filters: Record<string, unknown>
  /** Zooms by which SQL makes the grid of a map coarser than asked for, so that it has few enough cells. */
  coarser: number
}

/** The query of a question, as the API has it. */
export function pathOf({ filters }: Question): string {
  const query = Object.entries(filters).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'text') return [[name, (value as string[]).join(' ')]]
    if (Array.isArray(value)) return value.map((one) => [name, one])
    if (typeof value !== 'object') return [[name, value]]
    return Object.entries(value as object).flatMap(([part, bound]) =>
      bound === null ? [] : [[`${name}[${part}]`, bound]],
    )
  })
  return query.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
}

type Sample = Record<string, unknown> & { titles: string[] }
type Draw = (sample: Sample, random: Random, name: string, other: Sample) => unknown

const isAmong: Draw = (sample, random, name, other) =>
  sample[name] && [
    ...new Set([sample[name], random.chance(0.3) ? (other[name] ?? sample[name]) : sample[name]]),
  ]
/** A range round the value of the listing: of both sides, or one. */
const isAround: Draw = (sample, random, name) => {
  const value = Number(sample[name] ?? 0)
  const [min, max] = [Math.floor(value * 0.75), Math.ceil(value * 1.2)]
  return (
    value > 0 &&
    random.pick([
      { min, max },
      { min, max },
      { min, max: null },
      { min: null, max },
    ])
  )
}
const hasKeys: Draw = (sample, random, name) => {
  const keys: string[] = JSON.parse(String(sample[name]))
  return keys.length > 0 && random.sample(keys, random.int(1, 3))
}
const liesIn: Draw = (sample, random) => [sample[`area_level${random.int(2, 3)}`], sample.area_level3]
const isWithin: Draw = ({ shown }, random) => {
  const { latitude, longitude } = shown as { latitude: number; longitude: number }
  const height = random.pick([0.005, 0.02, 0.08, 0.4])
  const [south, west] = [latitude - height * random.next(), longitude - 2 * height * random.next()]
  return { south, west, north: south + height, east: west + 2 * height }
}
const isNear: Draw = ({ shown }, random) => ({
  ...(shown as object),
  radius: random.pick([500, 1000, 2000, 5000, 20_000]),
})
const holds: Draw = () => true

/** How often each filter is drawn, and its values. */
const DRAWS: Record<string, [weight: number, draw: Draw]> = {
  ...{
    category: [50, isAmong],
    availability: [60, isAmong],
    subcategory: [25, isAmong],
    subtype: [5, isAmong],
  },
  ...{
    area_level1: [8, isAmong],
    area_level2: [22, isAmong],
    area_level3: [15, isAmong],
    areas: [10, liesIn],
  },
  ...{ property_condition: [6, isAmong], energy_class: [5, isAmong], store_id: [6, isAmong] },
  ...{ price: [40, isAround], price_per_sqm: [4, isAround], size: [20, isAround], land_size: [3, isAround] },
  ...{ rooms: [20, isAround], bathrooms: [6, isAround], floor: [5, isAround], year_built: [6, isAround] },
  ...{ features: [15, hasKeys], positioning: [2, hasKeys], view: [3, hasKeys], flooring: [1, hasKeys] },
  ...{ has_photos: [8, holds], has_tour: [2, holds], has_video: [2, holds], is_negotiable: [2, holds] },
  ...{ bounds: [12, isWithin], near: [12, isNear] },
  date_listed: [6, ({ date_listed }) => ({ min: date_listed, max: null })],
}
/** Orders, those more than once that are asked for more often. */
const SORTS = [
  '-id',
  '-id',
  '-id',
  '-id',
  'price',
  'price',
  '-price',
  'price_per_sqm',
  '-size',
  '-date_listed',
]

/** Questions of every kind, `count` of them lists; the same for the same seed. */
export function makeQuestions(count: number, seed: number): Question[] {
  const random = seeded(seed)
  const samples = listingMaker(makePlaces())(500)
    .filter(({ status }) => status === 'active')
    .map(({ row, titles }): Sample => {
      const more = { ...JSON.parse(String(row.details)), ...JSON.parse(String(row.extra)) }
      const prefix = row.display_address === 'fake' ? 'fake_' : ''
      const shown = { latitude: row[`${prefix}latitude`], longitude: row[`${prefix}longitude`] }
      const hidden = more.has_hidden_price ? { price: null, price_per_sqm: null } : {}
      return { ...row, ...more, ...hidden, shown, titles, date_listed: row.status_date }
    })
  const names = Object.entries(DRAWS).flatMap(([name, [weight]]) => Array<string>(weight).fill(name))
  const drawFilters = (most: number) => {
    const [sample, filters]: [Sample, Question['filters']] = [random.pick(samples), {}]
    for (let left = random.int(1, most); left > 0; left--) {
      const name = random.pick(names)
      const value = DRAWS[name]?.[1](sample, random, name, random.pick(samples))
      if (value) filters[name] = value
    }
    return filters
  }
  const page = () => ({
    sort: random.pick(SORTS),
    page: random.chance(0.75) ? 1 : random.int(2, 20),
    per_page: random.pick([20, 50]),
  })
  const words = (most: number) => {
    const { code, subcategory, titles } = random.pick(samples)
    const all = foldedWords([titles[0], code, `${subcategory}`.slice(0, 4), 'τ', 'μ'].join(' '))
    return most === 1 ? [all[all.length > 7 ? 4 : 0] ?? ''] : [...new Set(all)].slice(0, most)
  }
  const some = (line: string, most: number, make: () => Omit<Question, 'line' | 'coarser'>) =>
    Array.from({ length: most }, () => ({ line, coarser: 0, ...make() }))
  const few = Math.ceil(count / 6)
  return [
    ...some('lists', count, () => {
      const filters = drawFilters(5)
      const byDistance = filters.near && random.chance(0.6) ? { sort: 'distance' } : {}
      return { kind: 'list', filters: { ...filters, ...page(), ...byDistance } }
    }),
    ...[1, 8].map((most) =>
      some(`text of ${most} word${most > 1 ? 's' : ''}`, few, () => ({
        ...{ kind: 'list', filters: { text: words(most), sort: '-id', page: 1, per_page: 20 } },
      })),
    ),
    some('facets without a filter', 1, () => ({ kind: 'facets', filters: {} })),
    some('default facets', few, () => ({ kind: 'facets', filters: drawFilters(4) })),
    some('all facets', few, () => ({ kind: 'facets', filters: { ...drawFilters(4), facets: FACETS } })),
    ...[6, 12, 20].map((zoom) =>
      some(`map, zoom ${zoom}`, few, () => ({ kind: 'map', filters: { ...drawFilters(2), zoom } })),
    ),
  ].flat() as Question[]
}
