/** `/api/requests`: list, read, create, update, delete, the lookups of requests, and the matches of both sides. */
import type { Context } from 'hono'
import type { z } from 'zod'
import * as enums from '../../catalogue/property-enums.ts'
import { type Database, database } from '../../db/client.ts'
import { markDeleted } from '../../db/merge.ts'
import type { Page } from '../../db/page.ts'
import { isNotDeleted } from '../../db/references.ts'
import { request_contacts, request_users, requests } from '../../db/tables/requests.ts'
import { named } from '../../fields/values.ts'
import type { App } from '../../http/context.ts'
import { Router } from '../../http/endpoint/router.ts'
import { notFound } from '../../http/errors.ts'
import { dataBody, type PageFilters, pageBody, recordBody } from '../../http/reply/envelope.ts'
import type { Draft } from '../../http/request/check.ts'
import { pageFilters } from '../../http/request/filters.ts'
import { serveCustomFields } from '../custom-fields/definitions.ts'
import { serveLookups } from '../lookups/names.ts'
import { findListings, findRequests, type MatchRow } from '../matching/pages.ts'
import { dateTimes, filteredList, id, linkedTo, linkedUser, oneOf } from '../plain/filters.ts'
import { serveDeletion } from '../plain/writes.ts'
import { serveRecords } from '../records.ts'
import { serveTimeline } from '../timelines/serve.ts'
import { matchBody, presentRequest, request } from './present.ts'
import { type PresentedRequest, selectRequests, selectUndeletedRequest } from './queries.ts'
import * as schema from './schema.ts'
import { createRequest, deletionOf, updateRequest } from './write.ts'

const { filters: requestFilters, findPage } = filteredList('requests', requests, {
  name: 'BuyerRequest',
  filters: {
    status: id(requests.status, 'Id from the statuses lookup'),
    store_id: id(requests.store_id, 'Store that owns it'),
    contact_id: linkedTo(request_contacts, 'Buyer'),
    user_id: linkedUser(request_users, 'Agent'),
    availability: oneOf(requests.availability, enums.AVAILABILITIES, 'How the property should be offered'),
    category: oneOf(requests.category, enums.CATEGORIES, 'Kind of property'),
    date_created: dateTimes(requests.date_created, 'When it was created'),
    date_updated: dateTimes(requests.date_updated, 'When it last changed'),
  },
  sort: ['date_created', 'date_updated'],
  select: selectRequests,
  always: isNotDeleted,
})

const matchFilters = named('MatchFilters', 'The page of a list of matches', pageFilters)

export const requestRoutes = new Router(
  'Requests',
  'What buyers are looking for, and the listings that match. A request is matched with the active listings whenever ' +
    'it is written, and a listing whenever it changes. Category, availability and place must fit; the score is the ' +
    'share of all other criteria that the listing meets. Criteria that do not apply to the category or availability ' +
    'are dropped: land has no bedrooms, and only a sale has a yield.',
)

serveRecords(requestRoutes, {
  resource: 'requests',
  list: {
    description: 'Newest first unless `sort` is set. Deleted requests are not listed.',
    filters: requestFilters,
    record: request,
  },
  read: { record: request },
  findPage,
  select: selectUndeletedRequest,
  present: (row, _url, all) => presentRequest(row, all),
})

requestRoutes.post(
  '/api/requests',
  {
    summary: 'Create a request',
    description:
      'Keys that do not apply to the category or availability are dropped; features must apply. The request is matched ' +
      'with the active listings immediately.',
    body: schema.requestInput,
    reply: recordBody(request),
  },
  async (c, input) => {
    const answer = (row: PresentedRequest) => dataBody(presentRequest(row, false))
    return c.json(await createRequest(database(c.env), await input.body(), input.call, answer))
  },
)

requestRoutes.put(
  '/api/requests/{id}',
  {
    summary: 'Update a request',
    description:
      'Only the keys sent change. Null clears a key; lists are replaced completely; extra_fields are merged key by key. ' +
      'Values that no longer apply to the category or availability are cleared. The request is matched again.',
    resource: 'Request',
    body: schema.requestUpdate,
    reply: recordBody(request),
  },
  async (c, input) => {
    const draft = await input.body()
    const row = await updateRequest(database(c.env), input.record(), draft)
    return presentRequest(row, false)
  },
)

serveDeletion(requestRoutes, {
  resource: 'requests',
  description: 'The request is hidden and loses its matches; offers and contracts keep its id.',
  remove: (db, record) => markDeleted(db, record, requests, deletionOf(record.id)),
})

const MATCH_DOCS =
  'Category, availability and place must fit. Every other criterion that is not met is listed as a deviation. Best ' +
  'first.'

requestRoutes.get(
  '/api/requests/{id}/matches',
  {
    summary: 'Active listings that match a request, best first',
    description: `${MATCH_DOCS} The best 500 are stored.`,
    resource: 'Request',
    part: true,
    filters: matchFilters,
    list: true,
    reply: pageBody(matchBody),
  },
  (c, input) => listMatches(c, 'Request', input.filters(), (db, page) => findListings(db, input.id(), page)),
)

requestRoutes.get(
  '/api/listings/{id}/matches',
  {
    summary: 'Requests that a listing matches, best first',
    description: `${MATCH_DOCS} A listing that is not active has none. The second scope is needed because deviations show what buyers want.`,
    resource: 'Listing',
    part: true,
    alsoReads: ['requests'],
    filters: matchFilters,
    list: true,
    reply: pageBody(matchBody),
  },
  (c, input) => listMatches(c, 'Listing', input.filters(), (db, page) => findRequests(db, input.id(), page)),
)

serveTimeline(requestRoutes, 'requests')
serveLookups(requestRoutes, 'requests')
serveCustomFields(requestRoutes, 'requests', 'Custom fields of requests')

/** A page of matches. An unknown record is reported before invalid filters. */
async function listMatches(
  c: Context<App>,
  resource: 'Request' | 'Listing',
  filters: Draft<z.output<typeof matchFilters>>,
  find: (db: Database, page: PageFilters) => Promise<Page<MatchRow> | null>,
): Promise<object> {
  const { page, per_page } = filters.values
  const matches = await find(database(c.env), { page, per_page })
  if (!matches) throw notFound(resource)
  filters.complete()
  return { page, per_page, ...matches }
}
