/** Telling subscribers right after a write. No write waits for it, and while nobody subscribes it costs next to nothing. */
import type { MiddlewareHandler } from 'hono'
import type { App } from '../../http/app.ts'
import { deliverDue } from './deliver.ts'

const READING = ['GET', 'HEAD', 'QUERY', 'OPTIONS']
/** Writes within this time share one look, in milliseconds. */
const GATHER = 50
/** For how long an isolate believes that nobody subscribes, in milliseconds. */
const QUIET = 10_000

/** What an isolate knows, as `Date.now()`. */
interface Known {
  /** Until when there is nobody to tell. */
  quietUntil: number
  /** When the next look comes. */
  lookAt: number
  /** How often somebody has subscribed here. */
  subscribed: number
}

const known = new WeakMap<D1Database, Known>()

/** Delivers in the background what a successful call may have changed. */
export const deliverAfterWrites: MiddlewareHandler<App> = async (c, next) => {
  // Before the call gets a session of its own.
  const { env } = c
  await next()
  if (!READING.includes(c.req.method) && c.res.ok) c.executionCtx.waitUntil(deliverSoon(env))
}

/** Lets this isolate look again: somebody may have subscribed. */
export function noticeWebhooks({ DB }: Env): void {
  const state = knownOf(DB)
  state.quietUntil = 0
  state.subscribed++
}

/** Not waited for by others: whoever finds a look coming knows that it will see what was written. */
async function deliverSoon(env: Env): Promise<void> {
  const state = knownOf(env.DB)
  const now = Date.now()
  if (now < state.quietUntil || now < state.lookAt) return
  state.lookAt = now + GATHER
  await new Promise((resolve) => setTimeout(resolve, GATHER))
  const { subscribed } = state
  const isWanted = await deliverDue(env)
  // Unless somebody came meanwhile.
  if (!isWanted && subscribed === state.subscribed) state.quietUntil = Date.now() + QUIET
}

function knownOf(database: D1Database): Known {
  const state = known.get(database) ?? { quietUntil: 0, lookAt: 0, subscribed: 0 }
  known.set(database, state)
  return state
}
