/** The database that migrations make, in as few statements as possible: tests make it thousands of times. */
import { DatabaseSync } from 'node:sqlite'
import { notedMigrations } from '../../tools/runtime/migrations.ts'

/** Each text is one call of SQLite for many statements. D1 takes texts of 100 kB. */
const MAX_TEXT = 90_000

/** What makes an empty database as `migrations` leave it. Rows are stored before there are triggers, which would add to them. */
export type Schema = {
  tables: string[]
  /** Indexes and triggers. */
  rest: string[]
}

export function schemaOf(migrations: readonly { name: string; queries: string[] }[]): Schema {
  const queries = migrations.flatMap((migration) => migration.queries)
  const db = new DatabaseSync(':memory:')
  for (const query of queries) db.exec(query)
  const made = (types: string) =>
    db
      .prepare(
        `select sql from sqlite_schema where type in (${types}) and sql is not null and name not like 'sqlite~_%' escape '~'`,
      )
      .all()
      .map(({ sql }) => String(sql))
  const rows = queries.filter((query) => /^\s*(--.*\n\s*)*insert\b/i.test(query))
  const notes = notedMigrations(migrations.map(({ name }) => name))
  const schema = {
    tables: joined([...made("'table'"), ...rows, ...notes]),
    rest: joined([...made("'index'"), ...made("'trigger'")]),
  }
  db.close()
  return schema
}

function joined(queries: string[]): string[] {
  const texts: string[] = []
  for (const query of queries) {
    const text = `${texts.at(-1) ?? ''}\n${query};`
    if (texts.length > 0 && text.length < MAX_TEXT) texts[texts.length - 1] = text
    else texts.push(`${query};`)
  }
  return texts
}
