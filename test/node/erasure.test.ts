/**
 * An erasure on disk: nothing of the person is left in the database file, the bucket or an export.
 *
 * @module-tag slow
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AgencyService, askAgency, callAgency, startAgency } from '../../tools/runtime/agency.ts'
import { AGENCY, PERSON, RECORDS, TEXTS } from '../admin/erasure/persona.ts'

let service: AgencyService
const copies = mkdtempSync(join(tmpdir(), 'estia-erasure-'))

beforeAll(async () => {
  service = await startAgency('tools/faults/worker.ts', 0)
})
afterAll(async () => {
  await service.stop()
  rmSync(copies, { recursive: true, force: true })
})

type Call = Parameters<typeof callAgency> extends [unknown, ...infer Rest] ? Rest : never
const send = (...call: Call) => callAgency(service, ...call)
const json = (...call: Call) => askAgency(service, ...call)
const runCron = () => json('GET', `/faults/scheduled?cron=${encodeURIComponent('* * * * *')}`)

/** What searches load stands in base64. */
const PACKED = 'select data from index_portion_data'
const isSearched = (database: DatabaseSync) =>
  database.prepare("select 1 from sqlite_schema where name = 'index_portion_data'").get() !== undefined

/** Every file that the service has written, as it is on disk; databases without what was deleted. */
function onDisk(): string {
  const paths = readdirSync(service.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(wal|shm)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
  return paths
    .map((path) => {
      if (!path.endsWith('.sqlite')) return readFileSync(path, 'latin1')
      const copy = join(copies, `${Math.random()}.sqlite`)
      const database = new DatabaseSync(path)
      database.prepare('vacuum into ?').run(copy)
      const packed = isSearched(database) ? database.prepare(PACKED).all() : []
      database.close()
      return [readFileSync(copy, 'latin1'), ...packed.map(({ data }) => atob(String(data)))].join('\n')
    })
    .join('\n')
}

it('leaves nothing of a person on disk', async () => {
  const lines = [...AGENCY, ...RECORDS].map(([entity, data]) => JSON.stringify({ entity, data }))
  const { data } = await json('POST', '/admin/import', lines.join('\n'))
  expect(data.errors).toEqual([])
  // What is derived of the records: documents, portions of searches, a feed in the bucket, kept replies, deliveries.
  await json('POST', '/admin/webhooks', { url: 'https://example.com/hook' })
  await send('GET', '/api/listings')
  await send('GET', '/api/listings/facets').catch(() => undefined)
  const feed = (await json('POST', '/admin/feeds', { name: 'Portal', format: 'kyero' })).data
  const kyero = await (await fetch(new URL(new URL(feed.url).pathname, service.url))).text()
  expect(kyero).toContain('zqlistingdescription')
  const keyed = () => ({ 'Idempotency-Key': crypto.randomUUID() })
  const sender = {
    first_name: 'zqkeyed',
    last_name: 'zqkeyedlast',
    email: 'zqkeyedmail@example.com',
    message: 'zqkeyedmessage',
  }
  const enquiry = await json(
    'POST',
    '/api/enquiries',
    { type: 'information', ...sender, consent: { privacy: true, marketing: true } },
    keyed(),
  )
  await json('POST', `/api/enquiries/${enquiry.created_id}/convert`, { contact_id: PERSON }, keyed())
  const wish = {
    availability: 'sale',
    category: 'residential',
    contacts: [PERSON],
    locations: [11],
    users: [1],
  }
  await json(
    'POST',
    '/api/requests',
    { ...wish, created_by: 1, store_id: 1, extra_fields: { 3: 'zqkeyedwish' } },
    keyed(),
  )
  await runCron()
  const texts = [...TEXTS, 'zqkeyed', 'zqkeyedwish']
  const before = onDisk()
  expect(texts.filter((text) => !before.includes(text))).toEqual([])

  const also = [
    { resource: 'enquiries', id: 2 },
    { resource: 'external-listings', id: 1 },
  ]
  const report = await json('POST', `/admin/contacts/${PERSON}/erase`, { reason: 'Asked for it', also })
  expect(report.data.complete).toBe(true)
  await runCron()
  const after = onDisk()
  expect(texts.filter((text) => after.includes(text))).toEqual([])
  const file = await send('GET', '/admin/export')
  expect(texts.filter((text) => file.includes(text))).toEqual([])
  // The listing is still found, shown and exported to portals.
  expect((await json('GET', '/api/listings/1')).data).toMatchObject({
    code: 'R-1',
    notes: null,
    translations: [],
  })
})
