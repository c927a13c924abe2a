/** Schemas and JSON of feeds. */
import type { Context } from 'hono'
import { z } from 'zod'
import { FEED_FORMATS } from '../../db/tables/feeds.ts'
import { REASONS, type Reason } from '../../feeds/kyero/left-out.ts'
import type { StoredFeed } from '../../feeds/stored.ts'
import { feedUrl } from '../../feeds/urls.ts'
import {
  dateTime,
  filledText,
  LONG_URL,
  list,
  named,
  optionalText,
  text,
  unique,
} from '../../fields/values.ts'
import type { App } from '../../http/context.ts'
import { publicUrlBuilder } from '../../http/urls.ts'
import { listingFilters } from '../../resources/listings/schema.ts'

const { page, per_page, sort, fields, text: words, ...selecting } = listingFilters.shape

/** Those of listings that select, in a form that can be stored and read again. */
const feedFilters = named(
  'FeedFilters',
  'Filters of the listings of a feed, which go by what is shown; a listing must meet all of them. Only active listings are found, ' +
    'whatever `status` says',
  {
    ...selecting,
    // As it was sent: its words depend on the version of the service.
    text: z
      .string()
      .nullish()
      .superRefine((sent, context) => {
        const problem = words.safeParse(sent).error?.issues[0]
        if (problem) context.addIssue(problem.message)
      })
      .describe(words.description ?? ''),
  },
)

const MAX_LANGUAGES = 100

const name = filledText().describe('What it is for, and the title of a JSON Feed')
const format = z
  .enum(FEED_FORMATS)
  .describe('`kyero`: XML for property portals; `json`: JSON Feed 1.1; `sitemap`: for search engines')

const options = {
  filters: feedFilters.nullish(),
  languages: list(text(), { min: 1, max: MAX_LANGUAGES })
    .overwrite(unique)
    .nullish()
    .describe('Codes of `/api/languages`, the most important first; null: all'),
  page_url: optionalText(LONG_URL)
    .nullish()
    .describe(
      'Where the website shows a listing: an https URL with `{id}`, and with `{language}` if there are several languages. ' +
        'A sitemap needs it',
    ),
}

export const feedInput = named('FeedInput', 'A new feed', { name, format, ...options })

export const feedUpdate = named('FeedUpdate', 'Changes of a feed', {
  name: name.optional(),
  format: format.optional(),
  ...options,
})

export const feed = named('Feed', 'A feed for portals, readers of feeds or search engines', {
  id: z.int().describe('Id of the feed'),
  name,
  format,
  filters: z.record(z.string(), z.unknown()).describe('Which listings it has'),
  languages: z.array(z.string()).nullable().describe('Codes of languages; null: all'),
  page_url: z.string().nullable().describe('Where the website shows a listing'),
  url: z.string().describe('Where readers find it; whoever knows it may read the feed'),
  date_created: dateTime().describe('When it was made'),
  date_updated: dateTime().describe('When its values or its URL last changed'),
})

const reasons = Object.keys(REASONS) as [Reason, ...Reason[]]

export const leftOutListing = named('LeftOutListing', 'A listing that a feed leaves out', {
  listing_id: z.int().describe('Id of an active listing that the filters find'),
  reason: z
    .enum(reasons)
    .describe(`Why the feed leaves it out. ${reasons.map((one) => `${one}: ${REASONS[one]}`).join('; ')}`),
})

/** The JSON of a feed. */
export function presentFeed(c: Context<App>, row: StoredFeed): z.output<typeof feed> {
  const { id, name, format, filters, languages, page_url, date_created, date_updated } = row
  const url = feedUrl(publicUrlBuilder(c), row)
  return { id, name, format, filters, languages, page_url, url, date_created, date_updated }
}
