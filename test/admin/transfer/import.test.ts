// @module-tag slow
import { beforeEach, describe, expect, it } from 'vitest'
import { bearer, send } from '../../http/send.ts'
import { ADMIN_TOKEN, call, expectError, importRecords, type Line, post } from '../../support/api.ts'
import { databaseAround, selectAll } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { place } from '../../support/factories/lines.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { emptyService } from '../../support/storage.ts'
import { clean, importText, withProblems } from '../../support/transfer.ts'

beforeEach(emptyService)

const line = ([entity, data]: Line) => JSON.stringify({ entity, data })

/** Imports one line and returns its error, or null. */
async function mistakeOf(...entry: Line): Promise<string | null> {
  const { accepted, rejected, errors } = await importText(line(entry))
  expect(accepted + rejected).toBe(1)
  return errors[0]?.message ?? null
}

async function rows(table: string): Promise<Record<string, unknown>[]> {
  return selectAll(`select * from ${table}`)
}

const placeLine = (...of: Parameters<typeof place>): Line => ['locations', place(...of)]

/** The contact data of a store without any. */
const UNKNOWN = { phone: null, email: null, address: null, url: null }

describe('POST /admin/import', () => {
  it('refuses a bad line alone and says which', async () => {
    const file = [
      line(['stores', { id: 1, name: 'One' }]),
      '',
      '{"entity": "stores", "data": {',
      '   ',
      '[1]',
      'null',
      '"text"',
      line(['stores', { id: 2 }]),
      line(['stores', { id: 1.5, name: 'x' }]),
      line(['stores', { id: 0, name: 'x' }]),
      line(['stores', { id: '3', name: 'x' }]),
      line(['stores', { name: 'x' }]),
      JSON.stringify({ data: { id: 1 } }),
      JSON.stringify({ entity: 5, data: { id: 1 } }),
      JSON.stringify({ entity: 'stores' }),
      JSON.stringify({ entity: 'stores', data: [] }),
      line(['houses', { id: 1 }]),
      line(['__proto__', { id: 1 }]),
      line(['settings', { key: 'colour', value: 1 }]),
      line(['users', { id: 1, name: 'User', store_id: 77 }]),
      line(['stores', { id: 9, name: 'Nine' }]),
      '',
    ]
    const object = 'Invalid line: must be an object with entity and data'
    expect(await importText(file.join('\n'))).toEqual({
      ...clean(2),
      rejected: 17,
      errors: withProblems([
        { line: 3, entity: null, id: null, message: 'Invalid JSON' },
        { line: 5, entity: null, id: null, message: object },
        { line: 6, entity: null, id: null, message: object },
        { line: 7, entity: null, id: null, message: object },
        { line: 8, entity: 'stores', id: 2, message: 'Missing name' },
        { line: 9, entity: 'stores', id: null, message: 'Invalid id: must be an integer' },
        { line: 10, entity: 'stores', id: 0, message: 'Invalid id: must be at least 1' },
        { line: 11, entity: 'stores', id: null, message: 'Invalid id: must be an integer' },
        { line: 12, entity: 'stores', id: null, message: 'Missing id' },
        { line: 13, entity: null, id: null, message: 'Missing entity' },
        { line: 14, entity: null, id: null, message: 'Missing entity' },
        { line: 15, entity: 'stores', id: null, message: 'Missing data' },
        { line: 16, entity: 'stores', id: null, message: 'Missing data' },
        { line: 17, entity: 'houses', id: null, message: 'Unknown entity houses' },
        { line: 18, entity: '__proto__', id: null, message: 'Unknown entity __proto__' },
        {
          line: 19,
          entity: 'settings',
          id: 'colour',
          message: expect.stringMatching(
            /^Invalid key: must be one of listings_max_resize, watermark, .*enquiry_closed_days/,
          ),
        },
        { line: 20, entity: 'users', id: 1, message: 'Unknown store_id 77' },
      ]),
    })
    expect(await rows('stores')).toEqual([
      { id: 1, name: 'One', watermark: null, ...UNKNOWN },
      { id: 9, name: 'Nine', watermark: null, ...UNKNOWN },
    ])
  })

  it('takes CRLF, a byte order mark and no last newline', async () => {
    const file = `\ufeff${line(['stores', { id: 1, name: 'A' }])}\r\n${line(['stores', { id: 2, name: 'B\u2028C' }])}`
    expect(await importText(file)).toEqual(clean(2))
    expect((await rows('stores')).map(({ name }) => name)).toEqual(['A', 'B\u2028C'])
  })

  it('takes nothing at all', async () => {
    for (const file of ['', '\n', '  \r\n\n']) {
      expect(await importText(file)).toEqual(clean(0))
    }
  })

  it('names 100 mistakes at most', async () => {
    const { accepted, rejected, errors } = await importText('x\n'.repeat(150))
    expect([accepted, rejected, errors.length]).toEqual([0, 150, 100])
    expect(errors.at(-1)?.line).toBe(100)
  })

  it('takes 1,000 lines, blank ones beside, and no more', async () => {
    const stores = Array.from({ length: 1000 }, (_, index) => line(['stores', { id: index + 1, name: 'S' }]))
    expect(await importText(`${stores.join('\n\n')}\n\n`)).toEqual(clean(1000))
    await expectError(
      call('POST', '/admin/import', { body: [...stores, 'x'].join('\n') }),
      413,
      'Body too large: at most 1000 lines are accepted',
    )
  })

  it('takes 8 MB and no more', async () => {
    const limit = 8 * 1024 * 1024
    const tooLarge = { status: 413, error_message: `Body too large: at most ${limit} bytes are accepted` }
    const post = (body: BodyInit, headers: Record<string, string> = {}) =>
      send('POST', '/admin/import', { headers: { ...bearer(ADMIN_TOKEN), ...headers }, body })
    const [declared, whole] = [
      await post('x', { 'Content-Length': String(limit + 1) }),
      await post(' '.repeat(limit + 1)),
    ]
    expect([declared.status, await declared.json()]).toEqual([413, tooLarge])
    expect([whole.status, await whole.json()]).toEqual([413, tooLarge])
    expect((await post(' '.repeat(limit))).status).toBe(200)
  })

  it('is whole lines or nothing when the database fails half-way', async () => {
    let calls = 0
    const breaking = databaseAround(async (send) => {
      // One for the trail, one to look at all lines. For each hundred, one to read and one to write.
      if (++calls > 6) throw new Error('D1_ERROR: gone')
      return send()
    })
    const stores = Array.from({ length: 400 }, (_, index) => line(['stores', { id: index + 1, name: 'S' }]))
    const send = (bindings: Partial<Env>) => post('/admin/import', stores.join('\n'), { bindings })
    await expectError(send({ DB: breaking }), 500, 'Internal server error')
    expect(await rows('stores')).toHaveLength(200)
    expect((await send({})).status).toBe(200)
    expect(await rows('stores')).toHaveLength(400)
  })
})

