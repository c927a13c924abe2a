/**
 * Writing many rows at once: they travel as JSON parameters, as D1 binds at most 100.
 *
 *     await batch(db, { users: upsertRows(users, [{ id: 1, name: 'A' }, …]), … })
 */
import { getTableColumns, getTableName, type InferInsertModel, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { encode } from './columns.ts'
import { valuesOf } from './conditions.ts'
import { type Statement, sqlStatement } from './statements.ts'
import { type LinkTable, linkColumns } from './tables/links.ts'

/** Most characters of one JSON parameter: D1 takes 2 MB, and a character has up to 3 bytes. */
const MAX_PARAMETER = 600_000

/**
 * Inserts `rows`, or overwrites the ones with the same `key`; columns absent from the first row keep their default. A
 * table with versions is overwritten only where the row is still at the version before: NOT NULL undoes the rest.
 */
export function upsertRows<T extends SQLiteTable>(
  table: T,
  rows: InferInsertModel<T>[],
  key = 'id',
): Statement[] {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => rows[0] && name in rows[0])
  const names = columns.map(([name]) => name)
  const values = rows.map((row) => {
    const byName = new Map<string, unknown>(Object.entries(row))
    return columns.map(([name, column]) => encode(column, byName.get(name)))
  })
  const target = getTableName(table)
  const updates = names
    .filter((name) => name !== key)
    .map((name) => `"${name}" = ${excludedValue(target, name)}`)
  const upsert = (source: SQL) =>
    sqlStatement(sql`insert into ${sql.identifier(target)} (${sql.raw(names.map(quoteName).join(', '))}) ${source}
      on conflict (${sql.raw(quoteName(key))}) do update set ${sql.raw(updates.join(', '))}`)
  const picked = sql.raw(names.map((_, index) => `value ->> ${index}`).join(', '))
  const { parts, tooLarge } = jsonParts(values)
  return [
    // "where true" keeps the parser from reading ON CONFLICT as a join condition.
    ...parts.map((part) => upsert(sql`select ${picked} from json_each(${part}) where true`)),
    // As JSON, a row of that size may be larger than a parameter; each of its values is not.
    ...tooLarge.map((row) => upsert(sql`values (${sql.join(row.map(bound), sql.raw(', '))})`)),
  ]
}

/** Replaces every row whose `owner` column is one of `owners` by `rows`. */
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
  const { parts, tooLarge } = jsonParts(
    rows.map((row) => {
      const byName = new Map<string, unknown>(Object.entries(row))
      return names.map((column) => byName.get(column) ?? null)
    }),
  )
  return [
    sqlStatement(sql`delete from ${name} where ${sql.identifier(owner)} in (${valuesOf(owners)})`),
    ...[...parts, ...tooLarge.map((row) => JSON.stringify([row]))].map((part) =>
      sqlStatement(sql`insert into ${name} (${sql.raw(names.map(quoteName).join(', '))})
        select ${sql.raw(picked)} from json_each(${part})`),
    ),
  ]
}

/** Makes `idsOf` each record, in their order, the whole of its rows in a join table with a position. */
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

/** Rows as JSON arrays that fit a parameter each, and the rows that alone may not. */
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

/** How much goes together: entries, and the sum of their lengths. One entry always does. */
interface Portion<T> {
  entries?: number
  length?: number
  lengthOf?: (entry: T) => number
}

/** The entries of `list` in their order, as many together as a portion takes. */
export function portionsOf<T>(
  list: readonly T[],
  { entries, length, lengthOf = () => 0 }: Portion<T>,
): T[][] {
  const [most, longest] = [entries ?? Number.POSITIVE_INFINITY, length ?? Number.POSITIVE_INFINITY]
  const portions: T[][] = []
  let sum = 0
  for (const entry of list) {
    const last = portions.at(-1)
    if (last && last.length < most && sum + lengthOf(entry) <= longest) last.push(entry)
    else {
      portions.push([entry])
      sum = 0
    }
    sum += lengthOf(entry)
  }
  return portions
}

/** What an overwritten row gets in a column; a version only if it follows the one that is there. */
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
