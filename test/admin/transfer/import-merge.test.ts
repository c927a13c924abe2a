// @module-tag slow
import { beforeAll, describe, expect, it } from 'vitest'
import { seedFinances } from '../../resources/incomes/seed.ts'
import { minimalRequest } from '../../resources/requests/seed.ts'
import { type Data, get, importRecords, type Line, post, put } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { dates, OLD } from '../../support/factories/dates.ts'
import { minimalListing, readListing } from '../../support/factories/listing.ts'
import { CHANGES, RECORDS } from '../../support/factories/samples.ts'
import { exported, importText } from '../../support/transfer.ts'
import { everyRow } from './fresh.ts'

async function send(
  lines: Line[],
  query: Record<string, string> = {},
): Promise<{ accepted: number; errors: { message: string }[] }> {
  const body = lines.map(([entity, data]) => JSON.stringify({ entity, data })).join('\n')
  return importText(body, query)
}

/** The lines that an export has of these records, in their order. */
async function linesOf(records: Line[]): Promise<Line[]> {
  const lines = new Map(
    (await exported()).map((line): Line => {
      const { entity, data } = JSON.parse(line)
      return [`${entity} ${data.key ?? data.id}`, data]
    }),
  )
  return records.map(([entity, { id, key }]) => [entity, lines.get(`${entity} ${key ?? id}`) ?? {}])
}

const exportedLine = async (entity: string, data: Data): Promise<Data> =>
  (await linesOf([[entity, data]]))[0]?.[1] ?? {}

async function statusOf(id: number, path: string): Promise<number> {
  return (await get(`/api/${path}/${id}`)).status
}

async function allVersions(): Promise<unknown[]> {
  const tables = ['contacts', 'listings', 'requests']
  return Promise.all(tables.map((table) => selectAll(`select id, version from ${table}`)))
}

beforeAll(async () => {
  await seedFinances()
  await importRecords(RECORDS)
})

describe('a line whose record exists', { timeout: 60_000 }, () => {
  const naming = ({ id, key }: Data): Data => (key === undefined ? { id } : { key })

  it('changes nothing when it says what is stored, or nothing', async () => {
    const before = [await everyRow(), await allVersions()]
    const names = RECORDS.map(([entity, data]): Line => [entity, naming(data)])
    const whole = await linesOf(names)
    for (const lines of [RECORDS, names, RECORDS, whole]) {
      expect((await send(lines)).errors).toEqual([])
      expect([await everyRow(), await allVersions()]).toEqual(before)
    }
    // Its export in replace mode changes nothing, either.
    expect((await send(whole, { mode: 'replace' })).errors).toEqual([])
    expect([await everyRow(), await allVersions()]).toEqual(before)
  })

  it('changes what it says, and the date of the change', async () => {
    const changes = RECORDS.map(([entity, data]): Line => [entity, { ...naming(data), ...CHANGES[entity] }])
    const before = await linesOf(changes)
    expect((await send(changes)).errors).toEqual([])
    const after = await linesOf(changes)
    for (const [index, [entity, change]] of changes.entries()) {
      const [was, is] = [before[index]?.[1] ?? {}, after[index]?.[1] ?? {}]
      const merged = Object.entries(change).map(([field, value]) => {
        const isGroup = ['location', 'extra_fields'].includes(field)
        return [field, isGroup ? { ...(was[field] as Data), ...(value as Data) } : value]
      })
      const expected = { ...was, ...Object.fromEntries(merged) }
      if (entity === 'requests') delete expected.extra_fields.view
      if (entity === 'expenses') expected.amount = '6.00'
      const dated = typeof is.date_updated === 'string' ? { date_updated: is.date_updated } : {}
      expect([entity, is]).toEqual([entity, { ...expected, ...dated }])
      if ('date_updated' in dated) expect([entity, dated]).not.toEqual([entity, { date_updated: OLD }])
    }
    // The date of the line is stored.
    expect((await send(before)).errors).toEqual([])
    expect(await linesOf(changes)).toEqual(before)
  })
})

