/** What visitors of a website ask, drawn from what there is, so that most questions find something. */
import { type Random, seeded } from '../../fixtures/random.ts'
import type { FeatureGroup } from '../../src/catalogue/features.ts'
import type { AskedFilters } from './filters.ts'
import type { SearchService } from './service.ts'

export interface Question {
  /** Its number in the run, from 1. */
  number: number
  filters: AskedFilters
  sort: string
  page: number
  per_page: number
}

/** A stored listing that a question is about. */
type Sample = Record<string, unknown>

type Draw = (sample: Sample, random: Random, others: Sample[]) => AskedFilters | null

/** Listings that questions are drawn from. */
const SAMPLES = 500

/** `count` different questions; the same for the same seed and database. */
export async function makeQuestions(
  service: SearchService,
  size: number,
  { count, seed, isSecret }: { count: number; seed: number; isSecret: boolean },
): Promise<Question[]> {
  const random = seeded(seed)
  const samples = await readSamples(service, size, random)
  const seen = new Set<string>()
  const questions: Question[] = []
  while (questions.length < count) {
    const question = makeQuestion(questions.length + 1, samples, random, isSecret)
    const text = JSON.stringify({ ...question, number: 0 })
    if (!seen.has(text)) questions.push(question)
    seen.add(text)
  }
  return questions
}

/** The path and query of a question. */
export function pathOf({ filters, sort, page, per_page }: Question): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...filters, sort, page, per_page })) {
    if (Array.isArray(value)) for (const one of value) query.append(name, String(one))
    else if (typeof value !== 'object') query.set(name, String(value))
    else for (const [part, bound] of Object.entries(value)) query.set(`${name}[${part}]`, String(bound))
  }
  return `/api/listings?${query}`
}

async function readSamples(service: SearchService, size: number, random: Random): Promise<Sample[]> {
  const ids = Array.from({ length: SAMPLES }, () => random.int(1, size))
  return service.query(
    `select *, extra ->> '$.has_hidden_price' as hides_price, extra ->> '$.energy_class' as energy_class,
      details ->> '$.land_size' as land_size,
      (select group_concat(tag_id) from listing_tag_links where listing_id = id) as tags,
      (select min(user_id) from listing_users where listing_id = id) as user
    from listings where status = 'active' and id in (select value from json_each(?)) order by id`,
    JSON.stringify(ids),
  )
}

function makeQuestion(number: number, samples: Sample[], random: Random, isSecret: boolean): Question {
  const sample = random.pick(samples)
  const filters: AskedFilters = {}
  const wanted = random.pick([1, 2, 2, 3, 3, 3, 4, 4, 5])
  const kinds = [...KINDS, ...(isSecret ? SECRET_KINDS : [])]
  // Some listings lack what is drawn.
  for (let tries = 0; tries < 50 && Object.keys(filters).length < wanted; tries++) {
    const [, names, draw] = weighted(random, kinds)
    const isTaken = names.some((name) => name in filters)
    if (!isTaken) Object.assign(filters, draw(sample, random, samples))
  }
  return {
    number,
    filters,
    sort: drawSort(random, filters),
    page: drawPage(random),
    per_page: random.pick([20, 50]),
  }
}

function drawSort(random: Random, filters: AskedFilters): string {
  if (filters.near && random.chance(0.6)) return 'distance'
  const [, sort] = weighted(random, SORTS)
  return sort
}

const SORTS: [weight: number, sort: string][] = [
  [45, '-id'],
  [20, 'price'],
  [10, '-price'],
  [5, 'price_per_sqm'],
  [4, 'size'],
  [4, '-size'],
  [12, '-date_listed'],
]

function drawPage(random: Random): number {
  if (random.chance(0.75)) return 1
  return random.chance(0.6) ? random.int(2, 5) : random.int(6, 40)
}

const isOneOf =
  (name: keyof AskedFilters): Draw =>
  (sample, random, others) => {
    const values = [sample[name], ...(random.chance(0.3) ? [random.pick(others)[name]] : [])]
    return sample[name] === null ? null : { [name]: [...new Set(values.filter((value) => value !== null))] }
  }

/** A range round the value of the listing: of both sides, or one. */
const isAround =
  (name: keyof AskedFilters, below: number, above: number, unit: number): Draw =>
  (sample, random) => {
    const value = sample[name]
    if (typeof value !== 'number') return null
    const [min, max] = [Math.floor((value * below) / unit) * unit, Math.ceil((value * above) / unit) * unit]
    return { [name]: random.pick([{ min, max }, { min, max }, { max }, { min }]) }
  }

const isAtLeast =
  (name: keyof AskedFilters): Draw =>
  (sample) =>
    typeof sample[name] === 'number' ? { [name]: { min: sample[name] } } : null

