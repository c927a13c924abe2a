/** Calls with a website key that look for hidden values. They are the same in every run. */
import { seeded } from '@estia/photo-codec/fixtures/random'
import { FACETS, PUBLIC_SORTS } from '../../../../src/resources/listings/search/fields.ts'
import { distance } from '../search/by-hand.ts'
import {
  ACTIVE,
  exactPoint,
  type Hidden,
  hiddenPrice,
  OTHER_STATUSES,
  OTHERS,
  type Point,
  STATES,
  shownPoint,
} from './hidden.ts'

type Values = Record<string, unknown>

/** A call, with its filters in the body if it is a QUERY. */
export interface Probe {
  method: string
  path: string
  body?: string
}

const random = seeded(11)
const below = (end: number) => random.int(0, end - 1)
const oneOf = <T>(values: readonly T[]) => values[below(values.length)] as T
const { chance } = random
const step = (size: number) => oneOf([-size, 0, size])

const state = (): Hidden => oneOf(STATES)
const bound = (value: unknown) => ({ [oneOf(['min', 'max'])]: value })
const range =
  (...values: number[]) =>
  () =>
    bound(oneOf(values))

/** About a metre, in degrees. */
const METRE = 1e-5

const anyPoint = (): Point => oneOf([exactPoint(state(), oneOf(ACTIVE)), shownPoint(oneOf(ACTIVE))])
const moved = ({ latitude, longitude }: Point): Point => ({
  latitude: latitude + step(METRE),
  longitude: longitude + step(METRE),
})

/** A circle around a hidden point, or one that ends there. */
function circle(): Values {
  const centre = moved(anyPoint())
  const exact = exactPoint(state(), oneOf(ACTIVE))
  const radius = chance(0.5) ? distance(centre, exact) + step(1) : oneOf([1, 2, 50, 500, 5000, 50_000])
  return { ...centre, radius: Math.max(1, radius) }
}

/** A box around a hidden point, or one with a corner there. */
function box(): Values {
  const { latitude, longitude } = moved(anyPoint())
  return oneOf([
    {
      south: latitude - METRE,
      west: longitude - METRE,
      north: latitude + METRE,
      east: longitude + METRE,
    },
    { south: 37, west: 23, north: latitude, east: longitude },
    { south: latitude, west: longitude, north: 39, east: 25 },
    { south: latitude, west: 23, north: 39, east: longitude },
    { south: -80, west: longitude, north: latitude, east: 25 },
  ])
}

const hiddenWords = ({ word, house }: Hidden) => [
  ...['note', 'unit', 'floor', 'fake', 'street', 'user', 'tag', 'owner', 'title'].map(
    (part) => `${word}${part}`,
  ),
  ...[word, word.slice(0, 2), `${word}-101`, `Ερμού ${house}`, `sunny ${word}`, String(house)],
]

/** Filters by something of which a part is hidden, aimed at the hidden values. */
const AIMED: Record<string, () => unknown> = {
  price: () => bound(hiddenPrice(state(), oneOf(ACTIVE)) + step(1)),
  price_per_sqm: () => bound(state().amount + oneOf([0, ...ACTIVE]) + step(0.001)),
  near: circle,
  bounds: box,
  text: () =>
    oneOf([
      ...hiddenWords(state()),
      ...['sunny', 'flat', 'quiet', 'athina', 'παγκρ', 'Ερμού', 'pub', 'a8hna', 'villa', 'sea view', 'ανελκ'],
    ]),
  search: () =>
    oneOf([state().word, `${state().word}-10${below(9)}`, `PUB-${below(25)}`, String(oneOf(OTHERS))]),
  ids: () => [oneOf(ACTIVE), oneOf(OTHERS), oneOf(ACTIVE), oneOf(ACTIVE)],
  date_listed: () => bound(state().date),
  size: () => bound(oneOf([state().amount, 100])),
  status: () => oneOf(['active', ['active', 'draft'], 'active', oneOf(OTHER_STATUSES)]),
}

/** All other filters, with values of active listings and of those that are not. */
const OTHER: Record<string, () => unknown> = {
  land_size: range(0, 100),
  floor: range(0, 3, 9),
  rooms: range(1, 2, 7),
  bathrooms: range(0, 1, 6),
  year_built: range(1950, 2000),
  property_condition: () => oneOf(['good', 'new', ['good', 'average'], 'average']),
  energy_class: () => oneOf(['a', 'b', ['a', 'b']]),
  store_id: () => oneOf([1, 2, [1, 2]]),
  areas: () => oneOf([1, 11, 111, [1, 2], 21]),
  area_level1: () => oneOf([1, [1, 2], 2]),
  area_level2: () => oneOf([11, 12, 21]),
  area_level3: () => oneOf([111, 112]),
  features: () => oneOf(['elevator', ['elevator', 'parking'], 'fireplace']),
  positioning: () => 'corner',
  view: () => 'sea',
  flooring: () => 'marble',
  has_photos: () => chance(0.7),
  has_tour: () => chance(0.2),
  has_video: () => chance(0.7),
  is_negotiable: () => chance(0.7),
  category: () => oneOf(['residential', 'residential', 'commercial']),
  subcategory: () => oneOf(['apartment', 'villa', 'office']),
  availability: () => oneOf(['sale', 'rent', ['sale', 'rent'], 'auction']),
  subtype: () => oneOf([1, 2, 3]),
}

