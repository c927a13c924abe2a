import { seeded } from '@estia/photo-codec/fixtures/random'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectError, get, keyWith, post, put, query, remove } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { createListing, insertListings } from '../../support/factories/listing.ts'
import {
  createActiveListing,
  createRequest,
  matchesOf,
  matchesOfListing,
  seedRequests,
  setStatus,
} from '../requests/seed.ts'
import { expectedPairs, storedPairs } from './pairs.ts'

beforeAll(seedRequests)

const KOLONAKI = { area_level1: 1, area_level2: 11, area_level3: 111 }
const SYNTAGMA = { latitude: 37.9755, longitude: 23.7348 }

/** A deviation as it is answered. */
const deviation = (criterion: string, wanted: unknown, found: unknown) => ({ criterion, wanted, found })

/** The match of a new request with a new listing; undefined when there is none. */
async function matchOf(request: Record<string, unknown>, listing: Record<string, unknown>) {
  const listingId = await createActiveListing(listing)
  const { id } = await createRequest(request)
  const found = await matchesOf(id)
  // Out of the way of the pairs to come.
  await post(`/api/listings/${listingId}/status`, { to: 'archived' })
  await remove(`/api/requests/${id}`)
  return found.find(({ listing_id }: { listing_id: number }) => listing_id === listingId)
}

describe('what excludes a listing', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>, boolean]>([
    ['its own neighbourhood', { locations: [111] }, {}, true],
    ['its municipality', { locations: [11] }, {}, true],
    ['its region', { locations: [1] }, {}, true],
    ['one of several places', { locations: [21, 111] }, {}, true],
    ['another neighbourhood', { locations: [112] }, {}, false],
    ['another municipality', { locations: [12] }, {}, false],
    ['another region', { locations: [2] }, {}, false],
    [
      'a smaller place than it tells',
      { locations: [111] },
      { location: { area_level1: 1, area_level2: 11 } },
      false,
    ],
    ['no place at all', { locations: [1] }, { location: {} }, false],
    ['another category', { category: 'commercial' }, {}, false],
    ['another availability', { availability: 'rent' }, {}, false],
  ])('%s', async (_, request, listing, matches) => {
    expect((await matchOf(request, listing)) !== undefined).toBe(matches)
  })

  it('every status but active', async () => {
    const id = await createListing({ location: KOLONAKI })
    const { id: request } = await createRequest({ locations: [111] })
    const listings = async () => (await matchesOf(request)).map(listingId)
    expect(await listings()).not.toContain(id)
    for (const status of ['pending', 'inactive', 'archived', 'deleted']) {
      await setStatus(id, 'active')
      expect(await listings()).toContain(id)
      await setStatus(id, status)
      expect(await listings()).not.toContain(id)
      expect(await matchesOfListing(id)).toEqual([])
    }
  })
})

