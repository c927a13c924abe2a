/**
 * Statements that cost no building: of text that is the same for every call, or joined of names.
 *
 *     const selectContact = fixed((db) => selectContacts(db).where(eq(contacts.id, sql.placeholder('id'))))
 *     const [[contact], counted] = await batch(db, [selectContact({ id }), plain<Counted>(COUNT, [id])])
 */
import { fillPlaceholders } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
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

/** Builds statements and runs none. */
const builder: Database = drizzle({ prepare: () => null } as unknown as D1Database)

/** What drizzle builds, built once in an isolate: a function that binds the values of its placeholders by name. */
export function fixed<S extends Statement>(build: (db: Database) => S) {
  let built: ReturnType<Preparable['_prepare']> | undefined
  return (values: Record<string, unknown>): S => {
    built ??= (build(builder) as unknown as Preparable)._prepare()
    const prepared = built
    const { sql, params } = prepared.getQuery()
    const statement: Preparable = {
      _prepare: () => ({
        getQuery: () => ({ sql, params: fillPlaceholders([...params], values) }),
        mapResult: (result, isFromBatch) => prepared.mapResult(result, isFromBatch),
      }),
    }
    return statement as unknown as S
  }
}
