import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords, post, put, query } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'

beforeAll(seedAgency)

/** What filters look at, as it is stored. */
interface Row {
  id: number
  code: string | null
  category: string
  subcategory: string | null
  subtype: number | null
  availability: string
  status: string
  date_created: string
  date_updated: string
}

const STATUSES = ['draft', 'pending', 'active', 'inactive', 'archived', 'deleted']
const AVAILABILITIES = ['sale', 'rent', 'auction', 'shortterm']
const TYPES: Pick<Row, 'category' | 'subcategory' | 'subtype'>[] = [
  { category: 'residential', subcategory: 'apartment', subtype: 1 },
  { category: 'residential', subcategory: 'apartment', subtype: 2 },
  { category: 'residential', subcategory: 'apartment', subtype: null },
  { category: 'residential', subcategory: null, subtype: null },
  { category: 'commercial', subcategory: 'office', subtype: 3 },
  { category: 'land', subcategory: 'plot', subtype: null },
]
const DAYS = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']
/** Enough for three pages. */
const MAX_ID = 130

const day = fc.constantFrom(...DAYS)

const line = fc
  .record({
    type: fc.constantFrom(...TYPES),
    availability: fc.constantFrom(...AVAILABILITIES),
    status: fc.constantFrom(...STATUSES),
    created: day,
    updated: day,
    hasCode: fc.boolean(),
  })
  .map(({ type, created, updated, ...rest }) => ({
    ...type,
    ...rest,
    date_created: `${created} 12:00:00`,
    date_updated: `${updated} 12:00:00`,
  }))

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

const someOf = <T>(values: readonly T[]) =>
  fc.option(fc.oneof(fc.constantFrom(...values), fc.subarray([...values])), { nil: undefined, freq: 2 })

const range = fc.option(
  fc.record({
    min: fc.option(fc.constantFrom(DAYS[0], DAYS[1])),
    max: fc.option(fc.constantFrom(DAYS[2], DAYS[3])),
  }),
  { nil: undefined, freq: 1 },
)

const SORTS = ['id', '-id', 'date_created', '-date_created', 'date_updated', '-date_updated'] as const

const filter = fc.record({
  category: someOf(['residential', 'commercial', 'land', 'other']),
  subcategory: someOf(['apartment', 'office', 'plot', 'island']),
  subtype: someOf([1, 2, 3, 99]),
  availability: someOf(AVAILABILITIES),
  status: someOf(STATUSES),
  search: fc.option(
    fc.integer({ min: 1, max: MAX_ID }).chain((id) => fc.constantFrom(`${id}`, `C-${id}`)),
    { nil: undefined, freq: 1 },
  ),
  date_created: range,
  date_updated: range,
  page: fc.constantFrom(1, 1, 2, 3, 20, 21, 30, 99),
  per_page: fc.constantFrom(undefined, undefined, 1, 2, 30, 100),
  sort: fc.constantFrom(undefined, undefined, ...SORTS),
})

type Filter = typeof filter extends fc.Arbitrary<infer F> ? F : never

function matches(row: Row, { search, date_created, date_updated, ...rest }: Filter): boolean {
  const { page, per_page, sort, ...kind } = rest
  return (
    isWithin(row.date_created, date_created) &&
    isWithin(row.date_updated, date_updated) &&
    (search === undefined || search === row.code || search === String(row.id)) &&
    Object.entries(kind).every(([key, value]) => {
      const allowed: unknown[] = value === undefined ? [] : [value].flat()
      return allowed.length === 0 || allowed.includes(row[key as keyof Row])
    })
  )
}

function isWithin(moment: string, bounds: Filter['date_created']): boolean {
  const date = moment.slice(0, 10)
  return (bounds?.min ?? date) <= date && date <= (bounds?.max ?? date)
}

const step = fc.oneof(
  fc.record({
    does: fc.constant('import' as const),
    lines: fc.array(fc.tuple(fc.integer({ min: 1, max: MAX_ID }), line), { minLength: 1, maxLength: 60 }),
  }),
  fc.record({
    does: fc.constant('status' as const),
    pick: fc.nat(),
    to: fc.constantFrom(...STATUSES.slice(1)),
  }),
  fc.record({ does: fc.constant('change' as const), pick: fc.nat(), change }),
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function run(action: Step): Promise<void> {
  if (action.does === 'import') {
    const lines = [...new Map(action.lines)].map(([id, { hasCode, ...values }]): [string, object] => [
      'listings',
      { ...minimalListing, id, code: hasCode ? `C-${id}` : null, ...values },
    ])
    await importRecords(lines as Parameters<typeof importRecords>[0])
    return
  }
  const rows = await stored()
  const id = rows[action.pick % rows.length]?.id
  if (!id) return
  const reply =
    action.does === 'status'
      ? await post(`/api/listings/${id}/status`, { to: action.to })
      : await put(`/api/listings/${id}`, action.change)
  expect(reply.status).toBe(200)
}

/** Every listing, newest first. */
async function stored(): Promise<Row[]> {
  const results =
    await selectAll<Row>(`select id, code, category, subcategory, subtype, availability, status, date_created, date_updated
    from listings order by id desc`)
  return results
}

const idsOf = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id)

/** The rows, which are given newest first, in another order. */
function sorted(rows: Row[], sort: Filter['sort'] = '-id'): Row[] {
  const name = sort.replace('-', '') as 'id' | 'date_created' | 'date_updated'
  const ascending = (a: Row, b: Row) => (a[name] < b[name] ? -1 : Number(a[name] > b[name]))
  return rows.toSorted((a, b) => (sort.startsWith('-') ? ascending(b, a) : ascending(a, b)))
}

async function expectPage(rows: Row[], wanted: Filter): Promise<void> {
  const ids = sorted(rows, wanted.sort)
    .filter((row) => matches(row, wanted))
    .map(({ id }) => id)
  const { page, per_page = 50 } = wanted
  const start = (page - 1) * per_page
  const expected = [ids.length, ids.slice(start, start + per_page)]
  for (const path of ['/api/listings', '/api/listings?fields=all']) {
    const { body } = await query(path, wanted)
    expect([body.total_results, idsOf(body)]).toEqual(expected)
  }
}

describe('GET /api/listings', () => {
  it.each(['subtype=3', 'subtype=1&subtype=3', 'subtype=3&category=commercial&status=draft&status=active'])(
    'shows a listing of a subtype that has no subcategory any more (%s)',
    async (queries) => {
      const id = 500
      const office = { category: 'commercial', subcategory: 'office', subtype: 3 }
      await importRecords([['listings', { ...minimalListing, ...office, id }]])
      expect((await put(`/api/listings/${id}`, { subcategory: null })).status).toBe(200)
      const { body } = await get(`/api/listings?${queries}`)
      expect(body.total_results).toBe(body.data.length)
      expect(idsOf(body)[0]).toBe(id)
    },
  )

  it(
    'shows and counts exactly what a plain filter and a plain sort give, whatever was written before',
    {
      timeout: 60_000,
    },
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 6 }),
          fc.array(filter, { minLength: 1, maxLength: 4 }),
          async (steps, filters) => {
            for (const action of steps) await run(action)
            const rows = await stored()
            for (const wanted of filters) await expectPage(rows, wanted)
          },
        ),
        { numRuns: 40, interruptAfterTimeLimit: 30_000 },
      ),
  )
})