describe('what deviates', () => {
  type Json = Record<string, unknown>
  /** A wish, a listing that meets it, one that does not, and the deviation of the latter. */
  type Case = [wish: Json, met: Json, unmet: Json, expected: object]
  type Group = 'details' | 'extra' | null
  type Limit = number | null

  const range = (min: Limit, max: Limit) => ({ min, max })
  const extra = (fields: object) => ({ extra_fields: fields })
  const grouped = (group: Group, values: Json) => (group ? { [group]: values } : values)

  /** A criterion with limits, a value within them and one beyond, of the field of that name. */
  function limited(
    criterion: string,
    min: Limit,
    max: Limit,
    [good, bad]: Limit[],
    group: Group = null,
  ): Case {
    const sent = Object.entries(range(min, max)).flatMap(([end, limit]) =>
      limit === null ? [] : [[`${criterion}_${end}`, limit]],
    )
    const kind = criterion.endsWith('_ratio') ? { category: 'land' } : {}
    const wish = Object.fromEntries(sent)
    const listing = (value: unknown) => ({ ...kind, ...grouped(group, { [criterion]: value }) })
    return [
      { ...kind, ...(group ? extra(wish) : wish) },
      listing(good),
      listing(bad),
      deviation(criterion, range(min, max), bad),
    ]
  }

  /** A choice among the extra fields, and a value of it and another of the field of that name. */
  const chosen = (criterion: string, wanted: string[], [good, bad]: string[], group: Group): Case => [
    extra({ [criterion]: wanted }),
    grouped(group, { [criterion]: good }),
    grouped(group, { [criterion]: bad }),
    deviation(criterion, wanted, bad),
  ]

  const at = (latitude: number, longitude: number) => ({ location: { ...KOLONAKI, latitude, longitude } })
  const elevator = { has_elevator: true, elevator_min_floor: 2 }
  const noElevator = (floor: Limit) =>
    deviation('has_elevator', { elevator: true, from_floor: 2 }, { elevator: false, floor })

  const cases: Case[] = [
    limited('price', null, 100, [100, 101]),
    limited('price', 100, null, [100, 99]),
    limited('price', null, 100, [0, null]),
    limited('size', 50, null, [50.5, 49.5]),
    limited('year_built', 2000, null, [2000, 1999]),
    limited('rooms', null, 2, [2, 3]),
    limited('floor', -0.5, 1.5, [-0.5, 2]),
    limited('garden_size', 10.5, null, [10.5, 10], 'extra'),
    limited('land_size', null, 100, [99.5, 100.5], 'details'),
    limited('parking_total', 1, null, [2, null], 'details'),
    limited('yield', 4.5, null, [4.5, 4.4], 'extra'),
    limited('build_ratio', null, 0.8, [0.8, 0.81], 'details'),
    limited('coverage_ratio', null, 60, [60, 61], 'details'),
    chosen('property_condition', ['new', 'good'], ['good', 'unfinished'], null),
    chosen('orientation', ['s'], ['s', 'se'], 'extra'),
    chosen('heating_type', ['central'], ['central', 'none'], 'details'),
    chosen('heating_source', ['gas'], ['gas', 'oil'], 'details'),
    chosen('construction_type', ['stone'], ['stone', 'wood'], 'details'),
    chosen('garden', ['private'], ['private', 'shared'], 'details'),
    [
      { price_per_sqm_min: 10, price_per_sqm_max: 20 },
      { price: 100, size: 10 },
      { price: 100, size: 4 },
      deviation('price_per_sqm', range(10, 20), 25),
    ],
    [
      extra({ bathrooms_total_min: 2 }),
      { bathrooms: 2 },
      { bathrooms: 1 },
      deviation('bathrooms_total', range(2, null), 1),
    ],
    [
      { subcategories: ['villa', 'loft'] },
      { subcategory: 'loft' },
      { subcategory: 'apartment' },
      deviation('subcategories', ['villa', 'loft'], 'apartment'),
    ],
    [
      { subtypes: [1] },
      { subcategory: 'apartment', subtype: 1 },
      { subcategory: 'apartment', subtype: 2 },
      deviation('subtypes', [1], 2),
    ],
    [{ has_elevator: true }, { features: ['has_elevator'] }, {}, deviation('has_elevator', true, false)],
    [elevator, { floor: 1 }, { floor: 2 }, noElevator(2)],
    [elevator, { floor: 5, features: ['elevator'] }, {}, noElevator(null)],
    [
      extra({ view: ['sea', 'park'] }),
      { view: ['park', 'city'] },
      { view: ['city'] },
      deviation('view', ['sea', 'park'], ['city']),
    ],
    [
      extra({ positioning: ['is_corner'] }),
      { positioning: ['corner'] },
      {},
      deviation('positioning', ['is_corner'], []),
    ],
    [
      extra({ features: ['elevator', 'storage'] }),
      { features: ['has_storage_room', 'has_alarm', 'has_elevator'] },
      { features: ['has_elevator'] },
      deviation('features', ['has_elevator', 'has_storage_room'], ['has_elevator']),
    ],
    [extra({ is_furnished: 'yes' }), { features: ['furnished'] }, {}, deviation('is_furnished', 'yes', 'no')],
    [extra({ is_furnished: 'no' }), {}, { features: ['furnished'] }, deviation('is_furnished', 'no', 'yes')],
    [
      extra({ special_locations: [2, 1] }),
      at(SYNTAGMA.latitude + 0.0089, SYNTAGMA.longitude),
      at(SYNTAGMA.latitude, SYNTAGMA.longitude + 0.0115),
      deviation('special_locations', [2, 1], 1009),
    ],
    [
      extra({ special_locations: [1] }),
      at(SYNTAGMA.latitude, SYNTAGMA.longitude),
      at(0, 0),
      deviation('special_locations', [1], null),
    ],
    [
      extra({ listing_tags: [1, 3] }),
      { tags: [3, 2, 1] },
      { tags: [3] },
      deviation('listing_tags', [1, 3], [3]),
    ],
  ]

  it.each(cases)('%j: met by %j, not by %j', async (request, met, unmet, expected) => {
    const wish = { locations: [111], ...request }
    expect(await matchOf(wish, met)).toMatchObject({ score: 100, deviations: [] })
    // Beside another criterion that is met, half of the criteria deviate.
    const [other, held] =
      'size_min' in request ? [{ rooms_max: 7 }, { rooms: 7 }] : [{ size_max: 7 }, { size: 7 }]
    expect(await matchOf({ ...wish, ...other }, { ...held, ...unmet })).toMatchObject({
      score: 50,
      deviations: [expected],
    })
    // Alone it leaves nothing that is met, but the listing is still what is looked for, where it is looked for.
    expect(await matchOf(wish, unmet)).toMatchObject({ score: 0, deviations: [expected] })
  })

  it('short terms: unit and guests', async () => {
    const request = {
      availability: 'shortterm',
      extra_fields: { shortterm_unit: 'per_day', shortterm_max_guests_min: 4 },
    }
    const listing = (unit: string, guests: number) => ({
      availability: 'shortterm',
      extra: { shortterm_unit: unit, shortterm_max_guests: guests },
    })
    expect(await matchOf(request, listing('per_day', 4))).toMatchObject({ score: 100 })
    expect(await matchOf(request, listing('per_week', 4))).toMatchObject({
      deviations: [deviation('shortterm_unit', ['per_day'], 'per_week')],
    })
    expect(await matchOf(request, listing('per_day', 3))).toMatchObject({
      deviations: [deviation('shortterm_max_guests', range(4, null), 3)],
    })
    expect(await matchOf(request, listing('per_week', 3))).toMatchObject({ score: 0 })
  })
})

