/** What visitors of a website read of listings. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { FEATURE_GROUPS, FEATURES } from '../../catalogue/features.ts'
import { ALL_SUBCATEGORIES, CATEGORIES } from '../../catalogue/property-enums.ts'
import { PUBLIC_LISTINGS } from '../../catalogue/scopes.ts'
import { database, runStatement } from '../../db/client.ts'
import { select } from '../../db/statements.ts'
import { listing_subtypes } from '../../db/tables/lookups.ts'
import { named } from '../../fields/values.ts'
import type { Router } from '../../http/endpoint/router.ts'
import { notFound } from '../../http/errors.ts'
import { countedReply, lookupBody, pageBody, recordBody } from '../../http/reply/envelope.ts'
import type { Rights } from '../../http/reply/visitor-cache.ts'
import { selectFields } from '../../http/request/filters.ts'
import { asksForDocument, documentOf, LINKED_DATA, LISTING_ALTERNATIVES } from './public/document-format.ts'
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
import { completeSearch } from './search/filters.ts'
import { mapBody } from './search/map.ts'
import { type FacetFilters, findCells, findFacets, type MapFilters } from './search/search.ts'

export const subtype = named('Subtype', 'A finer kind of property within a subcategory', {
  id: z.int().describe('Id that `subtype` of a listing refers to'),
  subcategory: z.enum(ALL_SUBCATEGORIES).describe('The subcategory that it refines'),
  translations: z
    .array(
      named('SubtypeTranslation', 'The name of a subtype in one language', {
        language_id: z.int().describe('Id from `/api/languages`'),
        name: z.string().describe('Name in that language'),
      }),
    )
    .describe('Its names'),
})

export const feature = named('Feature', 'A key of features, positioning, view or flooring', {
  group: z.enum(FEATURE_GROUPS).describe('The list of a listing that it belongs to'),
  key: z.string().describe('Key in replies'),
  input: z.string().describe('Key in create bodies; both are accepted'),
  name_en: z.string().describe('Name in English'),
  name_el: z.string().describe('Name in Greek'),
  categories: z.array(z.enum(CATEGORIES)).describe('Categories that it applies to'),
})

/** Reads what visitors may see. */
const openListings = (env: Pick<Env, 'DB'>, { stores }: Rights) => {
  const db = database(env)
  const listings = new PublicListings(db, stores)
  return {
    listings,
    findFacets: (filters: FacetFilters) => findFacets(db, listings.search, filters),
    findCells: (filters: MapFilters) => findCells(db, listings.search, filters),
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
    async ({ filters, readers, url }) => {
      const draft = filters()
      checkPublicFilters(draft)
      const { fields, ...criteria } = draft.complete()
      const { rows, total } = await readers.listings.findPage(criteria)
      const shown = rows.map((row) => selectFields(presentPublicListing(row, url), fields))
      return { ...criteria, total, rows: shown }
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
    async ({ id, filters, accept, readers, url, replyWithDocument }) => {
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
      return selectFields(presentPublicListing(row, url), fields)
    },
  )
  visitors.get(
    '/api/listings/facets',
    { filters: publicFacetFilters, reply: facetsBody },
    async ({ filters, readers }) => countedReply(await readers.findFacets(completeSearch(filters()))),
  )
  visitors.get(
    '/api/listings/map',
    { filters: publicMapFilters, reply: mapBody },
    async ({ filters, readers }) => countedReply(await readers.findCells(completeSearch(filters()))),
  )
  visitors.get('/api/listings/subtypes', { reply: lookupBody(subtype) }, ({ readers }) => readers.subtypes())
  visitors.get('/api/listings/features', { reply: lookupBody(feature) }, () => FEATURES)
}
