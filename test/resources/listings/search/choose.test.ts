/** A page is the part of the sorted list that it would be if all were sorted. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addRow, noRows } from '../../../../src/resources/listings/search/bits.ts'
import { chooseIds } from '../../../../src/resources/listings/search/choose.ts'
import { PER_DEGREE } from '../../../../src/resources/listings/search/geometry.ts'
import type { ListingIndex } from '../../../../src/resources/listings/search/listing-index.ts'
import { distance } from './by-hand.ts'
import { indexOf } from './indexed.ts'

interface One {
  id: number
  price: number | null
  shown: number | null
  size: number | null
  point: { latitude: number; longitude: number } | null
  isFound: boolean
}

const one = fc.record({
  id: fc.integer({ min: 1, max: 5000 }),
  price: fc.option(fc.integer({ min: 1, max: 6 })),
  shown: fc.option(fc.integer({ min: -3, max: 100_000 })),
  size: fc.option(fc.constantFrom(0, 1.25, 33.333, 1e9)),
  point: fc.option(
    fc.constantFrom(
      { latitude: 37.9, longitude: 23.7 },
      { latitude: 38, longitude: 24 },
      { latitude: -10, longitude: 180 },
    ),
  ),
  isFound: fc.boolean(),
})
const ascending = (a: One, b: One) => a.id - b.id
const listings = fc
  .uniqueArray(one, { selector: ({ id }) => id, maxLength: 120, size: 'max' })
  .chain((list) => fc.constantFrom(list, list.toSorted(ascending), list.toSorted(ascending).toReversed()))

const near = { latitude: 37.95, longitude: 23.8, radius: 50_000 }

const rowOf = ({ id, price, shown, size, point }: One) => ({
  ...{ id, price, size, 'shown.price': shown },
  latitude: point && Math.round(point.latitude * PER_DEGREE),
  longitude: point && Math.round(point.longitude * PER_DEGREE),
})

/** What each order goes by, as keys see it that see all. */
const BY: Record<string, (listing: One) => number | null> = {
  id: ({ id }) => id,
  price: ({ price }) => price,
  size: ({ size }) => size,
  distance: ({ point }) => point && distance(near, point),
}

/** All found listings in an order: those without a value last, those of the same value newest first. */
function sorted(all: One[], name: string, sign: number, view: 'stored' | 'shown'): number[] {
  const orderBy = view === 'shown' && name === 'price' ? ({ shown }: One) => shown : BY[name]
  return inOrder(
    all.filter(({ isFound }) => isFound),
    (listing) => orderBy?.(listing) ?? null,
    sign,
  )
}

/** The ids of listings by a value. */
function inOrder<L extends { id: number }>(all: L[], by: (listing: L) => number | null, sign: number) {
  const compare = (a: L, b: L) => {
    const [x, y] = [by(a), by(b)]
    if (x !== y && x !== null && y !== null) return sign * (x - y)
    return Number(x === null) - Number(y === null) || b.id - a.id
  }
  return all.toSorted(compare).map(({ id }) => id)
}

function rowsOf(index: ListingIndex, all: One[]) {
  const rows = noRows(index.views.stored.length << 5)
  for (const { id, isFound } of all) if (isFound) addRow(rows, index.rowOf(id) ?? -1)
  return rows
}

describe('a page', () => {
  it('is a part of the whole order, whatever the order, the part and the ids are', () => {
    let isOrdered = 0
    let parts = 0
    fc.assert(
      fc.property(
        listings,
        fc.constantFrom(...Object.keys(BY)),
        fc.constantFrom(1, -1),
        fc.nat(80),
        fc.integer({ min: 1, max: 40 }),
        (all, name, sign, offset, limit) => {
          const index = indexOf(all.map(rowOf))
          const rows = rowsOf(index, all)
          for (const view of name === 'price' ? (['stored', 'shown'] as const) : (['stored'] as const)) {
            const sort = (sign === 1 ? '' : '-') + name
            const page = chooseIds(index, view, rows, { sort, near, offset, limit })
            expect(page).toEqual(sorted(all, name, sign, view).slice(offset, offset + limit))
            if (page.length > 0 && page.length < all.length) parts++
          }
          if (index.isAscending) isOrdered++
        },
      ),
      { numRuns: 400 },
    )
    expect(parts).toBeGreaterThan(120)
    expect(isOrdered).toBeGreaterThan(80)
    expect(isOrdered).toBeLessThan(320)
  })

  it('follows a listing that changes and keeps its row, and one with a lower id that comes later', () => {
    const index = indexOf([5, 7, 9].map((id) => ({ id, price: id })))
    const ids = (sort: string) =>
      chooseIds(index, 'stored', index.views.stored, { sort, offset: 0, limit: 9 })
    expect([index.isAscending, ids('id'), ids('-price')]).toEqual([true, [5, 7, 9], [9, 7, 5]])
    const changed = indexOf([
      ...[5, 7, 9].map((id) => ({ id, price: id })),
      { id: 6, price: 8 },
      { id: 7, price: 1 },
    ])
    const idsOfChanged = (sort: string) =>
      chooseIds(changed, 'stored', changed.views.stored, { sort, offset: 0, limit: 9 })
    expect([changed.count, changed.isAscending]).toEqual([4, false])
    expect([idsOfChanged('id'), idsOfChanged('-id')]).toEqual([
      [5, 6, 7, 9],
      [9, 7, 6, 5],
    ])
    expect(idsOfChanged('price')).toEqual([7, 5, 6, 9])
    changed.remove([6, 1000])
    expect(idsOfChanged('price')).toEqual([7, 5, 9])
  })

  it.each([
    ['the same', () => 5],
    ['none', () => null],
    ['ascending', (at: number) => at],
    ['descending', (at: number) => -at],
    ['rising and falling', (at: number) => Math.min(at, 20_000 - at)],
    ['two', (at: number) => at % 2],
    ['often none', (at: number) => (at % 3 ? (at * 7919) % 40_000 : null)],
    ['few', (at: number) => (at % 5000 ? null : at)],
    ['fractions', (at: number) => ((at * 7919) % 40_000) / 100],
  ])('is found among many listings whose values are %s', (_, sizeOf) => {
    // Sorting by the wrong pivot would take hundreds of millions of steps.
    const all = Array.from({ length: 20_000 }, (_value, at) => ({ id: 20_000 - at, size: sizeOf(at) }))
    const index = indexOf(all)
    for (const sign of [1, -1]) {
      const order = inOrder(all, ({ size }) => size, sign)
      for (const offset of [0, 1000, 10_000, 19_990]) {
        const sort = sign === 1 ? 'size' : '-size'
        const page = chooseIds(index, 'stored', index.views.stored, { sort, offset, limit: 20 })
        expect(page).toEqual(order.slice(offset, offset + 20))
      }
    }
  })
})
