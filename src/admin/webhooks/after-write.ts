/** Webhook deliveries right after a write. No write waits for them, and without subscriptions they cost next to nothing. */
import type { MiddlewareHandler } from 'hono'
import type { App } from '../../http/context.ts'
import { deliverAfterWrite } from './deliver.ts'

const READ_METHODS = ['GET', 'HEAD', 'QUERY', 'OPTIONS']
/** Writes within this time share one search for due subscriptions, in milliseconds. */
const GATHER_MS = 50
/** How long an isolate remembers that there are no subscriptions, in milliseconds. */
const QUIET_MS = 10_000

/** What an isolate remembers of one database. Times are those of `Date.now()`. */
interface IsolateState {
  /** Until then the isolate assumes that there are no subscriptions. */
  quietUntil: number
  /** When the next search for due subscriptions starts. */
  lookAt: number
  /** How many subscriptions were made or changed in this isolate. */
  subscribed: number
}

const stateByDatabase = new WeakMap<D1Database, IsolateState>()

/** Middleware: after a successful write, delivers its changes to webhooks in the background. */
export const deliverAfterWrites: MiddlewareHandler<App> = async (c, next) => {
  // Read before `next()`, which gives the call a D1 session of its own.
  const { env } = c
  await next()
  if (!READ_METHODS.includes(c.req.method) && c.res.ok) c.executionCtx.waitUntil(deliverSoon(env))
}

/** Makes this isolate look for subscriptions again, because one was made or changed. */
export function forgetQuiet({ DB }: Env): void {
  const state = stateOf(DB)
  state.quietUntil = 0
  state.subscribed++
}

/** A search that has not started yet will see this write as well, so a second one is not needed. */
async function deliverSoon(env: Env): Promise<void> {
  const state = stateOf(env.DB)
  const now = Date.now()
  if (now < state.quietUntil || now < state.lookAt) return
  state.lookAt = now + GATHER_MS
  await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
  const { subscribed } = state
  const hasSubscribers = await deliverAfterWrite(env)
  // A subscription made meanwhile may have been missed.
  if (!hasSubscribers && subscribed === state.subscribed) state.quietUntil = Date.now() + QUIET_MS
}

function stateOf(database: D1Database): IsolateState {
  const state = stateByDatabase.get(database) ?? { quietUntil: 0, lookAt: 0, subscribed: 0 }
  stateByDatabase.set(database, state)
  return state
}
