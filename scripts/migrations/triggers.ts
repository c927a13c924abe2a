/** The triggers that code declares, and what a migration needs so that the database has them. */
import { DatabaseSync } from 'node:sqlite'
import { CHANGE_SOURCES, changeTriggers, highestIdTriggers, MATCHES_TRIGGER } from '../../src/db/changes.ts'
import { FEED_TRIGGERS } from '../../src/feeds/triggers.ts'
import { PUBLIC_TRIGGERS } from '../../src/resources/listings/public/triggers.ts'

/** All of them. */
export const DECLARED: readonly string[] = [
  ...CHANGE_SOURCES.flatMap((source) => [...changeTriggers(source), ...highestIdTriggers(source)]),
  MATCHES_TRIGGER,
  ...PUBLIC_TRIGGERS,
  ...FEED_TRIGGERS,
]

/** The names of triggers that are declared in code. Others are written in a migration. */
const IS_DECLARED = /^(?:changes|public|feed_changes)_|_highest_id(?:_update)?$/

/** What visitors see is calculated by these. Where one changes, cron fills all of it anew. */
const IS_PUBLIC = /^public_/
const FILL_ANEW = `DELETE FROM derivations WHERE name = 'public_listings';`

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
  const changesPublic = [...dropped, ...created.map(nameOf)].some((name) => IS_PUBLIC.test(name))
  return [
    ...dropped.map((name) => `DROP TRIGGER ${name};`),
    ...created,
    ...(changesPublic ? [`-- Cron fills what visitors see anew.\n${FILL_ANEW}`] : []),
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
