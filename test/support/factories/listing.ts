/** Listings to test with. */
import { get, post } from '../api.ts'

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
