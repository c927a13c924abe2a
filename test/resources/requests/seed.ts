/** What requests refer to, and short ways to write and read them. */
import { get, importRecords, type Line, post } from '../../support/api.ts'
import { execute, selectFirst } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { createActive } from '../../support/factories/listing.ts'
import { named } from '../../support/factories/named.ts'

/** Custom fields of requests by type; the select has options 1 and 2. */
export const FIELDS = { text: 31, select: 32, select_multi: 33, checkbox: 34, user: 35, contact: 36 } as const

/**
 * The agency of `seedAgency`, and statuses 1–3 of which 2 is the default; sources 1–2; request tags 1–3; subtype 4 of
 * plot and 5 of villa; `FIELDS`; points of interest 1 in Athens and 2 in Chania.
 */
export async function seedRequests(): Promise<void> {
  await seedAgency()
  const options = [1, 2].map((id) => ({ id, name: `Option ${id}` }))
  await importRecords([
    ...named('request_statuses', 'Status 1', 'Status 2', 'Status 3'),
    ...named('request_sources', 'Source 1', 'Source 2'),
    ...named('request_tags', 'Tag 1', 'Tag 2', 'Tag 3'),
    ['settings', { key: 'default_request_status_id', value: 2 }],
    ['listing_subtypes', { id: 4, subcategory: 'plot', translations: [] }],
    ['listing_subtypes', { id: 5, subcategory: 'villa', translations: [] }],
    ...Object.entries(FIELDS).map(
      ([type, id]): Line => [
        'custom_fields',
        { id, resource: 'requests', name: type, type, ...(type.startsWith('select') ? { options } : {}) },
      ],
    ),
    ['special_locations', { id: 1, name: 'Syntagma', latitude: 37.9755, longitude: 23.7348 }],
    ['special_locations', { id: 2, name: 'Harbour', latitude: 35.5186, longitude: 24.0179 }],
  ])
}

/** The smallest body that creates a request. */
export const minimalRequest = {
  availability: 'sale',
  category: 'residential',
  contacts: [1],
  locations: [11],
  users: [1],
  created_by: 1,
  store_id: 1,
}

/** Creates a request over the API and returns it as answered. */
export async function createRequest(overrides: Record<string, unknown> = {}) {
  const { body } = await post('/api/requests', { ...minimalRequest, ...overrides })
  if (body.status !== 200) throw new Error(body.error_message)
  return body.data
}

/** A request as the API reads it back, with everything. */
export async function readRequest(id: number) {
  return (await get(`/api/requests/${id}?fields=all`)).body.data
}

/** A request's row. */
export async function storedRequest(id: number): Promise<Record<string, unknown> | null> {
  return selectFirst('select * from requests where id = ?', id)
}

/** Puts the dates of a request into the past. */
export async function backdate(id: number): Promise<void> {
  await execute(
    'update requests set date_created = ?1, date_updated = ?1 where id = ?2',
    '2020-01-01 00:00:00',
    id,
  )
}

/** A listing in Kolonaki, put on the market. */
export async function createActiveListing(overrides: Record<string, unknown> = {}): Promise<number> {
  const location = { area_level1: 1, area_level2: 11, area_level3: 111 }
  return createActive({ location, ...overrides })
}

/** Changes a listing's status over the API. */
export async function setStatus(id: number, to: string): Promise<void> {
  await post(`/api/listings/${id}/status`, { to })
}

/** The first page of a request's matches. */
export async function matchesOf(requestId: number) {
  return (await get(`/api/requests/${requestId}/matches`)).body.data
}

/** The first page of a listing's matches. */
export async function matchesOfListing(listingId: number) {
  return (await get(`/api/listings/${listingId}/matches`)).body.data
}
