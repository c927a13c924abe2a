/** Starts webhook deliveries after a write. No write waits for them, and without subscriptions they cost next to nothing. */
import type { MiddlewareHandler } from 'hono'
import { sleep } from '../../http/concurrency/waiting.ts'
import type { App } from '../../http/context.ts'
import { deliverAfterWrite } from './deliver.ts'

const READ_METHODS = ['GET', 'HEAD', 'QUERY', 'OPTIONS']
/** Writes within this time share one search for due subscriptions, in milliseconds. */
const GATHER_MS = 50
/** How long an isolate remembers that there are no subscriptions, in milliseconds. */
const NO_SUBSCRIPTIONS_MS = 10_000

/** What an isolate remembers of one database. Times are those of `Date.now()`. */
interface IsolateState {
  /** Until then the isolate assumes that there are no subscriptions, and does not search. */
  noSubscriptionsUntil: number
  /** When the next search for due subscriptions starts. */
  nextSearchAt: number
  /** How many times this isolate has created or changed a subscription. */
  changeCount: number
}

const stateByDatabase = new WeakMap<D1Database, IsolateState>()

/** Middleware: after a successful write, delivers its changes to webhooks in the background. */
export const deliverWebhooks: MiddlewareHandler<App> = async (c, next) => {
  // Read before `next()`, which gives the call a D1 session of its own.
  const { env } = c
  await next()
  if (!READ_METHODS.includes(c.req.method) && c.res.ok) c.executionCtx.waitUntil(deliverSoon(env))
}

/** Makes this isolate search for subscriptions again, because one was created or changed. */
export function expectSubscriptions({ DB }: Env): void {
  const state = stateOf(DB)
  state.noSubscriptionsUntil = 0
  state.changeCount++
}

/** Searches for due subscriptions and delivers to them, together with other writes of the next `GATHER_MS`. */
async function deliverSoon(env: Env): Promise<void> {
  const state = stateOf(env.DB)
  const now = Date.now()
  // A search that has not started yet will see this write as well.
  if (now < state.noSubscriptionsUntil || now < state.nextSearchAt) return
  state.nextSearchAt = now + GATHER_MS
  await sleep(GATHER_MS)
  const { changeCount } = state
  const hasSubscriptions = await deliverAfterWrite(env)
  // The search may have missed a subscription that was created meanwhile.
  if (!hasSubscriptions && changeCount === state.changeCount)
    state.noSubscriptionsUntil = Date.now() + NO_SUBSCRIPTIONS_MS
}

function stateOf(database: D1Database): IsolateState {
  const state = stateByDatabase.get(database) ?? { noSubscriptionsUntil: 0, nextSearchAt: 0, changeCount: 0 }
  stateByDatabase.set(database, state)
  return state
}
