/** Public URLs of stored files, and where the service itself is called. */
import type { Context } from 'hono'
import type { App } from './context.ts'

/** The base of public URLs: an origin, possibly with a path, without a trailing slash. */
export function publicBase(c: Context<App>): string {
  return (c.env.PUBLIC_BASE_URL || new URL(c.req.url).origin).replace(/\/+$/, '')
}

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** Whether the service is called on the machine that it runs on, so not by the public. */
export function isLocal(c: Context<App>): boolean {
  return LOCAL_HOSTS.includes(new URL(c.req.url).hostname)
}

/** Makes public URLs under the deployment's own origin. */
export function publicUrlBuilder(c: Context<App>): (key: string) => string {
  return publicUrlUnder(publicBase(c))
}

/**
 * Makes public URLs under `base` from a bucket key (`photos/…`) or a path of this service. Complete URLs stay as they
 * are.
 */
export function publicUrlUnder(base: string): (key: string) => string {
  return (key) => (/^https?:\/\//i.test(key) ? key : `${base}/${key}`)
}
