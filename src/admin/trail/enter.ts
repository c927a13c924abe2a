/** Enters calls in the trail that no write of a record enters: those that administer, and those that are refused. */
import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { batch, type Database, database, runStatement } from '../../db/client.ts'
import { insertRow } from '../../db/rows.ts'
import { type Statement, textStatement } from '../../db/statements.ts'
import { trail } from '../../db/tables/trail.ts'
import { enterCall } from '../../db/trail.ts'
import { formatDateTime } from '../../fields/values.ts'
import { type Origin, originOf } from '../../http/caller/origin.ts'
import { REPLAYED } from '../../http/concurrency/idempotency.ts'
import type { App } from '../../http/context.ts'
import { describeFailure, log } from '../../http/log.ts'

/** Maximum entries of a day that count refused calls, of each status. */
const MAX_COUNTS = 1000
/** Calls of a caller to one route that are refused in a minute and entered one by one; further ones are counted. */
const MAX_SINGLE = 30

/**
 * Middleware: enters a call that administers, once it has succeeded, unless its own transaction did. Refused calls are
 * entered behind the answer.
 */
export const enterCalls: MiddlewareHandler<App> = async (c, next) => {
  // Read before `next()`, which gives the call a D1 session of its own.
  const db = database(c.env)
  await next()
  if (c.res.ok) return reportFailure(enterSuccess(c))
  if (c.res.status === 401 || c.res.status === 403)
    c.executionCtx.waitUntil(reportFailure(enterRefusal(db, c)))
}

/** Logs what could not be entered: the call itself is done. */
async function reportFailure(entering: Promise<unknown>): Promise<void> {
  try {
    await entering
  } catch (error) {
    log('error', { work: 'trail', ...describeFailure(error) })
  }
}

async function enterSuccess(c: Context<App>): Promise<void> {
  const call = c.env.ORIGIN?.call
  if (!call || call.isEntered || c.res.headers.has(REPLAYED)) return
  call.isEntered = true
  await batch(database(c.env), { entry: enterCall(call) })
}

/**
 * Enters a call that was refused. Calls without a valid key, those of visitors, and those of a caller who goes on and on are
 * counted instead, so that they cannot fill the database.
 */
async function enterRefusal(db: Database, c: Context<App>): Promise<void> {
  const { status } = c.res
  const origin = originOf(c, { path: routeOf(c) })
  // The admin token is never refused: a call that seems to have it was refused before its caller was known.
  const isKnown = status !== 401 && origin.actor.type !== 'token'
  if (!isKnown) await countCall(db, { ...origin, actor: null }, status)
  else if (origin.actor.type === 'visitor' || isOneTooMany(origin)) await countCall(db, origin, status)
  else await runStatement(db, insertRefusal(origin, status))
}

/** Refused calls of a minute by caller and route, as far as this isolate has seen them. */
const refused = { minute: 0, counts: new Map<string, number>() }

function isOneTooMany({ actor, route }: Origin): boolean {
  const minute = Math.floor(Date.now() / 60_000)
  if (minute !== refused.minute) Object.assign(refused, { minute, counts: new Map() })
  const name = `${actor.type} ${actor.id} ${route}`
  const count = (refused.counts.get(name) ?? 0) + 1
  refused.counts.set(name, count)
  return count > MAX_SINGLE
}

/** The path of the route as the documentation has it; `/api/*` where there is none. */
function routeOf(c: Context<App>): string {
  const paths = matchedRoutes(c).map(({ path }) => path)
  const path =
    paths.findLast((one) => !one.endsWith('*')) ?? paths.findLast((one) => one !== '*' && one !== '/*')
  return (path ?? '').replace(/:(\w+)/g, '{$1}')
}

function insertRefusal({ actor, address, method, route, request_id }: Origin, status: number): Statement {
  const date = formatDateTime(new Date())
  const [, , resource] = (route ?? '').split('/')
  const { type: actor_type, id: actor_id } = actor
  return insertRow(trail, {
    date,
    actor_type,
    actor_id,
    address,
    method,
    route,
    resource,
    status,
    request_id,
  })
}

/** A call whose caller may be unknown. */
type CountedCall = Omit<Origin, 'actor'> & { actor: Origin['actor'] | null }

/** The day on which this isolate has found that the trail takes no more entries that count, by status. */
const fullDays = new Map<number, string>()

/**
 * Counts a refused call in the entry of its network, route and minute, which says who called, and by which method, only if
 * that is the same of all. Past the maximum of the day there are no new entries.
 */
async function countCall(
  db: Database,
  { actor, address, method, route }: CountedCall,
  status: number,
): Promise<void> {
  const minute = `${formatDateTime(new Date()).slice(0, 16)}:00`
  const day = minute.slice(0, 10)
  if (day === fullDays.get(status)) return
  const params = [minute, address ?? '', route, status, method, actor?.type ?? null, actor?.id ?? null]
  const { counted, added } = await batch(db, {
    counted: textStatement(
      `update trail set count = count + 1, method = iif(method is ?5, method, null),
        actor_type = iif(actor_type is ?6, actor_type, null), actor_id = iif(actor_id is ?7, actor_id, null)
      where date = ?1 and address = ?2 and route = ?3 and status = ?4 and count is not null returning id`,
      params,
    ),
    added: textStatement(
      `insert into trail (date, address, route, status, method, actor_type, actor_id, count)
      select ?1, ?2, ?3, ?4, ?5, ?6, ?7, 1
      where changes() = 0 and (select count(*) from trail
        where count is not null and date >= ?8 and status = ?4) < ${MAX_COUNTS}
      returning id`,
      [...params, day],
    ),
  })
  if (counted.length + added.length === 0) fullDays.set(status, day)
}
