import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { importRecords, post, put, query } from '../../support/api.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'

beforeAll(seedAgency)

/** What filters look at. */
interface Kind {
  category: string
  subcategory: string | null
  subtype: number | null
  availability: string
  status: string
  date_created: string
}

const STATUSES = ['draft', 'pending', 'active', 'inactive', 'archived', 'deleted']
const AVAILABILITIES = ['sale', 'rent', 'auction', 'shortterm']
const TYPES: Pick<Kind, 'category' | 'subcategory' | 'subtype'>[] = [
  { category: 'residential', subcategory: 'apartment', subtype: 1 },
  { category: 'residential', subcategory: 'apartment', subtype: 2 },
  { category: 'residential', subcategory: 'apartment', subtype: null },
  { category: 'residential', subcategory: null, subtype: null },
  { category: 'commercial', subcategory: 'office', subtype: 3 },
  { category: 'land', subcategory: 'plot', subtype: null },
]
const DAYS = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']

const kind: fc.Arbitrary<Kind> = fc
  .record({
    type: fc.constantFrom(...TYPES),
    availability: fc.constantFrom(...AVAILABILITIES),
    status: fc.constantFrom(...STATUSES),
    day: fc.constantFrom(...DAYS),
  })
  .map(({ type, availability, status, day }) => ({
    ...type,
    availability,
    status,
    date_created: `${day} 12:00:00`,
  }))

const someOf = <T>(values: readonly T[]) =>
  fc.option(fc.oneof(fc.constantFrom(...values), fc.subarray([...values])), { nil: undefined, freq: 2 })

const filter = fc.record({
  category: someOf(['residential', 'commercial', 'land', 'other']),
  subcategory: someOf(['apartment', 'office', 'plot', 'island']),
  subtype: someOf([1, 2, 3, 99]),
  availability: someOf(AVAILABILITIES),
  status: someOf(STATUSES),
  date_created: fc.option(
    fc.record({
      min: fc.option(fc.constantFrom(DAYS[0], DAYS[1])),
      max: fc.option(fc.constantFrom(DAYS[2], DAYS[3])),
    }),
    { nil: undefined, freq: 1 },
  ),
  page: fc.constantFrom(1, 1, 2),
})

type Filter = typeof filter extends fc.Arbitrary<infer F> ? F : never

function matches(listing: Kind, { date_created, page: _, ...wanted }: Filter): boolean {
  const day = listing.date_created.slice(0, 10)
  const inRange = (date_created?.min ?? day) <= day && day <= (date_created?.max ?? day)
  return (
    inRange &&
    Object.entries(wanted).every(([key, value]) => {
      const allowed: unknown[] = value === undefined ? [] : [value].flat()
      return allowed.length === 0 || allowed.includes(listing[key as keyof Kind])
    })
  )
}

const step = fc.oneof(
  fc.record({
    does: fc.constant('import' as const),
    kinds: fc.array(fc.tuple(fc.integer({ min: 1, max: 70 }), kind), { minLength: 1, maxLength: 40 }),
  }),
  fc.record({
    does: fc.constant('status' as const),
    pick: fc.nat(),
    to: fc.constantFrom(...STATUSES.slice(1)),
  }),
  fc.record({
    does: fc.constant('update' as const),
    pick: fc.nat(),
    type: fc.constantFrom(...TYPES),
    availability: fc.constantFrom(...AVAILABILITIES),
  }),
)

describe('GET /api/listings', () => {
  it('shows and counts exactly what a plain filter keeps, whatever was written before', {
    timeout: 60_000,
  }, async () => {
    const stored = new Map<number, Kind>()

    async function run(action: typeof step extends fc.Arbitrary<infer S> ? S : never) {
      if (action.does === 'import') {
        const kinds = new Map(action.kinds)
        await importRecords(
          [...kinds].map(([id, values]) => ['listings', { ...minimalListing, id, ...values }]),
        )
        for (const [id, values] of kinds) stored.set(id, values)
        return
      }
      const id = [...stored.keys()][action.pick % stored.size]
      const before = stored.get(id ?? 0)
      if (!id || !before) return
      if (action.does === 'status') {
        await post(`/api/listings/${id}/status`, { to: action.to })
        stored.set(id, { ...before, status: action.to })
      } else {
        const { type, availability } = action
        expect((await put(`/api/listings/${id}`, { ...type, availability })).status).toBe(200)
        stored.set(id, { ...before, ...type, availability })
      }
    }

    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.array(filter, { minLength: 1, maxLength: 4 }),
        async (steps, filters) => {
          for (const action of steps) await run(action)
          for (const wanted of filters) {
            const ids = [...stored]
              .filter(([, listing]) => matches(listing, wanted))
              .map(([id]) => id)
              .toSorted((a, b) => b - a)
            const { body } = await query('/api/listings', wanted)
            const start = (wanted.page - 1) * 50
            expect(body.total_results).toBe(ids.length)
            expect(body.data.map(({ id }: { id: number }) => id)).toEqual(ids.slice(start, start + 50))
          }
        },
      ),
      { numRuns: 40, interruptAfterTimeLimit: 20_000 },
    )
  })
})
