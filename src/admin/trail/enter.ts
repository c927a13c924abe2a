/** Enters calls in the trail that no write of a record enters: those that administer, and those that are refused. */
import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { batch, type Database, database, runStatement } from '../../db/client.ts'
import { insertRow } from '../../db/rows.ts'
import { type Statement, textStatement } from '../../db/statements.ts'
import { RUNNING, trail } from '../../db/tables/trail.ts'
import { formatDateTime } from '../../fields/values.ts'
import { type EnteredCall, type Provenance, provenanceOf } from '../../http/caller/provenance.ts'
import type { App } from '../../http/context.ts'
import { ApiError } from '../../http/errors.ts'
import { describeFailure, log } from '../../http/log.ts'

/** Maximum entries of a day that count refused calls without a known caller, and those of visitors, of each status. */
const MAX_COUNTS = 1000
/** Maximum entries of a day for the refused calls of any other caller. The last of them counts all further ones. */
const MAX_REFUSALS = 100

/** The message of 503 for a call that could not be entered. */
const NOT_ENTERED = 'The call cannot be entered in the trail, so nothing was done; try again'

/** Enters a call that administers, before it acts. Throws 503 if that fails. */
export async function enterCall(c: Context<App>): Promise<void> {
  const { PROVENANCE: provenance } = c.env
  if (!provenance) throw new Error('It is unknown where the call comes from')
  // In the order of the path, which the parameters of a call need not have.
  const names = [...(provenance.route ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const record_id = names.map((name) => c.req.param(name)).join('/') || null
  const values = { ...columnsOf(provenance), record_id, status: RUNNING }
  try {
    const [entry] = await runStatement(database(c.env), insertRow(trail, values))
    if (entry) provenance.call = { id: entry.id, record_id }
  } catch (error) {
    if (error instanceof ApiError) throw error
    logFailure(error)
  }
  if (!provenance.call) throw new ApiError(503, NOT_ENTERED, [], { 'Retry-After': '1' })
}

/** Middleware: gives the entry of a call its status, and enters calls that are refused, these behind the answer. */
export const completeEntries: MiddlewareHandler<App> = async (c, next) => {
  // Read before `next()`, which gives the call a D1 session of its own.
  const db = database(c.env)
  await next()
  const { call } = c.env.PROVENANCE ?? {}
  const { status } = c.res
  if (call) await runStatement(db, completeEntry(call, status)).catch(logFailure)
  if (status === 401 || status === 403) c.executionCtx.waitUntil(enterRefusal(db, c).catch(logFailure))
}

/** What was done is done: only the entry is missing, or its status. */
function logFailure(error: unknown): void {
  log('error', { work: 'trail', ...describeFailure(error) })
}

/** Gives an entry its status. Calls that were refused, or only tried out, have done nothing: their entries go. */
function completeEntry({ id, record_id, isTrial }: EnteredCall, status: number): Statement {
  const isVoid = isTrial || (status >= 400 && status < 500)
  if (isVoid) return textStatement(`delete from trail where id = ? and status = ${RUNNING}`, [id])
  return textStatement('update trail set status = ?, record_id = ? where id = ?', [status, record_id, id])
}

/**
 * Enters a call that was refused. Calls without a valid key, those of visitors, and those of a caller past the maximum of the
 * day are counted instead, so that they cannot fill the database.
 */
async function enterRefusal(db: Database, c: Context<App>): Promise<void> {
  const { status } = c.res
  const provenance = provenanceOf(c, { path: routeOf(c) })
  // The admin token is never refused: a call that seems to have it was refused before its caller was known.
  const isKnown = status !== 401 && provenance.actor.type !== 'token'
  if (!isKnown) await countCall(db, { ...provenance, actor: null }, status)
  else if (provenance.actor.type === 'visitor') await countCall(db, provenance, status)
  else await batch(db, insertRefusal(provenance))
}

/** An entry for a call with 403 of a known caller, or one more in the last of its entries of the day. */
function insertRefusal(provenance: Provenance): { counted: Statement; added: Statement } {
  const { date, actor_type, actor_id, ...call } = columnsOf(provenance)
  const day = date.slice(0, 10)
  const ofDay = 'from trail where status = 403 and actor_id = ? and date >= ?'
  const columns = Object.keys(call)
  return {
    counted: textStatement(
      `update trail set count = count + 1 where count is not null
        and id = (select id ${ofDay} order by date desc, id desc limit 1)`,
      [actor_id, day],
    ),
    // The last one names no call, as it counts others.
    added: textStatement(
      `insert into trail (date, actor_type, actor_id, status, count, ${columns.join(', ')})
      select ?, ?, ?, 403, iif(is_last, 1, null), ${columns.map(() => 'iif(is_last, null, ?)').join(', ')}
      from (select count(*) >= ${MAX_REFUSALS - 1} as is_last ${ofDay}) where changes() = 0`,
      [date, actor_type, actor_id, ...Object.values(call), actor_id, day],
    ),
  }
}

/** The path of the route as the documentation has it; `/api/*` where there is none. */
function routeOf(c: Context<App>): string {
  const paths = matchedRoutes(c).map(({ path }) => path)
  const path =
    paths.findLast((one) => !one.endsWith('*')) ?? paths.findLast((one) => one !== '*' && one !== '/*')
  return (path ?? '').replace(/:(\w+)/g, '{$1}')
}

/** The columns that say where a call comes from, and when. */
function columnsOf({ actor, address, method, route, request_id }: Provenance) {
  const date = formatDateTime(new Date())
  const [, , resource = ''] = (route ?? '').split('/')
  return { date, actor_type: actor.type, actor_id: actor.id, address, method, route, resource, request_id }
}

/** A call whose caller may be unknown. */
type CountedCall = Omit<Provenance, 'actor'> & { actor: Provenance['actor'] | null }

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
