/**
 * Statements: SQL text, its parameters, and a function that reads its rows. Drizzle only declares the tables and
 * renders `sql` templates; it does not run anything.
 *
 * | made by | for |
 * |---|---|
 * | `select(fields, rest)`, `selectRows(table, rest)` | records: columns and JSON sub-selects, decoded |
 * | `sqlStatement(sql)` | any other SQL, as a template; rows as D1 has them |
 * | `textStatement(text, params)` | the same as plain text, for hot paths: no rendering |
 * | `prepared(build)`, `preparedAround(build)` | any of these on a hot path, rendered once per isolate |
 *
 *     const selectContact = prepared(() => selectContacts(sql`where id = ${sql.placeholder('id')}`))
 *     const { contact: [row] } = await batch(db, { contact: selectContact({ id }) })
 */
import { Column, fillPlaceholders, type GetColumnData, getTableColumns, is, type SQL, sql } from 'drizzle-orm'
import { SQLiteDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { decoderOf } from './columns.ts'

/** SQL text, and the parameters in the order of its question marks. */
export interface SqlFragment {
  text: string
  params: readonly unknown[]
}

type StoredRow = Record<string, unknown>

/** Only a select begins with this word. `select` and the like say of themselves that they read, also after a `with`. */
const SELECT = /^\s*select\b/i

export class Statement<out Row = unknown> {
  readonly sql: string
  readonly params: readonly unknown[]
  /** Decodes the rows of D1. It may change them in place. */
  readonly read: (rows: StoredRow[]) => Row[]
  /** Whether it may write: such a statement is sent once only, and a dry run does not send it. */
  readonly writes: boolean

  constructor(
    text: string,
    params: readonly unknown[],
    read: (rows: StoredRow[]) => Row[],
    writes = !SELECT.test(text),
  ) {
    this.sql = text
    this.params = params
    this.read = read
    this.writes = writes
  }
}

/** A field that a sub-select returns as JSON. */
export class JsonField<T> {
  readonly source: SQL
  readonly parse: (text: string) => T

  constructor(source: SQL, parse: (text: string) => T) {
    this.source = source
    this.parse = parse
  }
}

/** The fields of a select, by the names that they have in its rows. */
export type SelectedFields = Record<string, Column | SQL | JsonField<unknown>>

export type RowOf<F extends SelectedFields> = {
  [Name in keyof F]: F[Name] extends Column
    ? GetColumnData<F[Name]>
    : F[Name] extends JsonField<infer T> | SQL<infer T>
      ? T
      : never
}

/**
 * The statement that reads `fields`.
 * @param rest the SQL after the columns, from `from` on
 * @param before a `with` clause
 */
export function select<F extends SelectedFields>(fields: F, rest: SQL, before = sql``): Statement<RowOf<F>> {
  const columns = Object.entries(fields).map(([name, field]) => {
    if (is(field, Column) && field.name === name) return sql`${field}`
    return sql`${field instanceof JsonField ? field.source : field} as ${sql.identifier(name)}`
  })
  const { text, params } = fragmentOf(sql`${before} select ${sql.join(columns, sql`, `)} ${rest}`)
  return new Statement(text, params, readerOf(fields), false)
}

/** The statement that reads all columns of a table. `rest` is the SQL after the table. */
export function selectRows<T extends SQLiteTable>(table: T, rest: SQL) {
  return select(getTableColumns(table), sql`from ${table} ${rest}`)
}

/**
 * A statement from an `sql` template. Nothing checks that its rows have the type `Row`.
 * @param writes false for a `with` clause that is part of a select
 */
export function sqlStatement<Row = never>(source: SQL, writes?: boolean): Statement<Row> {
  const { text, params } = fragmentOf(source)
  return new Statement(text, params, asStored<Row>, writes)
}

/** A statement from SQL text. Nothing checks that its rows have the type `Row`. */
export function textStatement<Row = never>(text: string, params: readonly unknown[] = []): Statement<Row> {
  return new Statement(text, params, asStored<Row>)
}

/** A statement that is rendered once per isolate. Returns a function that binds the placeholders by name. */
export function prepared<Row>(
  build: () => Statement<Row>,
): (values: Record<string, unknown>) => Statement<Row> {
  let built: Statement<Row> | undefined
  return (values) => {
    built ??= build()
    return new Statement(built.sql, fillPlaceholders([...built.params], values), built.read, built.writes)
  }
}

/** Marks the position of a fragment in rendered text. */
const FRAGMENT_PLACEHOLDER = '/* gap */'

/**
 * A statement that is rendered once per isolate, except for a fragment that changes from call to call. It has no other
 * parameters than those of the fragment.
 */
export function preparedAround<Row>(
  build: (fragment: SQL) => Statement<Row>,
): (fragment: SQL) => Statement<Row> {
  let built: { before: string; after: string; whole: Statement<Row> } | undefined
  return (fragment) => {
    if (!built) {
      const whole = build(sql.raw(FRAGMENT_PLACEHOLDER))
      const [before = '', after = '', ...more] = whole.sql.split(FRAGMENT_PLACEHOLDER)
      if (more.length > 0 || whole.params.length > 0)
        throw new Error('Only one fragment, and no other parameter')
      built = { before, after, whole }
    }
    const { text, params } = fragmentOf(fragment)
    return new Statement(built.before + text + built.after, params, built.whole.read, built.whole.writes)
  }
}

type ReadRows<Row> = Statement<Row>['read']

/** An abstract class in drizzle 0.45, a concrete one in 1.0. */
class Dialect extends SQLiteDialect {}
const dialect = new Dialect()

/** SQL of drizzle as text and parameters, for a guard or another part of a statement. */
export function fragmentOf(source: SQL): SqlFragment {
  const { sql: text, params } = dialect.sqlToQuery(source)
  return withLimitsInText({ text, params })
}

/**
 * The fragment with its limits in the text. SQLite looks at a limit that is bound when it plans, and so prepares the
 * statement anew for each call: that takes more time than most statements.
 */
function withLimitsInText({ text, params }: SqlFragment): SqlFragment {
  const parts = text.split('?')
  if (!LIMIT.test(text) || parts.length !== params.length + 1) return { text, params }
  const isLimit = (value: unknown, index: number) =>
    Number.isSafeInteger(value) && LIMIT_BEFORE.test(parts[index] ?? '')
  return {
    text: parts.reduce((before, part, index) => {
      const value = params[index - 1]
      return before + (isLimit(value, index - 1) ? value : '?') + part
    }),
    params: params.filter((value, index) => !isLimit(value, index)),
  }
}

const LIMIT = /\blimit \?/i
const LIMIT_BEFORE = /\blimit $/i

function asStored<Row>(rows: StoredRow[]): Row[] {
  return rows as Row[]
}

/** Decodes rows in place: drizzle's own mapping costs more than the query. */
function readerOf<F extends SelectedFields>(fields: F): ReadRows<RowOf<F>> {
  const decoders = Object.entries(fields).flatMap(([name, field]) => {
    const decode = field instanceof JsonField ? field.parse : is(field, Column) ? decoderOf(field) : null
    return decode ? [{ name, decode }] : []
  })
  return (rows) => {
    for (const row of rows) {
      for (const { name, decode } of decoders) {
        const value = row[name]
        if (value !== null) row[name] = decode(String(value))
      }
    }
    return rows as RowOf<F>[]
  }
}
