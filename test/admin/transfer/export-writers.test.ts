/**
 * Exports while other clients write.
 *
 * @module-tag slow
 */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { purgeEnquiries } from '../../../src/resources/enquiries/purge.ts'
import { commission, INCOME, seedFinances } from '../../resources/incomes/seed.ts'
import { minimalRequest } from '../../resources/requests/seed.ts'
import { call, type Data, get, importRecords, type Line, post, put } from '../../support/api.ts'
import { databaseAround, execute } from '../../support/database.ts'
import { place } from '../../support/factories/lines.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { emptyAndSeed, emptyService } from '../../support/storage.ts'
import { exportInParts, exportText, importFile } from '../../support/transfer.ts'

beforeEach(emptyService)

/** Makes an export in the smallest parts there are, and one of `writes` after each part, except the first `quiet` ones. */
async function exportPartsBeside(writes: (() => Promise<unknown>)[], quiet = 0): Promise<string> {
  let next = -quiet
  const parts = await exportInParts(() => writes[next++]?.())
  expect(parts.length).toBeGreaterThan(quiet)
  return parts.join('')
}

/** Runs an export. After each of its reads, except the first `quiet` ones, it makes one of `writes` while any are left. */
async function exportBeside(writes: (() => Promise<unknown>)[], quiet = 0): Promise<string> {
  const left = [...writes]
  let reads = 0
  const DB = databaseAround(async (send) => {
    const results = await send()
    if (reads++ >= quiet) await left.shift()?.()
    return results
  })
  const { body } = await get('/admin/export', { bindings: { DB } })
  expect(left).toHaveLength(0)
  return body
}

/** Expects that the file imports without a refused line and results in `whole`. */
async function expectWhole(text: string): Promise<void> {
  const whole = await exportText()
  await emptyService()
  await importFile(text.split('\n').filter(Boolean))
  expect(await exportText()).toBe(whole)
}

async function seed(): Promise<void> {
  await seedFinances()
  const options = [1, 2].map((id) => ({ id, name: `Option ${id}` }))
  await importRecords([
    ['request_statuses', { id: 1, name: 'Open' }],
    ['custom_fields', { id: 41, resource: 'contacts', name: 'Choice', type: 'select', options }],
    ['contacts', { id: 20, first_name: 'Chooser', custom_fields: { 41: 2 } }],
    [
      'listings',
      {
        ...minimalListing,
        ...{ id: 50, subcategory: 'apartment', subtype: 2 },
        location: { area_level1: 1, area_level2: 11, area_level3: 112 },
      },
    ],
    [
      'listings',
      { ...minimalListing, id: 52, location: { area_level1: 1, area_level2: 11, area_level3: 111 } },
    ],
    ['external_listing_statuses', { id: 1, name: 'Open' }],
    ['external_listings', { id: 50, created_by: 1, store_id: 1, location: { area_level3: 112 } }],
    [
      'requests',
      { ...minimalRequest, id: 50, locations: [112], subcategories: ['apartment'], subtypes: [2] },
    ],
    [
      'offers',
      {
        ...{ id: 50, store_id: 1, created_by: 1, currency: 'EUR', status: 'draft', is_active: true },
        ...{ current_listing_price: 1, listing: { external: true, area_level3: 112 } },
      },
    ],
    ['incomes', { ...INCOME, id: 50, commissions: [commission(50)] }],
    ['settings', { key: 'enquiry_email', value: 'office@example.com' }],
    ...['spam', 'closed', 'new'].map(
      (status, index): Line => [
        'enquiries',
        { ...SMALLEST.enquiries, id: 50 + index, status, status_date: '2020-01-01 00:00:00', users: [1] },
      ],
    ),
  ])
}

/** Cron removes enquiries: those of `seed` that are spam or closed, the first time. */
async function purge(): Promise<void> {
  await purgeEnquiries(env, new Date())
}

const unmerge = (id: number, date: string) => () =>
  execute(
    'update contacts set merged_into = null, is_deleted = 0, date_updated = ?, version = version + 1 where id = ?',
    ...[date, id],
  )
const imported = (entity: string, data: Data) => () => importRecords([[entity, data]])
const written = (method: string, path: string, body: Data) => async () =>
  expect((await call(method, path, { body })).status).toBe(200)

