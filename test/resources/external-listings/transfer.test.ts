import { beforeAll, describe, expect, it } from 'vitest'
import { get, importRecords, ORIGIN } from '../../support/api.ts'
import { selectFirst } from '../../support/database.ts'
import {
  expectSameAfterReimport,
  exported,
  importLine,
  importReply,
  withProblems,
} from '../../support/transfer.ts'
import { empty } from '../offers/seed.ts'
import { create, EMPTY, FULL, read, seedExternalListings } from './seed.ts'

beforeAll(seedExternalListings)

const STORED = {
  id: 500,
  ...FULL,
  date_created: '2020-01-01 10:00:00',
  date_updated: '2021-01-01 10:00:00',
  photos: ['https://elsewhere.example/φ.jpg', 'photos/0123456789abcdef0123456789abcdef.jpg'],
}

const ENTITY = 'external_listings'
const importOne = (data: Record<string, unknown>, mode?: string) => importLine(ENTITY, data, mode)

describe('import of external listings', () => {
  it('stores the whole object', async () => {
    expect(await importOne(STORED)).toBeNull()
    expect(await read(500)).toEqual({
      ...STORED,
      photos: [STORED.photos[0], `${ORIGIN}/${STORED.photos[1]}`],
    })
  })

  it('changes nothing the second time, and keeps status, dates and photos that a line leaves open', async () => {
    const { status, date_created, date_updated, photos, ...open } = STORED
    const before = await exported(ENTITY)
    expect(await importOne(STORED)).toBeNull()
    expect(await importOne(open)).toBeNull()
    expect(await exported(ENTITY)).toEqual(before)
  })

  it('merges into one that exists, its location key by key', async () => {
    await importOne({ ...STORED, id: 501 })
    const before = await read(501)
    const { location, price, size } = before
    expect(await importOne({ id: 501, location: { address: 'Ερμού 1' }, tags: [2], floor: null })).toBeNull()
    const after = await read(501)
    expect(after).toEqual({
      ...before,
      location: { ...location, address: 'Ερμού 1' },
      tags: [2],
      floor: null,
      date_updated: expect.any(String),
    })
    expect(after.date_updated > before.date_updated).toBe(true)
    await importOne({ id: 501, latitude: 1.5, price: price * 2 })
    expect(await read(501)).toMatchObject({
      location: { ...location, address: 'Ερμού 1', latitude: 1.5 },
      price_per_sqm: Math.round((200 * price) / size) / 100,
    })
    await importOne({ id: 501, location: null, photos: null })
    expect(await read(501)).toMatchObject({ location: EMPTY.location, photos: [] })
  })

  it('replaces the rest whole where it is told to', async () => {
    await importOne({ ...STORED, id: 501 })
    const { date_created, date_updated } = STORED
    const line = { id: 501, created_by: 1, store_id: 1, photos: [], status: null, date_updated }
    expect(await importOne(line, 'replace')).toBeNull()
    expect(await read(501)).toEqual({ id: 501, ...EMPTY, status: null, date_created, date_updated })
  })

  it('fills a new one with the default status and with now', async () => {
    expect(await importOne({ id: 502, created_by: 1, store_id: 1, price: 10, size: 3 })).toBeNull()
    const { date_created, date_updated, ...rest } = await read(502)
    expect(rest).toEqual({ id: 502, ...EMPTY, price: 10, size: 3, price_per_sqm: 3.33 })
    expect(date_updated).toBe(date_created)
    expect(Math.abs(Date.parse(`${date_created}Z`) - Date.now())).toBeLessThan(60_000)
  })

  it('keeps a price per square metre that is null', async () => {
    await importOne({ id: 503, created_by: 1, store_id: 1, price: 10, size: 3, price_per_sqm: null })
    expect(await read(503)).toMatchObject({ price_per_sqm: null })
  })

  it('stores a deleted one, keeps it deleted, and restores it', async () => {
    await importOne({ ...STORED, id: 504, is_deleted: true })
    const path = '/api/external-listings/504'
    expect((await get(path)).status).toBe(404)
    for (const line of [{ price: 5 }, { is_deleted: null }]) await importOne({ id: 504, ...line })
    expect((await get(path)).status).toBe(404)
    expect((await exported(ENTITY)).filter((line) => line.endsWith(',"is_deleted":true}}'))).toHaveLength(1)
    await importOne({ id: 504, is_deleted: false })
    expect(await read(504)).toMatchObject({ id: 504, price: 5 })
    expect((await exported(ENTITY)).join()).not.toContain('is_deleted')
    expect(await importOne({ id: 504, is_deleted: 1 })).toBe('Invalid is_deleted: must be true or false')
  })

  it.each<[object, string]>([
    [{ id: undefined }, 'Missing id'],
    [{ created_by: undefined }, 'Missing created_by'],
    [{ store_id: 99 }, 'Unknown store_id 99'],
    [{ status: 99 }, 'Unknown status 99'],
    [{ source_id: 99 }, 'Unknown source_id 99'],
    [{ tags: [99] }, 'Unknown tags 99'],
    [{ users: [99] }, 'Unknown users 99'],
    [{ subcategory: 'plot' }, 'Invalid subcategory: requires category'],
    [
      { location: { area_level1: 2, area_level2: 11 } },
      'Invalid location.area_level2: is not part of area_level1 2',
    ],
    [{ date_created: '2020-01-01' }, 'Invalid date_created: must be a date-time, YYYY-MM-DD HH:MM:SS'],
    [{ photos: [''] }, 'Invalid photos.0: must not be blank'],
    [{ photos: [5] }, 'Invalid photos.0: must be text'],
    ...[['a'], { a: 1 }, { a: 'x'.repeat(65) }].map((photo_sources): [object, string] => [
      { photo_sources },
      'Invalid photo_sources: must be an object of texts of at most 64 characters',
    ]),
    [{ photos: ['x'.repeat(2001)] }, 'Invalid photos.0: must be at most 2000 characters'],
  ])('refuses %j', async (change, message) => {
    expect(await importOne({ id: 900, created_by: 1, store_id: 1, ...change })).toBe(message)
    expect(await selectFirst('select id from external_listings where id = 900')).toBeNull()
  })

  it('stores the good ones of many lines', async () => {
    const lines = Array.from({ length: 150 }, (_, index) => ({
      ...STORED,
      id: 1000 + index,
      tags: index === 70 ? [99] : [1 + (index % 4)],
    }))
    expect(await importReply(ENTITY, lines)).toEqual({
      accepted: 149,
      rejected: 1,
      errors: withProblems([{ line: 71, entity: 'external_listings', id: 1070, message: 'Unknown tags 99' }]),
      warnings: [],
      ignored: [],
      next: null,
    })
    expect(await read(1003)).toMatchObject({ id: 1003, tags: [4], users: FULL.users })
  })

  it('lets the API go on above the highest id', async () => {
    await importOne({ id: 5000, created_by: 1, store_id: 1 })
    expect((await create()).id).toBe(5001)
  })
})

describe('export of external listings', () => {
  it('gives what import takes, and comes back the same', async () => {
    await importRecords([
      ['external_listings', STORED],
      ['external_listings', { ...STORED, id: 499, is_deleted: true }],
    ])
    const before = await expectSameAfterReimport([ENTITY], () =>
      empty('external_listing_tag_links', 'external_listing_users', ENTITY),
    )
    expect(before).toContain(JSON.stringify({ entity: 'external_listings', data: orderedLikeTheExport() }))
  })
})

function orderedLikeTheExport() {
  const { created_by, store_id, tags, users, photos, date_created, date_updated, id, ...rest } = STORED
  return { id, store_id, ...rest, created_by, date_created, date_updated, tags, users, photos }
}
