import { beforeAll, describe, expect, it } from 'vitest'
import { get } from '../../support/api.ts'
import { exported, importLine } from '../../support/transfer.ts'
import { EMPTY, FULL, read, seedExternalListings } from './seed.ts'

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
})
