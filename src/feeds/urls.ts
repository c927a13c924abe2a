/** Addresses of feeds. */
import type { FeedFormat } from '../db/tables/feeds.ts'
import type { PublicUrl } from '../http/urls.ts'

/** The file that a feed of each format begins with. */
const FIRST_FILES: Record<FeedFormat, string> = {
  kyero: 'kyero.xml',
  json: 'feed.json',
  sitemap: 'sitemap.xml',
}

/** The address of a feed, or of another of its files. */
export function feedUrl(
  url: PublicUrl,
  { format, token }: { format: FeedFormat; token: string },
  file = FIRST_FILES[format],
): string {
  return url(`feeds/${token}/${file}`)
}
