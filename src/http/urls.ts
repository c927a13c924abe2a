/** Public addresses of what is stored. */
import type { Context } from 'hono'
import type { App } from './context.ts'

/** The origin of public addresses, perhaps with a path behind it, without a slash at its end. */
export function publicBase(c: Context<App>): string {
  return (c.env.PUBLIC_BASE_URL || new URL(c.req.url).origin).replace(/\/+$/, '')
}

/** Makes public URLs under the deployment's own origin. */
export function publicUrlBuilder(c: Context<App>): (key: string) => string {
  return publicUrlUnder(publicBase(c))
}

/**
 * Makes public URLs: a key of the bucket (`photos/…`) or a path of ours stands under `base`; what is a URL already,
 * stays.
 */
export function publicUrlUnder(base: string): (key: string) => string {
  return (key) => (/^https?:\/\//i.test(key) ? key : `${base}/${key}`)
}
