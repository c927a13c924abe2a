/** The database that migrations make, in as few statements as possible: tests make it thousands of times. */
import { DatabaseSync } from 'node:sqlite'

/** The statements that make an empty database as `migrations` leave it: tables, their first rows, indexes, triggers. */
export function schemaOf(migrations: readonly { queries: string[] }[]): string[] {
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
  const statements = [...made("'table'"), ...rows, ...made("'index'"), ...made("'trigger'")]
  db.close()
  return statements
}
