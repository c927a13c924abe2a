/** What a format of feeds is, and what its maker is given. */
import type { Database } from '../db/client.ts'
import type { PublicUrl } from '../http/urls.ts'
import type { PublicListingRow } from '../resources/listings/public/row.ts'
import { type FeedListing, toFeedListing } from './listing.ts'
import type { Feed } from './stored.ts'

/** A format, made in a module of its own. */
export interface Format {
  type: string
  file: RegExp
  /** The text of a file as it is made; null if the feed has no such file. */
  make: (making: Making) => Promise<AsyncIterable<string> | null>
}

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
  url: PublicUrl
  /** Bytes of listings that are read at once. */
  portionBytes: number
}

export const XML = 'application/xml; charset=utf-8'

/** The public form of the listings of each portion, one at a time: it takes several times the room of its row. */
export async function* present(
  { url }: Making,
  portions: AsyncIterable<PublicListingRow[]>,
): AsyncGenerator<FeedListing> {
  for await (const rows of portions) for (const row of rows) yield toFeedListing(row, url)
}
