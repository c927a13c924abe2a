/** The calls that are measured. */
import { countsBeside } from './agency.ts'
import { type Host, VISITOR_KEY } from './service.ts'

export interface BenchCall {
  /** As `--calls` names it. */
  name: string
  title: string
  method: 'GET' | 'POST' | 'PUT'
  path: (call: number) => string
  /** A body of its own for every call, so that each write is an effective one. */
  body?: (call: number) => unknown
  /** Set where there is nothing to compare with: who alone answers it. */
  only?: 'ours' | 'baseline'
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

/** A search of visitors, and what a card shows. */
const SEARCH =
  'availability=sale&category=residential&price[max]=300000&sort=-price&per_page=20&fields=id,code,category,availability,price,size,rooms,features'

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
      // So few that each is read again and again, as listings are: the first read stores the document.
      path: (call) => `/api/listings/${1 + (call % 500) * Math.ceil(size / 500)}`,
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
      name: 'visitors',
      title: "a visitor's search, 20 cards",
      method: 'GET',
      path: (call) => `/api/listings?key=${VISITOR_KEY}&${SEARCH}&page=${1 + (call % MAX_COLD_PAGES)}`,
      only: 'ours',
    },
    {
      name: 'create',
      title: 'create a listing',
      method: 'POST',
      path: () => '/api/listings',
      body: (call) => ({ ...LISTING, price: 100_000 + call, size: 80, title: 'Διαμέρισμα', tags: [1] }),
    },
    updateCall('update', 'update a listing that no request wants', unwanted),
    updateCall('update-wanted', 'update a listing that requests want', wanted),
  ]
}

export function updateCall(name: string, title: string, ids: number[]): BenchCall {
  return {
    name,
    title,
    method: 'PUT',
    path: (call) => `/api/listings/${ids[call % ids.length]}`,
    body: (call) => ({ price: 100_000 + call }),
  }
}

/** The calls on everything else, beside `size` listings. */
export function agencyCalls(size: number): BenchCall[] {
  const counts = countsBeside(size)
  return [
    ...readCalls('contacts', counts.contacts),
    ...readCalls('requests', counts.requests),
    ...readCalls('external-listings', counts.external_listings),
    ...readCalls('offers', counts.offers),
    ...readCalls('contracts', counts.contracts),
    ...readCalls('incomes', counts.incomes),
    ...readCalls('expenses', counts.expenses),
    ...searchCalls(),
    ...requestCalls(counts.requests),
  ]
}

function readCalls(resource: string, count: number): BenchCall[] {
  return [
    {
      name: `${resource}-single`,
      title: `${resource}: read`,
      method: 'GET',
      path: (call) => `/api/${resource}/${1 + (call % count)}`,
      only: 'ours',
    },
    {
      name: `${resource}-list`,
      title: `${resource}: list`,
      method: 'GET',
      path: () => `/api/${resource}`,
      only: 'ours',
    },
  ]
}

function searchCalls(): BenchCall[] {
  const search = (name: string, title: string, path: string): BenchCall => ({
    name: `search-${name}`,
    title,
    method: 'GET',
    path: () => path,
    only: 'ours',
  })
  const amounts = 'total_amount[min]=5000.00&total_amount[max]=5049.99'
  return [
    search('articles', 'articles: search', '/api/knowledge-base/articles?search=συμβ'),
    search('contacts', 'contacts: search', '/api/contacts?search=9999'),
    search('incomes', 'incomes: by amount', `/api/incomes?${amounts}`),
  ]
}

/** Each finds its matches among all listings. */
function requestCalls(requests: number): BenchCall[] {
  const wanted = {
    availability: 'sale',
    category: 'residential',
    contacts: [1],
    users: [1],
    created_by: 1,
    store_id: 1,
    rooms_min: 2,
    size_min: 60,
    year_built_min: 1980,
    extra_fields: { features: ['has_elevator'] },
  }
  const create = (name: string, title: string, place: (call: number) => number): BenchCall => ({
    name: `match-${name}`,
    title: `create a request, ${title}`,
    method: 'POST',
    path: () => '/api/requests',
    body: (call) => ({ ...wanted, locations: [place(call)], price_max: 200_000 + call }),
    only: 'ours',
  })
  return [
    create('neighbourhood', 'one neighbourhood', (call) => 101 + (call % 100)),
    create('region', 'a whole region', () => 1),
    {
      name: 'match-update',
      title: 'update a request',
      method: 'PUT',
      path: (call) => `/api/requests/${1 + (call % requests)}`,
      body: (call) => ({ price_max: 100_000 + call }),
      only: 'ours',
    },
  ]
}
