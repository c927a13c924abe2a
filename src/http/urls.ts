/** Public addresses of what is stored. */
import type { Context } from 'hono'
import type { App } from './app.ts'

/**
 * Makes public URLs: a key of the bucket (`photos/…`) or a path of ours stands under the deployment's own origin;
 * what is a URL already, stays.
 */
export function publicUrl(c: Context<App>): (key: string) => string {
  const base = (c.env.PUBLIC_BASE_URL || new URL(c.req.url).origin).replace(/\/+$/, '')
  return (key) => (/^https?:\/\//i.test(key) ? key : `${base}/${key}`)
}
