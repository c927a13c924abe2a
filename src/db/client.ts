/** The database of a request, and the small pieces of SQL that several resources share. */
import { and, type SQL, sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'

export type Database = DrizzleD1Database & { $client: D1Database }

/** A query that can run in a batch. */
export type Statement = Parameters<Database['batch']>[0][number]

export function database(env: Env): Database {
  return drizzle(env.DB)
}

/**
 * Runs statements as one transaction in one round trip. drizzle's own batch cannot bind the parameters of raw
 * SQL on D1, hence this one; the results are mapped by drizzle all the same.
 */
export async function batch<const T extends readonly Statement[]>(
  db: Database,
  statements: T,
): Promise<Results<T>> {
  const prepared = (statements as unknown as Preparable[]).map((statement) => statement._prepare())
  const bound = prepared.map((query) => {
    const { sql: text, params } = query.getQuery()
    return db.$client.prepare(text).bind(...params)
  })
  const results = bound.length > 0 ? await db.$client.batch(bound) : []
  const mapped: unknown[] = results.map((result, index) => prepared[index]?.mapResult(result, true))
  return mapped as Results<T>
}

/**
 * The rows of a statement whose text never changes. For what is read so often that building and mapping a statement
 * would cost more than running it.
 */
export async function readRows<Row>(
  db: Database,
  text: string,
  ...values: (string | number | null)[]
): Promise<Row[]> {
  const { results } = await db.$client
    .prepare(text)
    .bind(...values)
    .all<Row>()
  return results
}

/** What the statements `T` give, one by one. */
export type Results<T extends readonly Statement[]> = { -readonly [K in keyof T]: T[K]['_']['result'] }

/** The part of a drizzle query that its own batch uses, too. */
export interface Preparable {
  _prepare(): {
    getQuery(): { sql: string; params: readonly unknown[] }
    mapResult(result: unknown, isFromBatch: boolean): unknown
  }
}

/**
 * `column in values`, whatever their number: the list travels as one JSON parameter, as D1 binds at most 100.
 * Null means no condition.
 */
export function isOneOf(column: SQL, values: readonly (string | number)[] | null): SQL | undefined {
  if (!values) return undefined
  const [only] = values
  if (values.length === 1) return sql`${column} = ${only}`
  return sql`${column} in (select value from json_each(${JSON.stringify(values)}))`
}

/** `column` within `range`, both sides inclusive; undefined when there is no bound at all. */
export function within<T>(
  column: SQL,
  range: { min: T | null; max: T | null } | null | undefined,
): SQL | undefined {
  return and(
    range?.min == null ? undefined : sql`${column} >= ${range.min}`,
    range?.max == null ? undefined : sql`${column} <= ${range.max}`,
  )
}
