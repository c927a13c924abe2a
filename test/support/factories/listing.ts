/** Listings to test with. */
import { get, type Line, post } from '../api.ts'
import { execute } from '../database.ts'

/** The smallest body that creates a listing. */
export const minimalListing = {
  category: 'residential',
  availability: 'sale',
  store_id: 1,
  created_by: 1,
  users: [1],
}

/** Creates a listing over the API and returns its id. */
export async function createListing(overrides: Record<string, unknown> = {}): Promise<number> {
  const { body } = await post('/api/listings', { ...minimalListing, ...overrides })
  return body.created_id
}

/** A listing as the API reads it back. */
export async function readListing(id: number) {
  return (await get(`/api/listings/${id}`)).body.data
}

/** Creates a listing and puts it on the market. */
export async function createActive(overrides: Record<string, unknown> = {}): Promise<number> {
  const id = await createListing(overrides)
  await post(`/api/listings/${id}/status`, { to: 'active' })
  return id
}

/** The line that imports a listing which is on the market. */
export const listingLine = (id: number, values: object = {}): Line => [
  'listings',
  { ...minimalListing, id, status: 'active', ...values },
]

/**
 * Stores many listings in one statement, as drafts of land for sale.
 * @param columns SQL of other columns, over `value` from 0 on
 */
export function insertListings(count: number, columns: Record<string, string | number>) {
  const [kind, date] = [{ category: "'land'", availability: "'sale'" }, "'2026-01-01 00:00:00'"]
  const row = { store_id: 1, created_by: 1, ...kind, date_created: date, date_updated: date, ...columns }
  return execute(
    `insert into listings (${Object.keys(row)}) select ${Object.values(row)} from json_each(?)`,
    JSON.stringify(Array.from({ length: count }, (_, index) => index)),
  )
}
