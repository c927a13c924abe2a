/** The feed in Kyero's format, version 3: one file with all that the format has room for. */
import { walkPublicListings } from '../../resources/listings/public/walk.ts'
import { type Format, present, XML } from '../format.ts'
import type { FeedListing } from '../listing.ts'
import { filtersOf } from '../stored.ts'
import { DECLARATION, element } from '../xml.ts'
import { whyLeftOut } from './left-out.ts'
import { type KyeroSettings, propertyXml } from './property.ts'

const VERSION = '3'

export const kyeroFormat: Format = {
  type: XML,
  file: /^kyero\.xml$/,
  make: async (making) => {
    const { db, feed, portionBytes } = making
    const { languages, page_url: pageUrl, year } = feed
    const rows = walkPublicListings(db, filtersOf(feed), portionBytes)
    return kyeroFeed(present(making, rows), { languages, pageUrl, year })
  },
}

/** The file in pieces. It is complete only with the last one, which closes its root. */
async function* kyeroFeed(
  listings: AsyncIterable<FeedListing>,
  settings: KyeroSettings,
): AsyncGenerator<string> {
  yield `${DECLARATION}<root>\n${element('kyero', [element('feed_version', VERSION)]).text}`
  for await (const listing of listings) if (whyLeftOut(listing) === null) yield propertyXml(listing, settings)
  yield '</root>\n'
}
