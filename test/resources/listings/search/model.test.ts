/**
 * List, facets and map give what a reading by hand gives, for keys that see what is stored and for visitors.
 *
 * @module-tag slow
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { keyWith, query, websiteKey } from '../../../support/api.ts'
import { idsOf } from '../../../support/reads.ts'
import {
  distance,
  type Filters,
  filters,
  inOrder,
  matches,
  readListings,
  type Shown,
  seedListings,
  sort,
} from './by-hand.ts'

beforeAll(seedListings)

const KEYS = {
  'a visitor': () => websiteKey(),
  'a visitor of one store': () => websiteKey({ stores: [2] }),
  'a key that sees everything': () => keyWith('listings:read'),
}

const VALUES =
  'category subcategory availability rooms subtype property_condition energy_class store_id'.split(' ')
const AREAS = ['area_level1', 'area_level2', 'area_level3']
const FACETS = [...VALUES, ...AREAS, 'features', 'price']

const BANDS = { sale: [0, 50_000, 100_000], rent: [0, 300, 500, 700] }

/** What a listing has in a facet. */
function valuesOf(listing: Shown, facet: string, availability: 'sale' | 'rent' | undefined): unknown[] {
  if (facet === 'features') return listing.features as string[]
  if (AREAS.includes(facet)) return [(listing.location[facet] as { id: number } | null)?.id ?? null]
  if (facet !== 'price') return [listing[facet]]
  const price = listing.price as number | null
  return [price === null || !availability ? null : BANDS[availability].findLast((start) => start <= price)]
}

function countsOf(all: Shown[], wanted: Filters, facet: string): [unknown, number][] {
  const { [facet as 'price']: _, ...others } = wanted
  if (AREAS.includes(facet)) delete others.areas
  const [availability] = wanted.availability?.length === 1 ? wanted.availability : []
  const counts = new Map<unknown, number>()
  for (const listing of all.filter((one) => matches(one, others)))
    for (const value of valuesOf(listing, facet, availability as 'sale'))
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  const compare = (a: unknown, b: unknown) => Number(a) - Number(b) || (String(a) < String(b) ? -1 : 1)
  return [...counts].toSorted(([a, m], [b, n]) => (facet === 'price' ? 0 : n - m) || compare(a, b))
}

/** The cells by hand, for grids that need not be coarser. */
function cellsOf(found: Shown[], zoom: number) {
  const tiles = 2 ** (zoom + 2)
  const cells = new Map<string, Shown[]>()
  for (const listing of found) {
    const { latitude, longitude } = listing.location
    if (latitude === null || longitude === null) continue
    const sine = Math.sin((Math.max(-85.0511287798066, Math.min(85.0511287798066, latitude)) * Math.PI) / 180)
    const clamp = (part: number) => Math.max(0, Math.min(tiles - 1, Math.floor(part * tiles)))
    const row = clamp(0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI))
    const at = `${clamp((longitude + 180) / 360)} ${row}`
    cells.set(at, [...(cells.get(at) ?? []), listing])
  }
  return [...cells.values()].map((listings) => {
    const mean = (name: 'latitude' | 'longitude') =>
      listings.reduce((sum, one) => sum + Number(one.location[name]), 0) / listings.length
    const [only] = listings.length === 1 ? listings : []
    return {
      count: listings.length,
      id: only?.id ?? null,
      price: (only?.price as number | null | undefined) ?? null,
      precision: only ? (only.location.precision ?? 'exact') : null,
      latitude: expect.closeTo(mean('latitude'), 6),
      longitude: expect.closeTo(mean('longitude'), 6),
      at: [mean('latitude'), mean('longitude')],
    }
  })
}

describe.each(Object.entries(KEYS))('%s', (_, makeKey) => {
  let key = ''
  let all: Shown[] = []

  beforeAll(async () => {
    key = await makeKey()
    all = await readListings(key)
    expect(all.length).toBeGreaterThan(25)
  })

  it('finds, counts and orders as a reading by hand does', { timeout: 120_000 }, async () => {
    let matched = 0
    await fc.assert(
      fc.asyncProperty(filters, sort, fc.constantFrom(9, 30, 100), async (wanted, by, per_page) => {
        const expected = inOrder(
          all.filter((listing) => matches(listing, wanted)),
          by,
        )
        const found: number[] = []
        for (let page = 1; page <= Math.ceil(expected.length / per_page) + 1; page++) {
          const { body } = await query('/api/listings', { ...wanted, sort: by, per_page, page }, { key })
          expect(body).toMatchObject({ total_results: expected.length, page, results_per_page: per_page })
          found.push(...body.data.map(({ id }: Shown) => id))
        }
        expect(found).toEqual(expected)
        if (found.length > 0) matched++
        const { near } = wanted
        if (!near) return
        const { body } = await query('/api/listings', { ...wanted, sort: 'distance', per_page: 100 }, { key })
        const away = all.filter((listing) => matches(listing, wanted))
        const measured = away.map((listing) => ({ ...listing, distance: distance(near, listing.location) }))
        expect(idsOf(body)).toEqual(inOrder(measured, 'distance'))
      }),
      { numRuns: 60, interruptAfterTimeLimit: 40_000 },
    )
    expect(matched).toBeGreaterThan(12)
  })

  it('counts the values of every facet without its own filter', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (wanted) => {
        const { body } = await query('/api/listings/facets', { ...wanted, facets: FACETS }, { key })
        expect(body.total_results).toBe(all.filter((listing) => matches(listing, wanted)).length)
        for (const facet of FACETS) {
          const expected = countsOf(all, wanted, facet)
          if (facet === 'price' && wanted.availability?.length !== 1) {
            expect(body.data).not.toHaveProperty('price')
          } else {
            const found = body.data[facet].map((entry: { value?: unknown; min?: number; count: number }) => [
              facet === 'price' ? entry.min : entry.value,
              entry.count,
            ])
            expect([facet, found]).toEqual([facet, expected])
          }
        }
      }),
      { numRuns: 30, interruptAfterTimeLimit: 30_000 },
    )
  })

  it('gathers the listings with a point in the cells of a map', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.constantFrom(0, 5, 12, 20), async (wanted, zoom) => {
        const found = all.filter((listing) => matches(listing, wanted))
        const { body } = await query('/api/listings/map', { ...wanted, zoom }, { key })
        expect(body.total_results).toBe(found.length)
        const place = (a: number[], b: number[]) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1])
        const expected = cellsOf(found, zoom)
          .toSorted((a, b) => b.count - a.count || place(a.at, b.at) || Number(a.id) - Number(b.id))
          .map(({ at, ...cell }) => cell)
        expect(body.data).toEqual(expected)
      }),
      { numRuns: 30, interruptAfterTimeLimit: 30_000 },
    )
  })
})
