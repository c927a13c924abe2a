/** Makes the files of feeds: which listings they have, in which order, and how they are written. */
import type { Database } from '../db/client.ts'
import type { FeedFormat } from '../db/tables/feeds.ts'
import { publicUrlUnder } from '../http/urls.ts'
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
import { type Feed, filtersOf } from './stored.ts'
import { feedUrl } from './urls.ts'

/** A file of a feed. */
interface FeedFile {
  /** Number of a sitemap of an index; null for the first file. */
  number: number | null
  /** A page of a JSON Feed has the listings with higher ids than this. */
  after: number
}

/** What a file is made with. */
export interface Making {
  db: Database
  feed: Feed
  file: FeedFile
  /** The base of public URLs. */
  base: string
  /** Bytes of listings that are read at once. */
  portionBytes: number
}

const XML = 'application/xml; charset=utf-8'

/** The media types of the formats. */
export const FEED_TYPES: Record<FeedFormat, string> = {
  kyero: XML,
  json: 'application/feed+json; charset=utf-8',
  sitemap: XML,
}

/** The text of a file as it is made; null if the feed has no such file. */
export function makeFeedFile(making: Making): Promise<AsyncIterable<string> | null> {
  return MAKERS[making.feed.format](making)
}

const MAKERS: Record<FeedFormat, (making: Making) => Promise<AsyncIterable<string> | null>> = {
  kyero: (making) => {
    const { db, feed, portionBytes } = making
    const { spoken: languages, page_url: pageUrl, year } = feed
    const rows = walkPublicListings(db, filtersOf(feed), portionBytes)
    return Promise.resolve(kyeroFeed(present(making, rows), { languages, pageUrl, year }))
  },
  json: async (making) => {
    const { db, feed, file, base, portionBytes } = making
    const { name: title, spoken: languages, page_url: pageUrl } = feed
    const ids = await findPublicIds(db, filtersOf(feed), { after: file.after })
    const shown = ids.slice(0, JSON_PAGE)
    const own = feedUrl(base, feed)
    const nextUrl = ids.length > JSON_PAGE ? `${own}?after=${shown.at(-1)}` : null
    const rows = readPublicListings(db, shown, portionBytes)
    return jsonFeed(present(making, rows), { title, feedUrl: own, nextUrl, languages, pageUrl })
  },
  sitemap: async (making) => {
    const { db, feed, file, base, portionBytes } = making
    const settings = { pageUrl: feed.page_url ?? '', languages: feed.spoken }
    const filters = filtersOf(feed)
    const files = await findSitemapFiles(db, filters, settings, base)
    if (file.number === null && files.length > 1)
      return once(sitemapIndex(files.length, (number) => feedUrl(base, feed, `sitemap-${number}.xml`)))
    const part = files[(file.number ?? 1) - 1]
    if (!part && file.number !== null) return null
    const span: Span = part ? { after: part.first - 1, until: part.last } : { after: 0, until: 0 }
    const rows = walkPublicListings(db, filters, portionBytes, span)
    return sitemap(present(making, rows), settings)
  },
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

/** The public form of the listings of each portion, one at a time: it takes several times the room of its row. */
async function* present(
  { base }: Making,
  portions: AsyncIterable<PublicListingRow[]>,
): AsyncGenerator<Iterable<FeedListing>> {
  const url = publicUrlUnder(base)
  for await (const rows of portions) yield listingsOf(rows, url)
}

function* listingsOf(rows: PublicListingRow[], url: (key: string) => string): Generator<FeedListing> {
  for (const row of rows) yield toFeedListing(row, url)
}
