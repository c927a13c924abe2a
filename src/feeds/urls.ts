/** Addresses of feeds. */
import type { Context } from 'hono'
import type { FeedFormat } from '../db/tables/feeds.ts'
import type { App } from '../http/context.ts'
import { publicBase } from '../http/urls.ts'

/** The file that a feed of each format begins with. */
const FIRST_FILES: Record<FeedFormat, string> = {
  kyero: 'kyero.xml',
  json: 'feed.json',
  sitemap: 'sitemap.xml',
}

/** The public address of a feed, or of another of its files. */
export function feedUrl(
  c: Context<App>,
  { format, token }: { format: FeedFormat; token: string },
  file = FIRST_FILES[format],
): string {
  return `${publicBase(c)}/feeds/${token}/${file}`
}
