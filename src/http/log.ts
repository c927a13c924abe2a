/**
 * One JSON line per request: what was asked and how it went, without personal data. Paths hold ids at most;
 * the query string, bodies and credentials stay out.
 */
import type { MiddlewareHandler } from 'hono'
import type { App } from './router.ts'

export const logRequests: MiddlewareHandler<App> = async (c, next) => {
  const start = Date.now()
  await next()
  log(c.res.status >= 500 ? 'error' : 'info', {
    request_id: c.get('requestId'),
    method: c.req.method,
    path: loggedPath(c.req.path),
    status: c.res.status,
    ms: Date.now() - start,
    key: c.get('key')?.id,
  })
}

/** Writes one line. What goes in must be free of personal data and secrets. */
export function log(level: 'info' | 'error', fields: Record<string, unknown>): void {
  // biome-ignore lint/suspicious/noConsole: the console is where a Worker's log goes
  console.log(JSON.stringify({ level, ...fields }))
}

/** Stored pictures and tours are public to whoever knows their name, so the name is no business of a log. */
function loggedPath(path: string): string {
  return path.replace(/^\/(photos|watermarks|files|tours)\/.*/, '/$1/…').slice(0, 200)
}
