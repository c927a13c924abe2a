import { beforeAll, describe, expect, it } from 'vitest'
import { expectInvalid, importRecords, post } from '../../support/api.ts'
import { importLine } from '../../support/transfer.ts'
import { countRows, create, EMPTY, read, seedExternalListings } from './seed.ts'

const DATE_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

beforeAll(seedExternalListings)

describe('POST /api/external-listings', () => {
  it('answers the whole record, filled with what was not sent', async () => {
    const { headers, body } = await post('/api/external-listings', { created_by: 1, store_id: 1 })
    const { id, date_created } = body.data
    expect(date_created).toMatch(DATE_TIME)
    const data = { id, ...EMPTY, date_created, date_updated: date_created }
    expect(body).toEqual({ status: 200, data })
    expect(headers.get('X-Photo-Errors')).toBeNull()
    expect(await read(id)).toEqual(body.data)
  })

  it.each<[body: Record<string, unknown>, latitude: number, longitude: number]>([
    [{ latitude: 37.5, longitude: 23.5 }, 37.5, 23.5],
    [{ location: { latitude: 1, longitude: 2 } }, 1, 2],
    [{ latitude: 37.5, longitude: 23.5, location: { latitude: 1 } }, 1, 23.5],
    [{ latitude: 37.5, location: { latitude: null, longitude: 0 } }, 37.5, 0],
    [{ latitude: -90, longitude: 180, location: null }, -90, 180],
  ])('%j is at %d, %d', async (body, latitude, longitude) => {
    expect((await create(body)).location).toMatchObject({ latitude, longitude })
  })

  it('takes the status from the settings when none is sent', async () => {
    expect(await create()).toMatchObject({ status: 1 })
    await importRecords([['settings', { key: 'default_external_listing_status_id', value: 2 }]])
    expect(await create()).toMatchObject({ status: 2 })
    expect(await create({ status: null })).toMatchObject({ status: 2 })
    expect(await create({ status: 3 })).toMatchObject({ status: 3 })
  })
})

describe('POST /api/external-listings: what is refused', () => {
  const ok = { created_by: 1, store_id: 1 }
  const subcategories = 'plot, parcel, island'

  it.each<[unknown, string]>([
    [{}, 'Missing created_by'],
    [{ created_by: 1 }, 'Missing store_id'],
    [{ ...ok, subcategory: 'plot' }, 'Invalid subcategory: requires category'],
    [
      { ...ok, subcategory: 'office', category: 'land' },
      `Invalid subcategory: must be one of ${subcategories}`,
    ],
    [{ ...ok, location: { area_level1: 11 } }, 'Invalid location.area_level1: must be a location of level 1'],
    [
      { ...ok, location: { area_level1: 2, area_level2: 11 } },
      'Invalid location.area_level2: is not part of area_level1 2',
    ],
    [
      { ...ok, location: { area_level1: 2, area_level3: 111 } },
      'Invalid location.area_level3: is not part of area_level1 2',
    ],
  ])('%j → 400 %s', async (body, message) => {
    const before = await countRows()
    await expectInvalid(post('/api/external-listings', body), message)
    expect(await countRows()).toBe(before)
  })
})

describe('import of external listings', () => {
  it('keeps a price per square metre that is null', async () => {
    const line = { id: 503, created_by: 1, store_id: 1, price: 10, size: 3, price_per_sqm: null }
    await importLine('external_listings', line)
    expect(await read(503)).toMatchObject({ price_per_sqm: null })
  })
})
