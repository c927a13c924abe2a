import { beforeAll, describe, expect, it } from 'vitest'
import { importLine } from '../../support/transfer.ts'
import { read, seedExternalListings } from './seed.ts'

beforeAll(seedExternalListings)

const ENTITY = 'external_listings'
const importOne = (data: Record<string, unknown>, mode?: string) => importLine(ENTITY, data, mode)

describe('import of external listings', () => {
  it('keeps a price per square metre that is null', async () => {
    await importOne({ id: 503, created_by: 1, store_id: 1, price: 10, size: 3, price_per_sqm: null })
    expect(await read(503)).toMatchObject({ price_per_sqm: null })
  })
})
