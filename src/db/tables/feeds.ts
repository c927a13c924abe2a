/** Feeds for property portals. They are settings of a deployment and not part of an export. */
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const FEED_FORMATS = ['kyero', 'json', 'sitemap'] as const
export type FeedFormat = (typeof FEED_FORMATS)[number]

export const feeds = sqliteTable(
  'feeds',
  {
    // Never reused: a client of a deleted feed must not take a new one for it.
    id: integer().primaryKey({ autoIncrement: true }),
    name: text().notNull(),
    format: text().$type<FeedFormat>().notNull(),
    /** The filters of its listings, as they were sent. */
    filters: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** Codes of languages, the most important first; null means all. */
    languages: text({ mode: 'json' }).$type<string[]>(),
    /** Where the website shows a listing: a URL with `{id}` and, if need be, `{language}`. */
    page_url: text(),
    /** Random, unguessable part of its URL: 32 hexadecimal digits. */
    token: text().notNull(),
    date_created: text().notNull(),
    /** When one of these values last changed. */
    date_updated: text().notNull(),
    /** Raised by every change of them. */
    version: integer().notNull().default(1),
  },
  (table) => [uniqueIndex('feeds_with_token').on(table.token)],
)

/**
 * When what feeds show last changed, counted by triggers: a row for what all of them show (`shown`), and one for what
 * decides about listings in feeds with a filter by private values (`chosen`).
 */
export const feed_changes = sqliteTable('feed_changes', {
  name: text({ enum: ['shown', 'chosen'] }).primaryKey(),
  version: integer().notNull(),
  date: text().notNull(),
})
