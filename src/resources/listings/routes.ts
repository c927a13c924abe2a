/** `/api/listings`: list, read, create, update, status, and the lookups of listings. */
import type { Context } from 'hono'
import { FEATURES } from '../../catalogue/features.ts'
import { database } from '../../db/client.ts'
import { readRecord, requireRow } from '../../db/merge.ts'
import { selectRecordVersion } from '../../db/record-versions.ts'
import { listing_subtypes } from '../../db/tables/lookups.ts'
import { replyWithDocument } from '../../http/concurrency/entity-tags.ts'
import type { App } from '../../http/context.ts'
import { Router } from '../../http/endpoint/router.ts'
import {
  countedReply,
  createdBody,
  lookupBody,
  pageBody,
  recordBody,
  replyWithPageJson,
  replyWithRecordJson,
  updatedBody,
} from '../../http/reply/envelope.ts'
import { selectFields } from '../../http/request/filters.ts'
import { publicUrlBuilder } from '../../http/urls.ts'
import { serveCustomFields } from '../custom-fields/definitions.ts'
import { serveHistory } from '../history/entries.ts'
import { serveLookups, serveTable } from '../lookups/names.ts'
import { serveTimeline } from '../timelines/serve.ts'
import { expandListing } from './documents/compact.ts'
import { readDocument, readDocuments } from './documents/documents.ts'
import { listingInput, listingUpdate } from './input.ts'
import { ALL_STORED, findListings } from './list.ts'
import { serveListingPictures } from './pictures/routes.ts'
import { listing, presentListing } from './present.ts'
import { asksForDocument, documentOf, LINKED_DATA, LISTING_ALTERNATIVES } from './public/document-format.ts'
import { PublicListings } from './public/queries.ts'
import { selectListing } from './queries.ts'
import * as schema from './schema.ts'
import { facetsBody } from './search/facets.ts'
import { completeSearch } from './search/filters.ts'
import { mapBody } from './search/map.ts'
import { findCells, findFacets } from './search/search.ts'
import { feature, serveListingsToVisitors, subtype } from './visitors.ts'
import { createListing, setStatus, updateListing } from './write.ts'

export const listingRoutes = new Router(
  'Listings',
  'The properties that the agency offers: location, details, texts, photos and panoramas. Bodies have groups of fields ' +
    '(`location`, `details`, the extra fields); in replies, details and extra fields are on one level with the others. ' +
    'A listing starts as a draft without a code, which its first other status assigns. Features, positioning, view ' +
    'and flooring are keys. `features` lists them all, as replies show them and as create bodies name them. Bodies ' +
    'may use either.',
)

listingRoutes.get(
  '/api/listings',
  {
    summary: 'List listings',
    description: 'Newest first unless `sort` is set, of every status unless `status` is set.',
    filters: schema.listingFilters,
    list: true,
    reply: pageBody(listing),
  },
  async (c, input) => {
    const { fields, ...filters } = completeSearch(input.filters())
    const db = database(c.env)
    if (fields) {
      const { rows, total } = await findListings(db, filters)
      const url = publicUrlBuilder(c)
      const shown = rows.map((row) => selectFields(presentListing(row, url, true), fields))
      return { ...filters, total, rows: shown }
    }
    const { rows, total } = await readDocuments(db, filters, waitUntil(c))
    const url = publicUrlBuilder(c)
    const json = rows.map((row) => expandListing(row, url)).join(',')
    return replyWithPageJson(c, { ...filters, total }, `[${json}]`)
  },
)

listingRoutes.get(
  '/api/listings/facets',
  {
    summary: 'Count listings by their values',
    operationId: 'countListings',
    description:
      'For each facet, the values and how many listings have each. A facet is counted under all filters but its own, so ' +
      'a search form can show what other choices would find.',
    filters: schema.listingFacetFilters,
    list: true,
    reply: facetsBody,
  },
  async (c, input) =>
    countedReply(await findFacets(database(c.env), ALL_STORED, completeSearch(input.filters()))),
)

