import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { batch, type Database, database } from '../../src/db/client.ts'
import { createRecord, mergeRecord } from '../../src/db/merge.ts'
import { updateRow } from '../../src/db/rows.ts'
import { type Statement, sqlStatement } from '../../src/db/statements.ts'
import { contacts } from '../../src/db/tables/contacts.ts'
import type { RecordRef } from '../../src/http/concurrency/entity-tags.ts'
import { invalid } from '../../src/http/errors.ts'
import { createdReply } from '../../src/http/reply/envelope.ts'
import { bearer, sendTo, silenceLog } from '../http/send.ts'
import { keyWith, ORIGIN } from '../support/api.ts'
import { databaseOf, selectAll, selectFirst } from '../support/database.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { createListing, minimalListing } from '../support/factories/listing.ts'

let db: Database

const PLACES = { area_level1: 1, area_level2: 11, area_level3: 111 }
const DELETED_CONTACT = 3

beforeAll(seedAgency)
beforeEach(() => {
  db = database(env)
})

const setVersion = (read: number) => updateRow(contacts, { id: 1, version: read }, {})

const RECORD: RecordRef = {
  name: 'Contact',
  resource: 'contacts',
  id: 1,
  ifMatch: undefined,
  reportVersion: () => {},
}
const CREATED = { table: contacts, reportVersion: () => {} }

/** Changes contact 1 by `attempt`, which gets its version. */
function merge(attempt: (version: number) => Statement[]) {
  const current = sqlStatement<{ version: number }>(sql`select version from contacts where id = 1`)
  let attempts = 0
  const merging = mergeRecord(db, RECORD, { current, lookups: null }, ({ version }) => {
    attempts++
    return attempt(version)
  })
  return { merging, attempts: () => attempts }
}

describe('a merge', () => {
  it('is tried again only while the version that was read is an older one', async () => {
    const { merging, attempts } = merge((version) => [setVersion(attempts() < 3 ? version - 1 : version)])
    await merging
    expect(attempts()).toBe(3)
  })

  it('gives up when other writes precede every try', { tags: 'slow', timeout: 60_000 }, async () => {
    const { merging, attempts } = merge(() => [setVersion(0)])
    await expect(merging).rejects.toMatchObject({ status: 409 })
    expect(attempts()).toBeGreaterThan(10)
  })

  it.each([
    ['another NOT NULL', sql`update contacts set date_created = null where id = 1`],
    ['UNIQUE', sql`insert into settings (key, value) select key, value from settings limit 1`],
  ])('is not tried again for %s', async (_, statement) => {
    const { merging, attempts } = merge(() => [sqlStatement(statement)])
    await expect(merging).rejects.toThrow(/^D1_ERROR: (NOT NULL|UNIQUE) constraint failed: \w+\.\w+/)
    expect(attempts()).toBe(1)
  })

  it('reads again when what it refers to is gone, a few times', async () => {
    const link = () => ({
      row: sqlStatement<{ id: number }>(
        sql`insert into contact_tag_links (contact_id, tag_id, position) values (1, 99, 0)`,
      ),
      rest: null,
      answer: createdReply,
    })
    let attempts = 0
    const telling = createRecord(db, CREATED, async () => {
      attempts++
      if (attempts === 2) throw invalid([{ field: 'tags', message: 'Unknown tags 99' }])
      return link()
    })
    await expect(telling).rejects.toMatchObject({ status: 400, message: 'Unknown tags 99' })
    attempts = 0
    const insisting = createRecord(db, CREATED, async () => {
      attempts++
      return link()
    })
    await expect(insisting).rejects.toThrow('FOREIGN KEY constraint failed')
    expect(attempts).toBe(3)
  })
})

