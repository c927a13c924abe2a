import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { batch, type Database, database } from '../../src/db/client.ts'
import { createRecord, mergeRecord } from '../../src/db/merge.ts'
import { updateRow } from '../../src/db/rows.ts'
import { contacts } from '../../src/db/tables/contacts.ts'
import { invalid } from '../../src/http/errors.ts'
import { bearer, sendTo, silenceLog } from '../http/send.ts'
import { keyWith, ORIGIN } from '../support/api.ts'
import { seedAgency } from '../support/factories/agency.ts'
import { createListing, minimalListing } from '../support/factories/listing.ts'

let db: Database

beforeAll(seedAgency)
beforeEach(() => {
  vi.restoreAllMocks()
  db = database(env)
})

const setVersion = (read: number) => updateRow(contacts, { id: 1, version: read }, {})

describe('a merge', () => {
  it('is tried again only while the version that was read is an older one', async () => {
    let attempts = 0
    await mergeRecord(db, 'contacts 1', async () => {
      attempts++
      const [row] = await db.all<{ version: number }>(sql`select version from contacts where id = 1`)
      // Somebody else is faster, twice.
      if (attempts < 3) await db.run(sql`update contacts set version = version + 1 where id = 1`)
      return [setVersion(row?.version ?? 0)]
    })
    expect(attempts).toBe(3)
  })

  it('gives up when others write before every try', { timeout: 60_000 }, async () => {
    let attempts = 0
    const merging = mergeRecord(db, 'contacts 1', async () => {
      attempts++
      return [setVersion(0)]
    })
    await expect(merging).rejects.toMatchObject({ status: 409 })
    expect(attempts).toBeGreaterThan(10)
  })

  it.each([
    ['another NOT NULL', sql`update contacts set date_created = null where id = 1`],
    ['UNIQUE', sql`insert into settings (key, value) select key, value from settings limit 1`],
  ])('is not tried again for %s', async (_, statement) => {
    let attempts = 0
    const merging = mergeRecord(db, 'contacts 1', async () => {
      attempts++
      return [db.run(statement)]
    })
    await expect(merging).rejects.toThrow(/^D1_ERROR: (NOT NULL|UNIQUE) constraint failed: \w+\.\w+/)
    expect(attempts).toBe(1)
  })

  it('reads again when what it refers to is gone, a few times', async () => {
    const link = () => [
      db.run(sql`insert into contact_tag_links (contact_id, tag_id, position) values (1, 99, 0)`),
    ]
    let attempts = 0
    const telling = createRecord(db, async () => {
      attempts++
      if (attempts === 2) throw invalid([{ field: 'tags', message: 'Unknown tags 99' }])
      return link()
    })
    await expect(telling).rejects.toMatchObject({ status: 400, message: 'Unknown tags 99' })
    attempts = 0
    const insisting = createRecord(db, async () => {
      attempts++
      return link()
    })
    await expect(insisting).rejects.toThrow('FOREIGN KEY constraint failed')
    expect(attempts).toBe(3)
  })
})

describe('over HTTP', () => {
  /** The service, with `spoil` run between what it reads and what it writes. */
  async function send(method: string, path: string, body: object, spoil: () => Promise<unknown>) {
    let batches = 0
    const spoiled = {
      prepare: (text: string) => env.DB.prepare(text),
      batch: async (statements: D1PreparedStatement[]) => {
        if (++batches === 2) await spoil()
        return env.DB.batch(statements)
      },
    } as unknown as D1Database
    const init = { method, headers: bearer(await keyWith('*:write')), body: JSON.stringify(body) }
    const answer = await sendTo({ DB: spoiled }, new Request(ORIGIN + path, init))
    return { status: answer.status, body: await answer.json() }
  }

  it('a tag that goes after it was looked for is unknown', async () => {
    const id = await createListing()
    for (const [method, path, body] of [
      ['POST', '/api/listings', { ...minimalListing, tags: [3] }],
      ['PUT', `/api/listings/${id}`, { tags: [3] }],
    ] as const) {
      await env.DB.exec("insert or ignore into listing_tags (id, name) values (3, 'Back')")
      const reply = await send(method, path, body, () => env.DB.exec('delete from listing_tags where id = 3'))
      expect(reply).toEqual({ status: 400, body: { status: 400, error_message: 'Unknown tags 3' } })
    }
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
    expect(reply).toEqual({ status: 500, body: { status: 500, error_message: 'Internal server error' } })
    expect(lines.join('\n')).toContain('spoilt')
    expect(lines.join('\n')).not.toContain('Papadopoulos')
  })
})

it('a batch that is refused stores nothing', async () => {
  const before = await env.DB.prepare('select * from contacts order by id').all()
  await expect(
    batch(db, [db.run(sql`update contacts set notes = 'x' where id = 1`), setVersion(-1)]),
  ).rejects.toThrow('contacts.version')
  expect((await env.DB.prepare('select * from contacts order by id').all()).results).toEqual(before.results)
})
