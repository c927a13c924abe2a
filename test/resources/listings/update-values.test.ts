import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { seedAgency } from '../../support/factories/agency.ts'
import { changeListing, createOldListing, type Json } from './updating.ts'

beforeAll(seedAgency)

let id = 0

beforeEach(async () => {
  id = await createOldListing()
})

const change = (body: unknown) => changeListing(id, body)

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
    [{ notes: 'Άλλη' }, { notes: 'Άλλη' }],
    [{ notes: '' }, { notes: null }],
    [{ notes: null }, { notes: null }],
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