listingRoutes.get(
  '/api/listings/map',
  {
    summary: 'Show listings on a map',
    operationId: 'mapListings',
    description:
      'The listings with a point, gathered in the cells of a grid that fits the zoom. The grid is coarser where there ' +
      'would be more than 500 cells.',
    filters: schema.listingMapFilters,
    list: true,
    reply: mapBody,
  },
  async (c, input) =>
    countedReply(await findCells(database(c.env), ALL_STORED, completeSearch(input.filters()))),
)

listingRoutes.get(
  '/api/listings/{id}',
  {
    summary: 'Read a listing',
    resource: 'Listing',
    filters: schema.listingReadOptions,
    reply: recordBody(listing),
    alternatives: LISTING_ALTERNATIVES,
  },
  async (c, input) => {
    const record = input.record()
    const db = database(c.env)
    // An unknown listing is reported before invalid options.
    const options = input.filters()
    if (asksForDocument(options.values, c.req.header('Accept'))) {
      const source = await new PublicListings(db, null).readForDocument(
        record.id,
        selectRecordVersion(record),
      )
      const document = documentOf(source, options.values, publicUrlBuilder(c))
      options.complete()
      return replyWithDocument(c, document, { type: LINKED_DATA, version: source?.version ?? null })
    }
    if (options.values.fields) {
      const row = await readRecord(db, record, selectListing({ id: record.id }))
      const { fields } = options.complete()
      return selectFields(presentListing(row, publicUrlBuilder(c), true), fields)
    }
    const document = await readDocument(db, record, waitUntil(c))
    options.complete()
    return replyWithRecordJson(c, expandListing(document, publicUrlBuilder(c)))
  },
)

listingRoutes.post(
  '/api/listings',
  {
    summary: 'Create a listing',
    description:
      'A new listing is a draft without a code, whatever the body says. A `title` or `description` becomes the ' +
      'translation for `language_id`. `price_per_sqm` is computed from price and size unless it is sent. For land, ' +
      'fields that only buildings have are stored as null.',
    body: listingInput,
    reply: createdBody,
  },
  async (c, input) => createListing(database(c.env), await input.body(), input.call),
)

listingRoutes.put(
  '/api/listings/{id}',
  {
    summary: 'Update a listing',
    description:
      'Only the keys sent change. Null or an empty text clears a key. Lists are replaced completely; `location`, ' +
      '`details` and the extra fields are merged key by key. A new price or size recomputes `price_per_sqm` unless it is ' +
      'sent. Category, availability, store and users cannot be cleared. Changing the category clears nothing.',
    resource: 'Listing',
    body: listingUpdate,
    reply: updatedBody,
  },
  async (c, input) => {
    const draft = await input.body()
    const record = input.record()
    await updateListing(database(c.env), record, draft)
    return record.id
  },
)

listingRoutes.post(
  '/api/listings/{id}/status',
  {
    summary: 'Change the status of a listing',
    operationId: 'changeListingStatus',
    description:
      'Sets `status_date`. Leaving draft for the first time assigns a code, such as `RES-00089`. Any status may follow ' +
      'any other, but none returns to draft. The listing is matched with the requests again.',
    resource: 'Listing',
    part: true,
    body: schema.changeStatus,
    reply: updatedBody,
  },
  async (c, input) => {
    const draft = await input.body()
    const record = input.record()
    const db = database(c.env)
    await requireRow(db, 'listings', record.id, 'Listing')
    await setStatus(db, record, draft.complete().to)
    return record.id
  },
)

serveHistory(listingRoutes, 'listings')
serveTimeline(listingRoutes, 'listings')

serveListingPictures(listingRoutes)

serveLookups(listingRoutes, 'listings')
serveTable(listingRoutes, '/api/listings/subtypes', {
  summary: 'Listing subtypes',
  table: listing_subtypes,
  entry: subtype,
})
serveCustomFields(listingRoutes, 'listings', 'Custom fields of listings')

listingRoutes.get(
  '/api/listings/features',
  {
    summary: 'Keys of features, positioning, view and flooring',
    description: 'Every key that listings and requests can have, and the categories that it applies to.',
    reply: lookupBody(feature),
  },
  () => FEATURES,
)

serveListingsToVisitors(listingRoutes)

/** Keeps the Worker alive for work that runs after the reply. */
function waitUntil(c: Context<App>): (work: Promise<void>) => void {
  return (work) => c.executionCtx.waitUntil(work)
}
