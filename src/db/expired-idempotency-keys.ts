/**
 * Removes expired idempotency keys. The table is read in the order of ids, which is nearly the order of expiry. An index
 * on the date of expiry would cost each call one more row to write.
 */
import { sql } from 'drizzle-orm'
import { yieldToEventLoop } from '../http/concurrency/waiting.ts'
import { batch, type Database, mayCall, runStatement } from './client.ts'
import { sqlStatement, textStatement } from './statements.ts'

/**
 * Limits of a chunk: the rows read, and the bytes of replies deleted. The last row of a chunk may exceed the bytes.
 */
const CHUNK_KEYS = 10_000
const CHUNK_BYTES = 20_000_000
/** Maximum chunks per run, of two calls to D1 each. The daily run should get through the whole table. */
const MAX_CHUNKS = { daily: 200, eachMinute: 20 }
/** Keys and bytes of one API key, and bytes of all, above which expired keys are removed every minute to make space. */
const BULK_THRESHOLD = { keys: 50_000, bytes: 50_000_000, bytesOfAll: 200_000_000 }

/**
 * Finds the next chunk after the id `?2`: its last id, and how many of its rows have expired at `?1`. At the end of the
 * table, the id is null.
 */
const SELECT_CHUNK = `select max(id) as last, ifnull(sum(is_expired), 0) as expired from (
    select id, is_expired, sum(is_expired * bytes)
      over (order by id rows between unbounded preceding and 1 preceding) as deleted_before
    from (select id, expires <= ?1 as is_expired, bytes from idempotency_keys where id > ?2 order by id limit ${CHUNK_KEYS})
  ) where ifnull(deleted_before, 0) <= ${CHUNK_BYTES}`

interface Chunk {
  last: number | null
  expired: number
}

/** Removes all expired keys, wherever they are in the table. */
export async function removeExpiredIdempotencyKeys(db: Database, now = Date.now()) {
  return { removed: await removeChunks(db, now, MAX_CHUNKS.daily, () => false) }
}

/** Removes the oldest expired keys if an API key, or all together, reach BULK_THRESHOLD. Stops where no more have expired. */
export async function removeExpiredIdempotencyKeysInBulk(db: Database, now = Date.now()) {
  const [usage] = await runStatement(
    db,
    sqlStatement<{ isOverThreshold: number }>(
      sql`select exists (select 1 from idempotency_usage where keys >= ${BULK_THRESHOLD.keys} or bytes >= ${BULK_THRESHOLD.bytes})
        or exists (select 1 from idempotency_total where bytes >= ${BULK_THRESHOLD.bytesOfAll}) as isOverThreshold`,
    ),
  )
  if (!usage?.isOverThreshold) return { removed: 0 }
  return { removed: await removeChunks(db, now, MAX_CHUNKS.eachMinute, ({ expired }) => expired === 0) }
}

/**
 * Removes expired keys chunk by chunk and returns their number.
 * @param isLast whether to stop after a chunk
 */
async function removeChunks(db: Database, now: number, maxChunks: number, isLast: (chunk: Chunk) => boolean) {
  let [removed, after] = [0, 0]
  for (let count = 0; count < maxChunks && mayCall(db, 2); count++) {
    await yieldToEventLoop()
    const [chunk] = await runStatement(db, textStatement<Chunk>(SELECT_CHUNK, [now, after]))
    if (!chunk?.last) break
    if (chunk.expired > 0) {
      const expired = sql`id > ${after} and id <= ${chunk.last} and expires <= ${now}`
      await batch(db, { removed: sqlStatement(sql`delete from idempotency_keys where ${expired}`) })
    }
    removed += chunk.expired
    after = chunk.last
    if (isLast(chunk)) break
  }
  return removed
}
