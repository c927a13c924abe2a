/** Public URLs of stored files, and where the service itself is called. */
import type { Context } from 'hono'
import { PICTURE_FOLDER } from '../fields/picture-folder.ts'
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

export type PublicUrl = (key: string) => string

/** Makes public URLs under the deployment's own origin, and those of pictures where these have another. */
export function publicUrlBuilder(c: Context<App>): PublicUrl {
  const base = publicBase(c)
  return publicUrlUnder(base, c.env.PICTURES_BASE_URL?.replace(/\/+$/, '') || base)
}

/** How the keys of pictures begin that may be served elsewhere. */
export const PICTURES = `${PICTURE_FOLDER}/`

/**
 * Makes public URLs under `base` from a bucket key (`photos/…`) or a path of this service. Complete URLs stay as they
 * are.
 * @param pictures the base of pictures
 */
export function publicUrlUnder(base: string, pictures = base): PublicUrl {
  return (key) => (/^https?:\/\//i.test(key) ? key : `${key.startsWith(PICTURES) ? pictures : base}/${key}`)
}

/** How URLs begin. Replies whose URLs begin otherwise are other replies. */
export function basesOf(url: PublicUrl): [service: string, pictures: string] {
  return [url(''), url(PICTURES)]
}
