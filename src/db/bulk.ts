/**
 * Reads and writes many rows at once. They are sent as JSON parameters, because D1 binds at most 100 parameters.
 *
 *     await batch(db, { users: upsertRows(users, [{ id: 1, name: 'A' }, …]), … })
 */
import { getTableColumns, getTableName, type InferInsertModel, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { encode } from './columns.ts'
import { valuesOf } from './conditions.ts'
import { type Effect, type StoredRow, WriteStatement } from './effects.ts'
import { type Statement, sqlStatement } from './statements.ts'
import { type LinkTable, linkColumns } from './tables/links.ts'

/** Maximum length of one JSON parameter, in characters. D1 accepts 2 MB, and a character has up to 3 bytes. */
const MAX_PARAMETER = 600_000

/** The end of a select: the first `limit` records that meet `where`, in the order of their ids. */
export function inIdOrder(id: SQLiteColumn, where: SQL, limit: number): SQL {
  return sql`where ${where} order by ${id} limit ${limit}`
}

/**
 * Statements that insert `rows`, or overwrite the rows with the same `key`. Columns missing from the first row keep
 * their default. In a table with versions, a row is overwritten only if its version is the one before the new version.
 * Otherwise NOT NULL on `version` rolls the batch back.
 * @param kept columns that overwritten rows keep
 */
export function upsertRows<T extends SQLiteTable>(
  table: T,
  rows: InferInsertModel<T>[],
  key = 'id',
  kept: readonly string[] = [],
): Statement[] {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => rows[0] && name in rows[0])
  const names = columns.map(([name]) => name)
  const values = rows.map((row) => {
    const byName = new Map<string, unknown>(Object.entries(row))
    return columns.map(([name, column]) => encode(column, byName.get(name)))
  })
  const target = getTableName(table)
  const updates = names
    .filter((name) => name !== key && !kept.includes(name))
    .map((name) => `"${name}" = ${excludedValue(target, name)}`)
  const upsert = (source: SQL) =>
    sqlStatement(sql`insert into ${sql.identifier(target)} (${sql.raw(names.map(quoteName).join(', '))}) ${source}
      on conflict (${sql.raw(quoteName(key))}) do update set ${sql.raw(updates.join(', '))}`)
  const picked = sql.raw(names.map((_, index) => `value ->> ${index}`).join(', '))
  const { parts, tooLarge } = jsonParts(values)
  const statements = [
    // "where true" keeps the parser from reading ON CONFLICT as a join condition.
    ...parts.map((part) => upsert(sql`select ${picked} from json_each(${part}) where true`)),
    // The JSON of such a row may exceed the limit of a parameter, but each of its values fits.
    ...tooLarge.map((row) => upsert(sql`values (${sql.join(row.map(bound), sql.raw(', '))})`)),
  ]
  return withEffect(statements, { table, key, puts: () => values.map((row) => namedRow(names, row)) })
}

/** Statements that delete every row whose `owner` column is in `owners`, and insert `rows`. */
export function replaceRows<T extends SQLiteTable>(
  table: T,
  owner: string,
  owners: number[],
  rows: InferInsertModel<T>[],
): Statement[] {
  if (owners.length === 0) return []
  const name = sql.identifier(getTableName(table))
  const names = Object.keys(rows[0] ?? {})
  const picked = names.map((_, index) => `value ->> ${index}`).join(', ')
  const values = rows.map((row) => {
    const byName = new Map<string, unknown>(Object.entries(row))
    return names.map((column) => byName.get(column) ?? null)
  })
  const { parts, tooLarge } = jsonParts(values)
  const removal = sqlStatement(
    sql`delete from ${name} where ${sql.identifier(owner)} in (${valuesOf(owners)})`,
  )
  const inserts = [...parts, ...tooLarge.map((row) => JSON.stringify([row]))].map((part) =>
    sqlStatement(sql`insert into ${name} (${sql.raw(names.map(quoteName).join(', '))})
      select ${sql.raw(picked)} from json_each(${part})`),
  )
  return [
    new WriteStatement(removal, { table, removes: { column: owner, values: owners } }),
    ...withEffect(inserts, { table, puts: () => values.map((row) => namedRow(names, row)) }),
  ]
}

/** Statements that replace the rows of `records` in a join table by the ids of `idsOf`, in their order. */
export function replaceLinkRows<R extends { id: number }>(
  table: LinkTable,
  records: R[],
  idsOf: (record: R) => readonly number[] | null | undefined,
): Statement[] {
  const { owner, target } = linkColumns(table)
  const rows = records.flatMap((record) =>
    (idsOf(record) ?? []).map((id, position) => ({ [owner]: record.id, [target]: id, position })),
  )
  const owners = records.map(({ id }) => id)
  return replaceRows(table, owner, owners, rows)
}

/**
 * Splits rows into JSON arrays that each fit into a parameter. Rows that may be too large even alone are `tooLarge`.
 */
export function jsonParts(rows: unknown[][]): { parts: string[]; tooLarge: unknown[][] } {
  const entries = rows.map((row) => ({ row, json: JSON.stringify(row) }))
  const [fitting, tooLarge] = [
    entries.filter(({ json }) => json.length <= MAX_PARAMETER),
    entries.filter(({ json }) => json.length > MAX_PARAMETER),
  ]
  const portions = portionsOf(fitting, { length: MAX_PARAMETER, lengthOf: ({ json }) => json.length + 1 })
  return {
    parts: portions.map((portion) => `[${portion.map(({ json }) => json).join(',')}]`),
    tooLarge: tooLarge.map(({ row }) => row),
  }
}

/** Limits of a portion: its number of entries and the sum of their lengths. A single entry is always accepted. */
interface Portion<T> {
  entries?: number
  length?: number
  lengthOf?: (entry: T) => number
}

/** Splits `list` into portions that respect the limits, in order. */
export function portionsOf<T>(
  list: readonly T[],
  { entries, length, lengthOf = () => 0 }: Portion<T>,
): T[][] {
  const [maxEntries, maxLength] = [entries ?? Number.POSITIVE_INFINITY, length ?? Number.POSITIVE_INFINITY]
  const portions: T[][] = []
  let sum = 0
  for (const entry of list) {
    const last = portions.at(-1)
    if (last && last.length < maxEntries && sum + lengthOf(entry) <= maxLength) last.push(entry)
    else {
      portions.push([entry])
      sum = 0
    }
    sum += lengthOf(entry)
  }
  return portions
}

/** Statements of which the first says what all of them store. */
function withEffect([first, ...others]: Statement[], effect: Effect): Statement[] {
  return first ? [new WriteStatement(first, effect), ...others] : []
}

function namedRow(names: readonly string[], row: readonly unknown[]): StoredRow {
  return Object.fromEntries(names.map((name, index) => [name, row[index]]))
}

/** SQL for the new value of a column. A `version` becomes null unless it follows the stored one. */
function excludedValue(table: string, column: string): string {
  if (column !== 'version') return `excluded."${column}"`
  return `case when "${table}".version = excluded.version - 1 then excluded.version end`
}

function bound(value: unknown): SQL {
  return sql`${value}`
}

function quoteName(name: string): string {
  return `"${name}"`
}
