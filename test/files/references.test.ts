import { env } from 'cloudflare:workers'
import { paint, RED, toPng } from '@estia/photo-codec/testing'
import { is, sql } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { database, runStatement } from '../../src/db/client.ts'
import { sqlStatement } from '../../src/db/statements.ts'
import { FILE_COLUMNS, FILE_LISTS, isReferenced } from '../../src/files/references.ts'
import { importArticle, seedKnowledgeBase } from '../resources/knowledge-base/seed.ts'
import { call, importRecords, post } from '../support/api.ts'
import { selectAll } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { createListing } from '../support/factories/listing.ts'

const PNG = toPng(paint(4, 4, () => RED))
const KEY = /^[a-z-]+\/[0-9a-f]{32}\.[a-z]{3,4}$/

const declared = new Set([...FILE_COLUMNS, ...FILE_LISTS].map(({ table, column }) => `${table}.${column}`))

/** Text columns by their names, `table.column`. */
const textColumns = Object.values(import.meta.glob('../../src/db/tables/*.ts', { eager: true }))
  .flatMap((module) => Object.values(module))
  .filter((exported) => is(exported, SQLiteTable))
  .map(getTableConfig)
  .flatMap(({ name, columns }) =>
    columns.filter((column) => column.getSQLType() === 'text').map((column) => `${name}.${column.name}`),
  )

beforeAll(async () => {
  await seedAgency()
  await seedKnowledgeBase()
  await importRecords([['external_listing_statuses', { id: 1, name: 'New' }]])
})

describe('the columns that refer to files', () => {
  it('are all declared: every one that the service writes a key to', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(PNG))
    const photos = ['https://pictures.test/1.png']
    const id = await createListing()
    await call('PUT', '/admin/stores/1/watermark', { body: PNG })
    await post(`/api/listings/${id}/photos`, { photos })
    await post(`/api/listings/${id}/panorama-photos`, { photos })
    await post('/api/external-listings', { created_by: 1, store_id: 1, photos })
    const file = { id: 9, original_name: 'x', size: 1, url: 'x', date_created: '2024-01-01 00:00:00' }
    await importArticle({ id: 9, title: 'Files', category_id: 1, created_by: 1, files: [file] })
    await call('PUT', '/admin/knowledge-base/files/9', { body: PNG })
    vi.restoreAllMocks()

    const holding = new Set<string>()
    for (const name of textColumns) {
      const [table, column] = name.split('.')
      const results = await selectAll<{
        value: string | null
      }>(`select "${column}" as value from ${table}`)
      const values = results.flatMap(({ value }) => (value?.startsWith('["') ? JSON.parse(value) : [value]))
      if (values.some((value) => KEY.test(value))) holding.add(name)
    }
    expect(holding).toEqual(declared)
  })

  it('are all declared: every one whose name says so', () => {
    const files = /(image|photos?|pictures?|thumb|watermark|logo|avatar|file|document|attachment|url|key)$/
    const others = new Set([
      'agency_changes.key',
      'enquiries.page_url',
      'external_listings.external_url',
      'feeds.page_url',
      'file_sweeps.last_key',
      'idempotency_keys.api_key',
      'enquiry_usage.api_key',
      'idempotency_usage.api_key',
      'listing_documents.document',
      'person_keys.key',
      // Only of photos that the listing still has.
      'photo_downloads.image',
      'settings.key',
      'stores.url',
      'unreferenced_files.key',
      'webhooks.url',
    ])
    const named = textColumns.filter((name) => files.test(name) && !others.has(name))
    expect(new Set(named)).toEqual(declared)
  })
})

describe('isReferredTo', () => {
  it('finds a reference without reading any table', async () => {
    const plan = await runStatement(
      database(env),
      sqlStatement<{ detail: string }>(
        sql`explain query plan select value from json_each(${'[]'}) where ${isReferenced(sql`value`)}`,
      ),
    )
    const searches = plan.map(({ detail }) => detail).filter((detail) => /^(SEARCH|SCAN)/.test(detail))
    expect(searches.filter((detail) => detail.startsWith('SCAN'))).toEqual([
      expect.stringContaining('json_each'),
    ])
    expect(searches).toHaveLength(1 + FILE_COLUMNS.length + FILE_LISTS.length)
    for (const { table, column } of FILE_COLUMNS) {
      expect(searches).toContainEqual(expect.stringContaining(`INDEX files_of_${table}_${column} `))
    }
  })
})
