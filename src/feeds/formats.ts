/** The formats of feeds. */
import type { FeedFormat } from '../db/tables/feeds.ts'
import type { Format } from './format.ts'
import { jsonFormat } from './json-feed.ts'
import { kyeroFormat } from './kyero/feed.ts'
import { sitemapFormat } from './sitemap.ts'

export const FORMATS: Record<FeedFormat, Format> = {
  kyero: kyeroFormat,
  json: jsonFormat,
  sitemap: sitemapFormat,
}