describe('an export beside others who write', { timeout: 120_000 }, () => {
  /** Each starts once the contacts are written. */
  const STORIES: Record<string, (() => Promise<unknown>)[]> = {
    'what refers to what is new': [
      imported('contact_tags', { id: 7, name: 'New' }),
      async () => {
        const { body } = await post('/api/contacts', { first_name: 'New', tags: [7] })
        await put('/api/listings/50', { contacts: [body.created_id] })
        await post('/api/requests', { ...minimalRequest, contacts: [body.created_id] })
      },
      imported('users', { id: 9, name: 'New' }),
      written('PUT', '/api/contacts/1', { users: [9] }),
    ],
    'definitions that are given up, changed and used again by the same records': [
      async () => {
        await importRecords([
          ['contacts', { id: 20, custom_fields: { 41: null } }],
          ['custom_fields', { id: 41, resource: 'contacts', name: 'Choice', type: 'number' }],
          ['contacts', { id: 20, custom_fields: { 41: 5 } }],
          ['listings', { id: 50, subtype: null }],
          ['requests', { id: 50, subtypes: [] }],
          ['listing_subtypes', { id: 2, subcategory: 'loft' }],
          ['listings', { id: 50, subcategory: 'loft', subtype: 2 }],
          ['requests', { id: 50, subcategories: ['loft'], subtypes: [2] }],
          ['listings', { id: 50, location: null }],
          ['external_listings', { id: 50, location: null }],
          ['requests', { id: 50, locations: [2] }],
          ['offers', { id: 50, listing: { external: true, area_level3: null } }],
          ['locations', place(12, 2, 1)],
          ['locations', place(112, 3, 12)],
          ['requests', { id: 50, locations: [112] }],
          ['listings', { id: 50, location: { area_level1: 1, area_level2: 12, area_level3: 112 } }],
          ['external_listings', { id: 50, location: { area_level1: 1, area_level2: 12, area_level3: 112 } }],
          ['offers', { id: 50, listing: { external: true, area_level3: 112 } }],
        ])
      },
    ],
    'enquiries that are purged and others that take their ids, and a setting that is unset': [
      purge,
      imported('settings', { key: 'enquiry_email', value: null }),
      imported('enquiries', { ...SMALLEST.enquiries, id: 51, status: 'closed', users: [1] }),
      purge,
    ],
    'contacts that are merged, and merges that are undone': [
      imported('contacts', { id: 2, merged_into: 1, date_updated: '2026-01-01 00:00:00' }),
      imported('contacts', { id: 20, merged_into: 3 }),
      unmerge(2, '2026-01-02 00:00:00'),
      imported('contacts', { id: 2, notes: 'Back', date_updated: '2026-01-03 00:00:00' }),
      imported('contacts', { id: 2, merged_into: 20 }),
    ],
    'commissions that are gone, and what goes over to another income': [
      imported('incomes', { id: 50, commissions: [] }),
      imported('incomes', { ...INCOME, id: 40, commissions: [commission(50), commission(51)] }),
    ],
  }

  it.each(Object.entries(STORIES))('imports whole: %s', async (_, writes) => {
    for (const quiet of [0, 2, 3, 5, 8]) {
      await emptyAndSeed(seed)
      await expectWhole(await exportBeside(writes, quiet))
    }
  })

  it.each(Object.entries(STORIES))('imports whole in parts: %s', async (_, writes) => {
    for (const quiet of [0, 2, 4]) {
      await emptyService()
      await seed()
      await expectWhole(await exportPartsBeside(writes, quiet))
    }
  })

  const MANY = [
    () =>
      importRecords(
        Array.from({ length: 700 }, (_, index) => ['contacts', { id: 900 - index, first_name: 'A' }]),
      ),
    () => importRecords([['listings', { ...minimalListing, id: 60, contacts: [201, 900] }]]),
    // Between the parts of what has changed.
    () => importRecords([['contacts', { id: 900, is_deleted: true }]]),
    () => importRecords([['contacts', { id: 900, is_deleted: false, notes: 'Back' }]]),
  ]

  it('imports whole when more changes at once than is read at once', async () => {
    await seed()
    await expectWhole(await exportBeside(MANY, 2))
    await emptyService()
    await seed()
    await expectWhole(await exportPartsBeside(MANY, 2))
  })

  it('ends in an error where others write faster than it reads', async () => {
    await seed()
    const more = (round: number) => () =>
      env.DB.prepare(
        `insert into contacts (first_name, last_name, created_by, date_created, date_updated, search)
        select 'A', 'B', 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00', ''
        from json_each(?)`,
      )
        .bind(JSON.stringify(Array.from({ length: 501 }, () => round)))
        .run()
    const writes = Array.from({ length: 201 }, (_, round) => more(round))
    await expect(exportBeside(writes, 2)).rejects.toThrow('Others write faster than the export reads')
  })
})
