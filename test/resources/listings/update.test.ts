import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SUBCATEGORIES } from '../../../src/catalogue/property-enums.ts'
import { expectInvalid, importRecords, put } from '../../support/api.ts'
import { execute, selectAll } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { changeListing, createOldListing, full, type Json, LONG_AGO, readAll } from './updating.ts'

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
  it.each<[body: Json, price_per_sqm?: number | null]>([
    [{ price: 200_000 }, 2500],
    [{ size: 33.3 }, 3003],
    [{ price: 1005, size: 1000 }, 1.01],
    [{ price: 50_000, size: 40 }],
    [{ price: null }, null],
    [{ size: 0 }, null],
    [{ price_per_sqm: 7 }],
    [{ price_per_sqm: null }],
    [{ price: 5, price_per_sqm: 7.777 }],
    [{ price: 5, price_per_sqm: null }],
  ])('%j → %j', async (body, price_per_sqm) => {
    expect(await change(body)).toEqual({ ...body, ...(price_per_sqm === undefined ? {} : { price_per_sqm }) })
  })

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
    const rows = await selectAll('select language_id from listing_translations where listing_id = ?', id)
    expect(rows).toEqual([{ language_id: 1 }])
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

describe('PUT /api/listings/{id}: the places', () => {
  it.each<[location: Json, message: string]>([
    [{ area_level2: 12 }, 'Invalid location.area_level3: is not part of area_level2 12'],
    [{ area_level1: 2 }, 'Invalid location.area_level2: is not part of area_level1 2'],
    [{ area_level1: null }, 'Invalid location.area_level2: requires area_level1'],
    [{ area_level2: null }, 'Invalid location.area_level3: requires area_level2'],
    [{ area_level1: 1, area_level2: 21 }, 'Invalid location.area_level2: is not part of area_level1 1'],
  ])('%j does not fit what is stored', (location, message) => expectInvalid(update({ location }), message))

  it.each<[location: Json, message: string]>([
    [{ area_level3: { id: 99 } }, 'Unknown location.area_level3 99'],
    [{ area_level1: { id: 2 } }, 'Invalid location.area_level2: is not part of area_level1 2'],
    [{ area_level1: { id: null } }, 'Invalid location.area_level1: must be an integer'],
  ])('%j counts as its id', (location, message) => expectInvalid(update({ location }), message))

  it('fit together with what is stored', async () => {
    const placesOf = ({ location }: Json) =>
      Object.values(location as Json).map((area) => (area as { id: number } | null)?.id ?? null)
    expect(placesOf(await change({ location: { area_level3: 112 } }))).toEqual([112])
    expect(placesOf(await change({ location: { area_level2: 12, area_level3: null } }))).toEqual([12, null])
    expect(placesOf(await change({ location: { area_level1: 2, area_level2: 21 } }))).toEqual([2, 21])
    expect(placesOf(await change({ location: { area_level1: null, area_level2: null } }))).toEqual([
      null,
      null,
    ])
    await expectInvalid(
      update({ location: { area_level2: 11 } }),
      'Invalid location.area_level2: requires area_level1',
    )
  })
})

describe('PUT /api/listings/{id} where the stored places are no chain', () => {
  const message = 'Invalid location.area_level3: is not part of area_level2 11'

  beforeEach(() => execute('update listings set area_level3 = 21 where id = ?', id))

  it.each<Json>([{ postal_code: '1' }, { area_level2: 11 }, { latitude: 38 }])(
    'judges the whole with %j',
    async (location) => {
      const misplaced = 'Invalid location.area_level3: must be a location of level 3'
      await expectInvalid(update({ location }), misplaced)
      const names = { name_el: 'x', name_en: 'x', full_name_el: 'x', full_name_en: 'x' }
      await importRecords([['locations', { id: 113, level: 3, parent_id: 12, ...names }]])
      await execute('update listings set area_level3 = 113 where id = ?', id)
      await expectInvalid(update({ location }), message)
    },
  )
})

describe('PUT /api/listings/{id}: the address and the public point', () => {
  const HIDDEN = { show_circle_on_map: false, fake_address_el: null }

  it.each<[what: string, location: Json, changed: Json]>([
    [
      'a new address brings its transliteration and its public form, and leaves the point',
      { address: 'Βουλής 3' },
      { address_el: 'Βουλής 3', address_en: 'Voulis 3', fake_address_el: 'Βουλής' },
    ],
    [
      'no address has neither',
      { address: '' },
      { address_el: null, address_en: null, fake_address_el: null },
    ],
    ['fake → none keeps the point and hides the street', { display_address: 'none' }, HIDDEN],
    ['null means none', { display_address: null }, HIDDEN],
  ])('%s', async (_, location, changed) => {
    expect(await change({ location })).toEqual({ location: changed })
  })

  it('none → fake keeps the point, too', async () => {
    await change({ location: { display_address: 'none' } })
    expect(await change({ location: { display_address: 'fake' } })).toEqual({
      location: { show_circle_on_map: true, fake_address_el: 'Ερμού' },
    })
  })

  it.each<[location: Json, display: boolean, circle: boolean]>([
    [{ display_address: true }, true, false],
    [{ display_address: true, show_circle_on_map: true }, true, false],
    [{ display_address: false, show_circle_on_map: true }, false, true],
    [{ display_address: false, show_circle_on_map: false }, false, false],
    [{ display_address: false }, false, false],
    [{ display_address: 'real', show_circle_on_map: true }, true, false],
    [{ show_circle_on_map: false }, false, true],
  ])('%j shows as %s and %s', async (location, display, circle) => {
    expect((await update({ location })).status).toBe(200)
    const shown = { display_address: display, show_circle_on_map: circle }
    expect((await readAll(id)).location).toMatchObject(shown)
  })

  it('null for the whole group clears every key of it', async () => {
    const places = { area_level1: null, area_level2: null, area_level3: null, postal_code: null }
    const points = { longitude: null, latitude: null, fake_longitude: null, fake_latitude: null }
    expect(await change({ location: null })).toEqual({
      location: { ...places, ...HIDDEN, address_el: null, address_en: null, ...points },
    })
  })

  it('an imported public address stays until the address or the point changes', async () => {
    id = 900
    const shown = { fake_address_el: 'Κέντρο', fake_latitude: 37.98, fake_longitude: 23.74 }
    const location = { ...full.location, ...shown }
    await importRecords([['listings', { ...minimalListing, id, location, date_created: LONG_AGO }]])
    expect(await change({ location: { postal_code: '1' } })).toEqual({ location: { postal_code: '1' } })
    expect(await change({ location: { address: 'Βουλής 3' } })).toMatchObject({
      location: { fake_address_el: 'Βουλής' },
    })
    expect((await readAll(id)).location).toMatchObject({ fake_latitude: 37.98, fake_longitude: 23.74 })
  })
})
