import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SUBCATEGORIES } from '../../../src/catalogue/enums.ts'
import { expectInvalid, put } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { changeListing, createOldListing, type Json, readAll } from './updating.ts'

beforeAll(seedAgency)

let id = 0

beforeEach(async () => {
  id = await createOldListing()
})

const change = (body: unknown) => changeListing(id, body)

const update = (body: unknown) => put(`/api/listings/${id}`, body)

describe('PUT /api/listings/{id}: groups are merged key by key', () => {
  it.each<[body: Json, changed: Json]>([
    [{ details: { wcs: null, kitchens: 1 } }, { wcs: null, kitchens: 1 }],
    [{ details: { thermal_break: null } }, { thermal_break: false }],
    [{ details: null }, { wcs: null, heating_type: null, thermal_break: false }],
    [{ 'the service': { rating: 5 } }, { rating: 5 }],
    [{ extra: { rating: 1, yield: 4.5 } }, { rating: 1, yield: 4.5 }],
    [
      { extra: { rating: 1, yield: 4.5 }, 'the service': { rating: 2 } },
      { rating: 2, yield: 4.5 },
    ],
  ])('%j', async (body, changed) => expect(await change(body)).toEqual(changed))
})

describe('PUT /api/listings/{id}: lists are replaced whole', () => {
  it.each<[body: Json, changed: Json]>([
    [{ tags: [3] }, { tags: [3] }],
    [{ tags: null }, { tags: [] }],
    [{ users: [3, 1, 3] }, { users: [3, 1] }],
    [{ features: ['alarm', 'elevator'] }, { features: ['alarm', 'elevator'] }],
    [{ positioning: ['is_through', 'corner'] }, { positioning: ['through', 'corner'] }],
  ])('%j', async (body, changed) => expect(await change(body)).toEqual(changed))
})

describe('PUT /api/listings/{id}: the price per square metre', () => {
  it.each<[body: Json, changed: Json]>([
    [{ price: 200_000 }, { price: 200_000, price_per_sqm: 2500 }],
    [{ size: 33.3 }, { size: 33.3, price_per_sqm: 3003 }],
    [
      { price: 1005, size: 1000 },
      { price: 1005, size: 1000, price_per_sqm: 1.01 },
    ],
    [
      { price: 50_000, size: 40 },
      { price: 50_000, size: 40 },
    ],
    [{ price: null }, { price: null, price_per_sqm: null }],
    [{ size: 0 }, { size: 0, price_per_sqm: null }],
    [{ price_per_sqm: 7 }, { price_per_sqm: 7 }],
    [{ price_per_sqm: null }, { price_per_sqm: null }],
    [
      { price: 5, price_per_sqm: 7.777 },
      { price: 5, price_per_sqm: 7.777 },
    ],
    [
      { price: 5, price_per_sqm: null },
      { price: 5, price_per_sqm: null },
    ],
  ])('%j', async (body, changed) => expect(await change(body)).toEqual(changed))

  it('is not calculated anew when price and size stay as they are', async () => {
    await change({ price_per_sqm: 7 })
    expect(await change({ price: 100_000, size: 80 })).toEqual({})
    expect(await change({ rooms: 9 })).toEqual({ rooms: 9 })
    expect(await change({ price: 100_001 })).toEqual({ price: 100_001, price_per_sqm: 1250.01 })
  })
})

describe('PUT /api/listings/{id}: notes, title and description', () => {
  const greek = { language_id: 1, title: 'Τίτλος', description: 'Περιγραφή' }

  it.each<[body: Json, changed: Json]>([
    [{ notes: '' }, { notes: null }],
    [{ title: 'Νέος' }, { translations: [{ ...greek, title: 'Νέος' }] }],
    [{ description: 'Νέα', language_id: 1 }, { translations: [{ ...greek, description: 'Νέα' }] }],
    [
      { title: 'New', language_id: 2 },
      { translations: [greek, { language_id: 2, title: 'New', description: null }] },
    ],
    [{ title: null }, { translations: [{ ...greek, title: null }] }],
    [{ title: '', description: null }, { translations: [] }],
  ])('%j', async (body, changed) => expect(await change(body)).toEqual(changed))

  it('a language without texts is no translation', async () => {
    await change({ title: 'New', language_id: 2 })
    expect(await change({ title: '', language_id: 2 })).toEqual({ translations: [greek] })
    const rows = await env.DB.prepare('select language_id from listing_translations where listing_id = ?')
      .bind(id)
      .all()
    expect(rows.results).toEqual([{ language_id: 1 }])
  })
})

describe('PUT /api/listings/{id}: land', () => {
  it('changing the category to land and back clears nothing', async () => {
    expect(await change({ category: 'land' })).toEqual({ category: 'land' })
    expect(await change({ price: 5 })).toEqual({ price: 5, price_per_sqm: 0.06 })
    expect(await change({ category: 'residential' })).toEqual({ category: 'residential' })
  })
})

describe('PUT /api/listings/{id}: what is sent must fit the merged record', () => {
  it.each<[body: Json, message: string]>([
    [
      { subcategory: 'office' },
      `Invalid subcategory: must be one of ${SUBCATEGORIES.residential.join(', ')}`,
    ],
    [
      { category: 'land', subcategory: 'apartment' },
      `Invalid subcategory: must be one of ${SUBCATEGORIES.land.join(', ')}`,
    ],
    [{ subtype: 3 }, 'Invalid subtype: belongs to office, not to apartment'],
    [{ subcategory: null, subtype: 1 }, 'Invalid subtype: requires subcategory'],
    [{ subcategory: 'loft', subtype: 1 }, 'Invalid subtype: belongs to apartment, not to loft'],
    [{ features: ['is_buildable'] }, 'Invalid features: buildable does not apply to residential'],
    [{ category: 'land', features: ['has_elevator'] }, 'Invalid features: elevator does not apply to land'],
    [{ title: 'T', language_id: 99 }, 'Unknown language_id 99'],
    [{ tags: [99], details: { frames: 'x' } }, 'Unknown tags 99'],
    [{ view: ['x'], contacts: [99] }, 'Unknown contacts 99'],
  ])('%j', async (body, message) => {
    const before = await readAll(id)
    await expectInvalid(update({ price: 1, ...body }), message)
    expect(await readAll(id)).toEqual(before)
  })

  it.each(['category', 'availability', 'store_id', 'users'])('%s cannot be cleared', async (field) => {
    for (const blank of [null, '', []]) await expectInvalid(update({ [field]: blank }), `Missing ${field}`)
  })

  it('keys that were not sent neither fail nor change', async () => {
    expect(await change({ subcategory: 'villa' })).toEqual({ subcategory: 'villa' })
    expect(await change({ subcategory: null })).toEqual({ subcategory: null })
    expect(await change({ category: 'commercial' })).toEqual({ category: 'commercial' })
    expect(await change({ features: ['shop_window'] })).toEqual({ features: ['shop_window'] })
    await execute('update contacts set is_deleted = 1 where id = 2')
    expect(await change({ price: 9 })).toMatchObject({ price: 9 })
    expect(await change({ contacts: [2, 1] })).toMatchObject({ contacts: [2, 1] })
    await execute('update contacts set is_deleted = 0 where id = 2')
  })
})
