/**
 * Deletes old tombstones from the change feed. Entries of existing records stay. The newest entry stays, too, because
 * its cursor must not be used again.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database, database, mayCall, runStatement } from '../../db/client.ts'
import { NOT_RESTORING } from '../../db/restoring.ts'
import { sqlStatement } from '../../db/statements.ts'
import { formatDateTime } from '../../fields/values.ts'
import { yieldToEventLoop } from '../../http/concurrency/waiting.ts'

/** How long a tombstone is kept, in milliseconds. */
const RETENTION = 90 * 24 * 60 * 60 * 1000
/** Entries examined in one transaction. */
const CHUNK_ROWS = 5000
/** Maximum chunks of one run; the next run continues from there. */
const MAX_CHUNKS = 100

/**
 * Deletes tombstones older than 90 days. Dates grow with cursors, so each entry is examined once, on the day when it is
 * old enough. The rest of the feed is not read.
 */
export async function purgeChanges(
  env: Env,
  now = new Date(),
  { portions: maxChunks = MAX_CHUNKS, size = CHUNK_ROWS } = {},
): Promise<{ purged: number }> {
  const db = database(env)
  const before = formatDateTime(new Date(now.getTime() - RETENTION))
  let purged = 0
  for (let count = 0; count < maxChunks && mayCall(db, 2); count++) {
    await yieldToEventLoop()
    const chunk = await findOldTombstones(db, before, size)
    if (!chunk) break
    purged += await deleteTombstones(db, chunk)
  }
  return { purged }
}

/** Entries that are old enough and not examined yet: after `from`, up to and including `upTo`. */
interface Chunk {
  from: number
  upTo: number
}

async function findOldTombstones(db: Database, before: string, size: number): Promise<Chunk | null> {
  const found = sql`
    with next as materialized (
      select cursor, date from changes
      where cursor > (select examined from change_feed) and cursor < (select max(cursor) from changes) and ${sql.raw(NOT_RESTORING)}
      order by cursor limit ${size})
    select (select examined from change_feed) as "from", max(cursor) as "upTo" from next
    where cursor < ifnull((select min(cursor) from next where date >= ${before}), ${Number.MAX_SAFE_INTEGER})`
  const [chunk] = await runStatement(db, sqlStatement<{ from: number; upTo: number | null }>(found, false))
  return chunk?.upTo ? { from: chunk.from, upTo: chunk.upTo } : null
}

/** Deletes the tombstones of a chunk and records the last of them, in one transaction. Returns their number. */
async function deleteTombstones(db: Database, { from, upTo }: Chunk): Promise<number> {
  const old = sql`from changes where cursor > ${from} and cursor <= ${upTo} and change = 'deleted'`
  const { removed } = await batch(db, {
    recorded: sqlStatement(sql`update change_feed set examined = max(examined, ${upTo}),
      purged = max(purged, ifnull((select max(cursor) ${old}), 0))`),
    tombstones: sqlStatement(sql`delete ${old}`),
    removed: sqlStatement<{ rows: number }>(sql`select changes() as rows`),
  })
  return removed[0]?.rows ?? 0
}
