// @module-tag slow
import { beforeEach, describe, expect, it } from 'vitest'
import { commission, INCOME, seedFinances } from '../../resources/incomes/seed.ts'
import { OFFER } from '../../resources/offers/seed.ts'
import { type Data, expectInvalid, get, importRecords, type Line, post, put } from '../../support/api.ts'
import { changeId, databaseAround, execute, selectFirst } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { seedLines } from '../../support/factories/lines.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { emptyService } from '../../support/storage.ts'
import { clean, importFile, importText, withProblems } from '../../support/transfer.ts'
import { everyRow, expectRoundTrip } from './fresh.ts'

const HIGHEST = 2 ** 40
/** Up to this id, the order and the gaps of ids are free. */
const FREE = 2 ** 39

const ARTICLE = { id: 1, ...SMALLEST.knowledge_base_articles }
const FILE = { original_name: 'a', size: 1, url: 'u' }

/** The tables of the ids within a record. */
const TABLES: Record<string, string> = {
  'files.0.id': 'knowledge_base_files',
  'rounds.0.id': 'offer_rounds',
  'commissions.0.id': 'income_commissions',
  'commissions.0.expense_id': 'expenses',
}

beforeEach(emptyService)

const line = (entity: string, data: Data) => JSON.stringify({ entity, data })

describe('ids', () => {
  const tooHigh = HIGHEST + 1
  const message = (field: string) => `Invalid ${field}: must be at most ${HIGHEST}`

  it.each<[string, Data, string]>([
    ['stores', { id: tooHigh, name: 'S' }, 'id'],
    ['contacts', { id: Number.MAX_SAFE_INTEGER, first_name: 'A' }, 'id'],
    ['listings', { ...minimalListing, id: tooHigh }, 'id'],
    ['offers', { ...OFFER, rounds: [{ ...OFFER.rounds[0], id: tooHigh }] }, 'rounds.0.id'],
    ['incomes', { ...INCOME, commissions: [commission(tooHigh)] }, 'commissions.0.id'],
    [
      'incomes',
      { ...INCOME, commissions: [commission(1, { expense_id: tooHigh })] },
      'commissions.0.expense_id',
    ],
    ['knowledge_base_articles', { ...ARTICLE, files: [{ ...FILE, id: tooHigh }] }, 'files.0.id'],
    ['listing_subtypes', { id: tooHigh, subcategory: 'loft', translations: [] }, 'id'],
    ['users', { id: 1, name: 'U', store_id: tooHigh }, 'store_id'],
  ])('of %s are at most 2^40: %j', async (entity, data, field) => {
    await seedLines()
    expect((await importText(line(entity, data))).errors[0]?.message).toBe(message(field))
  })

  it('given by the service are no higher than those that can be referred to', async () => {
    await seedFinances()
    const external = { created_by: 1, store_id: 1 }
    const whole: Line[] = [
      ['contacts', { first_name: 'A' }],
      ['listings', minimalListing],
      ['external_listings', external],
    ]
    await importRecords(whole.map(([entity, data]) => [entity, { ...data, id: 9 }]))
    await execute('delete from listing_users')
    for (const [entity] of whole) await changeId(entity, 9, HIGHEST - 1)
    for (const expected of [200, 409]) {
      for (const [entity, data] of whole) {
        const { status, body } = await post(`/api/${entity.replace('_', '-')}`, data)
        expect([entity, status]).toEqual([entity, expected])
        const message = expected === 409 ? 'No id is left for a new record' : undefined
        expect(body.error_message).toBe(message)
        expect((await get(`/api/${entity.replace('_', '-')}/${HIGHEST}`)).status).toBe(200)
      }
    }
    const { expenses } = await everyRow()
    expect(expenses).toEqual([])
    await importRecords([['expenses', { ...SMALLEST.expenses, id: 9 }]])
    await changeId('expenses', 9, HIGHEST)
    const { errors } = await importText(line('incomes', { ...INCOME, commissions: [commission(1)] }))
    const message = 'No id is left for the expense that its commission makes'
    const problems = [{ field: null, message }]
    expect(errors).toEqual([{ line: 1, entity: 'incomes', id: 1, message, problems }])
  })

  it.each<[string, Data, string]>([
    ...Object.entries(SMALLEST).map(([entity, data]): [string, Data, string] => [
      entity,
      { ...data, id: 0 },
      'id',
    ]),
    ['knowledge_base_articles', { ...ARTICLE, files: [{ ...FILE, id: 0 }] }, 'files.0.id'],
    ['offers', { ...OFFER, id: 2, rounds: [{ ...OFFER.rounds[0], id: 0 }] }, 'rounds.0.id'],
    ['incomes', { ...INCOME, commissions: [commission(0)] }, 'commissions.0.id'],
    ['incomes', { ...INCOME, commissions: [commission(1, { expense_id: 0 })] }, 'commissions.0.expense_id'],
  ])(
    'of %s are free up to 2^39, and beyond at most a million above the highest: %j',
    async (entity, data, field) => {
      await seedLines()
      const table = TABLES[field] ?? entity
      const withId = (id: number) =>
        line(entity, JSON.parse(JSON.stringify(data).replace(/"((?:expense_)?id)":0\b/, `"$1":${id}`)))
      const highest = () => selectFirst<{ highest: number | null }>(`select max(id) as highest from ${table}`)
      const before = await highest()
      const message = `Invalid ${field}: must be at most ${FREE}`
      for (const id of [FREE + 1, HIGHEST])
        expect((await importText(withId(id))).errors.map((error) => error.message)).toEqual([message])
      expect(await highest()).toEqual(before)
      expect((await importText(withId(FREE))).errors).toEqual([])
      expect(await highest()).toEqual({ highest: FREE })
    },
  )

  it('may rise by a million from line to line that is stored', async () => {
    await seedAgency()
    const contact = (id: number, changes: Data = {}) => line('contacts', { id, first_name: 'A', ...changes })
    const [first, second] = [FREE + 1_000_000, FREE + 2_000_000]
    await importFile([contact(FREE)])
    const { errors } = await importText(
      [
        contact(second),
        contact(first, { users: [99] }),
        contact(second),
        contact(first),
        contact(second),
        contact(second + 1_000_000),
        contact(HIGHEST),
      ].join('\n'),
    )
    expect(errors.map(({ line, message }) => [line, message])).toEqual([
      [1, `Invalid id: must be at most ${first}, 1000000 above the highest so far`],
      [2, 'Unknown users 99'],
      [3, `Invalid id: must be at most ${first}, 1000000 above the highest so far`],
      [7, `Invalid id: must be at most ${second + 2_000_000}, 1000000 above the highest so far`],
    ])
    expect((await post('/api/contacts', { first_name: 'B' })).body.created_id).toBe(second + 1_000_001)
  })

  it('that came in any order, with any gap, are in an export that can be imported', async () => {
    await importFile([
      line('stores', { id: 7_000_000, name: 'A' }),
      line('stores', { id: 5, name: 'B' }),
      line('users', { id: FREE, name: 'A' }),
      line('users', { id: 9, name: 'B' }),
    ])
    const { rows } = await expectRoundTrip()
    expect(rows.stores).toHaveLength(2)
  })
})

