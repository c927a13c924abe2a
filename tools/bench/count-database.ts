/** A database whose calls are counted. */
import { overlay } from '../runtime/overlay.ts'

/** What calls ask of a database. */
export interface DatabaseCounts {
  /** Calls to D1, each a round trip. */
  trips: number
  rowsRead: number
  rowsWritten: number
}

/** `db`, with every call added to `counts`. */
export function countDatabase<T extends D1Database | D1DatabaseSession>(db: T, counts: DatabaseCounts): T {
  /** The statements behind those that count: a batch takes no other. */
  const plain = new WeakMap<object, D1PreparedStatement>()
  const add = <R extends { meta: D1Meta }>(results: R[]): R[] => {
    counts.trips++
    for (const { meta } of results) {
      counts.rowsRead += meta.rows_read
      counts.rowsWritten += meta.rows_written
    }
    return results
  }
  const countStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const all = async () => add([await statement.all()])[0]
    const shown = overlay(statement, {
      bind: (...values: unknown[]) => countStatement(statement.bind(...values)),
      all,
      run: all,
      // Neither of these says what it cost, so both are made of `all`.
      first: async (column?: string) => {
        const [row] = (await all())?.results ?? []
        return (column && row ? (row as Record<string, unknown>)[column] : row) ?? null
      },
      raw: async () => ((await all())?.results ?? []).map((row) => Object.values(row as object)),
    })
    plain.set(shown, statement)
    return shown
  }
  return overlay(db, {
    prepare: (text: string) => countStatement(db.prepare(text)),
    batch: async (statements: D1PreparedStatement[]) =>
      add(await db.batch(statements.map((statement) => plain.get(statement) ?? statement))),
    withSession: (bookmark?: string) => countDatabase((db as D1Database).withSession(bookmark), counts),
  })
}
