/** What an import only tries out. `importText` compares the reply of a dry run with that of the import in all tests. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { commission } from '../../resources/incomes/seed.ts'
import { minimalRequest } from '../../resources/requests/seed.ts'
import { call, expectInvalid, get, importRecords, type Line, post, put } from '../../support/api.ts'
import { everyTable } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { createListing, minimalListing } from '../../support/factories/listing.ts'
import { named } from '../../support/factories/named.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { emptyService } from '../../support/storage.ts'
import { importText, withProblems } from '../../support/transfer.ts'

beforeEach(async () => {
  await emptyService()
})

const textOf = (entries: Line[]) =>
  entries.map(([entity, data]) => JSON.stringify({ entity, data })).join('\n')
const tryOut = async (entries: Line[], query = '') =>
  (await call('POST', `/admin/import?dry_run=true${query}`, { body: textOf(entries) })).body.data

/** Every row of every table, the history included, and what else is stored. */
async function everything() {
  const keys = (await env.API_KEYS.list()).keys.filter(({ name }) => !name.startsWith('key:'))
  return { rows: await everyTable(), objects: (await env.PHOTOS.list()).objects.map(({ key }) => key), keys }
}

const income = (id: number, commissions: object[]): Line => [
  'incomes',
  { ...SMALLEST.incomes, id, commissions },
]

describe('POST /admin/import?dry_run=true', () => {
  it('stores nothing, whatever the lines are', async () => {
    await seedAgency()
    await importRecords([
      ...named('expense_categories', 'Partners'),
      ...named('income_other_categories', 'Other'),
      income(1, [commission(1)]),
    ])
    await post('/api/requests', minimalRequest)
    const id = await createListing({ price: 5 })
    const before = await everything()
    const { rejected, errors } = await tryOut(
      [
        ['stores', { id: 90, name: 'S' }],
        ['listings', { id, price: 7, photos: [{ original_image: 'https://a.example/1.jpg' }] }],
        ['listings', { ...minimalListing, id: id + 1, store_id: 90, status: 'active', code: 'X' }],
        ['special_locations', { id: 1, name: 'P', latitude: 1, longitude: 1 }],
        ['settings', { key: 'watermark', value: false }],
        ['custom_fields', { id: 70, resource: 'contacts', name: 'F', type: 'text' }],
        ['contacts', { id: 80, first_name: 'A', custom_fields: { 70: 'x' } }],
        income(1, [commission(2)]),
        ['expenses', { ...SMALLEST.expenses, id: 50, category_id: 1, linked_income_commission_id: 2 }],
        ['users', { id: 9 }],
      ],
      '&photos=fetch',
    )
    expect([rejected, errors]).toEqual([
      1,
      withProblems([{ line: 10, entity: 'users', id: 9, message: 'Missing name' }]),
    ])
    await expectInvalid(
      call('POST', '/admin/import?dry_run=1', { body: textOf([['stores', { id: 1, name: 'S' }]]) }),
      'Invalid dry_run: must be true or false',
    )
    expect(await everything()).toEqual(before)
  })
})

describe('the problems of a line', () => {
  it('are all named, in the order of the fields', async () => {
    await seedAgency()
    const { errors } = await importText(
      textOf([
        [
          'listings',
          {
            ...minimalListing,
            id: 5,
            price: -1,
            source_id: 99,
            location: { latitude: 91 },
            details: { heating_type: 'fire' },
            photos: [{ original_image: 5 }],
          },
        ],
        ['users', {}],
      ]),
    )
    expect(errors).toEqual([
      {
        line: 1,
        entity: 'listings',
        id: 5,
        message: 'Invalid price: must be at least 0',
        problems: [
          { field: 'price', message: 'Invalid price: must be at least 0' },
          { field: 'source_id', message: 'Unknown source_id 99' },
          { field: 'location.latitude', message: expect.stringMatching(/^Invalid location\.latitude: /) },
          {
            field: 'details.heating_type',
            message: expect.stringMatching(/^Invalid details\.heating_type: /),
          },
          { field: 'photos.0.original_image', message: expect.stringMatching(/^Invalid photos\.0/) },
        ],
      },
      {
        line: 2,
        entity: 'users',
        id: null,
        message: 'Missing id',
        problems: [
          { field: 'id', message: 'Missing id' },
          { field: 'name', message: 'Missing name' },
        ],
      },
    ])
  })

  it('are at most 50, and have no field where they are about the whole line', async () => {
    const names = Array.from({ length: 80 }, () => ({ language_id: 0, name: '' }))
    const { errors } = await importText(
      `x\n${textOf([['listing_subtypes', { id: 1, subcategory: 'villa', translations: names }]])}\n{"entity":"cars","data":{}}\n{"entity":"users"}`,
    )
    expect(errors.map((error) => Reflect.get(error, 'problems'))).toEqual([
      [{ field: null, message: 'Invalid JSON' }],
      expect.toSatisfy((list: unknown[]) => list.length === 50),
      [{ field: 'entity', message: 'Unknown entity cars' }],
      [{ field: 'data', message: 'Missing data' }],
    ])
  })
})

describe('warnings', () => {
  it('name the lines whose id belongs to a record that the API created', async () => {
    await seedAgency()
    await importRecords([
      ['contact_sources', { id: 1, name: 'Website' }],
      ['external_listing_statuses', { id: 1, name: 'New' }],
      ['request_statuses', { id: 1, name: 'New' }],
      ['contacts', { id: 50, first_name: 'I' }],
    ])
    const listing = await createListing({ price: 5 })
    const contact = (await post('/api/contacts', { first_name: 'A' })).body.created_id
    const external = (await post('/api/external-listings', { created_by: 1, store_id: 1 })).body.data.id
    await put(`/api/listings/${listing}`, { price: 6 })
    const lines: Line[] = [
      ['contacts', { id: 50, first_name: 'J' }],
      ['contacts', { id: contact, first_name: 'B' }],
      ['contacts', { id: contact + 1, first_name: 'C' }],
      ['listings', { id: listing, price: 6 }],
      ['listings', { id: listing, price: -6 }],
      ['external_listings', { id: external, price: 8 }],
      ['stores', { id: 1, name: 'One' }],
    ]
    const { accepted, warnings } = await importText(textOf(lines))
    const warning = (line: number, what: string, route: string) => ({
      line,
      message: expect.stringMatching(
        new RegExp(
          `^${what} was created by POST ${route} on \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d, not by an import$`,
        ),
      ),
    })
    expect({ accepted, warnings }).toEqual({
      accepted: 6,
      warnings: [
        warning(2, `contacts ${contact}`, '/api/contacts'),
        warning(4, `listings ${listing}`, '/api/listings'),
        warning(6, `external_listings ${external}`, '/api/external-listings'),
      ],
    })
    // They are stored as ever, and the import of a file that was imported before has none.
    expect((await get(`/api/contacts/${contact}`)).body.data.first_name).toBe('B')
    expect((await importText(textOf([['contacts', { id: contact + 1, first_name: 'D' }]]))).warnings).toEqual(
      [],
    )
  })

  it('are at most 100 unless all are asked for', async () => {
    await seedAgency()
    await importRecords([['contact_sources', { id: 1, name: 'Website' }]])
    const ids: number[] = []
    for (let count = 0; count < 101; count++)
      ids.push((await post('/api/contacts', { first_name: 'A' })).body.created_id)
    const body = textOf(ids.map((id) => ['contacts', { id, first_name: 'B' }]))
    expect((await importText(body)).warnings).toHaveLength(100)
    expect((await importText(body, { errors: 'all' })).warnings).toHaveLength(101)
  })
})