describe('when matches are found', () => {
  it('on POST and PUT of a request, even one that changes nothing', async () => {
    const listing = await createActiveListing({ price: 150, category: 'other' })
    const { id } = await createRequest({ category: 'other', price_max: 100 })
    expect(await matchesOf(id)).toMatchObject([{ listing_id: listing, score: 0 }])
    await put(`/api/requests/${id}`, { price_max: 200 })
    const match = { request_id: id, listing_id: listing, score: 100, deviations: [] }
    expect(await matchesOf(id)).toEqual([match])
    expect(await matchesOfListing(listing)).toEqual([match])
    await execute('delete from request_matches where request_id = ?', id)
    await put(`/api/requests/${id}`, {})
    expect(await matchesOf(id)).toEqual([match])
    await put(`/api/requests/${id}`, { locations: [2] })
    expect(await matchesOf(id)).toEqual([])
    await put(`/api/requests/${id}`, { locations: [1], price_max: null })
    await remove(`/api/requests/${id}`)
    expect(await matchesOfListing(listing)).toEqual([])
  })

  it('on each change of values with limits, whether it crosses one or not', async () => {
    const kind = { category: 'other', availability: 'auction' }
    const columns = ['price', 'price_per_sqm', 'size', 'year_built', 'rooms']
    for (const column of columns)
      for (const limits of [{ min: 4 }, { max: 6 }, { min: 3, max: 8 }])
        await createRequest({
          ...kind,
          ...Object.fromEntries(Object.entries(limits).map(([end, limit]) => [`${column}_${end}`, limit])),
        })
    const id = await createActiveListing({ ...kind, price: 5, size: 5 })
    const random = seeded(3)
    for (let round = 0; round < 30; round++) {
      const sent = columns.filter(() => random.int(0, 2) === 0)
      const values = sent.map((column) => [column, random.pick([null, random.int(0, 10)])])
      await put(`/api/listings/${id}`, { ...Object.fromEntries(values), notes: `${round}` })
      expect([round, await storedPairs()]).toEqual([round, await expectedPairs()])
    }
    await setStatus(id, 'archived')
  })

  it('stored matches agree with the records after writes in parallel', async () => {
    const kind = { category: 'commercial', availability: 'auction' }
    const listings = await Promise.all(
      [1, 2, 3].map((price) => createActiveListing({ ...kind, price, size: 9 })),
    )
    const requests = await Promise.all(
      [1, 2, 3].map((price_max) => createRequest({ ...kind, price_max, size_max: 9 })),
    )
    for (let round = 1; round <= 5; round++) {
      await Promise.all([
        ...listings.map((id, index) => put(`/api/listings/${id}`, { price: (round * 7 + index * 3) % 11 })),
        ...requests.map(({ id }, index) =>
          put(`/api/requests/${id}`, { price_max: (round * 5 + index) % 11 }),
        ),
        put(`/api/listings/${listings[0]}`, { size: 9 + (round % 2) }),
        setStatus(listings[1] ?? 0, round % 2 ? 'inactive' : 'active'),
      ])
      const stored = await Promise.all(requests.map(({ id }) => matchesOf(id)))
      // Found anew, with nobody else writing.
      for (const { id } of requests) await put(`/api/requests/${id}`, {})
      expect(stored).toEqual(await Promise.all(requests.map(({ id }) => matchesOf(id))))
    }
  })
})