describe('over HTTP', () => {
  /** Calls the service and runs `spoil` before its first write, after its reads. */
  async function send(method: string, path: string, body: object, spoil: () => Promise<unknown>) {
    let batches = 0
    const spoiled = databaseOf({
      batch: async (statements: D1PreparedStatement[]) => {
        if (++batches === (method === 'POST' ? 1 : 2)) await spoil()
        return env.DB.batch(statements)
      },
    })
    const init = { method, headers: bearer(await keyWith('*:write')), body: JSON.stringify(body) }
    const answer = await sendTo({ DB: spoiled }, new Request(ORIGIN + path, init))
    return { status: answer.status, body: await answer.json(), batches }
  }

  it('a tag that goes after it was looked for is unknown', async () => {
    const id = await createListing()
    for (const [method, path, body] of [
      ['POST', '/api/listings', { ...minimalListing, tags: [3] }],
      ['PUT', `/api/listings/${id}`, { tags: [3] }],
    ] as const) {
      await env.DB.exec("insert or ignore into listing_tags (id, name) values (3, 'Back')")
      const reply = await send(method, path, body, () => env.DB.exec('delete from listing_tags where id = 3'))
      expect(reply).toMatchObject({ status: 400, body: { status: 400, error_message: 'Unknown tags 3' } })
    }
  })

  it.each([
    ['nothing but what it must have', {}],
    ['tags, texts and a language', { tags: [3, 1], title: 'Flat', description: 'Bright', language_id: 2 }],
    ['a text in the default language', { title: 'Flat' }],
    ['places and a subtype', { subcategory: 'apartment', subtype: 1, location: PLACES }],
  ])('a listing with %s is stored in one round trip', async (_, more) => {
    await env.DB.exec("insert or ignore into listing_tags (id, name) values (3, 'Back')")
    const reply = await send('POST', '/api/listings', { ...minimalListing, ...more }, async () => {})
    expect(reply).toEqual({
      status: 200,
      body: { status: 200, created_id: expect.any(Number) },
      batches: 1,
    })
    const path = `/api/listings/${(reply.body as { created_id: number }).created_id}`
    const changed = await send('PUT', path, { notes: 'Changed' }, async () => {})
    expect(changed).toMatchObject({ status: 200, batches: 2 })
  })

  it.each([
    ['an unknown tag', { tags: [1, 99] }, 'Unknown tags 99'],
    ['a deleted contact', { contacts: [DELETED_CONTACT] }, `Unknown contacts ${DELETED_CONTACT}`],
    [
      'a deleted tenant',
      { 'the service': { tenant_contact_id: DELETED_CONTACT } },
      `Unknown the service.tenant_contact_id ${DELETED_CONTACT}`,
    ],
    ['an unknown language', { title: 'Flat', language_id: 99 }, 'Unknown language_id 99'],
    [
      'a place of another level',
      { location: { area_level1: PLACES.area_level2 } },
      'Invalid location.area_level1: must be a location of level 1',
    ],
    [
      'a subtype of something else',
      { subcategory: 'villa', subtype: 1 },
      'Invalid subtype: belongs to apartment, not to villa',
    ],
  ])('a listing with %s is told so in a second one, and leaves nothing', async (_, more, message) => {
    const count = () => selectFirst('select count(*) as listings from listings')
    const before = await count()
    const reply = await send('POST', '/api/listings', { ...minimalListing, ...more }, async () => {})
    expect(reply).toEqual({ status: 400, body: { status: 400, error_message: message }, batches: 2 })
    expect(await count()).toEqual(before)
  })

  it('a constraint that is no race is 500, and only the log names it', async () => {
    const lines = silenceLog()
    await env.DB.exec(
      "create trigger spoilt before insert on listings begin select raise(abort, 'spoilt'); end",
    )
    const reply = await send(
      'POST',
      '/api/listings',
      { ...minimalListing, notes: 'Papadopoulos' },
      async () => {},
    )
    await env.DB.exec('drop trigger spoilt')
    expect(reply).toMatchObject({
      status: 500,
      body: { status: 500, error_message: 'Internal server error' },
    })
    expect(lines.join('\n')).toContain('spoilt')
    expect(lines.join('\n')).not.toContain('Papadopoulos')
  })
})

it('a batch that is refused stores nothing', async () => {
  const before = await env.DB.prepare('select * from contacts order by id').all()
  await expect(
    batch(db, {
      notes: sqlStatement(sql`update contacts set notes = 'x' where id = 1`),
      guard: setVersion(-1),
    }),
  ).rejects.toThrow('contacts.version')
  expect(await selectAll('select * from contacts order by id')).toEqual(before.results)
})
