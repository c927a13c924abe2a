/** Filters of contracts. */
import { z } from 'zod'
import { booleanFilter, dateTimeRange, idFilter, listFilters } from '../../http/request/filters.ts'

export const contractFilters = z
  .object({
    status_id: idFilter().describe('Id from the statuses lookup'),
    store_id: idFilter().describe('Office'),
    offer_id: idFilter().describe('The offer that led to it'),
    listing_id: idFilter().describe('A listing of the agency; off-system properties never match'),
    request_id: idFilter().describe('Linked buyer request'),
    contact_id: idFilter().describe('One of the buyers'),
    external_listing: booleanFilter().describe('Whether the property is off-system'),
    external_contact: booleanFilter().describe('Whether the buyer is no stored contact'),
    date_created: dateTimeRange().describe('When it was created'),
    status_date: dateTimeRange().describe('When its status last changed; those whose never did do not match'),
    ...listFilters,
  })
  .meta({ id: 'ContractFilters', description: 'Filters of contracts; a contract must meet all of them' })
