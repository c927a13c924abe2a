import { beforeAll, describe, expect, it } from 'vitest'
import { SUBCATEGORIES } from '../../../src/catalogue/enums.ts'
import { expectInvalid, importRecords, post } from '../../support/api.ts'
import { selectFirst } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { create, problemsOf, readCreated } from './creating.ts'
import { bodyOf, FIELDS } from './interface-fields.ts'

beforeAll(seedAgency)

describe('POST /api/listings: the answer and the row', () => {
  it('answers 200 with the id alone, and stores a draft without a code, whatever the body says', async () => {
    const reply = await create({
      status: 'active',
      code: 'RES-1',
      id: 900,
      status_date: '2020-01-01 00:00:00',
      date_created: '2020-01-01 00:00:00',
    })
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({ status: 200, created_id: expect.any(Number) })
    expect(reply.headers.get('X-Ignored-Fields')).toBe('status, code, id, status_date, date_created')
    const row = await selectFirst(
      'select id, code, status, status_date, date_created, date_updated, version, created_by, store_id, category from listings where id = ?',
      reply.body.created_id,
    )
    expect(row).toEqual({
      id: reply.body.created_id,
      code: null,
      status: 'draft',
      status_date: null,
      date_created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      date_updated: row?.date_created,
      version: 1,
      created_by: 1,
      store_id: 1,
      category: 'residential',
    })
    expect(Math.abs(Date.parse(`${row?.date_created}Z`) - Date.now())).toBeLessThan(60_000)
  })
})

describe('POST /api/listings: required fields', () => {
  const required = ['category', 'availability', 'store_id', 'created_by', 'users'] as const

  it('names the first one missing, in the order of the interface', async () => {
    expect(await problemsOf({})).toEqual(required.map((field) => ({ field, message: `Missing ${field}` })))
  })
})

describe('POST /api/listings: optional fields', () => {
  it('takes 255 characters of a text, however long in bytes, and an empty text as none', async () => {
    const texts = FIELDS.filter(({ isText }) => isText)
    const long = '🏠'.repeat(255)
    const listing = await readCreated(bodyOf(texts.map((field) => ({ ...field, value: long }))))
    for (const { name } of texts) expect(listing[name]).toBe(long)
    const empty = await readCreated(bodyOf(texts.map((field) => ({ ...field, value: '' }))))
    for (const { name } of texts) expect(empty[name]).toBeNull()
  })

  it('refuses numbers beyond what JSON numbers hold', () =>
    expectInvalid(
      post(
        '/api/listings',
        JSON.stringify({ ...minimalListing, size: 0 }).replace('"size":0', '"size":1e999'),
      ),
      'Invalid size: must be a number',
    ))

  it('takes `the service` and its alias `extra` together, the former winning', async () => {
    const listing = await readCreated({
      'the service': { rating: 4, has_keys: true },
      extra: { rating: 1, yield: 5.5, has_keys: false },
    })
    expect(listing).toMatchObject({ rating: 4, yield: 5.5, has_keys: true })
  })

  it('names the alias in its errors', () =>
    expectInvalid(create({ extra: { rating: 'x' } }), 'Invalid extra.rating: must be an integer'))
})

describe('POST /api/listings: the order of problems', () => {
  it('mixes unknown references and bad values by their fields', async () => {
    const messages = (
      await problemsOf({
        ...minimalListing,
        'the service': { tenant_contact_id: 99 },
        details: { frames: 'glass' },
        location: { area_level1: 99 },
        contacts: [98, 1, 97],
        tags: [99],
        source_id: 99,
        subtype: 99,
        subcategory: 'office',
        users: [99],
        created_by: 99,
        store_id: 99,
      })
    ).map(({ message }) => message)
    expect(messages).toEqual([
      'Unknown store_id 99',
      'Unknown created_by 99',
      'Unknown users 99',
      `Invalid subcategory: must be one of ${SUBCATEGORIES.residential.join(', ')}`,
      'Unknown subtype 99',
      'Unknown source_id 99',
      'Unknown tags 99',
      'Unknown contacts 98',
      'Unknown contacts 97',
      'Unknown location.area_level1 99',
      'Invalid details.frames: must be one of aluminum, wood, synthetic, pvc',
      'Unknown the service.tenant_contact_id 99',
    ])
  })
})

describe('POST /api/listings: references', () => {
  it.each<[field: string, value: unknown, says: string, place?: string]>([
    ['positioning', ['elevator'], 'elevator is not in the list that /api/listings/features serves'],
    ['view', ['desert'], 'desert is not in the list that /api/listings/features serves'],
    ['flooring', ['tile', 'gold'], 'gold is not in the list that /api/listings/features serves'],
    [
      'features',
      ['elevator', 'has_dragon'],
      'has_dragon is not in the list that /api/listings/features serves',
    ],
  ])('refuses %s = %j', (field, value, says, place = '') =>
    expectInvalid(create({ [field]: value }), `Invalid ${field}${place}: ${says}`),
  )

  it('keeps lists in the order sent, without duplicates', async () => {
    const listing = await readCreated({
      tags: [3, 1, 3, 2, 1],
      contacts: [2, 1, 2],
      users: [3, 1, 3],
      features: ['has_elevator', 'alarm', 'elevator', 'has_alarm'],
      positioning: ['through', 'is_corner', 'is_through'],
      view: ['sea_view', 'city', 'sea'],
      flooring: ['wood', 'tile', 'wood'],
    })
    expect(listing).toMatchObject({
      tags: [3, 1, 2],
      contacts: [2, 1],
      users: [3, 1],
      features: ['elevator', 'alarm'],
      positioning: ['through', 'corner'],
      view: ['sea_view', 'city_view'],
      flooring: ['wood', 'tile'],
    })
  })

  it('takes more ids than a statement binds parameters', async () => {
    const tags = Array.from({ length: 150 }, (_, index) => 1000 - index)
    await importRecords(tags.map((id) => ['listing_tags', { id, name: `Tag ${id}` }]))
    expect((await readCreated({ tags })).tags).toEqual(tags)
  })
})
