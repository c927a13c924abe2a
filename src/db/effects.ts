/**
 * Writes that say what they would store, for a dry run (`dry-run.ts`). Statements that do not say so are left out there.
 *
 *     deleteRows(expenses, sql`id = 7`)
 *     updateRows(expenses, { status: sql`'confirmed'` }, { where: sql`id = 7` })
 *     insertRows(expenses, ['id', 'date'], sql`select 7, date from incomes where id = 3`)
 */
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { Statement, sqlStatement } from './statements.ts'

export type StoredRow = Record<string, unknown>

/** What a statement would change in its table. */
export type Effect = { table: SQLiteTable } & (
  | {
      /** The rows whose `column` is one of `values` go. */
      removes: { column: string; values: readonly unknown[] }
    }
  | {
      /** Rows that are added, or that replace those with the same `key`. Without one, they are only added. */
      puts: () => readonly StoredRow[]
      key?: string
    }
  | {
      /** The select that finds the ids of the rows that go. */
      finds: Statement<{ id: number }>
    }
  | {
      /** The select that makes the rows to add. With `old_id`, each replaces the row of that id. */
      makes: Statement<StoredRow>
    }
)

/** A write that says what it would store. */
export class WriteStatement extends Statement<never> {
  readonly effect: Effect

  constructor({ sql: text, params }: Statement, effect: Effect) {
    super(text, params, () => [], true)
    this.effect = effect
  }
}

/**
 * The statement that deletes the rows of `table` that meet `where`.
 * @param known a condition that is as good as `where` after the statement before it, which a dry run leaves out
 */
export function deleteRows(table: SQLiteTable, where: SQL, known = where): WriteStatement {
  const name = sql.identifier(getTableName(table))
  const finds = sqlStatement<{ id: number }>(sql`select id from ${name} where ${where}`)
  return new WriteStatement(sqlStatement(sql`delete from ${name} where ${known}`), { table, finds })
}

/** The statement that updates the rows of `table` that meet `where`. It may join `from`. */
export function updateRows(
  table: SQLiteTable,
  set: Readonly<Record<string, SQL>>,
  { from, where }: { from?: SQL; where: SQL },
): WriteStatement {
  const name = sql.identifier(getTableName(table))
  const entries = Object.entries(set)
  const values = entries.map(([column, value]) => sql`${sql.identifier(column)} = ${value}`)
  const update = sql`update ${name} set ${sql.join(values, sql`, `)}${from ? sql` from ${from}` : sql``} where ${where}`
  const made = entries.map(([column, value]) => sql`${value} as ${sql.identifier(PREFIX + column)}`)
  const select = sql`select ${name}.*, ${sql.join(made, sql`, `)} from ${name}${from ? sql`, ${from}` : sql``} where ${where}`
  const { sql: text, params } = sqlStatement(select)
  return new WriteStatement(sqlStatement(update), {
    table,
    makes: new Statement(text, params, (rows) => rows.map(withNewValues)),
  })
}

/** The statement that adds what `select` finds. */
export function insertRows(table: SQLiteTable, columns: readonly string[], select: SQL): WriteStatement {
  const names = sql.join(
    columns.map((column) => sql.identifier(column)),
    sql`, `,
  )
  return new WriteStatement(
    sqlStatement(sql`insert into ${sql.identifier(getTableName(table))} (${names}) ${select}`),
    { table, makes: sqlStatement(sql`with made (${names}) as (${select}) select * from made`, false) },
  )
}

/** Before the names of new values in the select of an update. */
const PREFIX = 'new_'

function withNewValues(row: StoredRow): StoredRow {
  const changed: StoredRow = { old_id: row.id }
  for (const [name, value] of Object.entries(row)) {
    if (name.startsWith(PREFIX)) changed[name.slice(PREFIX.length)] = value
    else if (!(name in changed)) changed[name] = value
  }
  return changed
}
