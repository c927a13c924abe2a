/** A database whose calls are counted. */
import { aroundCalls } from '../runtime/overlay.ts'

/** What calls ask of a database. */
export interface DatabaseCounts {
  /** Calls to D1, each a round trip. */
  trips: number
  rowsRead: number
  rowsWritten: number
}

/** `db`, with every call added to `counts`. */
export function countDatabase<T extends D1Database | D1DatabaseSession>(db: T, counts: DatabaseCounts): T {
  return aroundCalls(db, async (send) => {
    const results = await send()
    counts.trips++
    const list: D1Result[] = Array.isArray(results) ? results : [results]
    for (const { meta } of list) {
      counts.rowsRead += meta.rows_read
      counts.rowsWritten += meta.rows_written
    }
    return results
  })
}
