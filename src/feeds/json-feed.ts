/** The feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/), page by page. */

import { type FeedLanguage, pagesOf } from '../resources/listings/public/page-urls.ts'
import { withoutHtml } from '../resources/listings/public/plain-text.ts'
import { findPublicIds, readPublicListings } from '../resources/listings/public/walk.ts'
import { type Format, present } from './format.ts'
import { englishLine } from './kyero/english.ts'
import { type FeedListing, featureLabels, picturesOf, toRfc3339 } from './listing.ts'
import { filtersOf } from './stored.ts'
import { feedUrl } from './urls.ts'

const VERSION = 'https://jsonfeed.org/version/1.1'

/** Listings of a page. */
const JSON_PAGE = 1000

interface JsonFeedSettings {
  title: string
  feedUrl: string
  /** Address of the next page; null on the last. */
  nextUrl: string | null
  /** The languages of the feed, the most important first. */
  languages: readonly FeedLanguage[]
  pageUrl: string | null
}

export const jsonFormat: Format = {
  type: 'application/feed+json; charset=utf-8',
  file: /^feed\.json$/,
  make: async (making) => {
    const { db, feed, file, url, portionBytes } = making
    const { name: title, languages, page_url: pageUrl } = feed
    const ids = await findPublicIds(db, filtersOf(feed), { after: file.after })
    const shown = ids.slice(0, JSON_PAGE)
    const own = feedUrl(url, feed)
    const nextUrl = ids.length > JSON_PAGE ? `${own}?after=${shown.at(-1)}` : null
    const rows = readPublicListings(db, shown, portionBytes)
    return jsonFeed(present(making, rows), { title, feedUrl: own, nextUrl, languages, pageUrl })
  },
}

/** A page in pieces. */
async function* jsonFeed(
  listings: AsyncIterable<FeedListing>,
  settings: JsonFeedSettings,
): AsyncGenerator<string> {
  const { title, feedUrl, nextUrl, pageUrl } = settings
  const head = JSON.stringify({
    version: VERSION,
    title,
    ...(pageUrl === null ? {} : { home_page_url: `${new URL(pageUrl).origin}/` }),
    feed_url: feedUrl,
    ...(nextUrl === null ? {} : { next_url: nextUrl }),
  })
  yield `${head.slice(0, -1)},"items":[`
  let separator = ''
  for await (const listing of listings) {
    yield separator + JSON.stringify(itemOf(listing, settings))
    separator = ',\n'
  }
  yield ']}\n'
}

/** An item. Keys without a value are absent. */
function itemOf(listing: FeedListing, { languages, pageUrl }: JsonFeedSettings) {
  const { id, date_listed, date_updated, availability, category, subcategory } = listing
  const pictures = picturesOf(listing)
  const [page] = pagesOf(pageUrl, languages, id)
  const line = englishLine(listing)
  const text = firstText(listing, languages)
  return {
    id: String(id),
    ...(page ? { url: page.url } : {}),
    title: text?.title || line,
    content_text: text?.description || text?.title || line,
    ...(pictures[0] ? { image: pictures[0].url } : {}),
    ...(date_listed === null ? {} : { date_published: toRfc3339(date_listed) }),
    date_modified: toRfc3339(date_updated),
    tags: [availability, category, ...(subcategory ? [subcategory] : []), ...featureLabels(listing)],
    attachments: pictures.map(({ url }) => ({ url, mime_type: pictureType(url) })),
    _estia: listing,
  }
}

function firstText({ translations }: FeedListing, languages: readonly FeedLanguage[]) {
  for (const { id } of languages) {
    const found = translations.find(({ language_id }) => language_id === id)
    const title = withoutHtml(found?.title ?? '')
    const description = withoutHtml(found?.description ?? '')
    if (title || description) return { title, description }
  }
  return null
}

/** Stored pictures are JPEGs. What is elsewhere may be anything; its name may tell. */
function pictureType(url: string): string {
  const [, extension = ''] = /\.(png|webp|gif|avif)(?:[?#]|$)/i.exec(url) ?? []
  return extension ? `image/${extension.toLowerCase()}` : 'image/jpeg'
}
