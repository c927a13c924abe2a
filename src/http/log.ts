/**
 * Writes one JSON line per call, except for pictures that are answered, without personal data. It contains the pattern of the path and the id of the
 * record. Query strings, bodies and credentials are left out.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { App } from './context.ts'

export const logRequests: MiddlewareHandler<App> = async (c, next) => {
  const start = Date.now()
  await next()
  const { status } = c.res
  if (c.get('isPicture') && status < 400) return
  log(status >= 500 ? 'error' : 'info', {
    request_id: c.get('requestId'),
    method: c.req.method,
    ...describeRoute(c, status),
    status,
    ms: Date.now() - start,
    key: c.get('key')?.id,
  })
}

/** Writes one line. `fields` must not contain personal data or secrets. */
export function log(level: 'info' | 'error', fields: Record<string, unknown>): void {
  // biome-ignore lint/suspicious/noConsole: the console is where a Worker's log goes
  console.log(JSON.stringify({ level, ...fields }))
}

/**
 * What may be logged about an error: its root cause. Outer errors may quote URLs or query parameters, which can be
 * personal data. A `SyntaxError` quotes the JSON, so only its name is logged.
 */
export function describeFailure(error: unknown): { error: string; stack: string[] } {
  const cause = [...causesOf(error)].at(-1)
  if (!cause) return { error: typeof error, stack: [] }
  return {
    error: cause instanceof SyntaxError ? cause.name : `${cause.name}: ${cause.message}`,
    stack: cause.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [],
  }
}

/** An error and its chain of causes, from the outermost to the root cause. */
export function* causesOf(error: unknown): Generator<Error, void, undefined> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause
}

/**
 * The pattern of the path as documented, null for an unknown path, and the id of the record. The id is left out if no
 * record was found: the client may have sent anything there, such as a phone number.
 */
function describeRoute(c: Context<App>, status: number): { path: string | null; id?: number } {
  const pattern = matchedRoutes(c).at(-1)?.path
  // Paths with a star are middleware.
  if (!pattern || pattern.endsWith('*')) return { path: null }
  const path = pattern.replace(/:(\w+)/g, '{$1}')
  const raw = c.req.path.split('/')[pattern.split('/').indexOf(':id')] ?? ''
  // A preflight does not look up the record.
  if (c.req.method === 'OPTIONS') return { path }
  const foundRecord = status < 400 || status === 409 || status === 412 || status >= 500
  return foundRecord && /^\d{1,15}$/.test(raw) ? { path, id: Number(raw) } : { path }
}
