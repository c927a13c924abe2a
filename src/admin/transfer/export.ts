/**
 * `/admin/export`: the whole database as one JSON object a line.
 *
 * D1 offers no snapshot, so the file follows the database while it is written. Each page is read with the state of the
 * change feed in one transaction. Changes of records that are already written come before the page (`catch-up.ts`). So all
 * that a line refers to is above it, and after the last page the file equals the database at that moment.
 */
import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { batch, type Database, database } from '../../db/client.ts'
import { yieldToEventLoop } from '../../http/concurrency/queue.ts'
import type { App } from '../../http/context.ts'
import { streamText } from '../../http/reply/stream.ts'
import { catchUp, type Progress, selectFeedState, startExport } from './catch-up.ts'
import { ENTITIES } from './entities.ts'
import { type EntityReads, exportLine, isInChangeFeed } from './entity.ts'

/** Records read at once: enough for about `PAGE_LENGTH` characters, judging by the page before. */
const FIRST_PAGE = 100
const MAX_PAGE = 1000
const PAGE_LENGTH = 1_000_000

/** Streams every entity page by page, as fast as the client reads. */
export function exportAll(c: Context<App>): Response {
  return c.body(streamText(c, exportLines(database(c.env))), 200, {
    'Content-Type': 'application/x-ndjson',
    'Content-Disposition': 'attachment; filename="estia.ndjson"',
  })
}

async function* exportLines(db: Database): AsyncGenerator<string> {
  const { progress, texts } = await startExport(db)
  yield* texts
  for (const entity of ENTITIES.filter(isInChangeFeed)) {
    progress.written.push(entity)
    yield* pagesOf(db, entity, progress)
  }
}

/** The records of an entity in the order of their ids. Before each page come the changes of what is above it. */
async function* pagesOf(db: Database, entity: EntityReads, progress: Progress): AsyncGenerator<string> {
  let limit = FIRST_PAGE
  let after = 0
  for (let isLast = false; !isLast; ) {
    await yieldToEventLoop()
    const where = sql`${sql.raw(entity.name)}.id > ${after}`
    const page = await batch(db, { states: selectFeedState(progress), rows: entity.read(where, limit) })
    const [state] = page.states
    const rows: { id: number }[] = page.rows
    // Records that changed since this page was read are in the lines before it, in a newer version.
    const newer = new Set<number>()
    if (state) yield* catchUp(db, progress, state, (changed, id) => changed === entity && newer.add(id))
    const text = rows
      .filter(({ id }) => !newer.has(id))
      .map((row) => exportLine(entity, row))
      .join('')
    if (text !== '') yield text
    isLast = rows.length < limit
    const last = rows.at(-1)?.id ?? after
    if (rows.length > 0 && last <= after)
      throw new Error(`The export does not get past ${entity.name} ${after}`)
    after = last
    const length = Math.max(text.length, 1)
    limit = Math.max(1, Math.min(MAX_PAGE, 4 * limit, Math.round((limit * PAGE_LENGTH) / length)))
  }
}
