import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { DECLARED, missingTriggers, statementsOf } from '../../scripts/migrations/triggers.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')
const FILES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.sql'))
  .toSorted()
const TEXTS = FILES.map((file) => readFileSync(join(FOLDER, file), 'utf8'))

describe('the triggers of the database', () => {
  it('are those that the code declares: `npm run migrations:generate` adds what is missing', () => {
    expect(missingTriggers(TEXTS)).toEqual([])
  })

  it('are replaced where they change; what visitors see is then filled anew', () => {
    const changed = DECLARED.map((trigger) =>
      trigger.startsWith('CREATE TRIGGER public_listings_leave ')
        ? trigger.replace('old.id', 'old.id + 0')
        : trigger,
    )
    expect(missingTriggers(TEXTS, changed)).toEqual([
      'DROP TRIGGER public_listings_leave;',
      expect.stringContaining('old.id + 0'),
      expect.stringContaining("DELETE FROM derivations WHERE name = 'public_listings';"),
    ])
  })

  it('go when the code does not declare them any more', () => {
    const left = DECLARED.filter((trigger) => !trigger.startsWith('CREATE TRIGGER changes_offers_delete '))
    expect(missingTriggers(TEXTS, left)).toEqual(['DROP TRIGGER changes_offers_delete;'])
  })

  it('have each case in parentheses: parsers of remote databases take its end for that of the trigger', () => {
    expect(DECLARED.length).toBeGreaterThan(60)
    for (const trigger of [
      ...DECLARED,
      ...TEXTS.flatMap(statementsOf).filter((text) => /CREATE TRIGGER/i.test(text)),
    ])
      expect(trigger).not.toMatch(/(?<!\()\bcase\b/i)
  })
})

/** The last migration of a release. */
const RELEASED = 13
/** Listings that the database has, and the bytes of each. */
const LISTINGS = 20_000
const BYTES = 5000
/** Milliseconds that a statement may take for them: D1 ends one after 30 s, and may hold fifty times as much. */
const BUDGET = 400

it('no migration after the last release takes longer with more records', { timeout: 120_000 }, () => {
  const db = new DatabaseSync(':memory:')
  const apply = (text: string, each: (statement: string) => void) => statementsOf(text).forEach(each)
  for (const text of TEXTS.slice(0, RELEASED + 1)) apply(text, (statement) => db.exec(statement))
  db.exec(`insert into stores (id, name) values (1, 'S'); insert into users (id, name) values (1, 'U');
    with recursive numbers(id) as (select 1 union all select id + 1 from numbers where id < ${LISTINGS})
    insert into listings (id, store_id, category, availability, status, created_by, date_created, date_updated, extra)
    select id, 1, 'residential', 'sale', 'active', 1, '2026-01-01', '2026-01-01',
      json_object('x', hex(zeroblob(${BYTES / 2}))) from numbers`)
  for (const [index, text] of TEXTS.entries()) {
    if (index <= RELEASED) continue
    apply(text, (statement) => {
      const start = performance.now()
      db.exec(statement)
      expect([FILES[index], statement.slice(0, 80), performance.now() - start > BUDGET]).toEqual([
        FILES[index],
        statement.slice(0, 80),
        false,
      ])
    })
  }
  const { listings } = db.prepare('select count(*) as listings from listings').get() ?? {}
  expect(listings).toBe(LISTINGS)
})
