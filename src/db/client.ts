/**
 * The database of a call, and its transactions.
 *
 *     const { contact: [row], total } = await batch(db, { contact: selectContact({ id }), total: countContacts() })
 */
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import { Statement } from './statements.ts'

export type Database = DrizzleD1Database & { $client: D1Database }

/** The database that the bindings of a call refer to. */
export function database({ DB }: Pick<Env, 'DB'>): Database {
  return drizzle(DB)
}

/** A statement of a transaction, or several: as a list or by name. */
export type Statements = Statement | null | readonly Statements[] | NamedStatements
/** Statements that run in the order of their keys. */
export type NamedStatements = { readonly [name: string]: Statements }

/** The rows of `S`, under the names of its statements. */
export type Results<S> = S extends Statement<infer Row> ? Row[] : ResultsOf<S>
type ResultsOf<S> = { -readonly [Name in keyof S]: Results<S[Name]> }

/** Runs statements as one transaction in one round trip, in the order of their keys. Returns their rows by name. */
export async function batch<S>(db: Database, statements: S & NamedStatements): Promise<ResultsOf<S>> {
  const bound: D1PreparedStatement[] = []
  mapStatements(statements, ({ sql, params }) => bound.push(db.$client.prepare(sql).bind(...params)))
  const results = bound.length > 0 ? await db.$client.batch<Record<string, unknown>>(bound) : []
  let next = 0
  // The compiler cannot follow the recursion.
  return mapStatements(statements, ({ read }) => read(results[next++]?.results ?? [])) as ResultsOf<S>
}

/** Runs a single statement. */
export async function runStatement<Row>(db: Database, { sql, params, read }: Statement<Row>): Promise<Row[]> {
  const { results } = await db.$client
    .prepare(sql)
    .bind(...params)
    .all<Record<string, unknown>>()
  return read(results)
}

function mapStatements(node: Statements, visit: (statement: Statement) => unknown): unknown {
  if (node === null) return null
  if (node instanceof Statement) return visit(node)
  if (isList(node)) return node.map((child) => mapStatements(child, visit))
  const entries = Object.entries(node).map(([name, child]) => {
    // JavaScript puts numeric keys first, which would change the order of the statements.
    if (/^\d+$/.test(name)) throw new Error(`A statement cannot be named ${name}`)
    return [name, mapStatements(child, visit)]
  })
  return Object.fromEntries(entries)
}

function isList(node: Statements): node is readonly Statements[] {
  return Array.isArray(node)
}
