/**
 * A dry run of an import, which stores nothing: what writes would store is kept in memory, and reads see it. In front
 * of a statement that reads a table stands a common table expression of the same name, with the rows that the table
 * would have.
 *
 *     const dry: Database = { ...db, dryRun: new DryRun() }
 *     await batch(dry, { row: upsertRows(stores, [{ id: 4, name: 'Estia Piraeus' }]) })   // writes nothing
 *     await runStatement(dry, selectRows(stores, sql`where id = 4`))                      // finds the store
 */
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { getTableConfig, SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { MAX_ID } from '../fields/values.ts'
import { jsonParts } from './bulk.ts'
import { type Effect, type StoredRow, WriteStatement } from './effects.ts'
import { Statement, textStatement } from './statements.ts'

export type Read = (statements: readonly Statement[]) => Promise<unknown[][]>

/** Maximum bytes of a row, by D1. */
const MAX_ROW = 2_000_000
/** Texts of a row that is too large for a parameter are left out of what reads see, if they have more characters. */
const LONG_TEXT = 100_000

/** What would be stored in a table. */
interface Overlay {
  table: SQLiteTable
  /** Rows that would be added or would replace others. */
  rows: StoredRow[]
  /** Values by which stored rows would go, by column. */
  gone: Map<string, Set<unknown>>
}

export class DryRun {
  private overlays = new Map<string, Overlay>()

  /** Runs the statements of a transaction: reads see the state before it. Returns the rows of each. */
  async run(statements: readonly Statement[], read: Read): Promise<unknown[][]> {
    const reads = statements.filter(({ writes }) => !writes)
    const found = reads.length > 0 ? await read(reads.map((one) => this.seenBy(one))) : []
    const writes = statements.filter((one) => one instanceof WriteStatement)
    const before = this.overlays
    try {
      for (const { effect } of writes) await this.apply(effect, read)
      await this.checkUnique(new Set(writes.map(({ effect }) => effect.table)), read)
    } catch (error) {
      // As a transaction that is rolled back.
      this.overlays = before
      throw error
    }
    return statements.map((one) => found[reads.indexOf(one)] ?? [])
  }

  /** Whether it would have stored one of the `ids` in a table. */
  has(table: string, key: string, ids: ReadonlySet<unknown>): boolean {
    return this.overlays.get(table)?.rows.some((row) => ids.has(row[key])) ?? false
  }

  changes(table: string): boolean {
    return this.overlays.has(table)
  }

  /** The statement that reads the tables as they would be. */
  private seenBy<Row>(statement: Statement<Row>): Statement<Row> {
    const { sql, params, read } = statement
    const tables = [...this.overlays].filter(([name]) => isWordOf(name, sql))
    if (tables.length === 0) return statement
    const shown = tables.map(([, overlay]) => tableExpression(overlay, sql))
    const names = shown.map(({ text }) => text).join(',\n')
    // A clause of its own joins ours.
    const [, rest] = /^\s*with\s+([\s\S]*)$/i.exec(sql) ?? []
    return new Statement(
      `with ${names}${rest === undefined ? ` ${sql}` : `, ${rest}`}`,
      [...shown.flatMap((one) => one.params), ...params],
      read,
      statement.writes,
    )
  }

  private async apply(effect: Effect, read: Read): Promise<void> {
    const { table } = effect
    if ('removes' in effect) return this.change(table, effect.removes.column, effect.removes.values, [])
    if ('finds' in effect) {
      const [found = []] = await read([this.seenBy(effect.finds)])
      const ids = (found as { id: number }[]).map(({ id }) => id)
      return this.change(table, 'id', ids, [])
    }
    if ('makes' in effect) {
      const [made = []] = await read([this.seenBy(effect.makes)])
      const rows = made as StoredRow[]
      const replaced = rows.flatMap(({ old_id }) => (old_id === undefined ? [] : [old_id]))
      return this.change(
        table,
        'id',
        replaced,
        rows.map(({ old_id, ...row }) => row),
      )
    }
    const { key } = effect
    const rows = effect.puts()
    for (const row of rows) requireSize(row)
    if (key === undefined) return this.change(table, '', [], rows)
    const whole = await this.whole(table, key, rows, read)
    this.change(
      table,
      key,
      rows.map((row) => row[key]),
      whole,
    )
  }

  /** Rows with the columns that an upsert leaves as they are. */
  private async whole(table: SQLiteTable, key: string, rows: readonly StoredRow[], read: Read) {
    const [first = {}] = rows
    const left = columnsOf(table).filter(({ name }) => !(name in first))
    if (left.length === 0) return [...rows]
    const names = left.map(({ name }) => `"${name}"`).join(', ')
    const stored = textStatement<StoredRow>(
      `select "${key}" as key_of_row, ${names} from "${getTableName(table)}"
        where "${key}" in (select value from json_each(?))`,
      [JSON.stringify(rows.map((row) => row[key]))],
    )
    const [found = []] = await read([this.seenBy(stored)])
    const byKey = new Map((found as StoredRow[]).map(({ key_of_row, ...row }) => [key_of_row, row]))
    const fresh = Object.fromEntries(left.map(({ name, fallback }) => [name, fallback]))
    return rows.map((row) => ({ ...(byKey.get(row[key]) ?? fresh), ...row }))
  }

  /** Removes the rows whose `column` is one of `values`, and adds others. */
  private change(table: SQLiteTable, column: string, values: readonly unknown[], rows: readonly StoredRow[]) {
    if (values.length === 0 && rows.length === 0) return
    const name = getTableName(table)
    const known = this.overlays.get(name)
    const leaving = new Set(values)
    const gone = new Map(known?.gone)
    if (values.length > 0) gone.set(column, new Set([...(gone.get(column) ?? []), ...values]))
    const kept = known?.rows.filter((row) => !leaving.has(row[column])) ?? []
    this.overlays = new Map(this.overlays).set(name, { table, rows: [...kept, ...rows], gone })
  }

  /** Throws what D1 would throw if a value that must be unique stood twice, or an id were too high. */
  private async checkUnique(tables: ReadonlySet<SQLiteTable>, read: Read): Promise<void> {
    for (const table of tables) {
      const name = getTableName(table)
      const rows = this.overlays.get(name)?.rows ?? []
      if (rows.some(({ id }) => typeof id === 'number' && id > MAX_ID))
        throw new Error('D1_ERROR: No id is left: SQLITE_CONSTRAINT_TRIGGER')
      const columns = uniqueColumns(table).filter((column) => rows.some((row) => row[column] != null))
      if (columns.length === 0) continue
      const twice = columns.map((column) => {
        const values = JSON.stringify(rows.flatMap((row) => row[column] ?? []))
        return textStatement<{ found: number }>(
          `select 1 as found from "${name}" where "${column}" in (select value from json_each(?))
            group by "${column}" having count(id) > 1 limit 1`,
          [values],
        )
      })
      const found = await read(twice.map((one) => this.seenBy(one)))
      const taken = columns.find((_, index) => (found[index]?.length ?? 0) > 0)
      if (taken)
        throw new Error(`D1_ERROR: UNIQUE constraint failed: ${name}.${taken}: SQLITE_CONSTRAINT_UNIQUE`)
    }
  }
}

/** The table as it would be, with the columns that `sql` names. */
function tableExpression({ table, rows, gone }: Overlay, sql: string): { text: string; params: unknown[] } {
  const name = getTableName(table)
  const isWhole = sql.includes('*')
  const names = columnsOf(table).flatMap((column) =>
    isWhole || isWordOf(column.name, sql) ? [column.name] : [],
  )
  const listed = names.map((column) => `"${column}"`).join(', ')
  const { parts, tooLarge } = jsonParts(rows.map((row) => names.map((column) => row[column] ?? null)))
  const picked = names.map((_, index) => `line.value ->> ${index}`).join(', ')
  const all = [...parts, ...tooLarge.map((row) => JSON.stringify([row.map(withoutLongText)]))]
  const hidden = [...gone].map(
    ([column]) => `("${column}" is null or "${column}" not in (select value from json_each(?)))`,
  )
  return {
    // D1 allows five selects in a row, but any number of values.
    text: `"${name}" (${listed}) as (
      select ${listed} from main."${name}" where ${['true', ...hidden].join(' and ')}
      ${all.length > 0 ? `union all select ${picked} from (values ${all.map(() => '(?)').join(', ')}) part, json_each(part.column1) line` : ''})`,
    params: [...[...gone.values()].map((values) => JSON.stringify([...values])), ...all],
  }
}

function withoutLongText(value: unknown): unknown {
  return typeof value === 'string' && value.length > LONG_TEXT ? null : value
}

/** The columns of a table. `fallback` is the value of a new row that does not name one. */
function columnsOf(table: SQLiteTable) {
  return Object.values(getTableColumns(table)).map(({ name, default: fallback }) => ({
    name,
    fallback: typeof fallback === 'object' ? JSON.stringify(fallback) : (fallback ?? null),
  }))
}

/** The columns whose values stand once each. */
function uniqueColumns(table: SQLiteTable): string[] {
  return getTableConfig(table).indexes.flatMap(({ config: { unique, columns } }) => {
    const [column, ...others] = columns
    return unique && others.length === 0 && is(column, SQLiteColumn) ? [column.name] : []
  })
}

/** Throws what D1 would throw for a row that is too large. */
function requireSize(row: StoredRow): void {
  const texts = Object.values(row).filter((value) => typeof value === 'string')
  const bytes = texts.reduce((sum, text) => sum + text.length, 0)
  // Nearly all texts are shorter, so they are not encoded.
  if (3 * bytes > MAX_ROW && Buffer.byteLength(texts.join('')) > MAX_ROW)
    throw new Error('D1_ERROR: string or blob too big: SQLITE_TOOBIG')
}

/** By its text, as most SQL names tables and columns in words; one that it names by chance is only overlaid in vain. */
function isWordOf(name: string, sql: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(sql)
}
