/** The schema of the database. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The statements of all migrations, in order, and those that note them as wrangler does. */
export function migrationStatements(): string[] {
  const files = readdirSync('migrations').filter((name) => name.endsWith('.sql'))
  const statements = files
    .toSorted()
    .flatMap((name) => readFileSync(join('migrations', name), 'utf8').split('--> statement-breakpoint'))
  return [...statements.filter((text) => text.trim()), ...notedMigrations(files)]
}

/** The statements that note migrations in a new database as wrangler does. */
export function notedMigrations(files: string[]): string[] {
  return [
    `create table d1_migrations (id integer primary key autoincrement, name text unique,
      applied_at timestamp default current_timestamp not null)`,
    ...files.map((name) => `insert into d1_migrations (name) values ('${name}')`),
  ]
}
