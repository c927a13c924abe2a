/** Removes old entries of the trail. Those of records that are no person's live as long as their records. */
import { sql } from 'drizzle-orm'
import { RECORD_RESOURCES } from '../../catalogue/resources.ts'
import { batch, database, mayCall, runStatement } from '../../db/client.ts'
import { valuesOf } from '../../db/conditions.ts'
import { NOT_RESTORING } from '../../db/restoring.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { formatDateTime } from '../../fields/values.ts'
import { yieldToEventLoop } from '../../http/concurrency/waiting.ts'

const KEPT = RECORD_RESOURCES.flatMap(({ resource, history }) => (history === 'kept' ? resource : []))
/** How long others stay, in days, unless the setting `trail_days` says otherwise. */
const DAYS = 730
/** Entries examined in one transaction, and maximum portions of a run. */
const PORTION = 5000
const MAX_PORTIONS = 40

/** Removes expired entries within the limits of one run. Each entry is examined once, as dates grow with ids. */
export async function purgeTrail(env: Env, now = new Date(), size = PORTION): Promise<{ removed: number }> {
  const db = database(env)
  let removed = 0
  for (let count = 0; count < MAX_PORTIONS && mayCall(db, 2); count++) {
    await yieldToEventLoop()
    const [old] = await runStatement(db, selectOld(formatDateTime(now), size))
    if (!old?.up_to) break
    const { gone } = await batch(db, {
      gone: sqlStatement<{ id: number }>(sql`delete from trail where id > ${EXAMINED} and id <= ${old.up_to}
        and (others is null or resource not in (${valuesOf(KEPT)})) returning id`),
      // The newest that is left of them, as the ids of removed entries may be given again.
      examined: sqlStatement(sql`insert into trail_state (id, examined)
        select 1, ifnull(max(id), 0) from trail where id <= ${old.up_to}
        on conflict (id) do update set examined = excluded.examined`),
    })
    removed += gone.length
  }
  return { removed }
}

const EXAMINED = sql.raw('ifnull((select examined from trail_state where trail_state.id = 1), 0)')

/** The statement that finds the last of the next entries that are old enough. */
function selectOld(now: string, size: number): Statement<{ up_to: number | null }> {
  const days = sql`coalesce((select cast(value as integer) from settings where key = 'trail_days'), ${DAYS})`
  return sqlStatement(sql`select max(id) as up_to
    from (select id, date from trail where id > ${EXAMINED} order by id limit ${size})
    where date < datetime(${now}, '-' || ${days} || ' days') and ${sql.raw(NOT_RESTORING)}`)
}
