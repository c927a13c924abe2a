/**
 * One JSON line per request: what was asked and how it went, without personal data. Of the address only the pattern
 * is kept, and the record's id once it is known to be one; the query string, bodies and credentials stay out.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { App } from './context.ts'

export const logRequests: MiddlewareHandler<App> = async (c, next) => {
  const start = Date.now()
  await next()
  const { status } = c.res
  log(status >= 500 ? 'error' : 'info', {
    request_id: c.get('requestId'),
    method: c.req.method,
    ...describeRoute(c, status),
    status,
    ms: Date.now() - start,
    key: c.get('key')?.id,
  })
}

/** Writes one line. What goes in must be free of personal data and secrets. */
export function log(level: 'info' | 'error', fields: Record<string, unknown>): void {
  // biome-ignore lint/suspicious/noConsole: the console is where a Worker's log goes
  console.log(JSON.stringify({ level, ...fields }))
}

/**
 * What may be logged of a failure: what lies at its bottom. Errors further up may name addresses and the parameters of a
 * query, which can be personal data; one of broken JSON quotes it, so its name must do.
 */
export function describeFailure(error: unknown): { error: string; stack: string[] } {
  const cause = [...causesOf(error)].at(-1)
  if (!cause) return { error: typeof error, stack: [] }
  return {
    error: cause instanceof SyntaxError ? cause.name : `${cause.name}: ${cause.message}`,
    stack: cause.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [],
  }
}

/** An error, what caused it, what caused that, …, down to the bottom. */
export function* causesOf(error: unknown): Generator<Error, void, undefined> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause
}

/**
 * The pattern of the path, as the documentation has it, or null where there is no such path; and the id in it. What
 * stands there in a request that failed early may be anything, a phone number too.
 */
function describeRoute(c: Context<App>, status: number): { path: string | null; id?: number } {
  // A literal path comes before one with an id; those with a star are middleware.
  const pattern = matchedRoutes(c).find(({ path }) => !path.includes('*'))?.path
  if (!pattern) return { path: null }
  const path = pattern.replace(/:(\w+)/g, '{$1}')
  const raw = c.req.path.split('/')[pattern.split('/').indexOf(':id')] ?? ''
  // Nobody looks for the record of a preflight.
  if (c.req.method === 'OPTIONS') return { path }
  const foundRecord = status < 400 || status === 409 || status === 412 || status >= 500
  return foundRecord && /^\d{1,15}$/.test(raw) ? { path, id: Number(raw) } : { path }
}
