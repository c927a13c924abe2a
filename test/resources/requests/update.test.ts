import { beforeAll, describe, expect, it } from 'vitest'
import { SUBCATEGORIES } from '../../../src/catalogue/property-enums.ts'
import { expectInvalid, expectProblems, get, put } from '../../support/api.ts'
import { backdate, createRequest, FIELDS, readRequest, seedRequests, storedRequest } from './seed.ts'

const NOT_RESIDENTIAL = `Invalid subcategories: must be any of ${SUBCATEGORIES.residential.join(', ')}`
const NO_FIREPLACE = 'Invalid extra_fields.features: has_fireplace does not apply to land'

beforeAll(seedRequests)

const FULL = {
  locations: [111, 12],
  contacts: [1, 2],
  users: [1, 2],
  title: 'Full',
  subcategories: ['apartment', 'villa'],
  subtypes: [1, 5],
  price_min: 100,
  price_max: 200,
  size_min: 50,
  year_built_min: 1990,
  rooms_min: 2,
  rooms_max: 3,
  floor_min: 1,
  has_elevator: true,
  elevator_min_floor: 2,
  rating: 3,
  source_id: 1,
  status: 1,
  tags: [1, 2],
  notes: 'Notes',
  extra_fields: {
    view: ['sea'],
    heating_type: ['central'],
    features: ['golden_visa', 'has_fireplace'],
    is_furnished: 'yes',
    garden_size_min: 5,
    land_size_min: 100,
    bathrooms_total_max: 2,
    yield_min: 4,
    [FIELDS.text]: 'text',
    [FIELDS.select_multi]: [1, 2],
  },
}

const createFull = async (): Promise<number> => (await createRequest(FULL)).id

async function update(id: number, body: Record<string, unknown>) {
  const { status, body: answer } = await put(`/api/requests/${id}`, body)
  expect(answer).toMatchObject({ status: 200 })
  expect(status).toBe(200)
  return readRequest(id)
}

describe('PUT /api/requests/{id}', () => {
  it('answers the request as it is then', async () => {
    const id = await createFull()
    await backdate(id)
    const { status, body } = await put(`/api/requests/${id}`, { price_max: 500, locations: [21, 1] })
    const read = (await get(`/api/requests/${id}`)).body
    expect({ status, body }).toEqual({ status: 200, body: read })
    expect(body.data).toMatchObject({
      price_min: 100,
      price_max: 500,
      locations: [
        { area_level1: 2, area_level2: 21, area_level3: null },
        { area_level1: 1, area_level2: null, area_level3: null },
      ],
      date_created: '2020-01-01 00:00:00',
    })
    expect(body.data.date_updated > '2020-01-01 00:00:00').toBe(true)
    expect(await storedRequest(id)).toMatchObject({ version: 2, title: 'Full' })
  })

  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ notes: '' }, { notes: null }],
    [{ subcategories: null }, { subcategories: SUBCATEGORIES.residential, subtypes: [1, 5] }],
    [{ subcategories: ['villa'] }, { subcategories: ['villa'], subtypes: [5] }],
    [{ title: null }, { title: 'Residential for sale: Kolonaki, Piraeus' }],
    [{ title: '', locations: [2] }, { title: 'Residential for sale: Crete' }],
    [{ status: null }, { status: 2 }],
    [
      { has_elevator: false, elevator_min_floor: 5 },
      { has_elevator: false, elevator_min_floor: null },
    ],
  ])('%j gives %j', async (body, expected) => {
    const id = await createFull()
    const after = await update(id, body)
    expect(after).toEqual({ ...after, ...expected })
  })

  it('merges extra_fields key by key, and null, "" and [] clear one', async () => {
    const id = await createFull()
    const sent = {
      features: ['elevator'],
      orientation: ['s'],
      view: [],
      heating_type: '',
      is_furnished: null,
      garden_size_min: '',
      yield_min: null,
      [FIELDS.text]: '',
      [FIELDS.select]: 1,
    }
    expect((await update(id, { extra_fields: sent })).extra_fields).toEqual({
      orientation: ['s'],
      features: ['has_elevator'],
      land_size_min: 100,
      bathrooms_total_max: 2,
      [FIELDS.select]: 1,
      [FIELDS.select_multi]: [1, 2],
    })
  })
})

