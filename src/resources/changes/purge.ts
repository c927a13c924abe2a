/** Forgets tombstones. Entries of living records stay, as does the newest entry: its cursor must not be given again. */
import { sql } from 'drizzle-orm'
import { batch, type Database, database, runStatement } from '../../db/client.ts'
import { sqlStatement } from '../../db/statements.ts'
import { formatDateTime } from '../../fields/values.ts'
import { yieldToEventLoop } from '../../http/concurrency/queue.ts'
import { log } from '../../http/log.ts'

/** How long a tombstone lives, in milliseconds. */
const RETENTION = 90 * 24 * 60 * 60 * 1000
/** Entries looked at in one transaction. */
const CHUNK_ROWS = 5000
/** Most portions of one run; the next run goes on from there. */
const MAX_CHUNKS = 100

/**
 * Removes tombstones older than 90 days. Dates grow with cursors, so it looks at each entry once, on the day when it is
 * old enough, and never at the rest of the feed.
 */
export async function purgeChanges(
  env: Env,
  now = new Date(),
  { portions = MAX_CHUNKS, size = CHUNK_ROWS } = {},
): Promise<void> {
  const db = database(env)
  const before = formatDateTime(new Date(now.getTime() - RETENTION))
  let purged = 0
  for (let portion = 0; portion < portions; portion++) {
    await yieldToEventLoop()
    const found = await findOldTombstones(db, before, size)
    if (!found) break
    purged += await deleteTombstones(db, found)
  }
  log('info', { job: 'purge of changes', purged })
}

/** Cursors of entries that were not examined yet and are old enough: behind `from`, up to `upTo`. */
interface Chunk {
  from: number
  upTo: number
}

async function findOldTombstones(db: Database, before: string, size: number): Promise<Chunk | null> {
  const selecting = sqlStatement<{ from: number; upTo: number | null }>(sql`
    with next as materialized (
      select cursor, date from changes
      where cursor > (select examined from change_feed) and cursor < (select max(cursor) from changes)
      order by cursor limit ${size})
    select (select examined from change_feed) as "from", max(cursor) as "upTo" from next
    where cursor < ifnull((select min(cursor) from next where date >= ${before}), ${Number.MAX_SAFE_INTEGER})`)
  const [found] = await runStatement(db, selecting)
  return found?.upTo ? { from: found.from, upTo: found.upTo } : null
}

/** Removes the tombstones of a portion, and notes the last of them, in one transaction. */
async function deleteTombstones(db: Database, { from, upTo }: Chunk): Promise<number> {
  const old = sql`from changes where cursor > ${from} and cursor <= ${upTo} and change = 'deleted'`
  const { removed } = await batch(db, {
    noted: sqlStatement(sql`update change_feed set examined = max(examined, ${upTo}),
      purged = max(purged, ifnull((select max(cursor) ${old}), 0))`),
    tombstones: sqlStatement(sql`delete ${old}`),
    removed: sqlStatement<{ rows: number }>(sql`select changes() as rows`),
  })
  return removed[0]?.rows ?? 0
}
