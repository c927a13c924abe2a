import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectInvalid, get, importRecords, put } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { changeListing, createOldListing, full, type Json, LONG_AGO } from './updating.ts'

beforeAll(seedAgency)

let id = 0

beforeEach(async () => {
  id = await createOldListing()
})

const change = (body: unknown) => changeListing(id, body)

const update = (body: unknown) => put(`/api/listings/${id}`, body)

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
  /** The public point as it is stored. */
  async function publicPoint() {
    const { location } = (await get(`/api/listings/${id}`)).body.data
    return { latitude: location.fake_latitude, longitude: location.fake_longitude }
  }

  it('a new address brings its transliteration and its public form, and leaves the point', async () => {
    expect(await change({ location: { address: 'Βουλής 3' } })).toEqual({
      location: { address_el: 'Βουλής 3', address_en: 'Voulis 3', fake_address_el: 'Βουλής' },
    })
    expect(await change({ location: { address: '' } })).toEqual({
      location: { address_el: null, address_en: null, fake_address_el: null },
    })
  })

  it('fake → none keeps the point and hides the street; none → fake keeps the point, too', async () => {
    expect(await change({ location: { display_address: 'none' } })).toEqual({
      location: { show_circle_on_map: false, fake_address_el: null },
    })
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
    expect((await get(`/api/listings/${id}`)).body.data.location).toMatchObject({
      display_address: display,
      show_circle_on_map: circle,
    })
  })

  it('null means none', async () => {
    expect(await change({ location: { display_address: null } })).toEqual({
      location: { show_circle_on_map: false, fake_address_el: null },
    })
  })

  it('null for the whole group clears every key of it', async () => {
    expect(await change({ location: null })).toEqual({
      location: {
        area_level1: null,
        area_level2: null,
        area_level3: null,
        postal_code: null,
        show_circle_on_map: false,
        address_el: null,
        address_en: null,
        fake_address_el: null,
        longitude: null,
        latitude: null,
        fake_longitude: null,
        fake_latitude: null,
      },
    })
  })

  it('an imported public address stays until the address or the point changes', async () => {
    id = 900
    const location = {
      ...full.location,
      fake_address_el: 'Κέντρο',
      fake_latitude: 37.98,
      fake_longitude: 23.74,
    }
    await importRecords([['listings', { ...minimalListing, id, location, date_created: LONG_AGO }]])
    expect(await change({ location: { postal_code: '1' } })).toEqual({ location: { postal_code: '1' } })
    expect(await change({ location: { address: 'Βουλής 3' } })).toMatchObject({
      location: { fake_address_el: 'Βουλής' },
    })
    expect(await publicPoint()).toEqual({ latitude: 37.98, longitude: 23.74 })
  })
})