describe('GET …/{id}/matches', () => {
  let listings: number[]
  let request: number

  beforeAll(async () => {
    const kind = { category: 'land', availability: 'auction' }
    const prices = [10, 20, 10, 20]
    listings = []
    for (const price of prices) listings.push(await createActiveListing({ ...kind, price, size: 5 }))
    request = (await createRequest({ ...kind, price_max: 10, size_max: 5 })).id
  })

  it('lists the best first, the newest among equals', async () => {
    const [first, second, third, fourth] = listings
    const { body } = await get(`/api/requests/${request}/matches`)
    expect(body.total_results).toBe(4)
    expect(body.data.map(listingId)).toEqual([third, first, fourth, second])
    expect((await query(`/api/requests/${request}/matches`, { page: 1 })).body).toEqual(body)
    const last = await get(`/api/requests/${request}/matches?per_page=3&page=2`)
    expect(last.body).toMatchObject({ total_pages: 2, results_per_page: 3, data: body.data.slice(3) })
    expect(last.headers.get('Link')).toMatch(/\?per_page=3&page=1>; rel="prev"$/)
    const newer = await createRequest({ category: 'land', availability: 'auction' })
    const { body: ofListing } = await get(`/api/listings/${first}/matches`)
    expect(ofListing.data.map(({ request_id }: { request_id: number }) => request_id)).toEqual([
      newer.id,
      request,
    ])
    const rest = await get(`/api/listings/${first}/matches?per_page=1&page=2`)
    expect(rest.body).toMatchObject({ total_pages: 2, data: ofListing.data.slice(1) })
  })

  it('needs the scope of the path, and for what buyers want that of requests, too', async () => {
    const path = `/api/listings/${listings[0]}/matches`
    const listingKey = await keyWith('listings:read')
    const requestKey = await keyWith('requests:read')
    const lacks = (reply: ReturnType<typeof get>, scope: string) =>
      expectError(reply, 403, `This API key lacks the scope ${scope}`)
    await lacks(get(path, { key: listingKey }), 'requests:read')
    await lacks(get(path, { key: requestKey }), 'listings:read')
    await lacks(query(path, {}, { key: listingKey }), 'requests:read')
    for (const scopes of [['listings:read', 'requests:read'], ['*:read']]) {
      expect((await get(path, { key: await keyWith(...scopes) })).status).toBe(200)
    }
    expect((await get(`/api/requests/${request}/matches`, { key: listingKey })).status).toBe(403)
    expect((await get(`/api/requests/${request}/matches`, { key: requestKey })).status).toBe(200)
  })
})

describe('a request that hundreds of listings meet', { timeout: 60_000 }, () => {
  const kind = { category: 'other', availability: 'rent' }

  const columns = {
    category: "'other'",
    availability: "'rent'",
    status: "'active'",
    size: 10,
    area_level1: 1,
  }

  it('keeps the 500 best', async () => {
    for (const price of [100, 50]) await insertListings(300, { ...columns, price })
    const { id } = await createRequest({ ...kind, locations: [1], price_max: 50, size_max: 10 })
    const { body } = await get(`/api/requests/${id}/matches?page=10`)
    expect(body).toMatchObject({ total_results: 500, total_pages: 10 })
    expect(body.data).toHaveLength(50)
    const worse = body.data[49].listing_id - 1
    await put(`/api/listings/${worse}`, { notes: 'touched' })
    expect((await storedPairs()).map(listingId)).not.toContain(worse)
    // From its own side it is no secret that the request would take it.
    expect(await matchesOfListing(worse)).toMatchObject([{ request_id: id, score: 50 }])
    // One that stays among them is brought up to date.
    const best = (await matchesOf(id))[0].listing_id
    await put(`/api/listings/${best}`, { price: 1000 })
    expect(await matchesOfListing(best)).toMatchObject([{ score: 50 }])
    expect(await storedPairs()).toEqual(await expectedPairs())
  })
})

const listingId = ({ listing_id }: { listing_id: number }) => listing_id
