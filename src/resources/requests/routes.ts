/** `/api/requests`: list, read, create, update, delete, the lookups of requests, and the matches of both sides. */
import type { Context } from 'hono'
import { type Database, database } from '../../db/client.ts'
import { readRecord } from '../../db/merge.ts'
import type { Page } from '../../db/page.ts'
import { request_sources, request_statuses, request_tags } from '../../db/tables/lookups.ts'
import type { App } from '../../http/app.ts'
import {
  bodyOf,
  deletedBody,
  item,
  itemBody,
  list,
  listBody,
  lookup,
  lookupBody,
} from '../../http/envelope.ts'
import { notFound } from '../../http/errors.ts'
import { readOptions } from '../../http/filters.ts'
import { Router } from '../../http/router.ts'
import { customField, findCustomFields } from '../custom-fields/definitions.ts'
import { findNames, named } from '../lookups/names.ts'
import { findListings, findRequests, type MatchRow } from './match-pages.ts'
import { matchBody, presentRequest, request } from './present.ts'
import { findPage, type ShownRequest, selectLiving } from './queries.ts'
import * as schema from './schema.ts'
import { createRequest, deleteRequest, updateRequest } from './write.ts'

export const requestRoutes = new Router(
  'Requests',
  'What buyers are looking for, and the listings that meet it. A request is matched against the active listings ' +
    'whenever it is written, and a listing whenever it changes: category, availability and place must fit, and the ' +
    'score is the share of everything else asked for that the listing meets. Criteria that do not apply to the ' +
    'category or availability are dropped: land has no rooms, a yield belongs to a sale.',
)

requestRoutes.get(
  '/api/requests',
  {
    summary: 'List requests',
    description: 'Newest first. Deleted requests are not listed.',
    filters: schema.requestFilters,
    list: true,
    reply: listBody(request),
  },
  async (c, input) => {
    const filters = await input.filters()
    const { rows, total } = await findPage(database(c.env), filters)
    const records = rows.map((row) => presentRequest(row, filters.fields === 'all'))
    return list(c, { page: filters.page ?? 1, total }, records)
  },
)

requestRoutes.get(
  '/api/requests/{id}',
  { summary: 'Read a request', resource: 'Request', filters: readOptions, reply: itemBody(request) },
  async (c, input) => {
    const db = database(c.env)
    const record = input.record()
    const row = await readRecord(db, record, selectLiving({ id: record.id }))
    const { fields } = await input.filters()
    return item(c, presentRequest(row, fields === 'all'))
  },
)

requestRoutes.post(
  '/api/requests',
  {
    summary: 'Create a request',
    description:
      'Keys that do not apply to the category or availability are dropped; features must apply. The active listings ' +
      'that meet the request are found at once.',
    body: schema.requestInput,
    reply: itemBody(request),
  },
  async (c, input) => {
    const answer = (row: ShownRequest) => bodyOf(presentRequest(row, false))
    return c.json(answer(await createRequest(database(c.env), await input.body(), input.call, answer)))
  },
)

requestRoutes.put(
  '/api/requests/{id}',
  {
    summary: 'Update a request',
    description:
      'Only the keys sent change. Null clears; lists are replaced whole; extra_fields are merged key by key. What no ' +
      'longer applies to the category or availability is cleared. The matches are found anew.',
    resource: 'Request',
    body: schema.requestUpdate,
    reply: itemBody(request),
  },
  async (c, input) => {
    const draft = await input.body()
    const row = await updateRequest(database(c.env), input.record(), draft)
    return item(c, presentRequest(row, false))
  },
)

requestRoutes.delete(
  '/api/requests/{id}',
  {
    summary: 'Delete a request',
    description: 'The request is hidden and has no more matches; offers and contracts keep its id.',
    resource: 'Request',
    reply: deletedBody,
  },
  async (c, input) => {
    const record = input.record()
    await deleteRequest(database(c.env), record)
    return c.json({ status: 200, deleted_id: record.id })
  },
)

const MATCH_DOCS =
  'Category, availability and place must fit; every other criterion that is asked for and not met is listed as a ' +
  'deviation. Best first.'

requestRoutes.get(
  '/api/requests/{id}/matches',
  {
    summary: 'Active listings that meet a request, best first',
    description: `${MATCH_DOCS} The best 500 are kept.`,
    resource: 'Request',
    filters: schema.matchFilters,
    list: true,
    reply: listBody(matchBody),
  },
  (c, input) => listMatches(c, 'Request', (db, page) => findListings(db, input.id(), page), input.filters()),
)

requestRoutes.get(
  '/api/listings/{id}/matches',
  {
    summary: 'Requests that a listing meets, best first',
    description: `${MATCH_DOCS} A listing that is not active has none. Deviations tell what buyers want, hence the second scope.`,
    resource: 'Listing',
    alsoReads: ['requests'],
    filters: schema.matchFilters,
    list: true,
    reply: listBody(matchBody),
  },
  (c, input) => listMatches(c, 'Listing', (db, page) => findRequests(db, input.id(), page), input.filters()),
)

requestRoutes.get(
  '/api/requests/statuses',
  { summary: 'Request statuses', reply: lookupBody(named) },
  async (c) => lookup(c, await findNames(c.env, request_statuses)),
)

requestRoutes.get(
  '/api/requests/sources',
  { summary: 'Request sources', reply: lookupBody(named) },
  async (c) => lookup(c, await findNames(c.env, request_sources)),
)

requestRoutes.get('/api/requests/tags', { summary: 'Request tags', reply: lookupBody(named) }, async (c) =>
  lookup(c, await findNames(c.env, request_tags)),
)

requestRoutes.get(
  '/api/requests/custom-fields',
  { summary: 'Custom fields of requests', reply: lookupBody(customField) },
  async (c) => lookup(c, await findCustomFields(c.env, 'requests')),
)

/** A page of matches. That there is no such record is said before what is wrong with the filters. */
async function listMatches(
  c: Context<App>,
  resource: 'Request' | 'Listing',
  find: (db: Database, page: number) => Promise<Page<MatchRow> | null>,
  filters: Promise<{ page?: number | null | undefined }>,
): Promise<Response> {
  const [read] = await Promise.allSettled([filters])
  const page = (read.status === 'fulfilled' && read.value.page) || 1
  const found = await find(database(c.env), page)
  if (!found) throw notFound(resource)
  if (read.status === 'rejected') throw read.reason
  return list(c, { page, total: found.total }, found.rows)
}
