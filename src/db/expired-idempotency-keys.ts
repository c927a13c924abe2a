/**
 * Removing expired idempotency keys. An index on their dates would be another row to write for each call, so the table is
 * read in the order of its ids, in which they expire but for a few.
 */
import { sql } from 'drizzle-orm'
import { yieldToEventLoop } from '../http/concurrency/queue.ts'
import { log } from '../http/log.ts'
import { batch, type Database, runStatement } from './client.ts'
import { sqlStatement, textStatement } from './statements.ts'

/** Most rows that are looked at in one portion, and how many bytes of answers are deleted in it but for the last row. */
const CHUNK_KEYS = 10_000
const CHUNK_BYTES = 20_000_000
/** Most portions of a run: a Worker may ask D1 1,000 times. The daily run has to go through the whole table. */
const MAX_CHUNKS = { daily: 200, eachMinute: 20 }
/** Keys and bytes of one API key from which on they are removed every minute: the room for new ones is limited. */
const BULK_THRESHOLD = { keys: 50_000, bytes: 50_000_000 }

/** The next portion behind the id `?2`: its last id, null at the end of the table, and how many of its rows are over. */
const SELECT_CHUNK = `select max(id) as last, ifnull(sum(is_over), 0) as expired from (
    select id, is_over, sum(is_over * bytes)
      over (order by id rows between unbounded preceding and 1 preceding) as deleted_before
    from (select id, expires <= ?1 as is_over, bytes from idempotency_keys where id > ?2 order by id limit ${CHUNK_KEYS})
  ) where ifnull(deleted_before, 0) <= ${CHUNK_BYTES}`

interface Chunk {
  last: number | null
  expired: number
}

/** Removes all that have expired, wherever in the table they are. */
export async function removeExpiredIdempotencyKeys(db: Database, now = Date.now()): Promise<void> {
  const removed = await removeChunk(db, now, MAX_CHUNKS.daily, () => false)
  log('info', { job: 'removing expired idempotency keys', removed })
}

/** Removes the oldest where an API key has many. */
export async function removeExpiredIdempotencyKeysInBulk(db: Database, now = Date.now()): Promise<void> {
  const [found] = await runStatement(
    db,
    sqlStatement<{ much: number }>(
      sql`select exists (select 1 from idempotency_usage where keys >= ${BULK_THRESHOLD.keys} or bytes >= ${BULK_THRESHOLD.bytes}) as much`,
    ),
  )
  if (!found?.much) return
  const removed = await removeChunk(db, now, MAX_CHUNKS.eachMinute, ({ expired }) => expired === 0)
  if (removed > 0) log('info', { job: 'removing expired idempotency keys', removed })
}

/** @param isEnd whether those behind a portion need not be looked at */
async function removeChunk(
  db: Database,
  now: number,
  portions: number,
  isEnd: (portion: Chunk) => boolean,
): Promise<number> {
  let [removed, after] = [0, 0]
  for (let portion = 0; portion < portions; portion++) {
    await yieldToEventLoop()
    const [found] = await runStatement(db, textStatement<Chunk>(SELECT_CHUNK, [now, after]))
    if (!found?.last) break
    if (found.expired > 0) {
      const isPast = sql`id > ${after} and id <= ${found.last} and expires <= ${now}`
      await batch(db, { removed: sqlStatement(sql`delete from idempotency_keys where ${isPast}`) })
    }
    removed += found.expired
    after = found.last
    if (isEnd(found)) break
  }
  return removed
}
