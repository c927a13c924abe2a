/** Each filter and each order reads its own column, for every kind of key that may use it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { publicListingFilters } from '../../src/resources/listings/public/schema.ts'
import { listingFilters } from '../../src/resources/listings/schema.ts'
import { keyWith, query, websiteKey } from '../support/api.ts'
import {
  casesOf,
  type DistinctList,
  inOrderOf,
  LISTINGS,
  seedDistinct,
  VISITED_LISTINGS,
} from './distinct.ts'

beforeAll(seedDistinct)

/** Filters that choose what is shown of the records, and those with a single value, which other tests have. */
const OTHERS = ['page', 'per_page', 'sort', 'fields', 'status']
/** Filters that visitors may only send empty. */
const NOT_PUBLIC = ['tags', 'users', 'date_created', 'date_updated']

/** Filters and orders that all records meet, with which a list may be read in another way. */
const WAYS = [
  {},
  { rooms: { min: 0 } },
  { sort: 'date_updated' },
  { rooms: { min: 0 }, sort: 'date_updated' },
]

const KEYS: [string, DistinctList, object, string[], () => Promise<string>][] = [
  ['an ordinary key', LISTINGS, listingFilters.shape, OTHERS, () => keyWith('listings:read')],
  [
    'a publishable key',
    VISITED_LISTINGS,
    publicListingFilters.shape,
    [...OTHERS, ...NOT_PUBLIC],
    () => websiteKey(),
  ],
]

describe.each(KEYS)('%s', (_, list, filters, others, makeKey) => {
  let key = ''

  beforeAll(async () => {
    key = await makeKey()
  })

  const find = async (body: Record<string, unknown>) => {
    const { status, body: answer } = await query(list.path, { per_page: 100, ...body }, { key })
    expect([status, answer.error_message]).toEqual([200, undefined])
    return answer.data.map(({ id }: { id: number }) => id) as number[]
  }

  /** The ids are enough, where a list can have them alone. */
  const briefly = list.path === '/api/listings' ? { fields: 'id' } : {}

  it('has all filters here', () => {
    const names = new Set([...list.probes.map(({ name }) => name), ...others])
    expect(names).toEqual(new Set(Object.keys(filters)))
  })

  const cases = Object.entries(Object.groupBy(casesOf(list), ({ name }) => name))

  it.each(cases)('finds by its own value: %s', async (name, all = []) => {
    for (const [index, { sent, found }] of all.entries()) {
      for (const others of index < 2 ? WAYS : [briefly]) {
        const ids = await find({ ...others, [name]: sent })
        expect({ sent, others, ids: ids.toSorted((a, b) => a - b) }).toEqual({ sent, others, ids: found })
      }
    }
  })

  it.each(Object.entries(list.orders))('orders by its own value: %s', async (name, value) => {
    for (const others of [{}, { rooms: { min: 0 } }]) {
      for (const [sort, isDescending] of [[name, false] as const, [`-${name}`, true] as const]) {
        const ids: number[] = []
        // One order chooses the records of a page, another arranges them.
        for (const page of [1, 2, 3]) ids.push(...(await find({ ...others, sort, per_page: 4, page })))
        const expected = inOrderOf(value, isDescending)
        expect({ sort, ids, all: await find({ ...others, sort }) }).toEqual({
          sort,
          ids: expected,
          all: expected,
        })
      }
    }
  })
})
