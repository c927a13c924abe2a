/** Telling subscribers right after a write. No write waits for it, and while nobody subscribes it costs next to nothing. */
import type { MiddlewareHandler } from 'hono'
import type { App } from '../../http/context.ts'
import { deliverAfterWrite } from './deliver.ts'

const READ_METHODS = ['GET', 'HEAD', 'QUERY', 'OPTIONS']
/** Writes within this time share one look, in milliseconds. */
const GATHER_MS = 50
/** For how long an isolate believes that nobody subscribes, in milliseconds. */
const QUIET_MS = 10_000

/** What an isolate knows, as `Date.now()`. */
interface IsolateState {
  /** Until when there is nobody to tell. */
  quietUntil: number
  /** When the next look comes. */
  lookAt: number
  /** How often somebody has subscribed here. */
  subscribed: number
}

const stateByDatabase = new WeakMap<D1Database, IsolateState>()

/** Delivers in the background what a successful call may have changed. */
export const deliverAfterWrites: MiddlewareHandler<App> = async (c, next) => {
  // Before the call gets a session of its own.
  const { env } = c
  await next()
  if (!READ_METHODS.includes(c.req.method) && c.res.ok) c.executionCtx.waitUntil(deliverSoon(env))
}

/** Lets this isolate look again: somebody may have subscribed. */
export function forgetQuiet({ DB }: Env): void {
  const state = stateOf(DB)
  state.quietUntil = 0
  state.subscribed++
}

/** Not waited for by others: whoever finds a look coming knows that it will see what was written. */
async function deliverSoon(env: Env): Promise<void> {
  const state = stateOf(env.DB)
  const now = Date.now()
  if (now < state.quietUntil || now < state.lookAt) return
  state.lookAt = now + GATHER_MS
  await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
  const { subscribed } = state
  const hasSubscribers = await deliverAfterWrite(env)
  // Unless somebody came meanwhile.
  if (!hasSubscribers && subscribed === state.subscribed) state.quietUntil = Date.now() + QUIET_MS
}

function stateOf(database: D1Database): IsolateState {
  const state = stateByDatabase.get(database) ?? { quietUntil: 0, lookAt: 0, subscribed: 0 }
  stateByDatabase.set(database, state)
  return state
}
