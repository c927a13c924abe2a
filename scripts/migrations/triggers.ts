/** The triggers that code declares, and what a migration needs so that the database has them. */
import { DatabaseSync } from 'node:sqlite'
import { RECORD_RESOURCES } from '../../src/catalogue/resources.ts'
import { changeTriggers, highestIdTriggers, MATCHES_TRIGGER, SOURCES } from '../../src/db/changes.ts'
import { LINK_DATE_TRIGGERS } from '../../src/db/link-dates.ts'
import { COUNT_TRIGGERS } from '../../src/db/record-counts.ts'
import { TRAIL_TRIGGER } from '../../src/db/trail.ts'
import { FEED_TRIGGERS } from '../../src/feeds/triggers.ts'
import { SLOT_TRIGGERS } from '../../src/resources/appointments/slots.ts'
import { PUBLIC_TRIGGERS } from '../../src/resources/listings/public/triggers.ts'
import { PORTION_TRIGGER } from '../../src/resources/listings/search/stored-portions.ts'
import { MATCH_COUNT_TRIGGERS } from '../../src/resources/matching/store.ts'
import { PERSON_KEY_TRIGGERS } from '../../src/resources/search-texts.ts'

/** All of them. */
export const DECLARED: readonly string[] = [
  ...SOURCES.flatMap(changeTriggers),
  ...RECORD_RESOURCES.flatMap(highestIdTriggers),
  MATCHES_TRIGGER,
  ...COUNT_TRIGGERS,
  ...PUBLIC_TRIGGERS,
  ...FEED_TRIGGERS,
  ...MATCH_COUNT_TRIGGERS,
  TRAIL_TRIGGER,
  PORTION_TRIGGER,
  ...SLOT_TRIGGERS,
  ...LINK_DATE_TRIGGERS,
  ...PERSON_KEY_TRIGGERS,
]

/** The names of triggers that are declared in code. Others are written in a migration. */
const IS_DECLARED =
  /^(?:changes|record_counts|public|feed_changes|match_count|trail|index_portions|appointment_slots|link_dates|person_keys)_|_highest_id(?:_update)?$/

/** What is calculated by triggers of these names. Where one changes, cron fills all of it anew. */
const FILLED = [
  { pattern: /^public_/, comment: 'Cron fills what visitors see anew.', mark: 'public_listings' },
  { pattern: /^record_counts_/, comment: 'Cron counts all records anew.', mark: 'record_counts' },
]

// The text is compared with that of the database, which has no other place for the name either.
const nameOf = (trigger: string) => /^CREATE TRIGGER (\w+)/.exec(trigger)?.[1] ?? ''

/** The statements that are missing after `migrations`, the text of each file. */
export function missingTriggers(migrations: readonly string[], declared = DECLARED): string[] {
  const stored = triggersAfter(migrations)
  const names = new Set(declared.map(nameOf))
  const isNew = (trigger: string) => stored.get(nameOf(trigger)) !== trigger
  const created = declared.filter(isNew)
  const dropped = [...stored.keys()].filter(
    (name) =>
      IS_DECLARED.test(name) && (!names.has(name) || created.some((trigger) => nameOf(trigger) === name)),
  )
  const changed = [...dropped, ...created.map(nameOf)]
  const filled = FILLED.filter(({ pattern }) => changed.some((name) => pattern.test(name)))
  return [
    ...dropped.map((name) => `DROP TRIGGER ${name};`),
    ...created,
    ...filled.map(({ comment, mark }) => `-- ${comment}\nDELETE FROM derivations WHERE name = '${mark}';`),
  ]
}

/** The statements of a migration. */
export const statementsOf = (migration: string) =>
  migration.split('--> statement-breakpoint').filter((statement) => statement.trim())

function triggersAfter(migrations: readonly string[]): Map<string, string> {
  const db = new DatabaseSync(':memory:')
  for (const statement of migrations.flatMap(statementsOf)) db.exec(statement)
  const rows = db.prepare("select name, sql from sqlite_master where type = 'trigger'").all()
  return new Map(rows.map(({ name, sql }) => [String(name), `${sql};`.replace(/;;$/, ';')]))
}