function draw(from: Record<string, () => unknown>): Values {
  const name = oneOf(Object.keys(from))
  return { [name]: from[name]?.() }
}

const page = (): Values => (chance(0.4) ? { per_page: 1 + below(4), page: 1 + below(3) } : {})
const order = (filters: Values): Values => {
  if (chance(0.3)) return {}
  const names = [
    'id',
    ...PUBLIC_SORTS.filter((name) => name !== 'distance'),
    ...('near' in filters ? ['distance'] : []),
  ]
  return { sort: `${oneOf(['', '-'])}${oneOf(names)}` }
}
const fields = (): Values =>
  chance(0.6)
    ? {
        fields: oneOf(['id', 'id,price,location', 'id,date_updated,price_per_sqm', 'id,photos,notes', 'all']),
      }
    : {}

/** What a call of each endpoint has beside the filters. */
const ENDPOINTS: Record<string, (filters: Values) => Values> = {
  '/api/listings': (filters) => ({ ...order(filters), ...page(), ...fields() }),
  '/api/listings/facets': () => ({ facets: oneOf([...FACETS, FACETS.join(','), 'price,rooms', undefined]) }),
  '/api/listings/map': () => ({ zoom: oneOf([0, 8, 10, 12, 14, 17, 20, undefined]) }),
}

function drawCall(path: string): Probe {
  const filters = { ...(chance(0.8) ? draw(AIMED) : {}), ...(chance(0.5) ? draw(OTHER) : {}) }
  // Without one availability there are no bands of prices.
  const offered = path.endsWith('facets') && chance(0.5) ? { availability: oneOf(['sale', 'rent']) } : {}
  const values = { ...filters, ...offered, ...ENDPOINTS[path]?.(filters) }
  if (chance(0.1)) return { method: 'QUERY', path, body: JSON.stringify(values) }
  return { method: chance(0.03) ? 'HEAD' : 'GET', path: `${path}?${queryOf(values)}` }
}

const queryOf = (values: Values): string =>
  Object.entries(values)
    .flatMap(([name, value]) => pairsOf(name, value))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

function pairsOf(name: string, value: unknown): [string, string][] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value.map((one) => [name, String(one)])
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Object.entries(value).map(([key, one]) => [`${name}[${key}]`, String(one)])
}

const asGet = (path: string): Probe => ({ method: 'GET', path })

/** Reads of single listings, lookups, and calls that are refused. */
const FIXED: Probe[] = [
  ...[...ACTIVE, ...OTHERS].flatMap((id) =>
    ['', '?fields=all', '?fields=notes', '?format=schema.org'].map((query) =>
      asGet(`/api/listings/${id}${query}`),
    ),
  ),
  ...['stores', 'languages', 'locations', 'listings/subtypes', 'listings/features'].map((name) =>
    asGet(`/api/${name}`),
  ),
  ...['users', 'contacts', 'offers', 'changes', 'listings/tags', 'listings/1/photos', 'nothing'].map((name) =>
    asGet(`/api/${name}`),
  ),
  ...Object.keys(ENDPOINTS).flatMap((path) =>
    [
      ...['', 'unknown=1', 'fields=notes', 'sort=date_created', 'sort=distance', 'page=100000'],
      ...['price[min]=x', 'facets=tags', 'zoom=21', 'near[latitude]=1', 'bounds[south]=2'],
      ...[1, 2, 3].flatMap((id) => [`tags=${id}`, `users=${id}`, `contacts=${id}`, `notes=${id}`]),
      ...STATES.flatMap(({ date }) => [`date_created[min]=${date}`, `date_updated[max]=${date}`]),
    ].map((query) => asGet(`${path}?${query}`)),
  ),
]

/** How many calls of each endpoint are drawn. */
const DRAWS = { '/api/listings': 500, '/api/listings/facets': 250, '/api/listings/map': 250 }

/** All calls. */
export const PROBES: readonly Probe[] = [
  ...FIXED,
  ...Object.entries(DRAWS).flatMap(([path, length]) => Array.from({ length }, () => drawCall(path))),
]
