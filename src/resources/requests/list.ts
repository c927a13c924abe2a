/** The list of requests: its filters, their conditions, and its pages. */

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import * as enums from '../../catalogue/enums.ts'
import { within } from '../../db/conditions.ts'
import { pageReader } from '../../db/page.ts'
import { isNotDeleted } from '../../db/references.ts'
import { requests } from '../../db/tables/requests.ts'
import { dateTimeRange, idFilter, listFilters, oneOfFilter, pageFilters } from '../../http/request/filters.ts'
import { type RequestRow, selectRequests } from './queries.ts'

export const requestFilters = z
  .object({
    status: idFilter().describe('Id from the statuses lookup'),
    store_id: idFilter().describe('Store that owns it'),
    contact_id: idFilter().describe('Buyer'),
    user_id: idFilter().describe('Agent'),
    availability: oneOfFilter(enums.AVAILABILITIES).describe('How the property should be offered'),
    category: oneOfFilter(enums.CATEGORIES).describe('Kind of property'),
    date_created: dateTimeRange().describe('When it was created'),
    date_updated: dateTimeRange().describe('When it last changed'),
    ...listFilters('date_created', 'date_updated'),
  })
  .meta({ id: 'BuyerRequestFilters', description: 'Filters of requests; a request must meet all of them' })

export const matchFilters = z
  .object(pageFilters)
  .meta({ id: 'MatchFilters', description: 'The page of a list of matches' })

/** One page of the requests that are not deleted, and their total; one round trip. */
export const findPage = pageReader<z.output<typeof requestFilters>, RequestRow>(
  requests,
  {
    status: (id) => sql`status = ${id}`,
    store_id: (id) => sql`store_id = ${id}`,
    availability: (value) => sql`availability = ${value}`,
    category: (value) => sql`category = ${value}`,
    contact_id: (id) => sql`id in (select request_id from request_contacts where contact_id = ${id})`,
    user_id: (id) => sql`id in (select request_id from request_users where user_id = ${id})`,
    date_created: (range) => within(sql.raw('date_created'), range),
    date_updated: (range) => within(sql.raw('date_updated'), range),
  },
  selectRequests,
  isNotDeleted,
)
