/** Enters calls in the trail that no write of a record enters: those that administer, and those that are refused. */
import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { batch, database, runStatement } from '../../db/client.ts'
import { insertRow } from '../../db/rows.ts'
import { type Statement, textStatement } from '../../db/statements.ts'
import { trail } from '../../db/tables/trail.ts'
import { enterCall } from '../../db/trail.ts'
import { formatDateTime } from '../../fields/values.ts'
import { type Origin, originOf } from '../../http/caller/origin.ts'
import { REPLAYED } from '../../http/concurrency/idempotency.ts'
import type { App } from '../../http/context.ts'
import { describeFailure, log } from '../../http/log.ts'

/** Maximum entries of a day that count refused calls. */
const MAX_COUNTS = 1000

/**
 * Middleware: enters a call that administers, once it has succeeded, unless its own transaction did. Refused calls are
 * entered behind the answer.
 */
export const enterCalls: MiddlewareHandler<App> = async (c, next) => {
  // Read before `next()`, which gives the call a D1 session of its own.
  const db = database(c.env)
  await next()
  if (c.res.ok) return reportFailure(enterSuccess(c))
  const entry = refusalOf(c)
  if (entry) c.executionCtx.waitUntil(reportFailure(runStatement(db, entry)))
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
 * The statement that enters a refused call; null if it was not refused. Calls without a valid key, and those of visitors, whom
 * no limit of ours holds back, are counted instead.
 */
function refusalOf(c: Context<App>): Statement | null {
  const { status } = c.res
  if (status !== 401 && status !== 403) return null
  const origin = originOf(c, { path: routeOf(c) })
  if (status === 401) return countCall({ ...origin, actor: null }, status)
  return origin.actor.type === 'visitor' ? countCall(origin, status) : enterRefusal(origin, status)
}

/** The path of the route as the documentation has it; `/api/*` where there is none. */
function routeOf(c: Context<App>): string {
  const paths = matchedRoutes(c).map(({ path }) => path)
  const path =
    paths.findLast((one) => !one.endsWith('*')) ?? paths.findLast((one) => one !== '*' && one !== '/*')
  return (path ?? '').replace(/:(\w+)/g, '{$1}')
}

function enterRefusal({ actor, address, method, route, request_id }: Origin, status: number): Statement {
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

/** Counts a refused call in the entry of its network, route and minute. Past the maximum of the day there are no new ones. */
function countCall({ actor, address, method, route }: RefusedCall, status: number): Statement {
  const minute = `${formatDateTime(new Date()).slice(0, 16)}:00`
  return textStatement(
    `insert into trail (date, actor_type, actor_id, address, method, route, status, count)
    select ?1, ?2, ?3, ?4, ?5, ?6, ?7, 1
    where (select count(*) from trail where count is not null and date >= substr(?1, 1, 10)) < ${MAX_COUNTS}
    on conflict (date, address, route, status) where count is not null do update set count = count + 1`,
    [minute, actor?.type ?? null, actor?.id ?? null, address ?? '', method, route, status],
  )
}

/** A call without a caller, or of a visitor. */
type RefusedCall = Omit<Origin, 'actor'> & { actor: Origin['actor'] | null }
