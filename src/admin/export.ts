/** `/admin/export`: the whole database as one JSON object a line. */

import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { type Database, database } from '../db/client.ts'
import type { App } from '../http/router.ts'
import { ENTITIES } from './entities.ts'
import { type Entity, keyOf } from './entity.ts'

/** Records an export reads at once. */
const PAGE = 200

/** Streams every entity page by page; the reader sets the pace. */
export function exportAll(c: Context<App>): Response {
  const lines = exportLines(database(c.env))
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
  return c.body(body, 200, {
    'Content-Type': 'application/x-ndjson',
    'Content-Disposition': 'attachment; filename="estia.ndjson"',
  })
}

async function* exportLines(db: Database): AsyncGenerator<string> {
  for (const entity of ENTITIES) {
    let after: number | string = 0
    for (;;) {
      const rows = await readPage(db, entity, after)
      if (rows.length === 0) break
      yield rows
        .map((row) => `${JSON.stringify({ entity: entity.name, data: entity.present(row) })}\n`)
        .join('')
      const last = keyOf(entity, rows.at(-1))
      if (last === null || last <= after)
        throw new Error(`The export does not get past ${entity.name} ${after}`)
      after = last
    }
  }
}

function readPage(db: Database, entity: Entity, after: number | string) {
  const key = sql.raw(`${entity.name}.${entity.key ?? 'id'}`)
  // A number is below any text, so 0 is before the first key of either kind.
  return entity.read(db, sql`${key} > ${after}`, PAGE)
}
