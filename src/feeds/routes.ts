/** Feeds for portals, without a key, under unguessable names. Each call makes them anew of what visitors may see. */
import type { Context } from 'hono'
import { z } from 'zod'
import { type Database, database } from '../db/client.ts'
import type { FeedFormat } from '../db/tables/feeds.ts'
import { int } from '../fields/values.ts'
import { clientNetwork, countCall, policyHeader, rateLimit } from '../http/caller/rate-limits.ts'
import { includesTag, parseTags } from '../http/concurrency/entity-tags.ts'
import type { App } from '../http/context.ts'
import { Router } from '../http/endpoint/router.ts'
import { ApiError, databaseBusy } from '../http/errors.ts'
import { publicBase, publicUrlUnder } from '../http/urls.ts'
import type { PublicListingRow } from '../resources/listings/public/row.ts'
import {
  findPublicIds,
  readPublicListings,
  type Span,
  walkPublicListings,
} from '../resources/listings/public/walk.ts'
import { JSON_PAGE, jsonFeed } from './json-feed.ts'
import { kyeroFeed } from './kyero/feed.ts'
import { type FeedListing, toFeedListing } from './listing.ts'
import { findSitemapFiles, sitemap, sitemapIndex } from './sitemap.ts'
import { digestOf, type Feed, filtersOf, findFeedByToken } from './stored.ts'
import { begin, streamText } from './stream.ts'
import { feedUrl } from './urls.ts'

/** How long a copy may be used, in seconds. */
const MAX_AGE = 300
const TOKEN = /^[\da-f]{32}$/
/** The files of a feed, by its format. */
const FILES: Record<FeedFormat, RegExp> = {
  kyero: /^kyero\.xml$/,
  json: /^feed\.json$/,
  sitemap: /^sitemap(?:-([1-9]\d{0,5}))?\.xml$/,
}

export const feedRoutes = new Router(
  'Feeds',
  'Active listings for property portals, readers of feeds and search engines. Anyone who knows their URL may read them.',
)

feedRoutes.get(
  '/feeds/{token}/{file}',
  {
    summary: 'A feed',
    operationId: 'getFeedFile',
    description:
      'What the public may see of the listings of a feed, as it is now. After a fault the end of the file is missing, so ' +
      'that it cannot be parsed. See [Portals](/docs/portals.md).',
    params: z.object({
      token: z.string().describe('Token of the feed: 32 hexadecimal digits'),
      file: z
        .string()
        .describe(
          '`kyero.xml`, `feed.json` or `sitemap.xml`, according to the format of the feed; `sitemap-1.xml` and so on are the ' +
            'files of a sitemap that is an index',
        ),
    }),
    filters: z.object({
      after: int()
        .min(0)
        .nullish()
        .describe('`feed.json` only: the page of the listings with higher ids than this'),
    }),
    headers: z.object({
      'If-None-Match': z.string().optional().describe('Answers 304 if the feed has one of these `ETag`s'),
      'If-Modified-Since': z
        .string()
        .optional()
        .describe('Answers 304 if nothing that feeds show has changed since'),
    }),
    replyType: 'application/xml',
    replyHeaders: {
      ETag: 'Changes with everything that the feed shows',
      'Last-Modified': 'When something that feeds show last changed',
    },
    otherReplies: { 304: 'Not modified since the client last had it' },
    errors: { 503: databaseBusy().message },
  },
  async (c, input) => {
    // Errors are kept nowhere: the next call may be answered otherwise.
    c.header('Cache-Control', 'no-store')
    const limit = rateLimit(c, 'feed')
    await countCall(limit, clientNetwork(c))
    for (const [name, value] of Object.entries(policyHeader(limit))) c.header(name, value)
    const { token, file } = input.params()
    const db = database(c.env)
    const feed = TOKEN.test(token) ? await findFeedByToken(db, token) : null
    const match = feed && FILES[feed.format].exec(file)
    if (!feed || !match) throw feedNotFound()
    const after = (feed.format === 'json' ? input.filters().complete().after : null) ?? 0
    const version = {
      tag: digestOf([...feed.state, publicBase(c), file, after]),
      modified: Date.parse(`${feed.changed.replace(' ', 'T')}Z`),
    }
    if (isKnown(version, input.headers)) return replyWith(c, version, null)
    const part = { file: match[1] ? Number(match[1]) : null, after }
    const { type, texts } = await MAKERS[feed.format](c, db, feed, part)
    c.header('Content-Type', type)
    return replyWith(c, version, c.req.method === 'HEAD' ? '' : streamText(c, texts))
  },
)

