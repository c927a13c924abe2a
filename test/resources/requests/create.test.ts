import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { SUBCATEGORIES } from '../../../src/catalogue/property-enums.ts'
import { expectInvalid, expectProblems, get, importRecords, post } from '../../support/api.ts'
import { listingLine } from '../../support/factories/listing.ts'
import { importLine } from '../../support/transfer.ts'
import {
  createActiveListing,
  createRequest,
  FIELDS,
  matchesOf,
  matchesOfListing,
  minimalRequest,
  readRequest,
  seedRequests,
  storedRequest,
} from './seed.ts'

beforeAll(seedRequests)

describe('POST /api/requests', () => {
  it('answers the request, and stores the defaults', async () => {
    const { status, body } = await post('/api/requests', minimalRequest)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['status', 'data'])
    const { id, date_created } = body.data
    expect(body.data).toMatchObject({
      ...{ status: 2, date_updated: date_created, subcategories: SUBCATEGORIES.residential, ...NO_LIMITS },
      locations: [{ area_level1: 1, area_level2: 11, area_level3: null }],
    })
    expect(await readRequest(id)).toMatchObject({ ...body.data, title: 'Residential for sale: Athens' })
    expect(await storedRequest(id)).toMatchObject({ version: 1, is_deleted: 0, criteria: '{}' })
  })

  it('takes land and short-term keys where they apply', async () => {
    const ratios = { build_ratio_min: 0.4, build_ratio_max: 1.2 }
    const land = { ...ratios, coverage_ratio_min: 10, coverage_ratio_max: 60.5 }
    const short = { shortterm_unit: 'per_day', shortterm_max_guests_min: 2, shortterm_max_guests_max: 6 }
    for (const body of [
      { category: 'land', extra_fields: land },
      { availability: 'shortterm', extra_fields: short },
    ])
      expect((await createRequest(body)).extra_fields).toEqual(body.extra_fields)
  })

  it('takes either vocabulary and gives the input one back', async () => {
    const { extra_fields } = await createRequest({
      extra_fields: {
        view: ['sea_view', 'sea', 'mountain'],
        positioning: ['corner', 'is_through'],
        features: ['storage', 'has_elevator', 'elevator', 'seafront'],
      },
    })
    expect(extra_fields).toEqual({
      view: ['sea', 'mountain'],
      positioning: ['is_corner', 'is_through'],
      features: ['has_storage_room', 'has_elevator', 'is_seaside'],
    })
  })

  it('ignores unknown keys, and does not name those inside extra_fields', async () => {
    const body = {
      ...minimalRequest,
      id: 7,
      colour: 'red',
      extra_fields: { colour: 'red', '07': 1, __proto__: 1 },
    }
    const reply = await post('/api/requests', body)
    expect(reply.headers.get('X-Ignored-Fields')).toBe('id, colour')
    expect(reply.body.data.extra_fields).toEqual({})
    const strict = { headers: { Prefer: 'handling=strict' } }
    const inside = { ...minimalRequest, extra_fields: { colour: 'red' } }
    expect((await post('/api/requests', inside, strict)).status).toBe(200)
    await expectInvalid(post('/api/requests', body, strict), 'Invalid id: no such field')
  })
})

describe('POST /api/requests: the title', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['up to three places', { locations: [111, 12, 2, 21] }, 'Residential for sale: Kolonaki, Piraeus, Crete'],
    ['rent', { availability: 'rent', category: 'commercial' }, 'Commercial for rent: Athens'],
    ['auction', { availability: 'auction', category: 'land' }, 'Land for auction: Athens'],
    [
      'short term',
      { availability: 'shortterm', category: 'other', extra_fields: { shortterm_unit: 'per_day' } },
      'Other property for short-term rent: Athens',
    ],
    ['a given one', { title: 'Mine' }, 'Mine'],
  ])('%s', async (_, body, title) => {
    const { id } = await createRequest(body)
    expect(await readRequest(id)).toMatchObject({ title })
  })

  it('never becomes longer than a title may be', async () => {
    const names = { name_el: 'Α', name_en: 'Ω'.repeat(200), full_name_el: 'Α', full_name_en: 'Α' }
    await importRecords([8, 9].map((id) => ['locations', { id, level: 1, parent_id: null, ...names }]))
    const { id } = await createRequest({ locations: [8, 9] })
    expect((await readRequest(id)).title).toHaveLength(255)
  })
})