describe('PUT /api/requests/{id} that changes what the request is about', () => {
  it('to land: clears whatever only a building has', async () => {
    const id = await createFull()
    expect(await update(id, { category: 'land', rooms_max: 5 })).toMatchObject({
      category: 'land',
      subcategories: SUBCATEGORIES.land,
      subtypes: [],
      price_min: 100,
      size_min: 50,
      year_built_min: null,
      rooms_min: null,
      rooms_max: null,
      floor_min: null,
      has_elevator: false,
      elevator_min_floor: null,
      title: 'Full',
    })
    expect((await readRequest(id)).extra_fields).toEqual({
      view: ['sea'],
      features: ['golden_visa'],
      garden_size_min: 5,
      yield_min: 4,
      [FIELDS.text]: 'text',
      [FIELDS.select_multi]: [1, 2],
    })
  })

  it('from land: clears whatever only land has', async () => {
    const { id } = await createRequest({
      category: 'land',
      subcategories: ['plot'],
      subtypes: [4],
      extra_fields: { build_ratio_min: 1, coverage_ratio_max: 50, features: ['is_buildable'] },
    })
    const after = await update(id, { category: 'residential', subtypes: [1], rooms_min: 2 })
    expect(after).toEqual({
      ...after,
      subcategories: SUBCATEGORIES.residential,
      subtypes: [1],
      rooms_min: 2,
      extra_fields: {},
    })
  })

  it('to and from a short term, and away from sale', async () => {
    const { id } = await createRequest({ extra_fields: { yield_min: 4 } })
    const short = { shortterm_unit: 'per_week', shortterm_max_guests_min: 4 }
    expect((await update(id, { availability: 'shortterm', extra_fields: short })).extra_fields).toEqual(short)
    expect((await update(id, { shortterm_unit: 'x', notes: 'kept' })).extra_fields).toEqual(short)
    const sale = { availability: 'sale', extra_fields: { yield_min: 5 } }
    expect((await update(id, sale)).extra_fields).toEqual(sale.extra_fields)
  })

  it('takes subcategories of the new category only', async () => {
    const id = await createFull()
    const body = { category: 'commercial', subcategories: ['office', 'villa'] }
    await expectInvalid(
      put(`/api/requests/${id}`, body),
      `Invalid subcategories: must be any of ${SUBCATEGORIES.commercial.join(', ')}`,
    )
    const changed = await update(id, { category: 'commercial', subcategories: ['office'], subtypes: [3] })
    expect(changed).toMatchObject({ subcategories: ['office'], subtypes: [3] })
  })
})

describe('PUT /api/requests/{id}: what is refused', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ availability: null }, 'Missing availability'],
    [{ contacts: [] }, 'Missing contacts'],
    [{ subtypes: [2, 4] }, 'Invalid subtypes: 4 belongs to plot, not to apartment or villa'],
    [{ subcategories: ['plot'] }, NOT_RESIDENTIAL],
    [{ price_min: 201 }, 'Invalid price_min: must not be above price_max'],
    [{ price_max: 99 }, 'Invalid price_max: must not be below price_min'],
    [
      { extra_fields: { bathrooms_total_min: 3 } },
      'Invalid extra_fields.bathrooms_total_min: must not be above bathrooms_total_max',
    ],
    [
      { extra_fields: { land_size_max: 99 } },
      'Invalid extra_fields.land_size_max: must not be below land_size_min',
    ],
    [{ availability: 'shortterm' }, 'Missing extra_fields.shortterm_unit'],
    [{ category: 'land', extra_fields: { features: ['fireplace'] } }, NO_FIREPLACE],
  ])('%j → 400, and nothing of the body is stored', async (body, message) => {
    const id = await createFull()
    const before = await storedRequest(id)
    await expectInvalid(put(`/api/requests/${id}`, { notes: 'changed', ...body }), message)
    expect(await storedRequest(id)).toEqual(before)
  })

  it.each<[Record<string, unknown>, string]>([
    [{ price_min: 1.5, price_max: 99 }, 'Invalid price_min: must be an integer'],
    [{ price_min: 201, price_max: 1.5 }, 'Invalid price_max: must be an integer'],
    [{ subcategories: ['plot'], subtypes: [1] }, NOT_RESIDENTIAL],
    [
      { availability: 'shortterm', extra_fields: { shortterm_unit: 'per_life' } },
      'Invalid extra_fields.shortterm_unit: must be one of per_day, per_week, per_month, per_season, per_year',
    ],
    [{ availability: 'shortterm', extra_fields: 5 }, 'Invalid extra_fields: must be an object'],
  ])('%j → 400 with nothing that only follows from it', async (body, message) => {
    await expectProblems('PUT', `/api/requests/${await createFull()}`, body, [message])
  })

  it('keeps the unit of a short term', async () => {
    const { id } = await createRequest({
      availability: 'shortterm',
      extra_fields: { shortterm_unit: 'per_day' },
    })
    for (const extra_fields of [null, { shortterm_unit: null }, { shortterm_unit: '' }]) {
      await expectInvalid(put(`/api/requests/${id}`, { extra_fields }), 'Missing extra_fields.shortterm_unit')
    }
  })
})
