import { beforeAll, describe, expect, it } from 'vitest'
import { CATEGORIES, SUBCATEGORIES } from '../../../src/catalogue/enums.ts'
import { FEATURES } from '../../../src/catalogue/features.ts'
import { expectInvalid, importRecords } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { create, problemsOf, readCreated } from './creating.ts'

beforeAll(seedAgency)

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
  it.each<[body: Record<string, unknown>, expected: number | null]>([
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
  it.each<[body: Record<string, unknown>, translations: unknown[]]>([
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