describe('POST /api/requests: the status', () => {
  it('is the lowest without a setting, and missing without any', async () => {
    await env.DB.exec("delete from settings where key = 'default_request_status_id'")
    expect((await createRequest()).status).toBe(1)
    await env.DB.exec(
      `
      delete from request_matches; delete from request_contacts; delete from request_users;
      delete from request_locations; delete from request_tag_links; delete from requests;
      delete from request_statuses`.replaceAll('\n', ' '),
    )
    await expectInvalid(post('/api/requests', minimalRequest), 'Missing status')
    const body = { ...minimalRequest, status: 'open' }
    await expectProblems('POST', '/api/requests', body, ['Invalid status: must be an integer'])
    await importRecords([1, 2, 3].map((id) => ['request_statuses', { id, name: `Status ${id}` }]))
    await importRecords([['settings', { key: 'default_request_status_id', value: 2 }]])
  })
})

describe('POST /api/requests: what does not apply is dropped before it is looked at', () => {
  const wrong = 'wrong'
  it('land has no rooms, floors, years and nothing of a building', async () => {
    const { id } = await createRequest({
      category: 'land',
      year_built_min: wrong,
      rooms_max: -5,
      floor_min: 99.5,
      has_elevator: 'yes',
      elevator_min_floor: wrong,
      extra_fields: {
        heating_type: wrong,
        heating_source: [wrong],
        construction_type: 5,
        garden: {},
        is_furnished: 'maybe',
        land_size_min: 1.5,
        parking_total_max: wrong,
        bathrooms_total_min: wrong,
        shortterm_unit: wrong,
        shortterm_max_guests_min: wrong,
      },
    })
    const request = await readRequest(id)
    expect(request).toMatchObject({ ...NO_LIMITS, has_elevator: false, elevator_min_floor: null })
    expect(request.extra_fields).toEqual({})
  })

  it('buildings have no ratios, rents no yield', async () => {
    const extra = { build_ratio_min: wrong, coverage_ratio_max: -1, yield_min: 500 }
    expect((await createRequest({ availability: 'rent', extra_fields: extra })).extra_fields).toEqual({})
  })

  it('the lowest floor of an elevator needs the elevator', async () => {
    const { id } = await createRequest({ elevator_min_floor: wrong })
    expect(await readRequest(id)).toMatchObject({ elevator_min_floor: null })
  })
})

