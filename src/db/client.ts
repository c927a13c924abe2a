/** The database of a request, and the small pieces of SQL that several resources share. */
import { and, getTableName, type SQL, sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

export type Database = DrizzleD1Database

/** What `db.batch` takes: statements that run as one transaction in one round trip. */
export type Statement = Parameters<Database['batch']>[0][number]

export function database(env: Env): Database {
  return drizzle(env.DB)
}

/** Runs statements of unknown number as one transaction. */
export async function runBatch(db: Database, statements: Statement[]): Promise<unknown[]> {
  const [first, ...rest] = statements
  return first ? db.batch([first, ...rest]) : []
}

/**
 * `column in values`, whatever their number: the list travels as one JSON parameter, as D1 binds at most 100.
 * Null means no condition.
 */
export function isOneOf(column: SQL, values: readonly (string | number)[] | null): SQL | undefined {
  return values ? sql`${column} in (select value from json_each(${JSON.stringify(values)}))` : undefined
}

/** `column` within `range`, both sides inclusive; undefined when there is no bound at all. */
export function within<T>(column: SQL, range: { min: T | null; max: T | null } | null | undefined): SQL | undefined {
  return and(
    range?.min == null ? undefined : sql`${column} >= ${range.min}`,
    range?.max == null ? undefined : sql`${column} <= ${range.max}`,
  )
}

/** The statements that make `ids`, in this order, the whole list of `owner` in a join table. */
export function replaceLinks(
  db: Database,
  table: SQLiteTable,
  [ownerColumn, idColumn]: [string, string],
  owner: SQL,
  ids: readonly number[],
): Statement[] {
  const name = sql.identifier(getTableName(table))
  const [ownerName, idName] = [sql.identifier(ownerColumn), sql.identifier(idColumn)]
  return [
    db.run(sql`delete from ${name} where ${ownerName} = ${owner}`),
    db.run(sql`insert into ${name} (${ownerName}, ${idName}, position)
      select ${owner}, value, key from json_each(${JSON.stringify(ids)})`),
  ]
}
