/** What visitors of a website read of listings. */
import { sql } from 'drizzle-orm'
import { FEATURES } from '../../catalogue/features.ts'
import { PUBLIC_LISTINGS } from '../../catalogue/scopes.ts'
import { database, runStatement } from '../../db/client.ts'
import { select } from '../../db/statements.ts'
import { listing_subtypes } from '../../db/tables/lookups.ts'
import type { Router } from '../../http/endpoint/router.ts'
import type { OpenReaders } from '../../http/endpoint/visitors.ts'
import { notFound } from '../../http/errors.ts'
import { lookupBody, pageBody, recordBody } from '../../http/reply/envelope.ts'
import { selectFields } from '../../http/request/filters.ts'
import { feature, subtype } from './lookups.ts'
import { asksForDocument, LINKED_DATA, LISTING_ALTERNATIVES } from './public/document-format.ts'
import { documentOf } from './public/linked-data.ts'
import { presentPublicListing, publicListing } from './public/present.ts'
import { PublicListings } from './public/queries.ts'
import {
  checkPublicFilters,
  publicFacetFilters,
  publicListingFilters,
  publicMapFilters,
  publicReadOptions,
} from './public/schema.ts'
import { facetsBody } from './search/facets.ts'
import { checkSearch } from './search/filters.ts'
import { mapBody } from './search/map.ts'

/** Reads what visitors may see. */
interface ListingReaders {
  listings: PublicListings
  subtypes: () => Promise<unknown[]>
}

const openListings: OpenReaders<ListingReaders> = (env, { stores }) => {
  const db = database(env)
  return {
    listings: new PublicListings(db, stores),
    subtypes: () => {
      const { id, subcategory, translations } = listing_subtypes
      return runStatement(
        db,
        select({ id, subcategory, translations }, sql`from ${listing_subtypes} order by id`),
      )
    },
  }
}

/** Adds the endpoints for visitors. */
export function serveListingsToVisitors(router: Router): void {
  const visitors = router.forVisitors([PUBLIC_LISTINGS], openListings)
  visitors.get(
    '/api/listings',
    { filters: publicListingFilters, reply: pageBody(publicListing) },
    async ({ filters, readers, url, replyWithPageJson }) => {
      const draft = filters()
      checkPublicFilters(draft)
      const { fields, ...criteria } = draft.complete()
      const { rows, total } = await readers.listings.findPage(criteria)
      const data = rows.map((row) => selectFields(presentPublicListing(row, url), fields))
      return replyWithPageJson({ ...criteria, total }, JSON.stringify(data))
    },
  )
  visitors.get(
    '/api/listings/{id}',
    {
      resource: 'Listing',
      filters: publicReadOptions,
      reply: recordBody(publicListing),
      alternatives: LISTING_ALTERNATIVES,
    },
    async ({ id, filters, accept, readers, url, replyWithRecordJson, replyWithDocument }) => {
      const draft = filters()
      if (asksForDocument(draft.values, accept)) {
        const source = await readers.listings.readForDocument(id())
        const document = documentOf(source, draft.values, url)
        draft.complete()
        return replyWithDocument(document, LINKED_DATA)
      }
      const row = await readers.listings.read(id())
      // An unknown listing is reported before invalid options.
      if (!row) throw notFound('Listing')
      const { fields } = draft.complete()
      const data = selectFields(presentPublicListing(row, url), fields)
      return replyWithRecordJson(JSON.stringify(data))
    },
  )
  visitors.get(
    '/api/listings/facets',
    { filters: publicFacetFilters, reply: facetsBody },
    async ({ filters, readers, replyWithCounted }) => {
      const draft = filters()
      checkSearch(draft)
      const { total, data } = await readers.listings.findFacets(draft.complete())
      return replyWithCounted(total, data)
    },
  )
  visitors.get(
    '/api/listings/map',
    { filters: publicMapFilters, reply: mapBody },
    async ({ filters, readers, replyWithCounted }) => {
      const draft = filters()
      checkSearch(draft)
      const { total, cells } = await readers.listings.findCells(draft.complete())
      return replyWithCounted(total, cells)
    },
  )
  visitors.get('/api/listings/subtypes', { reply: lookupBody(subtype) }, async (visit) =>
    visit.replyWithLookup(await visit.readers.subtypes()),
  )
  visitors.get('/api/listings/features', { reply: lookupBody(feature) }, (visit) =>
    visit.replyWithLookup([...FEATURES]),
  )
}
