/**
 * Headers that every answer carries. They are set before there is an answer: once it is made, Hono copies it, its body
 * as a stream, for each header that is set.
 */
import type { Context, MiddlewareHandler } from 'hono'
import type { App } from '../context.ts'

/** What browsers are to make of an answer. `allowFrames` lets the tours into frames of other sites. */
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

/** Headers of other sites' scripts: who may read the answer, and which of its headers. */
interface Sharing {
  allowedOrigin: (c: Context<App>) => string | null
  exposed: readonly string[]
}

/** Gives every answer its common headers, whoever makes it. */
export function commonHeaders({ allowedOrigin, exposed }: Sharing): MiddlewareHandler<App> {
  return async (c, next) => {
    const sharing: Record<string, string> = { 'Access-Control-Expose-Headers': exposed.join(',') }
    const origin = allowedOrigin(c)
    if (origin !== null) sharing['Access-Control-Allow-Origin'] = origin
    const headers: Record<string, string> = { ...SECURITY, ...sharing }
    // A GET body is no part of a cache's key, so answers must not be kept.
    if (/^\/(api|admin)\//.test(c.req.path)) headers['Cache-Control'] = 'private, no-store'
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    c.header('Vary', 'Origin')
    await next()
    if (c.res.headers.has('X-Request-Id')) return
    // Made without Hono. A file has rules of its own for browsers, which sites may embed it among them.
    const isFile = c.res.headers.has('X-Content-Type-Options')
    const answer = new Response(c.res.body, c.res)
    for (const [name, value] of Object.entries(isFile ? sharing : headers)) answer.headers.set(name, value)
    answer.headers.append('Vary', 'Origin')
    answer.headers.set('X-Request-Id', c.get('requestId'))
    c.res = undefined
    c.res = answer
  }
}