const hasSome =
  (group: FeatureGroup, most: number): Draw =>
  (sample, random) => {
    const keys: string[] = JSON.parse(String(sample[group]))
    return keys.length > 0 ? { [group]: random.sample(keys, random.int(1, most)) } : null
  }

const hasPrice =
  (draw: Draw): Draw =>
  (sample, random, others) =>
    sample.hides_price ? null : draw(sample, random, others)

/** Places of one level, rarely of several. */
const liesIn: Draw = (sample, random, others) => {
  const level = random.pick([1, 2, 2, 2, 3, 3])
  const areaOf = (one: Sample, of = level) => Number(one[`area_level${of}`])
  const more = random.sample(others, random.pick([0, 0, 0, 1, 2])).map((one) => areaOf(one))
  const ids = [...new Set([areaOf(sample), ...more])]
  if (random.chance(0.5)) return { [`area_level${level}`]: ids }
  const mixed = random.chance(0.2) ? [areaOf(random.pick(others), level === 3 ? 2 : 3)] : []
  return { areas: [...ids, ...mixed] }
}

const isWithinBounds: Draw = (sample, random) => {
  const point = shownPoint(sample)
  if (!point) return null
  const height = random.pick([0.005, 0.02, 0.08, 0.4])
  const [south, west] = [
    point.latitude - height * random.next(),
    point.longitude - 2 * height * random.next(),
  ]
  const bounds = { south, west, north: south + height, east: west + 2 * height }
  return { bounds: { ...bounds } }
}

const isNear: Draw = (sample, random) => {
  const point = shownPoint(sample)
  return point && { near: { ...point, radius: random.pick([500, 1000, 2000, 5000, 20_000]) } }
}

function shownPoint(sample: Sample): { latitude: number; longitude: number } | null {
  const prefix = sample.display_address === 'fake' ? 'fake_' : ''
  if (sample.display_address === 'none') return null
  return { latitude: Number(sample[`${prefix}latitude`]), longitude: Number(sample[`${prefix}longitude`]) }
}

const isListedSince: Draw = (sample) => ({ date_listed: { min: String(sample.status_date).slice(0, 10) } })

const PLACES: (keyof AskedFilters)[] = [
  'areas',
  'area_level1',
  'area_level2',
  'area_level3',
  'bounds',
  'near',
]

type Kind = [weight: number, names: (keyof AskedFilters)[], draw: Draw]

const KINDS: Kind[] = [
  [50, ['category'], isOneOf('category')],
  [60, ['availability'], isOneOf('availability')],
  [25, ['subcategory'], isOneOf('subcategory')],
  [5, ['subtype'], isOneOf('subtype')],
  [45, PLACES, liesIn],
  [40, ['price'], hasPrice(isAround('price', 0.7, 1.2, 50))],
  [4, ['price_per_sqm'], hasPrice(isAround('price_per_sqm', 0.7, 1.2, 1))],
  [20, ['size'], isAround('size', 0.8, 1.3, 5)],
  [3, ['land_size'], isAround('land_size', 0.5, 2, 50)],
  [20, ['rooms'], isAround('rooms', 1, 1.3, 1)],
  [6, ['bathrooms'], isAtLeast('bathrooms')],
  [5, ['floor'], isAtLeast('floor')],
  [6, ['year_built'], isAtLeast('year_built')],
  [6, ['date_listed'], isListedSince],
  [6, ['property_condition'], isOneOf('property_condition')],
  [5, ['energy_class'], isOneOf('energy_class')],
  [6, ['store_id'], isOneOf('store_id')],
  [15, ['features'], hasSome('features', 3)],
  [2, ['positioning'], hasSome('positioning', 1)],
  [3, ['view'], hasSome('view', 1)],
  [1, ['flooring'], hasSome('flooring', 1)],
  [8, ['has_photos'], () => ({ has_photos: true })],
  [2, ['has_tour'], () => ({ has_tour: true })],
  [2, ['has_video'], () => ({ has_video: true })],
  [2, ['is_negotiable'], () => ({ is_negotiable: true })],
  [12, PLACES, isWithinBounds],
  [12, PLACES, isNear],
]

const SECRET_KINDS: Kind[] = [
  [
    60,
    ['status'],
    (_, random) => ({ status: random.pick([['active'], ['active', 'pending'], ['archived']]) }),
  ],
  [8, ['tags'], ({ tags }) => (tags ? { tags: [Number(String(tags).split(',')[0])] } : null)],
  [10, ['users'], ({ user }) => ({ users: [Number(user)] })],
]

/** One of `entries`, each as often as its weight says. */
function weighted<T extends [weight: number, ...unknown[]]>(random: Random, entries: readonly T[]): T {
  let left = random.next() * entries.reduce((sum, [weight]) => sum + weight, 0)
  for (const entry of entries) {
    left -= entry[0]
    if (left < 0) return entry
  }
  return random.pick(entries)
}