describe('references', () => {
  it('of a place must be to the level above', async () => {
    await importRecords([placeLine(1, 1, null), placeLine(2, 1, null), placeLine(11, 2, 1)])
    expect(await mistakeOf(...placeLine(3, 1, 1))).toBe('Invalid parent_id: must be null for level 1')
    expect(await mistakeOf(...placeLine(12, 2, null))).toBe('Missing parent_id')
    expect(await mistakeOf(...placeLine(12, 2, 11))).toBe('Invalid parent_id: must be a location of level 1')
    expect(await mistakeOf(...placeLine(111, 3, 1))).toBe('Invalid parent_id: must be a location of level 2')
    expect(await mistakeOf(...placeLine(4, 4, 1))).toBe('Invalid level: must be at most 3')
    expect(await mistakeOf(...placeLine(1, 2, 1))).toBe('Invalid parent_id: must be another location')
    expect(await mistakeOf(...placeLine(12, 2, 99))).toBe('Unknown parent_id 99')
    expect(await mistakeOf(...placeLine(11, 2, 2))).toBeNull()
    expect((await rows('locations')).map(({ id, parent_id }) => [id, parent_id])).toEqual([
      [1, null],
      [2, null],
      [11, 2],
    ])
  })

  it('of settings must exist', async () => {
    const setting = (key: string, value: unknown) => mistakeOf('settings', { key, value })
    for (const key of ['default_language_id', 'default_request_status_id', 'default_user_id']) {
      expect(await setting(key, 99)).toBe('Unknown value 99')
      expect(await setting(key, true)).toBe(`Invalid value: not one for ${key}`)
      expect(await setting(key, 0)).toBe('Unknown value 0')
      expect(await setting(key, null)).toBeNull()
    }
    const withoutValue = JSON.stringify({ entity: 'settings', data: { key: 'trail_days' } })
    expect((await importText(withoutValue)).errors).toMatchObject([{ message: 'Missing value' }])
    expect(await setting('watermark', 1)).toBe('Invalid value: not one for watermark')
    expect(await setting('watermark', 'true')).toMatch(/^Invalid value: /)
    for (const value of [0, -1, 8193, true]) {
      expect(await setting('listings_max_resize', value)).toBe(
        'Invalid value: not one for listings_max_resize',
      )
    }
    expect(await setting('listings_max_resize', 1)).toBeNull()
    expect(await setting('listings_max_resize', 8192)).toBeNull()
  })
})

describe('errors that only the database finds', () => {
  it('refuses the one line whose code is taken', async () => {
    await seedAgency()
    const listing = (id: number, code: string): Line => ['listings', { ...minimalListing, id, code }]
    const file = [listing(1, 'A'), listing(2, 'B'), listing(3, 'A'), listing(4, 'C'), listing(5, 'D')]
    const { accepted, errors } = await importText(file.map(line).join('\n'))
    expect(accepted).toBe(4)
    const message = 'A value that must be unique is taken by another record'
    expect(errors).toEqual([
      { line: 3, entity: 'listings', id: 3, message, problems: [{ field: 'code', message }] },
    ])
    expect((await rows('listings')).map(({ id, code }) => [id, code])).toEqual([
      [1, 'A'],
      [2, 'B'],
      [4, 'C'],
      [5, 'D'],
    ])
    expect(await mistakeOf(...listing(6, 'B'))).toBe('A value that must be unique is taken by another record')
    expect(await mistakeOf(...listing(2, 'B'))).toBeNull()
  })
})

it('an import of many transactions lets other calls proceed, even where D1 never waits for the system', async () => {
  // Each line is a transaction, as the next is of another entity.
  const lines = Array.from({ length: 20 }, (_, index) =>
    line([index % 2 ? 'stores' : 'listing_sources', { id: 10 + index, name: `Name ${index}` }]),
  )
  let asked = 0
  let askedBefore = Number.POSITIVE_INFINITY
  const DB = databaseAround((send) => {
    asked++
    return send()
  })
  setTimeout(() => {
    askedBefore = asked
  }, 0)
  const { body } = await post('/admin/import', lines.join('\n'), { bindings: { DB } })
  expect(body).toMatchObject({ status: 200, data: { accepted: lines.length } })
  expect(askedBefore).toBeLessThan(asked / 2)
})