/** The part of a feed that is asked for. */
interface Part {
  /** Number of a sitemap of an index. */
  file: number | null
  after: number
}

interface Made {
  type: string
  texts: AsyncGenerator<string>
}

/** Makes the file of a format. The first listings are read at once, so that a fault can still be answered. */
const MAKERS: Record<FeedFormat, (c: Context<App>, db: Database, feed: Feed, part: Part) => Promise<Made>> = {
  kyero: async (c, db, feed) => {
    const { spoken: languages, page_url: pageUrl } = feed
    const portions = await begin(present(c, walkPublicListings(db, filtersOf(feed))))
    const year = new Date().getUTCFullYear()
    return { type: XML, texts: kyeroFeed(portions, { languages, pageUrl, year }) }
  },
  json: async (c, db, feed, { after }) => {
    const { name: title, spoken: languages, page_url: pageUrl } = feed
    const ids = await findPublicIds(db, filtersOf(feed), { after }, JSON_PAGE + 1)
    const shown = ids.slice(0, JSON_PAGE)
    const own = feedUrl(c, feed)
    const nextUrl = ids.length > JSON_PAGE ? `${own}?after=${shown.at(-1)}` : null
    const portions = await begin(present(c, readPublicListings(db, shown)))
    const settings = { title, feedUrl: own, nextUrl, languages, pageUrl }
    return { type: 'application/feed+json; charset=utf-8', texts: jsonFeed(portions, settings) }
  },
  sitemap: async (c, db, feed, { file }) => {
    const settings = { pageUrl: feed.page_url ?? '', languages: feed.spoken }
    const filters = filtersOf(feed)
    const files = await findSitemapFiles(db, filters, settings, publicBase(c))
    if (file === null && files.length > 1) {
      const index = sitemapIndex(files.length, (number) => feedUrl(c, feed, `sitemap-${number}.xml`))
      return { type: XML, texts: once(index) }
    }
    const part = files[(file ?? 1) - 1]
    if (!part && file !== null) throw feedNotFound()
    const span: Span = part ? { after: part.first - 1, until: part.last } : { after: 0, until: 0 }
    const portions = await begin(present(c, walkPublicListings(db, filters, span)))
    return { type: XML, texts: sitemap(portions, settings) }
  },
}

const XML = 'application/xml; charset=utf-8'

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

/** The public form of rows. */
async function* present(
  c: Context<App>,
  portions: AsyncIterable<PublicListingRow[]>,
): AsyncGenerator<FeedListing[]> {
  const url = publicUrlUnder(publicBase(c))
  for await (const rows of portions) yield rows.map((row) => toFeedListing(row, url))
}

function feedNotFound(): ApiError {
  return new ApiError(404, 'Not found')
}

/** What tells one state of a feed from another. */
interface Version {
  /** An entity tag without quotes. */
  tag: string
  /** When what feeds show last changed, as `Date.now()`. */
  modified: number
}

interface Conditions {
  'If-None-Match'?: string | undefined
  'If-Modified-Since'?: string | undefined
}

/** Whether the client already has this version. A tag is exact, so the date counts only without one. */
function isKnown({ tag, modified }: Version, conditions: Conditions): boolean {
  const { 'If-None-Match': tags, 'If-Modified-Since': date } = conditions
  if (tags === undefined) return modified <= Date.parse(date ?? '')
  const parsed = parseTags(tags)
  return includesTag(parsed === '*' ? '*' : parsed?.map((one) => one.tag), tag)
}

/** Replies with a body, or with 304 for null. */
function replyWith(
  c: Context<App>,
  { tag, modified }: Version,
  body: ReadableStream<Uint8Array> | '' | null,
): Response {
  c.header('Cache-Control', `public, max-age=${MAX_AGE}`)
  c.header('ETag', `"${tag}"`)
  c.header('Last-Modified', new Date(modified).toUTCString())
  return body === null ? c.body(null, 304) : c.body(body)
}
