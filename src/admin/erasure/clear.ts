/**
 * Clears what identifies an erased person, in portions. What is left is found by the data itself: records that link to the
 * person, or are on the list of the erasure, and still hold something. So it can stop anywhere and go on later.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database, mayCall, runStatement } from '../../db/client.ts'
import { isOneOf, valuesOf } from '../../db/conditions.ts'
import { isOutage } from '../../db/errors.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { workThrough } from '../../db/work-through.ts'
import { formatDateTime } from '../../fields/values.ts'
import { forgetKeptTexts } from '../../files/kept-texts.ts'
import { yieldToEventLoop } from '../../http/concurrency/waiting.ts'
import { describeFailure, log } from '../../http/log.ts'
import { PLACES } from './places.ts'
import { clearDerived, clearKeptReplies, clearRecords, type Search, selectLeft } from './statements.ts'
import { isDue } from './states.ts'

/** Maximum transactions of a call, and maximum erasures of a run of cron. */
const MAX_PORTIONS = 10
const MAX_ERASURES = 20

/** What is left of a person: ids by resource. */
type Left = Record<string, { id: number }[]>

interface ClearOptions extends Search {
  found?: Left
  /** Maximum transactions. */
  portions?: number
  now?: Date
}

/** Clears what is left of a person within the limits of one call or run, and returns whether nothing is. */
export async function clearPerson(
  env: Pick<Env, 'PHOTOS'>,
  db: Database,
  erasure: number,
  { found, portions = MAX_PORTIONS, now = new Date(), ...search }: ClearOptions = {},
): Promise<boolean> {
  let left = found ?? (await batch(db, { left: selectLeft(erasure, search) })).left
  const isLeft = () => Object.values(left).some((rows) => rows.length > 0)
  for (let count = 0; isLeft(); count++) {
    if (count === portions || !mayCall(db, 2)) return false
    await yieldToEventLoop()
    const found = Object.entries(left).flatMap(([resource, rows]) => rows.map(({ id }) => ({ resource, id })))
    const cleared = await clearFound(db, found, erasure, selectLeft(erasure, search))
    // Feeds show the texts of listings. If the bucket fails, the sweep removes them within two days.
    if (left.listings?.length)
      await forgetKeptTexts(env.PHOTOS).catch((error) =>
        log('error', { work: 'feeds', ...describeFailure(error) }),
      )
    left = cleared.left
  }
  await batch(db, {
    replies: clearKeptReplies(erasure),
    derived: clearDerived(erasure),
    progress: endErasure(erasure, now),
  })
  return true
}

/** Clears records and reads what is left then. If it fails, those that can be cleared are, before it throws. */
async function clearFound(
  db: Database,
  found: { resource: string; id: number }[],
  erasure: number,
  left: ReturnType<typeof selectLeft> = {},
): Promise<{ left: Left }> {
  try {
    const writes = PLACES.flatMap((place) => {
      const ids = found.flatMap(({ resource, id }) => (resource === place.resource ? id : []))
      return ids.length > 0 ? clearRecords(place, valuesOf(ids), erasure) : []
    })
    return await batch(db, { writes, left })
  } catch (error) {
    const middle = found.length >> 1
    if (middle > 0 && !isOutage(error))
      for (const half of [found.slice(0, middle), found.slice(middle)])
        if (mayCall(db, 1)) await clearFound(db, half, erasure).catch(() => undefined)
    throw error
  }
}

/** The statement that ends an erasure of which nothing is left: for good only some time after it was complete. */
function endErasure(erasure: number, now: Date): Statement {
  return sqlStatement(sql`update erasures set progress = iif(progress = 'open', 'complete', 'closed'),
    progress_date = ${formatDateTime(now)} where contact_id = ${erasure} and ${isDue(now)}`)
}

/** Goes on with erasures that are not complete, and looks again at those that are, for what was written meanwhile. */
export async function continueErasures(
  env: Pick<Env, 'PHOTOS'>,
  db: Database,
  now = new Date(),
): Promise<{ erasures: number }> {
  let erasures = 0
  await workThrough(db, {
    job: 'erasures',
    resource: 'contacts',
    portions: 1,
    calls: 4,
    next: async (failed) => {
      const due = sqlStatement<{ contact_id: number }>(sql`select contact_id from erasures
        where ${isDue(now)} and not ${isOneOf(sql`contact_id`, failed)} order by progress_date limit ${MAX_ERASURES}`)
      const ids = (await runStatement(db, due)).map(({ contact_id }) => contact_id)
      erasures = ids.length
      return ids
    },
    work: async (ids) => {
      for (const id of ids) if (mayCall(db, 4)) await clearPerson(env, db, id, { now })
      return []
    },
  })
  return { erasures }
}
