import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { seedAgency } from '../../support/factories/agency.ts'
import { changeListing, createOldListing, type Json, LONG_AGO } from './updating.ts'

beforeAll(seedAgency)

let id = 0

beforeEach(async () => {
  id = await createOldListing()
})

const change = (body: unknown) => changeListing(id, body)

describe('PUT /api/listings/{id}: only the keys sent change', () => {
  it.each<[body: Json]>([
    [{}],
    [{ price: 100_000, size: 80.0 }],
    [{ category: 'residential', subcategory: 'apartment', subtype: 1 }],
    [{ tags: [1, 2] }],
    [{ tags: [1, 2, 1] }],
    [{ users: [1, 2], contacts: [1, 2] }],
    [{ features: ['elevator', 'has_alarm'], view: ['sea_view'] }],
    [{ details: {} }],
    [{ details: { wcs: 1, heating_type: 'central', kitchens: null } }],
    [{ 'the service': {}, extra: {} }],
    [{ location: {} }],
    [{ location: { latitude: 37.9755, address: 'Ερμού 15', display_address: 'fake' } }],
    [{ title: 'Τίτλος', language_id: 1 }],
    [{ title: '', language_id: 2 }],
    [{ language_id: 2 }],
    [{ language_id: 99 }],
    [{ notes: 'Σημείωση' }],
    [{ created_by: 2 }],
    [{ created_by: 99 }],
    [{ created_by: null }],
    [{ created_by: { any: 'thing' } }],
    [{ status: 'active', code: 'X', id: 5, date_created: LONG_AGO, colour: 'red' }],
  ])('%j changes nothing, not even the date', async (body) => expect(await change(body)).toEqual({}))
})

describe('PUT /api/listings/{id}: groups are merged key by key', () => {
  it.each<[body: Json, changed: Json]>([
    [{ details: { wcs: null, kitchens: 1 } }, { wcs: null, kitchens: 1 }],
    [{ details: { thermal_break: null } }, { thermal_break: false }],
    [{ details: { thermal_break: false } }, { thermal_break: false }],
    [{ details: null }, { wcs: null, heating_type: null, thermal_break: false }],
    [{ 'the service': { rating: 5 } }, { rating: 5 }],
    [{ 'the service': { video_url: '' } }, { video_url: null }],
    [
      { 'the service': { tenant_contact_id: null, has_keys: false } },
      { tenant_contact_id: null, has_keys: false },
    ],
    [{ extra: { rating: 1, yield: 4.5 } }, { rating: 1, yield: 4.5 }],
    [
      { extra: { rating: 1, yield: 4.5 }, 'the service': { rating: 2 } },
      { rating: 2, yield: 4.5 },
    ],
    [{ location: { postal_code: '106 76' } }, { location: { postal_code: '106 76' } }],
    [{ location: { postal_code: '' } }, { location: { postal_code: null } }],
  ])('%j', async (body, changed) => expect(await change(body)).toEqual(changed))
})

describe('PUT /api/listings/{id}: lists are replaced whole', () => {
  it.each<[body: Json, changed: Json]>([
    [{ tags: [3] }, { tags: [3] }],
    [{ tags: [] }, { tags: [] }],
    [{ tags: null }, { tags: [] }],
    [{ contacts: null }, { contacts: [] }],
    [{ users: [3, 1, 3] }, { users: [3, 1] }],
    [{ features: ['alarm', 'elevator'] }, { features: ['alarm', 'elevator'] }],
    [
      { features: null, view: [] },
      { features: [], view: [] },
    ],
    [{ positioning: ['is_through', 'corner'] }, { positioning: ['through', 'corner'] }],
  ])('%j', async (body, changed) => expect(await change(body)).toEqual(changed))
})
