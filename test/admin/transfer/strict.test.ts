/** What POST refuses: import warns of it, and refuses it when it is strict. */
import { beforeEach, describe, expect, it } from 'vitest'
import { call, type Data, importRecords, remove } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { named } from '../../support/factories/named.ts'
import { emptyAndSeed } from '../../support/storage.ts'
import { clean, exported, importText } from '../../support/transfer.ts'

const line = (data: Data, entity = 'listings') => JSON.stringify({ entity, data })
const strict = { strict: 'true' }
const storedIds = async () => (await selectAll<{ id: number }>('select id from listings')).map(({ id }) => id)

const REQUEST = {
  ...{ availability: 'sale', category: 'land', locations: [1], subcategories: ['plot'] },
  ...{ contacts: [1], users: [1], created_by: 1, store_id: 1 },
}

/** The answer for a line that is refused for its `problems`. */
const refused = (problems: { field: string; message: string }[], entity = 'listings') => ({
  ...clean(0),
  rejected: 1,
  errors: [{ line: 1, entity, id: 7, message: problems[0]?.message, problems }],
})

beforeEach(() => emptyAndSeed(seedAgency))

describe('a new listing', () => {
  it.each<[string, Data]>([
    ['a subcategory of another category', { subcategory: 'office' }],
    ['a feature of another category', { category: 'land', features: ['elevator'] }],
    ['a subtype of another subcategory', { subcategory: 'maisonette', subtype: 1 }],
    ['a subtype without a subcategory', { subtype: 1 }],
    ['several of them', { category: 'land', subcategory: 'office', features: ['elevator', 'sauna'] }],
  ])(
    'that has %s is stored with a warning, and refused in the words of POST by a strict import',
    async (_, values) => {
      const listing = { ...minimalListing, ...values }
      const reply = await call('POST', '/api/listings', {
        body: listing,
        headers: { Accept: 'application/problem+json' },
      })
      const problems: { field: string; message: string }[] = reply.body.errors
      expect([reply.status, problems.length > 0]).toEqual([400, true])
      expect(await importText(line({ ...listing, id: 7 }), strict)).toEqual(refused(problems))
      expect(await storedIds()).toEqual([])
      const message = problems.map((problem) => problem.message).join('; ')
      expect(await importText(line({ ...listing, id: 7 }))).toEqual({
        ...clean(1),
        warnings: [{ line: 1, message }],
      })
      expect(await storedIds()).toEqual([7])
      // A line that changes nothing is not looked at again.
      expect(await importText(line({ ...listing, id: 7 }), strict)).toEqual(clean(1))
      const [stored = ''] = await exported('listings')
      expect(
        await importText(
          stored.replace('"id":7', '"id":8').replace(/"tour_token":[^,}]*/, '"tour_token":null'),
          {},
        ),
      ).toEqual({ ...clean(1), warnings: [{ line: 1, message }] })
    },
  )

  it.each<[string, string, Data]>([
    ['a listing', 'listings', { ...minimalListing, contacts: [1] }],
    ['a request', 'requests', REQUEST],
  ])('and %s with a deleted contact is refused by a strict import alone', async (_, entity, data) => {
    await importRecords(named('request_statuses', 'A'))
    await remove('/api/contacts/1')
    const problems = [{ field: 'contacts', message: 'Unknown contacts 1' }]
    expect(await importText(line({ ...data, id: 7 }, entity), strict)).toEqual(refused(problems, entity))
    expect(await importText(line({ ...data, id: 7 }, entity))).toEqual(clean(1))
  })
})

describe('characters that were read in a wrong encoding', () => {
  const title = 'Φωτειν\uFFFD'
  const wrong = (field: string) =>
    `Invalid ${field}: has characters that were read in a wrong encoding (U+FFFD)`

  it.each<[string, string, Data, string]>([
    ['text', 'listings', { ...minimalListing, title }, 'title'],
    [
      'text of a language',
      'listings',
      { ...minimalListing, translations: [{ language_id: 1, title }] },
      'translations.0.title',
    ],
    ['name', 'contacts', { first_name: title }, 'first_name'],
  ])('in a %s are named in a warning, and refused by a strict import', async (_, entity, data, field) => {
    const text = line({ ...data, id: 7 }, entity)
    expect(await importText(text, strict)).toEqual(refused([{ field, message: wrong(field) }], entity))
    expect(await importText(text)).toEqual({ ...clean(1), warnings: [{ line: 1, message: wrong(field) }] })
  })
})

describe('a picture', () => {
  const RULE = 'must be an http or https address, or a key of the bucket'
  const key = `photos/${'a'.repeat(32)}.jpg`
  const wrong = [
    'nonsense',
    'C:\\photos\\a.jpg',
    'www.example.com/a.jpg',
    'photos/a.jpg',
    'ftp://a.example/a.jpg',
    'https://',
    `${key} `,
  ]

  it.each<[string, string, (name: string) => Data, string]>([
    [
      'photo',
      'listings',
      (name) => ({ ...minimalListing, photos: [{ original_image: name }] }),
      'photos.0.original_image',
    ],
    [
      'panorama',
      'listings',
      (name) => ({ ...minimalListing, panorama_photos: [{ image: name }] }),
      'panorama_photos.0.image',
    ],
    [
      'photo of an external listing',
      'external_listings',
      (name) => ({ store_id: 1, created_by: 1, photos: [name] }),
      'photos.0',
    ],
  ])('that is no %s is refused, strict or not', async (_, entity, data, field) => {
    for (const name of wrong)
      expect(await importText(line({ ...data(name), id: 7 }, entity)), name).toEqual(
        refused([{ field, message: `Invalid ${field}: ${RULE}` }], entity),
      )
    for (const name of [key, `/${key}`, 'https://a.example/σαλόνι 1.jpg?w=5', 'HTTP://a.example/a'])
      expect(await importText(line({ ...data(name), id: 7 }, entity), strict), name).toEqual(clean(1))
  })
})
