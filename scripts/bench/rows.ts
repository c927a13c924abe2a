/** How many rows D1 reads for a call: the service's own queries, run on the same database, with D1's own count. */
import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { batch } from '../../src/db/client.ts'
import { listings } from '../../src/db/tables/listings.ts'
import { checkObject } from '../../src/http/check.ts'
import { findPage, selectListings } from '../../src/resources/listings/queries.ts'
import { listingFilters, listingInput, listingUpdate } from '../../src/resources/listings/schema.ts'
import { createListing, updateListing } from '../../src/resources/listings/write.ts'

/** Rows read by each case of the bench, on a database of `size` listings. */
export async function recordRows(client: D1Database, size: number): Promise<Map<string, number>> {
  let rows = 0
  const counting = new Proxy(client, {
    get(target, name) {
      if (name !== 'batch') return Reflect.get(target, name).bind(target)
      return async (statements: D1PreparedStatement[]) => {
        const results = await target.batch(statements)
        for (const { meta } of results) rows += meta.rows_read
        return results
      }
    },
  })
  const db = drizzle(counting)
  const recorded = new Map<string, number>()
  const record = async (name: string, work: () => Promise<unknown>) => {
    rows = 0
    await work()
    recorded.set(name, rows)
  }
  const page = (number: number) => {
    const filters = { availability: 'sale', category: 'residential', status: 'active', page: number }
    return findPage(db, checkObject(listingFilters, filters).complete())
  }
  const body = {
    category: 'residential',
    availability: 'sale',
    store_id: 1,
    created_by: 1,
    users: [1, 2],
    tags: [1],
  }
  await record('single listing', () => batch(db, [selectListings(db).where(eq(listings.id, size >> 1))]))
  await record('list, page 1', () => page(1))
  await record('list, page 200', () => page(200))
  await record('create', () => createListing(db, checkObject(listingInput, { ...body, title: 'Διαμέρισμα' })))
  await record('update', () => updateListing(db, size >> 2, checkObject(listingUpdate, { price: 1 })))
  return recorded
}
