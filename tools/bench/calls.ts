/** The calls that are measured. */
import type { Host } from './service.ts'

export interface BenchCall {
  /** As `--calls` names it. */
  name: string
  title: string
  method: 'GET' | 'POST' | 'PUT'
  path: (call: number) => string
  /** A body of its own for every call, so that each write is an effective one. */
  body?: (call: number) => unknown
  /** Set where there is nothing to compare with. */
  only?: 'baseline' | 'ours'
  /** Set for reads whose stored documents are removed before each portion of calls. */
  cold?: {
    /** How many different records or pages the calls of a portion read: each is read once. */
    calls: number
    removeDocuments: () => Promise<unknown>
  }
}

/** Who answers a call. */
export function hostsOf({ only }: BenchCall): Host[] {
  return only ? [only] : ['ours', 'by-hand']
}

/** Ids of listings to write. */
export interface Ids {
  /** Of those that no request wants. */
  unwanted: number[]
  /** Of those that requests want. */
  wanted: number[]
}

const LISTING = { category: 'residential', availability: 'sale', store_id: 1, created_by: 1, users: [1, 2] }
const FILTERS = 'availability=sale&category=residential&status=active'

/** The bare costs that a machine is known by. */
export const BASELINES: BenchCall[] = [
  { name: 'static', title: 'static JSON', method: 'GET', path: () => '/static', only: 'baseline' },
  { name: 'select', title: 'one-row SELECT', method: 'GET', path: () => '/select', only: 'baseline' },
]

/** Cold pages read in one portion: deeper ones cost mostly the entries of the index that they skip. */
const MAX_COLD_PAGES = 40

/** The calls on listings, in an agency of `size` of them. */
export function listingCalls(
  size: number,
  { unwanted, wanted }: Ids,
  removeDocuments: () => Promise<unknown>,
): BenchCall[] {
  const pages = Math.min(MAX_COLD_PAGES, Math.ceil(size / 50))
  return [
    {
      name: 'single',
      title: 'single listing',
      method: 'GET',
      // So few that each is read again and again, as listings are: the second read stores the document.
      path: (call) => `/api/listings/${1 + (call % 20) * Math.ceil(size / 20)}`,
    },
    {
      name: 'single-cold',
      title: 'single listing, first read',
      method: 'GET',
      path: (call) => `/api/listings/${1 + (call % size)}`,
      cold: { calls: Math.min(size, 1000), removeDocuments },
    },
    {
      name: 'list',
      title: 'list of 50, page 1',
      method: 'GET',
      path: () => `/api/listings?${FILTERS}&page=1`,
    },
    {
      name: 'list-cold',
      title: 'list of 50, first read',
      method: 'GET',
      path: (call) => `/api/listings?page=${1 + (call % pages)}`,
      cold: { calls: pages, removeDocuments },
    },
    {
      name: 'list-200',
      title: 'list of 50, page 200',
      method: 'GET',
      path: () => `/api/listings?${FILTERS}&page=200`,
    },
    {
      name: 'create',
      title: 'create a listing',
      method: 'POST',
      path: () => '/api/listings',
      body: (call) => ({ ...LISTING, price: 100_000 + call, size: 80, title: 'Διαμέρισμα', tags: [1] }),
    },
    search('search', 'search: area, price, rooms', (call) => `?${filters(call)}&sort=price`),
    search(
      'search-text',
      'search: text',
      (call) => `?text=${encodeURIComponent('διαμ γειτ')}&page=${1 + (call % 20)}`,
    ),
    search('search-facets', 'search: facets', (call) => `/facets?${filters(call)}`),
    search('search-map', 'search: map', (call) => `/map?${filters(call)}&zoom=${6 + (call % 14)}`),
    updateCall('update', 'update a listing that no request wants', unwanted),
    updateCall('update-wanted', 'update a listing that requests want', wanted),
  ]
}

/** Searches that hardly ever repeat another, so that nothing but the index is kept. */
const filters = (call: number) =>
  `area_level2=${11 + (call % 10)}&price[max]=${300_000 + ((call * 7919) % 600_000)}&rooms[min]=${1 + (call % 4)}`

function search(name: string, title: string, path: (call: number) => string): BenchCall {
  return { name, title, method: 'GET', path: (call) => `/api/listings${path(call)}`, only: 'ours' }
}

function updateCall(name: string, title: string, ids: number[]): BenchCall {
  return {
    name,
    title,
    method: 'PUT',
    path: (call) => `/api/listings/${ids[call % ids.length]}`,
    body: (call) => ({ price: 100_000 + call }),
  }
}
