/**
 * The feed as sitemaps (https://www.sitemaps.org/protocol.html): an address for each listing and language, with the same
 * page in the other languages and its pictures. Past what a file may hold there are several, and an index of them.
 */
import { sql } from 'drizzle-orm'
import { type Database, runStatement } from '../db/client.ts'
import { valuesOf } from '../db/conditions.ts'
import { sqlStatement } from '../db/statements.ts'
import { MAX_ID } from '../fields/values.ts'
import { PICTURES, type PublicUrl } from '../http/urls.ts'
import { type FeedLanguage, MAX_PAGE_URL, pagesOf } from '../resources/listings/public/page-urls.ts'
import { findPublicIds, type Span, walkPublicListings } from '../resources/listings/public/walk.ts'
import type { Filters } from '../resources/listings/schema.ts'
import { type Format, present, XML } from './format.ts'
import { type FeedListing, picturesOf, toRfc3339 } from './listing.ts'
import { filtersOf } from './stored.ts'
import { feedUrl } from './urls.ts'
import { DECLARATION, element, emptyElement, startTag } from './xml.ts'

/** Addresses of a file. */
const MAX_ADDRESSES = 50_000
/** Bytes of a file after which no other listing begins: it may have 50 MB. */
const FULL_BYTES = 40_000_000
/** Pictures of a page. */
const MAX_IMAGES = 1000

const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const NAMESPACES = {
  xmlns: SITEMAP,
  'xmlns:xhtml': 'http://www.w3.org/1999/xhtml',
  'xmlns:image': 'http://www.google.com/schemas/sitemap-image/1.1',
}

interface SitemapSettings {
  pageUrl: string
  /** The languages of the feed, the most important first. */
  languages: readonly FeedLanguage[]
}

/** The listings of a file: the first and last id. */
interface SitemapFile {
  first: number
  last: number
}

export const sitemapFormat: Format = {
  type: XML,
  file: /^sitemap(?:-([1-9]\d{0,5}))?\.xml$/,
  make: async (making) => {
    const { db, feed, file, url, portionBytes } = making
    const settings = { pageUrl: feed.page_url ?? '', languages: feed.languages }
    const filters = filtersOf(feed)
    const files = await findSitemapFiles(db, filters, settings, url)
    if (file.number === null && files.length > 1)
      return once(sitemapIndex(files.length, (number) => feedUrl(url, feed, `sitemap-${number}.xml`)))
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

/** A file in pieces. The format knows no empty file: without a listing, it has the website's first page. */
async function* sitemap(
  listings: AsyncIterable<FeedListing>,
  settings: SitemapSettings,
): AsyncGenerator<string> {
  yield `${DECLARATION}${startTag('urlset', NAMESPACES)}\n`
  let isEmpty = true
  for await (const listing of listings) {
    for (const address of addressesOf(listing, settings)) {
      isEmpty = false
      yield address
    }
  }
  if (isEmpty) yield element('url', [element('loc', `${new URL(settings.pageUrl).origin}/`)]).text
  yield '</urlset>\n'
}

function sitemapIndex(count: number, fileUrl: (number: number) => string): string {
  const files = Array.from({ length: count }, (_, index) =>
    element('sitemap', [element('loc', fileUrl(index + 1))]),
  )
  return `${DECLARATION}${startTag('sitemapindex', { xmlns: SITEMAP })}\n${files.map(({ text }) => text).join('')}</sitemapindex>\n`
}

/** Listings that are measured at once. */
const BLOCK = 20_000

/**
 * Divides the listings into files: by the number of addresses, and by a length that is at least that of what `addressesOf`
 * writes. Empty without listings.
 */
async function findSitemapFiles(
  db: Database,
  filters: Filters,
  { pageUrl, languages }: SitemapSettings,
  url: PublicUrl,
): Promise<SitemapFile[]> {
  const pages = Math.max(1, pagesOf(pageUrl, languages, MAX_ID).length)
  const bare = { id: MAX_ID, date_updated: '2000-01-01 00:00:00', photos: [] }
  const bytesOf = (text: string) => new TextEncoder().encode(text).byteLength
  const fixed = bytesOf([...addressesOf(bare, { pageUrl, languages })].join(''))
  const perImage = bytesOf(imageXml(url(PICTURES)).text)
  const photos = `shown -> '$.photos'`
  // One byte of an address takes three where the parser of URLs writes it as a percentage.
  const longer = `iif(${photos} glob '*[^]!-;=?-[_a-z]*', 3, 1)`
  const bytes = `${fixed} + ${pages} * (min(json_array_length(${photos}), ${MAX_IMAGES}) * ${perImage}
    + ${longer} * octet_length(replace(${photos}, '&', '&amp;')))`
  const perFile = Math.max(1, Math.floor(MAX_ADDRESSES / pages))
  const ids = await findPublicIds(db, filters)
  const files: SitemapFile[] = []
  let [count, length] = [perFile, 0]
  for (let start = 0; start < ids.length; start += BLOCK) {
    const measured = sqlStatement<{ id: number; bytes: number }>(
      sql`select id, ${sql.raw(bytes)} as bytes from public_listings
        where id in (${valuesOf(ids.slice(start, start + BLOCK))}) order by id`,
    )
    for (const listing of await runStatement(db, measured)) {
      if (count === perFile || length >= FULL_BYTES) {
        files.push({ first: listing.id, last: listing.id })
        count = 0
        length = 0
      }
      const file = files.at(-1)
      if (file) file.last = listing.id
      count++
      length += listing.bytes
    }
  }
  return files
}

/** A listing's address in each language, one by one: with all its links and pictures, each may be long. */
function* addressesOf(
  { id, date_updated, photos }: Pick<FeedListing, 'id' | 'date_updated' | 'photos'>,
  { pageUrl, languages }: SitemapSettings,
): Generator<string> {
  // A language with a long code may have been added since `page_url` was checked.
  const pages = pagesOf(pageUrl, languages, id).filter(({ url }) => url.length <= MAX_PAGE_URL)
  const [main] = pages
  const alternates =
    main && pages.length > 1
      ? [...pages, { language: 'x-default', url: main.url }].map(({ language, url }) =>
          emptyElement('xhtml:link', {
            rel: 'alternate',
            hreflang: language.replaceAll('_', '-'),
            href: url,
          }),
        )
      : []
  const images = picturesOf({ photos })
    .slice(0, MAX_IMAGES)
    .map(({ url }) => imageXml(url))
  for (const { url } of pages)
    yield element('url', [
      element('loc', url),
      element('lastmod', toRfc3339(date_updated)),
      ...alternates,
      ...images,
    ]).text
}

function imageXml(url: string) {
  return element('image:image', [element('image:loc', url)])
}
