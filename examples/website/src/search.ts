/** A search, between the address bar and the filters of Estia. */
import type { Filters, Listing } from './estia.ts'
import type { Kind, Names } from './names.ts'
import type { Language } from './texts.ts'

export const PAGE_SIZE = 12
/** Longest text, in characters and words, and longest list that are passed on. */
const MAX_TEXT = 100
const MAX_WORDS = 8
const MAX_FEATURES = 20
/** Last page that Estia serves visitors, with `PAGE_SIZE` listings each. */
const MAX_PAGE = 8_333

export const SORTS = {
  newest: '-date_listed',
  cheapest: 'price',
  dearest: '-price',
  largest: '-size',
} as const satisfies Record<string, Filters['sort']>
export type Sort = keyof typeof SORTS

/** What the address bar says. Everything may be absent, which is no filter. */
export interface Search {
  text?: string
  availability?: Listing['availability']
  category?: Listing['category']
  subcategory?: NonNullable<Listing['subcategory']>
  area?: number
  store?: number
  price_min?: number
  price_max?: number
  size_min?: number
  rooms?: number
  condition?: NonNullable<Listing['property_condition']>
  energy?: NonNullable<Listing['energy_class']>
  features?: string[]
  tour?: boolean
  sort?: Sort
  view?: 'map'
  page?: number
}

/** Digits, in groups of three or not, and cents; the same character parts all groups. */
const AMOUNT = /^(?:\d{1,10}|\d{1,3}(?:([.,'’])\d{3})(?:\1\d{3}){0,2})(?:[.,]\d{1,2})?$/
const LONGEST_AMOUNT = 30

/** A whole amount as people write it: `300.000`, `300 000 €`, `€300,000.00`, `74,5 m²`. Undefined for anything else. */
function readAmount(sent: string): number | undefined {
  const text = sent.slice(0, LONGEST_AMOUNT).replace(/[\s€]|eur|m²|τ\.?μ\.?/giu, '')
  if (!AMOUNT.test(text)) return undefined
  return Number(text.replace(/[.,]\d{1,2}$/, '').replace(/\D/g, ''))
}

/** Reads a search. What makes no sense is no filter. */
export function readSearch(query: URLSearchParams, names: Names): Search {
  const whole = (name: string, max = 1_000_000_000) => {
    const text = query.get(name)?.trim() ?? ''
    return /^\d{1,10}$/.test(text) && Number(text) <= max ? Number(text) : undefined
  }
  const amount = (name: string, max = 1_000_000_000) => {
    const value = readAmount(query.get(name) ?? '')
    return value !== undefined && value <= max ? value : undefined
  }
  const oneOf = <Value extends string>(name: string, kind: Kind) => {
    const value = query.get(name) ?? ''
    return names.has(kind, value) ? (value as Value) : undefined
  }
  const sort = query.get('sort') ?? ''
  const features = [...new Set(query.getAll('features'))].filter((key) => names.searched.has(key))
  const page = whole('page', MAX_PAGE)
  const [price_min, price_max] = [amount('price_min'), amount('price_max')]
  const isRange = price_min === undefined || price_max === undefined || price_min <= price_max
  return withoutEmpty({
    text: readText(query.get('text') ?? '') || undefined,
    availability: oneOf('availability', 'availability'),
    category: oneOf('category', 'category'),
    subcategory: oneOf('subcategory', 'subcategory'),
    area: whole('area'),
    store: whole('store'),
    price_min,
    price_max: isRange ? price_max : undefined,
    size_min: amount('size_min', 100_000),
    rooms: whole('rooms', 100),
    condition: oneOf('condition', 'property_condition'),
    energy: oneOf('energy', 'energy_class'),
    features: features.length > 0 ? features.slice(0, MAX_FEATURES) : undefined,
    tour: query.get('tour') === '1' || undefined,
    sort: Object.hasOwn(SORTS, sort) ? (sort as Sort) : undefined,
    view: query.get('view') === 'map' ? 'map' : undefined,
    page: page && page > 1 ? page : undefined,
  })
}

/** As much of a text as can be searched for. Characters that nobody sees separate words. */
function readText(sent: string): string {
  const text = sent
    .toWellFormed()
    .normalize('NFC')
    .replace(/\p{C}+/gu, ' ')
  const words = text.trim().split(/\s+/).slice(0, MAX_WORDS)
  return [...words.join(' ')].slice(0, MAX_TEXT).join('').trim()
}

/** The query string of a search, with `?`; empty if there is nothing to say. */
export function queryOf(search: Search): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(withoutEmpty(search))) {
    if (Array.isArray(value)) for (const item of value) query.append(name, item)
    else query.set(name, value === true ? '1' : String(value))
  }
  return query.size > 0 ? `?${query}` : ''
}

/** The address of a search in `language`. */
export const searchPath = (language: Language, search: Search = {}) => `/${language}/search${queryOf(search)}`

/** The filters of Estia for a search, without order and page. */
export function filtersOf(search: Search): Filters {
  const range = (min?: number, max?: number) => ((min ?? max) !== undefined ? { min, max } : undefined)
  return {
    text: search.text,
    availability: search.availability,
    category: search.category,
    subcategory: search.subcategory,
    areas: search.area,
    store_id: search.store,
    price: range(search.price_min, search.price_max),
    size: range(search.size_min),
    rooms: range(search.rooms),
    property_condition: search.condition,
    energy_class: search.energy,
    features: search.features as Filters['features'],
    has_tour: search.tour,
  }
}

function withoutEmpty(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}
