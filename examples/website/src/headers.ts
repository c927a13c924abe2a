/** The headers of every page: what it may load, and how long it may be kept. */
import type { MiddlewareHandler } from 'hono'
import { estiaUrl, type Settings } from './settings.ts'

/** As long as answers of Estia: a change is seen after a minute and a half at the latest. */
const KEPT = 'public, max-age=30'

export const headers: MiddlewareHandler<{ Bindings: Settings }> = async (c, next) => {
  await next()
  const { res } = c
  res.headers.set('Content-Security-Policy', contentPolicy(c.env))
  res.headers.set('Referrer-Policy', 'strict-origin-when-cross-origin')
  res.headers.set('X-Content-Type-Options', 'nosniff')
  res.headers.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=()')
  if (new URL(c.req.url).protocol === 'https:')
    res.headers.set('Strict-Transport-Security', 'max-age=31536000')
  const isKept = c.req.method === 'GET' && res.status === 200
  if (!res.headers.has('Cache-Control')) res.headers.set('Cache-Control', isKept ? KEPT : 'no-store')
}

/** No script and no style but the website's own files. Photos may come from any address that the agency has imported. */
function contentPolicy(env: Settings): string {
  const estia = new URL(estiaUrl(env)).origin
  const tiles = env.MAP_TILES ? tileOrigin(env.MAP_TILES) : ''
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: https: ${estia} ${tiles}`.trimEnd(),
    `connect-src 'self' ${estia}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Where tiles come from: `{s}` stands for several hosts. */
function tileOrigin(tiles: string): string {
  const { protocol, host } = new URL(tiles.replace('{s}.', ''))
  return tiles.includes('{s}.') ? `${protocol}//*.${host}` : `${protocol}//${host}`
}
