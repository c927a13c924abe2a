/** The triggers behind the feed of changes: made of the list of sources, for every resource with single reads. */
import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { LOOKUPS, pathsOf } from '../../../src/catalogue/lookups.ts'
import {
  changeTriggers,
  MATCHES_RESOURCE,
  MATCHES_TRIGGER,
  RESOURCES,
  SOURCES,
} from '../../../src/db/changes.ts'
import { endpoints } from '../../http/send.ts'
import { selectAll } from '../../support/database.ts'
import { follow } from './feed.ts'

describe('the triggers of the feed', () => {
  it('are those that the sources make; a source that is new or other takes a migration with them', async () => {
    const results = await selectAll<{ sql: string }>(
      "select sql from sqlite_master where type = 'trigger' and name like 'changes~_%' escape '~'",
    )
    const stored = results.map(({ sql }) => `${sql};`.replace(/;;$/, ';'))
    const byText = (a: string, b: string) => (a < b ? -1 : 1)
    expect(stored.toSorted(byText)).toEqual(
      [...SOURCES.flatMap(changeTriggers), MATCHES_TRIGGER].toSorted(byText),
    )
  })

  it('are there for every resource whose records can be read one by one', () => {
    const single = endpoints.flatMap(({ method, path }) => {
      const [, resource] = /^\/api\/([^{]+)\/\{id\}$/.exec(path) ?? []
      return method === 'get' && resource ? [resource] : []
    })
    const expected = new Set([...single, ...LOOKUPS.flatMap(pathsOf), MATCHES_RESOURCE])
    expect(RESOURCES.toSorted()).toEqual([...expected].toSorted())
  })
})

describe('a database that is older than the feed', () => {
  it('has all its records entered, oldest change first', async () => {
    const isOfFeed = (name: string) => /_change(s|_triggers)\.sql$/.test(name)
    await reset()
    await applyD1Migrations(
      env.DB,
      env.MIGRATIONS.filter(
        ({ name }) => name < (env.MIGRATIONS.find((file) => isOfFeed(file.name))?.name ?? ''),
      ),
    )
    await env.DB.batch(
      [
        "insert into stores (id, name) values (1, 'S')",
        "insert into users (id, name) values (1, 'U')",
        "insert into request_statuses (id, name) values (1, 'Open')",
        "insert into expense_categories (id, name) values (1, 'C')",
        `insert into contacts (id, created_by, date_created, date_updated, is_deleted) values
          (1, 1, '2025-01-01 00:00:00', '2025-03-01 00:00:00', 0), (2, 1, '2025-01-01 00:00:00', '2025-02-01 00:00:00', 0),
          (3, 1, '2025-01-01 00:00:00', '2025-01-01 00:00:00', 1), (4, 1, '2025-01-01 00:00:00', '2999-01-01 00:00:00', 0)`,
        `insert into listings (id, store_id, category, availability, status, created_by, date_created, date_updated) values
          (1, 1, 'residential', 'sale', 'active', 1, '2025-01-01 00:00:00', '2025-01-01 00:00:00'),
          (2, 1, 'residential', 'sale', 'deleted', 1, '2025-01-01 00:00:00', '2025-01-01 00:00:00')`,
        `insert into requests (id, title, store_id, status, availability, category, subcategories, created_by, date_created,
          date_updated) values (1, 'T', 1, 1, 'sale', 'residential', '[]', 1, '2025-01-01 00:00:00', '2025-01-01 00:00:00')`,
        "insert into request_matches (request_id, listing_id, score, deviations) values (1, 1, 100, '[]')",
        `insert into expenses (id, category_id, amount_cents, date, status, created_by, date_created)
          values (1, 1, 1, '2025-01-01', 'pending', 1, '2025-01-01 00:00:00')`,
      ].map((statement) => env.DB.prepare(statement)),
    )
    await applyD1Migrations(env.DB, env.MIGRATIONS)
    const { found } = await follow(undefined)
    const today = expect.stringMatching(new RegExp(`^${new Date().toISOString().slice(0, 10)} `))
    expect(found.map(({ resource, id, change, date }) => [resource, id, change, date])).toEqual([
      ['contacts', 3, 'deleted', today],
      ['contacts', 2, 'changed', '2025-02-01 00:00:00'],
      ['contacts', 1, 'changed', '2025-03-01 00:00:00'],
      ['contacts', 4, 'changed', today],
      ['listings', 1, 'changed', '2025-01-01 00:00:00'],
      ['listings', 2, 'deleted', today],
      ['requests', 1, 'changed', '2025-01-01 00:00:00'],
      ['expenses', 1, 'changed', '2025-01-01 00:00:00'],
      ['matches', 1, 'changed', today],
    ])
  })
})