describe('lines', () => {
  it('a line that is not UTF-8 is refused alone', async () => {
    const encoder = new TextEncoder()
    const bytes = [
      ...encoder.encode(
        `${line('stores', { id: 1, name: 'Α' })}\n{"entity":"stores","data":{"id":2,"name":"`,
      ),
      0xce,
      ...encoder.encode(`"}}\n${line('stores', { id: 3, name: 'Γ' })}`),
    ]
    const errors = withProblems([{ line: 2, entity: null, id: null, message: 'Invalid JSON' }])
    expect(await importText(new Uint8Array(bytes))).toEqual({ ...clean(2), rejected: 1, errors })
  })

  it('all refused lines are named with errors=all', async () => {
    const { rejected, errors } = await importText('x\n'.repeat(150), { errors: 'all' })
    expect([rejected, errors.length]).toEqual([150, 150])
  })

  it('never repeat what was sent at length', async () => {
    const long = 'x'.repeat(100_000)
    const text = JSON.stringify(
      await importText(
        [line(long, {}), line('settings', { key: long }), line('stores', { id: long })].join('\n'),
      ),
    )
    expect(text.length).toBeLessThan(2000)
  })
})

describe('large records', () => {
  const LONG = '"\\ά'.repeat(20_000)

  it('come back, be they a listing in many languages', { timeout: 60_000 }, async () => {
    await seedAgency()
    const languages = Array.from({ length: 8 }, (_, index) => index + 100)
    await importRecords(languages.map((id) => ['languages', { id, code: `l${id}`, name: 'L' }]))
    await importRecords([['listings', { ...minimalListing, id: 5, notes: LONG }]])
    for (const language_id of languages)
      expect((await put('/api/listings/5', { language_id, description: LONG })).status).toBe(200)
    const { lines, rows } = await expectRoundTrip()
    // Again over the stored records, slightly changed.
    for (const table of ['contacts', 'listings']) await execute(`update ${table} set notes = 'x'`)
    await importFile(lines)
    expect(await everyRow()).toEqual(rows)
  })

  it('a record larger than a row may be is refused alone', async () => {
    await seedAgency()
    const fields = Array.from({ length: 5 }, (_, index) => index + 1)
    await importRecords(
      fields.map((id) => ['custom_fields', { id, resource: 'contacts', name: 'F', type: 'wysiwyg' }]),
    )
    const custom_fields = Object.fromEntries(fields.map((id) => [id, 'α'.repeat(60_000)]))
    const file = [
      line('contacts', { id: 5, first_name: 'A', custom_fields }),
      line('contacts', { id: 6, first_name: 'B' }),
    ]
    const message = 'Invalid custom_fields: must be at most 500000 bytes in all'
    expect(await importText(file.join('\n'))).toMatchObject({
      accepted: 1,
      errors: withProblems([{ line: 1, entity: 'contacts', id: 5, message }]),
    })
  })
})

