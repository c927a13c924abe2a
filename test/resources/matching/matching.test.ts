import { beforeAll, describe, expect, it } from 'vitest'
import { seeded } from '../../../fixtures/random.ts'
import { get, keyWith, post, put, query, remove } from '../../support/api.ts'
import { execute, selectAll } from '../../support/database.ts'
import { createListing } from '../../support/factories/listing.ts'
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
    const listings = async () =>
      (await matchesOf(request)).map((match: { listing_id: number }) => match.listing_id)
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
  const range = (min: number | null, max: number | null) => ({ min, max })
  const one = (request: object, met: object, unmet: object, expected: object) =>
    [request, met, unmet, expected] as [object, Record<string, unknown>, Record<string, unknown>, object]
  const extra = (fields: object) => ({ extra_fields: fields })

  /** A wish, a listing that meets it, one that does not, and the deviation of the latter. */
  const cases = [
    one({ price_max: 100 }, { price: 100 }, { price: 101 }, deviation('price', range(null, 100), 101)),
    one({ price_min: 100 }, { price: 100 }, { price: 99 }, deviation('price', range(100, null), 99)),
    one({ price_max: 100 }, { price: 0 }, {}, deviation('price', range(null, 100), null)),
    one(
      { price_per_sqm_min: 10, price_per_sqm_max: 20 },
      { price: 100, size: 10 },
      { price: 100, size: 4 },
      deviation('price_per_sqm', range(10, 20), 25),
    ),
    one({ size_min: 50 }, { size: 50.5 }, { size: 49.5 }, deviation('size', range(50, null), 49.5)),
    one(
      { year_built_min: 2000 },
      { year_built: 2000 },
      { year_built: 1999 },
      deviation('year_built', range(2000, null), 1999),
    ),
    one({ rooms_max: 2 }, { rooms: 2 }, { rooms: 3 }, deviation('rooms', range(null, 2), 3)),
    one(
      { floor_min: -0.5, floor_max: 1.5 },
      { floor: -0.5 },
      { floor: 2 },
      deviation('floor', range(-0.5, 1.5), 2),
    ),
    one(
      { subcategories: ['villa', 'loft'] },
      { subcategory: 'loft' },
      { subcategory: 'apartment' },
      deviation('subcategories', ['villa', 'loft'], 'apartment'),
    ),
    one(
      { subtypes: [1] },
      { subcategory: 'apartment', subtype: 1 },
      { subcategory: 'apartment', subtype: 2 },
      deviation('subtypes', [1], 2),
    ),
    one({ has_elevator: true }, { features: ['has_elevator'] }, {}, deviation('has_elevator', true, false)),
    one(
      { has_elevator: true, elevator_min_floor: 2 },
      { floor: 1 },
      { floor: 2 },
      deviation('has_elevator', { elevator: true, from_floor: 2 }, { elevator: false, floor: 2 }),
    ),
    one(
      { has_elevator: true, elevator_min_floor: 2 },
      { floor: 5, features: ['elevator'] },
      {},
      deviation('has_elevator', { elevator: true, from_floor: 2 }, { elevator: false, floor: null }),
    ),
    one(
      extra({ view: ['sea', 'park'] }),
      { view: ['park', 'city'] },
      { view: ['city'] },
      deviation('view', ['sea', 'park'], ['city']),
    ),
    one(
      extra({ positioning: ['is_corner'] }),
      { positioning: ['corner'] },
      {},
      deviation('positioning', ['is_corner'], []),
    ),
    one(
      extra({ features: ['elevator', 'storage'] }),
      { features: ['has_storage_room', 'has_alarm', 'has_elevator'] },
      { features: ['has_elevator'] },
      deviation('features', ['has_elevator', 'has_storage_room'], ['has_elevator']),
    ),
    one(
      extra({ is_furnished: 'yes' }),
      { features: ['furnished'] },
      {},
      deviation('is_furnished', 'yes', 'no'),
    ),
    one(
      extra({ is_furnished: 'no' }),
      {},
      { features: ['furnished'] },
      deviation('is_furnished', 'no', 'yes'),
    ),
    one(
      extra({ property_condition: ['new', 'good'] }),
      { property_condition: 'good' },
      { property_condition: 'unfinished' },
      deviation('property_condition', ['new', 'good'], 'unfinished'),
    ),
    one(
      extra({ orientation: ['s'] }),
      { extra: { orientation: 's' } },
      { extra: { orientation: 'se' } },
      deviation('orientation', ['s'], 'se'),
    ),
    ...[
      ['heating_type', 'central', 'none'],
      ['heating_source', 'gas', 'oil'],
      ['construction_type', 'stone', 'wood'],
      ['garden', 'private', 'shared'],
    ].map(([key = '', good, bad]) =>
      one(
        extra({ [key]: [good] }),
        { details: { [key]: good } },
        { details: { [key]: bad } },
        deviation(key, [good], bad),
      ),
    ),
    one(
      extra({ garden_size_min: 10.5 }),
      { extra: { garden_size: 10.5 } },
      { extra: { garden_size: 10 } },
      deviation('garden_size', range(10.5, null), 10),
    ),
    one(
      extra({ land_size_max: 100 }),
      { details: { land_size: 99.5 } },
      { details: { land_size: 100.5 } },
      deviation('land_size', range(null, 100), 100.5),
    ),
    one(
      extra({ parking_total_min: 1 }),
      { details: { parking_total: 2 } },
      {},
      deviation('parking_total', range(1, null), null),
    ),
    one(
      extra({ bathrooms_total_min: 2 }),
      { bathrooms: 2 },
      { bathrooms: 1 },
      deviation('bathrooms_total', range(2, null), 1),
    ),
    one(
      extra({ yield_min: 4.5 }),
      { extra: { yield: 4.5 } },
      { extra: { yield: 4.4 } },
      deviation('yield', range(4.5, null), 4.4),
    ),
    one(
      extra({ special_locations: [2, 1] }),
      { location: { ...KOLONAKI, latitude: SYNTAGMA.latitude + 0.0089, longitude: SYNTAGMA.longitude } },
      { location: { ...KOLONAKI, latitude: SYNTAGMA.latitude, longitude: SYNTAGMA.longitude + 0.0115 } },
      deviation('special_locations', [2, 1], 1009),
    ),
    one(
      extra({ special_locations: [1] }),
      { location: { ...KOLONAKI, ...SYNTAGMA } },
      { location: { ...KOLONAKI, latitude: 0, longitude: 0 } },
      deviation('special_locations', [1], null),
    ),
    one(
      extra({ listing_tags: [1, 3] }),
      { tags: [3, 2, 1] },
      { tags: [3] },
      deviation('listing_tags', [1, 3], [3]),
    ),
  ]

  it.each(cases)('%j: met by %j, not by %j', async (request, met, unmet, expected) => {
    const where = { locations: [111] }
    expect(await matchOf({ ...where, ...request }, met)).toMatchObject({ score: 100, deviations: [] })
    // Beside another criterion that is met, half of the criteria deviate.
    const [other, held] = besides(request)
    const wish = {
      ...where,
      ...other,
      ...request,
      extra_fields: { ...other.extra_fields, ...extraOf(request) },
    }
    expect(await matchOf(wish, { ...held, ...unmet })).toMatchObject({ score: 50, deviations: [expected] })
    // Alone it leaves nothing that is met, but the listing is still what is looked for, where it is looked for.
    expect(await matchOf({ ...where, ...request }, unmet)).toMatchObject({ score: 0, deviations: [expected] })
  })

  it.each([
    [{ category: 'land', extra_fields: { build_ratio_max: 0.8 } }, 'build_ratio', 0.8, 0.81],
    [{ category: 'land', extra_fields: { coverage_ratio_max: 60 } }, 'coverage_ratio', 60, 61],
  ])('%j', async (request, field, good, bad) => {
    const listing = (value: number) => ({ category: 'land', details: { [field]: value }, price: 1 })
    expect(await matchOf(request, listing(good))).toMatchObject({ score: 100 })
    expect(await matchOf({ ...request, price_max: 1 }, listing(bad))).toMatchObject({
      score: 50,
      deviations: [{ criterion: field, found: bad }],
    })
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

  /** A criterion that `request` does not ask for, and a listing's value that meets it. */
  function besides(request: object) {
    return 'rooms_max' in request
      ? ([{ size_max: 7, extra_fields: {} }, { size: 7 }] as const)
      : ([{ rooms_max: 7, extra_fields: {} }, { rooms: 7 }] as const)
  }

  function extraOf(request: object): object {
    return 'extra_fields' in request ? (request.extra_fields as object) : {}
  }
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
    const { status, headers, body } = await get(`/api/requests/${request}/matches`)
    expect({ status, total: headers.get('X-Total-Count') }).toEqual({ status: 200, total: '4' })
    expect(body).toMatchObject({
      status: 200,
      page: 1,
      total_pages: 1,
      results_per_page: 50,
      total_results: 4,
    })
    expect(body.data.map(({ listing_id }: { listing_id: number }) => listing_id)).toEqual([
      third,
      first,
      fourth,
      second,
    ])
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
    const lacking = (scope: string) => ({
      status: 403,
      body: { status: 403, error_message: `This API key lacks the scope ${scope}` },
    })
    const listingKey = await keyWith('listings:read')
    const requestKey = await keyWith('requests:read')
    expect(await get(path, { key: listingKey })).toMatchObject(lacking('requests:read'))
    expect(await get(path, { key: requestKey })).toMatchObject(lacking('listings:read'))
    expect(await query(path, {}, { key: listingKey })).toMatchObject(lacking('requests:read'))
    for (const scopes of [['listings:read', 'requests:read'], ['*:read']]) {
      expect((await get(path, { key: await keyWith(...scopes) })).status).toBe(200)
    }
    expect((await get(`/api/requests/${request}/matches`, { key: listingKey })).status).toBe(403)
    expect((await get(`/api/requests/${request}/matches`, { key: requestKey })).status).toBe(200)
  })
})

