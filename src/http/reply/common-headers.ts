/**
 * Headers of every reply. They are set before the handler runs: Hono would copy a finished response, with its body, for
 * each header.
 */
import type { Context, MiddlewareHandler } from 'hono'
import type { App } from '../context.ts'

/**
 * Security headers for browsers. `allowFraming` (`tours/routes.ts`) relaxes them, so that other sites can embed
 * tours.
 */
const SECURITY = {
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=15552000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
}

/** Whether only pages of the service itself may read what is under a path: administration, and the page for it. */
export function isForOwnPages(path: string): boolean {
  return /^\/(?:admin|console)(?:\/|$)/.test(path)
}

/** CORS: which origins may read a reply, and which of its headers. */
interface Sharing {
  allowedOrigin: (c: Context<App>) => string | null
  exposed: readonly string[]
}

/** Adds the common headers to every reply. */
export function commonHeaders({ allowedOrigin, exposed }: Sharing): MiddlewareHandler<App> {
  const shared = { 'Access-Control-Expose-Headers': exposed.join(',') }
  return async (c, next) => {
    const sharing: Record<string, string> = { ...shared }
    const origin = allowedOrigin(c)
    if (origin !== null) sharing['Access-Control-Allow-Origin'] = origin
    const headers: Record<string, string> = { ...SECURITY, ...sharing }
    if (isForOwnPages(c.req.path)) headers['Cross-Origin-Resource-Policy'] = 'same-origin'
    // Cache keys do not include a GET body, so replies must not be cached.
    if (/^\/(api|office|admin)\//.test(c.req.path)) headers['Cache-Control'] = 'private, no-store'
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    c.header('Vary', 'Origin')
    await next()
    if (c.res.headers.has('X-Request-Id')) return
    // This reply was made without Hono. Files set their own security headers.
    const isFile = c.res.headers.has('X-Content-Type-Options')
    const answer = new Response(c.res.body, c.res)
    for (const [name, value] of Object.entries(isFile ? sharing : headers)) answer.headers.set(name, value)
    answer.headers.append('Vary', 'Origin')
    answer.headers.set('X-Request-Id', c.get('requestId'))
    c.res = undefined
    c.res = answer
  }
}

/** Tells caches that `Accept` chooses the form of the reply. To be called before the reply is made. */
export function varyByAccept(c: Context<App>): void {
  c.header('Vary', 'Accept', { append: true })
}
