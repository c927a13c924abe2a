import { beforeAll, describe, expect, it } from 'vitest'
import { FEATURES } from '../../../src/catalogue/features.ts'
import { core, details, extra } from '../../../src/catalogue/listing.ts'
import { CATEGORIES, SUBCATEGORIES } from '../../../src/catalogue/property-enums.ts'
import type { Fields } from '../../../src/fields/field.ts'
import { type Data, expectInvalid, get, importRecords, post } from '../../support/api.ts'
import { execute, selectFirst } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { createListing, minimalListing } from '../../support/factories/listing.ts'

beforeAll(seedAgency)

/** Sends the smallest body with `body` over it. */
const create = (body: Data, headers: Record<string, string> = {}) =>
  post('/api/listings', { ...minimalListing, ...body }, { headers })

/** The listing that `body` makes, with its write-only fields. */
const readCreated = async (body: Data) =>
  (await get(`/api/listings/${await createListing(body)}?fields=all`)).body.data

/** Every problem of a body, in the order of the answer. */
async function problemsOf(body: unknown): Promise<{ field: string; message: string }[]> {
  const { body: answer } = await post('/api/listings', body, {
    headers: { Accept: 'application/problem+json' },
  })
  expect(answer.error_message).toBe(answer.errors[0].message)
  return answer.errors
}

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
    const row = await selectFirst('select * from listings where id = ?', reply.body.created_id)
    expect(row).toMatchObject({
      ...{ code: null, status: 'draft', status_date: null, date_updated: row?.date_created, version: 1 },
      ...{ created_by: 1, store_id: 1, category: 'residential' },
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
    const long = '🏠'.repeat(255)
    for (const [sent, expected] of [
      [long, long],
      ['', null],
    ]) {
      const textsOf = (fields: Fields) =>
        Object.fromEntries(
          Object.entries(fields).flatMap(([name, { input }]) =>
            input.safeParse('🏠').success ? [[name, sent]] : [],
          ),
        )
      const groups = { details: textsOf(details), 'the service': textsOf(extra) }
      const listing = await readCreated({ ...textsOf(core), ...groups })
      const names = [textsOf(core), ...Object.values(groups)].flatMap((texts) => Object.keys(texts))
      expect(names.length).toBeGreaterThan(3)
      for (const name of names) expect([name, listing[name]]).toEqual([name, expected])
    }
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

describe('POST /api/listings: subcategory and subtype', () => {
  it.each(CATEGORIES)('takes the subcategories of %s, and no other', async (category) => {
    for (const subcategory of SUBCATEGORIES[category]) {
      expect(await readCreated({ category, subcategory })).toMatchObject({ category, subcategory })
    }
    const message = `Invalid subcategory: must be one of ${SUBCATEGORIES[category].join(', ')}`
    for (const other of CATEGORIES) {
      if (other === category) continue
      await expectInvalid(create({ category, subcategory: SUBCATEGORIES[other][0] }), message)
    }
  })

  it.each([
    [{ subtype: 1 }, 'Invalid subtype: requires subcategory'],
    [{ subtype: 1, subcategory: null }, 'Invalid subtype: requires subcategory'],
    [{ subtype: 1, subcategory: 'villa' }, 'Invalid subtype: belongs to apartment, not to villa'],
    [{ subtype: 3, subcategory: 'apartment' }, 'Invalid subtype: belongs to office, not to apartment'],
  ])('refuses %j', (body, message) => expectInvalid(create(body), message))
})

describe('POST /api/listings: features', () => {
  it.each(CATEGORIES)('takes every feature that applies to %s, in both vocabularies', async (category) => {
    const rows = FEATURES.filter(
      ({ group, categories }) => group !== 'features' || categories.includes(category),
    )
    for (const vocabulary of ['input', 'key'] as const) {
      const keys = (wanted: string, form: 'input' | 'key') =>
        rows.flatMap((row) => (row.group === wanted ? [row[form]] : []))
      const groups = ['features', 'positioning', 'view', 'flooring']
      const listing = await readCreated({
        category,
        ...Object.fromEntries(groups.map((group) => [group, keys(group, vocabulary)])),
      })
      for (const group of groups) expect(listing[group]).toEqual(keys(group, 'key'))
    }
  })

  it.each(CATEGORIES)('refuses every feature that does not apply to %s', async (category) => {
    const others = FEATURES.filter(
      ({ group, categories }) => group === 'features' && !categories.includes(category),
    )
    const body = { ...minimalListing, category, features: others.map(({ input }) => input) }
    expect((await problemsOf(body)).map(({ message }) => message)).toEqual(
      others.map(({ key }) => `Invalid features: ${key} does not apply to ${category}`),
    )
  })
})

describe('POST /api/listings: price per square metre', () => {
  it.each<[body: Data, expected: number | null]>([
    [{ price: 100_000, size: 80 }, 1250],
    [{ price: 100_000, size: 33.3 }, 3003],
    [{ price: 1, size: 5e-324 }, null],
    [{ price: 100_000, size: 80, price_per_sqm: 7.123 }, 7.123],
    [{ price: 100_000, size: 80, price_per_sqm: 0 }, 0],
    [{ price: 100_000, size: 80, price_per_sqm: null }, 1250],
    [{ price_per_sqm: 9 }, 9],
    [{ price: 100_000 }, null],
    [{ size: 80 }, null],
    [{ price: 100_000, size: null }, null],
    [{ price: 100_000, size: 0 }, null],
    [{ price: 0, size: 80 }, null],
    [{ category: 'land', price: 1000, size: 7 }, 142.86],
  ])('of %j is %j', async (body, expected) => {
    expect((await readCreated(body)).price_per_sqm).toBe(expected)
  })
})

describe('POST /api/listings: title and description', () => {
  it.each<[body: Data, translations: unknown[]]>([
    [{ title: 'Τ', description: 'Π' }, [{ language_id: 1, title: 'Τ', description: 'Π' }]],
    [{ title: 'T', language_id: 2 }, [{ language_id: 2, title: 'T', description: null }]],
    [{ title: 'T', language_id: null }, [{ language_id: 1, title: 'T', description: null }]],
    [{ description: 'D', language_id: 2 }, [{ language_id: 2, title: null, description: 'D' }]],
    [{ title: '', description: 'D' }, [{ language_id: 1, title: null, description: 'D' }]],
    [{ title: '', description: '' }, []],
    [{ title: null, description: null, language_id: 99 }, []],
    [{ language_id: 2 }, []],
    [{ language_id: 99 }, []],
  ])('of %j are the translations %j', async (body, translations) => {
    expect((await readCreated(body)).translations).toEqual(translations)
  })

  it('falls back to the first language while the account has no default', async () => {
    await execute("delete from settings where key = 'default_language_id'")
    expect((await readCreated({ title: 'T' })).translations[0].language_id).toBe(1)
    await importRecords([['settings', { key: 'default_language_id', value: 2 }]])
    expect((await readCreated({ title: 'T' })).translations[0].language_id).toBe(2)
    await importRecords([['settings', { key: 'default_language_id', value: 1 }]])
  })
})

describe('POST /api/listings: location', () => {
  const exact = { latitude: 37.9755, longitude: 23.7348 }

  it.each([
    [{}, { latitude: 0, longitude: 0 }],
    [{ location: null }, { latitude: 0, longitude: 0 }],
    [{ location: {} }, { latitude: 0, longitude: 0 }],
    [{ location: { latitude: null, longitude: null } }, { latitude: 0, longitude: 0 }],
    [{ location: { latitude: 38 } }, { latitude: 38, longitude: 0 }],
    [{ location: { longitude: -24.5 } }, { latitude: 0, longitude: -24.5 }],
    [{ location: { latitude: -90, longitude: 180 } }, { latitude: -90, longitude: 180 }],
  ])('of %j has the coordinates %j', async (body, coordinates) => {
    expect((await readCreated(body)).location).toMatchObject(coordinates)
  })

  it.each([
    ['fake', 'Ερμού 15', 'Ερμού'],
    ['fake', 'Λεωφ. 28ης Οκτωβρίου 5', 'Λεωφ. 28ης Οκτωβρίου'],
    ['fake', '15', null],
    ['fake', null, null],
    ['none', 'Ερμού 15', null],
    ['real', 'Ερμού 15', null],
  ])('with display_address %s shows the public %j as %j', async (display_address, address, expected) => {
    const { location } = await readCreated({ location: { ...exact, display_address, address } })
    expect(location).toMatchObject({ address_el: address, fake_address_el: expected })
  })
})
