/** The feed in Kyero's format, version 3: one file with all that the format has room for. */
import type { FeedListing } from '../listing.ts'
import { DECLARATION, element } from '../xml.ts'
import { whyLeftOut } from './left-out.ts'
import { type KyeroSettings, propertyXml } from './property.ts'

const VERSION = '3'

/** The file in pieces. It is complete only with the last one, which closes its root. */
export async function* kyeroFeed(
  portions: AsyncIterable<Iterable<FeedListing>>,
  settings: KyeroSettings,
): AsyncGenerator<string> {
  yield `${DECLARATION}<root>\n${element('kyero', [element('feed_version', VERSION)]).text}`
  for await (const listings of portions) {
    for (const listing of listings) if (whyLeftOut(listing) === null) yield propertyXml(listing, settings)
  }
  yield '</root>\n'
}
