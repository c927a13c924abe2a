/** What visitors of a website read of listings. */
import { FEATURES } from '../../catalogue/features.ts'
import { database } from '../../db/client.ts'
import { listing_subtypes } from '../../db/tables/lookups.ts'
import type { Router } from '../../http/endpoint/router.ts'
import type { OpenReaders } from '../../http/endpoint/visitors.ts'
import { lookupBody } from '../../http/reply/envelope.ts'
import { feature, subtype } from './lookups.ts'

/** Reads what visitors may see. */
interface ListingReaders {
  subtypes: () => Promise<unknown[]>
}

const openListings: OpenReaders<ListingReaders> = (env) => {
  const db = database(env)
  return {
    subtypes: () => {
      const { id, subcategory, translations } = listing_subtypes
      return db.select({ id, subcategory, translations }).from(listing_subtypes).orderBy(id)
    },
  }
}

/** Adds the endpoints for visitors. */
export function serveListingsToVisitors(router: Router): void {
  const visitors = router.forVisitors(openListings)
  visitors.get('/api/listings/subtypes', { reply: lookupBody(subtype) }, async (visit) =>
    visit.replyWithLookup(await visit.readers.subtypes()),
  )
  visitors.get('/api/listings/features', { reply: lookupBody(feature) }, (visit) =>
    visit.replyWithLookup([...FEATURES]),
  )
}
