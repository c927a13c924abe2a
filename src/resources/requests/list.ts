/** The list of requests: its filters, and its pages. Deleted requests are not listed. */
import * as enums from '../../catalogue/enums.ts'
import { isNotDeleted } from '../../db/references.ts'
import { request_contacts, request_users, requests } from '../../db/tables/requests.ts'
import { named } from '../../fields/values.ts'
import { pageFilters } from '../../http/request/filters.ts'
import { dateTimes, filteredList, id, linkedTo, linkedUser, oneOf } from '../plain/filters.ts'
import { selectRequests } from './queries.ts'

export const { filters: requestFilters, findPage } = filteredList('requests', requests, {
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

export const matchFilters = named('MatchFilters', 'The page of a list of matches', pageFilters)
