/** The schema of the database. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The statements of all migrations, in order. */
export function migrationStatements(): string[] {
  const files = readdirSync('migrations').filter((name) => name.endsWith('.sql'))
  const statements = files
    .toSorted()
    .flatMap((name) => readFileSync(join('migrations', name), 'utf8').split('--> statement-breakpoint'))
  return statements.filter((text) => text.trim())
}
