/** Filters of offers. */
import { z } from 'zod'
import { OFFER_STATUSES } from '../../catalogue/enums.ts'
import {
  booleanFilter,
  dateTimeRange,
  idFilter,
  listFilters,
  oneOfFilter,
} from '../../http/request/filters.ts'

export const offerFilters = z
  .object({
    status: oneOfFilter(OFFER_STATUSES).describe('Status of the negotiation'),
    is_active: booleanFilter().describe('Whether it is still active'),
    listing_id: idFilter().describe('A listing of the agency; other properties never match'),
    request_id: idFilter().describe('Linked request'),
    store_id: idFilter().describe('Store'),
    created_by: idFilter().describe('User who created it'),
    contact_id: idFilter().describe('One of the buyers'),
    date_created: dateTimeRange().describe('When it was created'),
    date_updated: dateTimeRange().describe('When it last changed'),
    ...listFilters('date_created', 'date_updated'),
  })
  .meta({ id: 'OfferFilters', description: 'Filters of offers; an offer must meet all of them' })
