/** Deep pages of listings: by kind, code and dates alone, which are SQL on the first pages. */
import { beforeAll, describe, expect, it } from 'vitest'
import { get } from '../../support/api.ts'
import { counted } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { insertListings } from '../../support/factories/listing.ts'
import { idsOf } from '../../support/reads.ts'

const COUNT = 3000
const LAST = 5 * COUNT

beforeAll(async () => {
  await seedAgency()
  await insertListings(COUNT, {
    id: '5 * (value + 1)',
    category: "iif(value % 7, 'residential', 'land')",
    availability: "iif(value % 3, 'sale', 'rent')",
  })
})

describe('a list of several kinds', () => {
  it.each([1, 2, 19, 20, 21, 22, 60, 61, 2 ** 53 - 1])('has its page %i, and reads little', async (page) => {
    const read = async () => {
      const { DB, counts } = counted()
      const path = `/api/listings?category=residential&category=land&page=${page}`
      return { counts, ...(await get(path, { bindings: { DB } })) }
    }
    const { status, body } = await read()
    const expected = Array.from({ length: 50 }, (_, index) => LAST - 5 * ((page - 1) * 50 + index))
    expect([status, body.total_results]).toEqual([200, COUNT])
    expect(idsOf(body)).toEqual(expected.filter((id) => id > 0))
    // The second reading stores the documents, which the third one reads.
    await read()
    const { counts } = await read()
    expect(counts).toMatchObject({ trips: 1 })
    expect(counts.rowsRead).toBeLessThan(page > 20 ? 500 : 20_000)
  })
})
