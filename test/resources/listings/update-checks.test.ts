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

const update = (body: unknown, headers: Record<string, string> = {}) =>
  put(`/api/listings/${id}`, body, { headers })

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
    [{ store_id: 99 }, 'Unknown store_id 99'],
    [{ users: [1, 99] }, 'Unknown users 99'],
    [{ subtype: 99 }, 'Unknown subtype 99'],
    [{ source_id: 99 }, 'Unknown source_id 99'],
    [{ tags: [99] }, 'Unknown tags 99'],
    [{ contacts: [3] }, 'Unknown contacts 3'],
    [{ title: 'T', language_id: 99 }, 'Unknown language_id 99'],
    [{ title: null, language_id: 99 }, 'Unknown language_id 99'],
    [{ 'the service': { tenant_contact_id: 3 } }, 'Unknown the service.tenant_contact_id 3'],
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
    await expectInvalid(update({ contacts: [1, 2] }), 'Unknown contacts 2')
    await execute('update contacts set is_deleted = 0 where id = 2')
  })
})
