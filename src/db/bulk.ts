/**
 * Writing many rows in one statement: they travel as one JSON parameter, as D1 binds at most 100.
 *
 *     await batch(db, [upsertRows(db, users, [{ id: 1, name: 'A' }, …]), …])
 *
 * One parameter may hold 2 MB; callers cut their rows accordingly.
 */
import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database, Statement } from './client.ts'

/** Inserts `rows`, or overwrites the ones with the same `key`; columns absent from the first row keep their default. */
export function upsertRows<T extends SQLiteTable>(
  db: Database,
  table: T,
  rows: T['$inferInsert'][],
  key = 'id',
): Statement {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => rows[0] && name in rows[0])
  const names = columns.map(([name]) => name)
  const values = rows.map((row) => {
    const byName = new Map<string, unknown>(Object.entries(row))
    return columns.map(([name, column]) => {
      const value = byName.get(name)
      return value === null || value === undefined ? null : column.mapToDriverValue(value)
    })
  })
  const picked = names.map((_, index) => `value ->> ${index}`).join(', ')
  const updates = names
    .filter((name) => name !== key)
    // Others may have raised a version since it was read.
    .map((name) => (name === 'version' ? '"version" = "version" + 1' : `"${name}" = excluded."${name}"`))
  // "where true" keeps the parser from reading ON CONFLICT as a join condition.
  return db.run(sql`insert into ${sql.identifier(getTableName(table))} (${sql.raw(names.map(quote).join(', '))})
    select ${sql.raw(picked)} from json_each(${JSON.stringify(values)}) where true
    on conflict (${sql.raw(quote(key))}) do update set ${sql.raw(updates.join(', '))}`)
}

/** Replaces every row whose `owner` column is one of `owners` by `rows`. */
export function replaceRows<T extends SQLiteTable>(
  db: Database,
  table: T,
  owner: string,
  owners: number[],
  rows: T['$inferInsert'][],
): Statement[] {
  const name = sql.identifier(getTableName(table))
  const names = Object.keys(rows[0] ?? {})
  const picked = names.map((column) => `value ->> '${column}'`).join(', ')
  return [
    db.run(sql`delete from ${name}
      where ${sql.identifier(owner)} in (select value from json_each(${JSON.stringify(owners)}))`),
    ...(rows.length === 0
      ? []
      : [
          db.run(sql`insert into ${name} (${sql.raw(names.map(quote).join(', '))})
            select ${sql.raw(picked)} from json_each(${JSON.stringify(rows)})`),
        ]),
  ]
}

/** Makes `idsOf` each record, in their order, the whole of its rows in a join table with a position. */
export function replaceLinkRows<R extends { id: number }>(
  db: Database,
  table: SQLiteTable,
  [ownerColumn, idColumn]: [string, string],
  records: R[],
  idsOf: (record: R) => readonly number[] | null | undefined,
): Statement[] {
  const rows = records.flatMap((record) =>
    (idsOf(record) ?? []).map((id, position) => ({ [ownerColumn]: record.id, [idColumn]: id, position })),
  )
  return replaceRows(
    db,
    table,
    ownerColumn,
    records.map(({ id }) => id),
    rows,
  )
}

function quote(name: string): string {
  return `"${name}"`
}
