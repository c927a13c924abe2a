/** Filters of contracts. */
import { z } from 'zod'
import { booleanFilter, dateTimeRange, idFilter, listFilters } from '../../http/request/filters.ts'

export const contractFilters = z
  .object({
    status_id: idFilter().describe('Id from the statuses lookup'),
    store_id: idFilter().describe('Store'),
    offer_id: idFilter().describe('The offer that led to it'),
    listing_id: idFilter().describe('A listing of the agency; other properties never match'),
    request_id: idFilter().describe('Linked request'),
    contact_id: idFilter().describe('One of the buyers'),
    external_listing: booleanFilter().describe('Whether the property is not a listing of the agency'),
    external_contact: booleanFilter().describe('Whether the buyer is not a stored contact'),
    date_created: dateTimeRange().describe('When it was created'),
    status_date: dateTimeRange().describe(
      'When its status last changed; contracts whose status never changed do not match',
    ),
    ...listFilters('date_created', 'date_updated', 'status_date', 'deposit_date'),
  })
  .meta({ id: 'ContractFilters', description: 'Filters of contracts; a contract must meet all of them' })
