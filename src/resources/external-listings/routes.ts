/** `/api/external-listings`: list, read, create, and the lookups of external listings. */
import type { Context } from 'hono'
import { z } from 'zod'
import { external_listings } from '../../db/tables/external-listings.ts'
import { setReplayedHeader } from '../../http/concurrency/idempotency.ts'
import type { App } from '../../http/context.ts'
import { Router } from '../../http/endpoint/router.ts'
import { dataBody, recordBody, updatedBody } from '../../http/reply/envelope.ts'
import { publicUrlBuilder } from '../../http/urls.ts'
import { MAX_CALL_MS } from '../../photos/budget.ts'
import { serveCustomFields } from '../custom-fields/definitions.ts'
import { checkSearch } from '../listings/search/filters.ts'
import { serveLookups } from '../lookups/names.ts'
import { serveDeletion } from '../plain/writes.ts'
import { serveRecords } from '../records.ts'
import { externalListingFilters, findPage } from './list.ts'
import { failuresHeader, type PhotoFailure } from './photos.ts'
import {
  externalListing,
  listedExternalListing,
  presentExternalListing,
  presentListedExternalListing,
} from './present.ts'
import { type ExternalListingRow, selectExternalListing } from './queries.ts'
import * as schema from './schema.ts'
import { createExternalListing, updateExternalListing } from './write.ts'

export const externalListingRoutes = new Router(
  'External listings',
  'Properties that competitors and portals offer, and that the agency watches. They need not be complete: only a ' +
    'store and a creator are required. Pictures are downloaded once, when they are sent, and stored unchanged. A ' +
    'deleted external listing is hidden.',
)

serveRecords(externalListingRoutes, {
  resource: 'external-listings',
  list: {
    description:
      'Newest first unless `sort` is set. Records have the location at the top level, a `system_id` that is null, and neither contact_email ' +
      'nor contact_phones. With `fields=all` they are the same as in a single read.',
    filters: externalListingFilters,
    record: z.union([listedExternalListing, externalListing]),
  },
  checkFilters: checkSearch,
  read: { record: externalListing },
  findPage,
  select: selectExternalListing,
  present: presentExternalListing,
  presentListed: presentListedExternalListing,
})

const failuresDoc = {
  'X-Photo-Errors':
    'Each picture that could not be stored, by its index in `photos` from 0: `photos.1: Could not download photo, ' +
    'photos.4: Invalid photo url`. At most 20; commas, percent signs and characters that a header cannot contain ' +
    'are percent-encoded in the texts. Absent if none failed.',
}

/** Sets the header that names the photos that failed. */
function reportFailures(c: Context<App>): (failures: PhotoFailure[]) => void {
  return (failures) => setReplayedHeader(c, 'X-Photo-Errors', failuresHeader(failures))
}

externalListingRoutes.post(
  '/api/external-listings',
  {
    summary: 'Create an external listing',
    description:
      'Photos are downloaded and stored unchanged. The format is detected from the bytes: JPEG, PNG or WebP. The listing ' +
      'is created without the photos that fail; the header `X-Photo-Errors` names them. Photos that have not arrived ' +
      `after ${MAX_CALL_MS / 1000} seconds fail.`,
    replyHeaders: failuresDoc,
    body: schema.externalListingInput,
    reply: recordBody(externalListing),
  },
  async (c, input) => {
    const url = publicUrlBuilder(c)
    const body = (row: ExternalListingRow) => dataBody(presentExternalListing(row, url))
    const failures = reportFailures(c)
    return c.json(await createExternalListing(c.env, await input.body(), input.call, { body, failures }))
  },
)

externalListingRoutes.put(
  '/api/external-listings/{id}',
  {
    summary: 'Update an external listing',
    description:
      'Only the keys sent change. Null clears a key; lists are replaced completely; location is merged key by key. ' +
      'Photos replace the stored ones; the URL of a stored picture keeps it. In place of one that fails, the picture ' +
      'from the same URL stays, or else the one at the same index. Without such a picture, a failed download is 503 and ' +
      'nothing changes; what is no picture is left out, as on creation. The price per square metre is computed anew if ' +
      'price or size change, unless it is sent.',
    resource: 'External listing',
    replyHeaders: failuresDoc,
    body: schema.externalListingUpdate,
    errors: { 503: 'photos.1: Could not download photo' },
    reply: updatedBody,
  },
  async (c, input) => {
    const draft = await input.body()
    const record = input.record()
    const options = { url: publicUrlBuilder(c), failures: reportFailures(c) }
    await updateExternalListing(c.env, record, draft, options)
    return record.id
  },
)

serveDeletion(externalListingRoutes, {
  resource: 'external-listings',
  table: external_listings,
  description: 'The external listing is hidden; its tombstone is in the change feed.',
})

serveLookups(externalListingRoutes, 'external-listings')
serveCustomFields(externalListingRoutes, 'external-listings', 'Custom fields of external listings')
