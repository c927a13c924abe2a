import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords, post, put } from '../../support/api.ts'
import { counted, selectAll } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { insertListings, listingLine } from '../../support/factories/listing.ts'
import { idsOf } from '../../support/reads.ts'
import { emptyService } from '../../support/storage.ts'
import { stepOf } from './steps.ts'

beforeAll(seedAgency)

const STATUSES = ['draft', 'pending', 'active', 'inactive', 'archived', 'deleted']
const AVAILABILITIES = ['sale', 'rent', 'auction', 'shortterm']
const TYPES = [
  { category: 'residential', subcategory: 'apartment', subtype: 1 },
  { category: 'residential', subcategory: 'apartment', subtype: 2 },
  { category: 'residential', subcategory: 'apartment', subtype: null },
  { category: 'residential', subcategory: null, subtype: null },
  { category: 'commercial', subcategory: 'office', subtype: 3 },
  { category: 'land', subcategory: 'plot', subtype: null },
]
/** Some are imported again, with other values. */
const MAX_ID = 60

const line = fc.record({
  type: fc.constantFrom(...TYPES),
  availability: fc.constantFrom(...AVAILABILITIES),
  status: fc.constantFrom(...STATUSES),
})

/**
 * Bodies that leave what was not sent as it is, whether it still fits or not: a subtype without a subcategory, an
 * office of land.
 */
const change = fc.oneof(
  fc.constant({ subcategory: null }),
  fc.constant({ subtype: null }),
  fc.constantFrom(...AVAILABILITIES).map((availability) => ({ availability })),
  fc.constantFrom('residential', 'commercial', 'land', 'other').map((category) => ({ category })),
  fc.constantFrom(...TYPES),
)

const step = fc.oneof(
  stepOf('import', {
    lines: fc.array(fc.tuple(fc.integer({ min: 1, max: MAX_ID }), line), { minLength: 1, maxLength: 60 }),
  }),
  stepOf('status', { pick: fc.nat(), to: fc.constantFrom(...STATUSES.slice(1)) }),
  stepOf('change', { pick: fc.nat(), change }),
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function run(action: Step): Promise<void> {
  if (action.does === 'import') {
    const lines = [...new Map(action.lines)]
    return importRecords(lines.map(([id, { type, ...values }]) => listingLine(id, { ...type, ...values })))
  }
  const ids = await selectAll<{ id: number }>('select id from listings order by id desc')
  const id = ids[action.pick % ids.length]?.id
  if (!id) return
  const reply =
    action.does === 'status'
      ? await post(`/api/listings/${id}/status`, { to: action.to })
      : await put(`/api/listings/${id}`, action.change)
  expect(reply.status).toBe(200)
}

describe('GET /api/listings', () => {
  it('counters of listings are true, whatever was written', { timeout: 60_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        for (const action of steps) await run(action)
        const kind = 'category, status, availability, subcategory, subtype'
        const counted = await selectAll(
          `select ${kind}, listings from listing_counts where listings <> 0 order by ${kind}`,
        )
        const anew =
          await selectAll(`select category, status, availability, ifnull(subcategory, '') as subcategory,
          ifnull(subtype, 0) as subtype, count(*) as listings from listings group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`)
        expect(counted).toEqual(anew)
      }),
      { numRuns: 12, interruptAfterTimeLimit: 30_000 },
    ),
  )
})

/** Deep pages: by kind, code and dates alone, which are SQL on the first pages. */
describe('a list of several kinds', () => {
  const COUNT = 3000
  const LAST = 5 * COUNT

  beforeAll(async () => {
    await emptyService()
    await seedAgency()
    await insertListings(COUNT, {
      id: '5 * (value + 1)',
      category: "iif(value % 7, 'residential', 'land')",
      availability: "iif(value % 3, 'sale', 'rent')",
    })
  })

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