describe('a request that dies half-way', { timeout: 60_000 }, () => {
  it('can simply be sent again, wherever it died', async () => {
    await seedFinances()
    const file = [
      ...Array.from({ length: 120 }, (_, index) =>
        line('contacts', { id: index + 10, first_name: 'A', users: [1] }),
      ),
      line('listings', {
        ...minimalListing,
        id: 50,
        status: 'active',
        contacts: [10],
        translations: [{ language_id: 1, title: 'T' }],
      }),
      line('incomes', { ...INCOME, id: 50, commissions: [commission(50)] }),
      line('contacts', { id: 1, first_name: 'Changed' }),
      line('expenses', { ...SMALLEST.expenses, id: 60, contacts: [11], date_created: '2024-01-01 00:00:00' }),
    ].join('\n')
    for (let dies = 1, status = 500; status !== 200; dies++) {
      let calls = 0
      const breaking = databaseAround(async (send) => {
        const lost = ++calls === dies
        // Every second time the call takes effect, and only its result is lost.
        if (lost && dies % 2 === 0) throw new Error('D1_ERROR: gone')
        const results = await send()
        if (lost) throw new Error('D1_ERROR: gone')
        return results
      })
      status = (await post('/admin/import', file, { bindings: { DB: breaking } })).status
      expect(dies).toBeLessThan(60)
      const again = await importText(file)
      expect(again).toMatchObject({ accepted: 124, rejected: 0 })
    }
    const counts =
      await selectFirst(`select (select count(*) from contacts) as contacts, (select count(*) from contact_users) as users,
        (select count(*) from expenses) as expenses, (select count(*) from income_commissions) as commissions`)
    expect(counts).toEqual({ contacts: 123, users: 120, expenses: 2, commissions: 1 })
  })
})

describe('texts of a listing', () => {
  it('are together no longer than can be read', async () => {
    await seedAgency()
    const languages = Array.from({ length: 12 }, (_, index) => index + 10)
    await importRecords([
      ...languages.map((id): Line => ['languages', { id, code: `l${id}`, name: 'L' }]),
      ['listings', { ...minimalListing, id: 5 }],
    ])
    const description = 'ά'.repeat(60_000)
    const answers = []
    for (const language_id of languages) {
      answers.push(
        (await put('/api/listings/5', { language_id, description })).body.error_message ?? 'stored',
      )
    }
    const message = 'Invalid description: translations must be at most 1000000 bytes in all'
    expect(answers).toEqual([...Array(8).fill('stored'), ...Array(4).fill(message)])
    expect((await get('/api/listings/5')).status).toBe(200)
    const nearly = { language_id: 18, description: 'a'.repeat(39_300) }
    expect((await put('/api/listings/5', nearly)).status).toBe(200)
    await expectInvalid(
      put('/api/listings/5', { language_id: 19, title: 'ά'.repeat(255) }),
      message.replace('description', 'title'),
    )
    const merged = await importText(line('listings', { id: 5, language_id: 21, description }))
    expect(merged.errors).toMatchObject([{ message }])
    const translations = languages.map((language_id) => ({ language_id, description }))
    const whole = await importText(line('listings', { id: 5, translations }))
    expect(whole.errors).toMatchObject([
      { message: 'Invalid translations: must be at most 1000000 bytes in all' },
    ])
    await importRecords([['listings', { id: 5, translations: [], language_id: 21, description }]])
  })
})