describe('a request that hundreds of listings meet', { timeout: 60_000 }, () => {
  const kind = { category: 'other', availability: 'rent' }

  async function loadListings(count: number, price: number): Promise<void> {
    await execute(
      `insert into listings (store_id, category, availability, status, price, size, area_level1,
        created_by, date_created, date_updated)
      select 1, 'other', 'rent', 'active', ?, 10, 1, 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00' from json_each(?)`,
      price,
      JSON.stringify(Array.from({ length: count }, (_, index) => index)),
    )
  }

  it('keeps the 500 best', async () => {
    await loadListings(300, 100)
    await loadListings(300, 50)
    const { id } = await createRequest({ ...kind, locations: [1], price_max: 50, size_max: 10 })
    const scores = async () => {
      const results = await selectAll(
        'select score, count(*) as count from request_matches where request_id = ? group by 1 order by 1 desc',
        id,
      )
      return results
    }
    expect(await scores()).toEqual([
      { score: 100, count: 300 },
      { score: 50, count: 200 },
    ])
    const { body } = await get(`/api/requests/${id}/matches?page=10`)
    expect(body).toMatchObject({ total_results: 500, total_pages: 10 })
    expect(body.data).toHaveLength(50)
    // A better one takes the place of the worst, a worse one takes none.
    await createActiveListing({ ...kind, price: 1, size: 10 })
    expect((await scores())[0]).toEqual({ score: 100, count: 301 })
    expect((await scores())[1]).toEqual({ score: 50, count: 199 })
    const oldest = (await get(`/api/requests/${id}/matches?page=10`)).body.data[49].listing_id - 1
    await put(`/api/listings/${oldest}`, { notes: 'touched' })
    expect((await matchesOf(id)).map(listingId)).not.toContain(oldest)
    // From its own side it is no secret that the request would take it.
    expect(await matchesOfListing(oldest)).toMatchObject([{ request_id: id, score: 50 }])
    // One that stays among them is brought up to date.
    const best = (await matchesOf(id))[0].listing_id
    await put(`/api/listings/${best}`, { price: 1000 })
    expect(await matchesOfListing(best)).toMatchObject([{ score: 50 }])
    expect(await storedPairs()).toEqual(await expectedPairs())
  })
})

const listingId = ({ listing_id }: { listing_id: number }) => listing_id
