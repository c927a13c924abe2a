/**
 * Statements that cost no building: of text that is the same for every call, or joined of names.
 *
 *     const selectContact = fixed((db) => selectContacts(db).where(eq(contacts.id, sql.placeholder('id'))))
 *     const [[contact], counted] = await batch(db, [selectContact({ id }), plain<Counted>(COUNT, [id])])
 */
import { Column, fillPlaceholders, is, SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { Database, Preparable, Statement } from './client.ts'

/** A piece of SQL, and the parameters in the order of its question marks. */
export interface Piece {
  text: string
  params: readonly unknown[]
}

/** A statement that gives rows as D1 has them: no column is decoded. */
export interface Plain<Row> {
  readonly _: { readonly dialect: 'sqlite'; readonly result: Row[] }
}

export function plain<Row = unknown>(text: string, params: readonly unknown[] = []): Plain<Row> {
  const statement: Preparable = {
    _prepare: () => ({
      getQuery: () => ({ sql: text, params }),
      mapResult: (result) => (result as { results: Row[] }).results,
    }),
  }
  return statement as unknown as Plain<Row>
}

/** The statement of a piece of SQL that drizzle has put together. */
export function plainOf<Row = unknown>(piece: SQL): Plain<Row> {
  const { sql, params } = dialect.sqlToQuery(piece)
  return plain(sql, params)
}

/** Builds statements and runs none. */
const builder: Database = drizzle({ prepare: () => null } as unknown as D1Database)
const dialect = new SQLiteAsyncDialect()

/** What drizzle builds, built once in an isolate: a function that binds the values of its placeholders by name. */
export function fixed<S extends Statement>(build: (db: Database) => S) {
  let built: Built | undefined
  return (values: Record<string, unknown>): S => {
    built ??= prepare(build(builder))
    const { text, params, mapResult } = built
    return statementOf<S>(mapResult, () => ({ sql: text, params: fillPlaceholders([...params], values) }))
  }
}

/** Stands for what only a call knows. */
const GAP = '/* gap */'

/** The same around a piece of SQL that only a call knows. */
export function fixedAround<S extends Statement>(build: (db: Database, piece: SQL) => S) {
  let built: (Built & { before: string; behind: string }) | undefined
  return (piece: SQL): S => {
    if (!built) {
      const whole = prepare(build(builder, sql.raw(GAP)))
      const [before = '', behind = '', ...more] = whole.text.split(GAP)
      if (more.length > 0 || whole.params.length > 0)
        throw new Error('Only one piece, and no other parameter')
      built = { ...whole, before, behind }
    }
    const { before, behind, mapResult } = built
    const { sql: text, params } = dialect.sqlToQuery(piece)
    return statementOf<S>(mapResult, () => ({ sql: before + text + behind, params }))
  }
}

type Prepared = ReturnType<Preparable['_prepare']>

/** A statement that is built. */
interface Built {
  text: string
  params: readonly unknown[]
  mapResult: Prepared['mapResult']
}

function prepare(statement: Statement): Built {
  const prepared = (statement as unknown as Preparable)._prepare()
  const { sql: text, params } = prepared.getQuery()
  const columns = columnsOf(statement)
  return {
    text,
    params,
    mapResult: columns
      ? (result) => decodeRows(columns, (result as { results: Row[] }).results)
      : (result, isFromBatch) => prepared.mapResult(result, isFromBatch),
  }
}

function statementOf<S extends Statement>(
  mapResult: Prepared['mapResult'],
  getQuery: Prepared['getQuery'],
): S {
  const statement: Preparable = { _prepare: () => ({ getQuery, mapResult }) }
  return statement as unknown as S
}

type Row = Record<string, unknown>

/** A column of a select: the name that its row has it by, and a decoder where D1 gives something else than the row has. */
type DecodedColumn = [name: string, decode: ((value: unknown) => unknown) | null]

/** The columns of a select of fields side by side; null for any other statement. */
function columnsOf(statement: Statement): DecodedColumn[] | null {
  const selected = (statement as { _?: { selectedFields?: Row } })._?.selectedFields
  const columns = Object.entries(selected ?? {}).map(([name, field]): DecodedColumn | null => {
    if (is(field, Column)) return [name, decoderOf(field)]
    // drizzle keeps to itself what `mapWith` has been given.
    return is(field, SQL) ? [name, decoderOf((field as unknown as { decoder: Decoder }).decoder)] : null
  })
  return selected && columns.every((column) => column !== null) ? columns : null
}

interface Decoder {
  mapFromDriverValue: (value: unknown) => unknown
}

function decoderOf(decoder: Decoder): DecodedColumn[1] {
  const { mapFromDriverValue } = decoder
  if (mapFromDriverValue === Column.prototype.mapFromDriverValue) return null
  return (value) => decoder.mapFromDriverValue(value)
}

/** Rows as D1 has them, by the names of the fields: drizzle's own way costs more than the query. */
function decodeRows(columns: DecodedColumn[], rows: Row[]): Row[] {
  const keys = Object.keys(rows[0] ?? {})
  if (rows.length > 0 && keys.length !== columns.length) throw new Error('Two columns have one name')
  return rows.map((row) => {
    const decoded: Row = {}
    for (const [index, [name, decode]] of columns.entries()) {
      const value = row[keys[index] ?? '']
      decoded[name] = decode && value !== null ? decode(value) : value
    }
    return decoded
  })
}