describe('a line of a listing that exists', () => {
  const id = 60
  const listing = { ...minimalListing, id, price: 1000, size: 30, ...dates }

  it('does not fail for what it does not change', async () => {
    await importRecords([['listings', { ...listing, id: 62, category: 'land', subcategory: 'apartment' }]])
    const stale = await exportedLine('listings', { id: 62 })
    await importRecords([['listings', { ...stale, price: 7 }]])
    expect(await readListing(62)).toMatchObject({ subcategory: 'apartment', price: 7 })
  })

  it('says what it says, though another key of it would change that', async () => {
    const place = { latitude: 37.9, longitude: 23.7, address: 'Σόλωνος 5', display_address: 'fake' }
    await importRecords([['listings', { ...listing, id: 63, location: place }]])
    const { location, price_per_sqm }: Data = await exportedLine('listings', { id: 63 })
    const data = {
      id: 63,
      price: 5,
      price_per_sqm,
      location: { ...Object(location), latitude: 38.5, fake_latitude: 38.505, address: 'Ερμού 7' },
    }
    await importRecords([['listings', data]])
    const once = await exportedLine('listings', { id: 63 })
    expect(once).toMatchObject(data)
    await importRecords([['listings', data]])
    expect(await exportedLine('listings', { id: 63 })).toEqual(once)
  })

  it('is matched only when it changes', async () => {
    const { created_id } = (await post('/api/listings', { ...minimalListing, price: 3 })).body
    await post(`/api/listings/${created_id}/status`, { to: 'active' })
    const [before] = await allVersions()
    await importRecords([['listings', { id: created_id, price: 3 }]])
    expect((await allVersions())[0]).toEqual(before)
  })
})

describe('a line whose keys depend on each other', () => {
  it('is judged the first time as the second', async () => {
    const external = { id: 64, price: 20, price_per_sqm: 3.33 }
    await importRecords([
      ['external_listings', { ...external, created_by: 1, store_id: 1, price: 10, size: 3, ...dates }],
    ])
    await importRecords([['external_listings', external]])
    expect(await exportedLine('external_listings', { id: 64 })).toMatchObject(external)

    const request = { ...minimalRequest, id: 65, category: 'residential', subcategories: ['apartment'] }
    await importRecords([['requests', request]])
    const moved = { id: 65, category: 'commercial', subcategories: ['apartment'] }
    const { error_message } = (await put('/api/requests/65', moved)).body
    expect(error_message).toMatch(/^Invalid subcategories/)
    for (const _ of [1, 2]) {
      expect((await send([['requests', moved]])).errors).toMatchObject([{ message: error_message }])
    }

    const field = { id: 51, resource: 'contacts', name: 'F', type: 'select', options: [{ id: 1, name: 'O' }] }
    await importRecords([['custom_fields', field]])
    for (const _ of [1, 2]) {
      expect((await send([['custom_fields', { ...field, type: 'text' }]])).errors).toMatchObject([
        { message: 'Invalid options: only when type is select or select_multi' },
      ])
    }
  })

  it('leaves a deleted record deleted unless it says false', async () => {
    await importRecords([
      ['contacts', { id: 66, first_name: 'Deleted', is_deleted: true }],
      ['requests', { ...minimalRequest, id: 66, is_deleted: true }],
    ])
    const lines = (is_deleted: unknown): Line[] => [
      ['contacts', { id: 66, is_deleted }],
      ['requests', { id: 66, is_deleted }],
    ]
    await importRecords(lines(null))
    expect([await statusOf(66, 'contacts'), await statusOf(66, 'requests')]).toEqual([404, 404])
    await importRecords(lines(false))
    expect([await statusOf(66, 'contacts'), await statusOf(66, 'requests')]).toEqual([200, 200])
  })
})

describe('lines at the same time as others write', { timeout: 60_000 }, () => {
  it('lose nothing of a PUT, and a PUT nothing of them', async () => {
    await importRecords([['listings', { ...minimalListing, id: 70 }]])
    const rounds = Array.from({ length: 10 }, (_, index) => index + 1)
    await Promise.all(
      rounds.flatMap((value) => [
        put('/api/listings/70', { price: value }),
        importRecords([['listings', { id: 70, details: { wcs: value } }]]),
      ]),
    )
    const { body } = await get('/api/listings/70')
    expect([body.data.price, body.data.wcs].every((value) => rounds.includes(value))).toBe(true)
    const [row] = await selectAll('select version from listings where id = 70')
    expect(row?.version).toBeGreaterThanOrEqual(10)
  })
})