describe('POST /api/requests: what is refused', () => {
  type Json = Record<string, unknown>
  const extra = (fields: Json) => ({ extra_fields: fields })
  const unordered = (pair: string) => ({ [`${pair}_min`]: 5, [`${pair}_max`]: 4 })
  const many = Array.from({ length: 100_000 }, (_, index) => 1_000_000 + index)
  const [ofLand, shortterm] = [{ category: 'land' }, { availability: 'shortterm' }]

  const refused = (body: Json, message: string) =>
    expectInvalid(post('/api/requests', { ...minimalRequest, ...body }), message)

  it.each<[body: Json, message: string]>([
    [{ locations: [{ area_level1: 1 }] }, 'Invalid locations.0: must be an integer'],
    [
      { category: 'land', subcategories: ['plot', 'villa'] },
      'Invalid subcategories: must be any of plot, parcel, island',
    ],
    [
      { subtypes: [4] },
      `Invalid subtypes: 4 belongs to plot, not to ${SUBCATEGORIES.residential.join(' or ')}`,
    ],
    [{ subcategories: ['villa'], subtypes: [1] }, 'Invalid subtypes: 1 belongs to apartment, not to villa'],
    ...[-2, -0.25, 0.75, 2.5, 128].map((floor_min): [Json, string] => [
      { floor_min },
      'Invalid floor_min: must be one of -1, -0.5, 0, 0.5, 1, 1.5 or a whole number from 2 to 127',
    ]),
    [{ has_elevator: true, elevator_min_floor: '2' }, 'Invalid elevator_min_floor: must be a number'],
    [
      extra({ features: ['has_moat'] }),
      'Invalid extra_fields.features: has_moat is not in the list that /api/listings/features serves',
    ],
    [
      extra({ features: ['is_buildable'] }),
      'Invalid extra_fields.features: is_buildable does not apply to residential',
    ],
    [extra({ [FIELDS.select]: 9 }), 'Invalid extra_fields.32: must be one of 1, 2'],
    [extra({ [FIELDS.checkbox]: 'x' }), 'Invalid extra_fields.34: must be true or false'],
    [extra({ 99: 'x' }), 'Unknown extra_fields 99'],
    ...['price', 'price_per_sqm', 'size', 'year_built', 'rooms', 'floor'].map((pair): [Json, string] => [
      unordered(pair),
      `Invalid ${pair}_min: must not be above ${pair}_max`,
    ]),
    ...Object.entries({
      ...{ garden_size: {}, land_size: {}, parking_total: {}, bathrooms_total: {} },
      ...{ build_ratio: ofLand, coverage_ratio: ofLand, shortterm_max_guests: shortterm },
    }).map(([pair, kind]): [Json, string] => [
      { ...kind, ...extra({ shortterm_unit: 'per_day', ...unordered(pair) }) },
      `Invalid extra_fields.${pair}_min: must not be above ${pair}_max`,
    ]),
    ...[{}, { extra_fields: null }, extra({}), extra({ shortterm_unit: '' })].map((body): [Json, string] => [
      { ...shortterm, ...body },
      'Missing extra_fields.shortterm_unit',
    ]),
  ])('%j', refused)

  it('more than the database can be asked about', async () => {
    const unknown = Object.fromEntries(many.map((id) => [id, 1]))
    await refused({ users: many.slice(0, 1001) }, 'Invalid users: must have at most 1000 entries')
    await refused(extra(unknown), 'Invalid extra_fields: must have at most 2000 entries')
    const options = 'Invalid extra_fields.33: must be an array of any of 1, 2'
    await refused(extra({ [FIELDS.select_multi]: many }), options)
    await refused(extra({ view: many }), 'Invalid extra_fields.view: must have at most 1000 entries')
  })
})

const NO_LIMITS = Object.fromEntries(
  ['price', 'price_per_sqm', 'size', 'year_built', 'rooms', 'floor'].flatMap((name) => [
    [`${name}_min`, null],
    [`${name}_max`, null],
  ]),
)

const importRequest = (data: Record<string, unknown>) => importLine('requests', data)

describe('import of requests', () => {
  it('hides and brings back, with its matches', async () => {
    const listing = await createActiveListing()
    await importRequest({ ...minimalRequest, id: 503 })
    expect(await matchesOf(503)).toMatchObject([{ listing_id: listing, score: 100 }])
    await importRequest({ ...minimalRequest, id: 503, is_deleted: true })
    expect((await get('/api/requests/503')).status).toBe(404)
    expect((await matchesOfListing(listing)).map(requestId)).not.toContain(503)
    await importRequest({ ...minimalRequest, id: 503 })
    expect((await get('/api/requests/503')).status).toBe(404)
    await importRequest({ id: 503, is_deleted: false })
    expect((await matchesOfListing(listing)).map(requestId)).toContain(503)
  })
})

describe('import of listings', () => {
  it('finds their requests', async () => {
    const kind = { availability: 'rent', category: 'commercial' }
    const { id: request } = await createRequest({ ...kind, price_max: 100 })
    const line = { ...kind, location: { area_level1: 1, area_level2: 11 }, price: 90 }
    await importRecords([listingLine(800, line)])
    expect(await matchesOf(request)).toMatchObject([{ listing_id: 800, score: 100, deviations: [] }])
    await importRecords([listingLine(800, { ...line, status: 'archived' })])
    expect(await matchesOf(request)).toEqual([])
  })
})

const requestId = ({ request_id }: { request_id: number }) => request_id
