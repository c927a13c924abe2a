/** Filters of contracts, and what import takes. */
import { z } from 'zod'
import { count, date, dateTime, id, ids, LONG_TEXT, optionalText, text } from '../../fields/values.ts'
import { booleanFilter, dateTimeRange, idFilter, listFilters } from '../../http/filters.ts'
import { importedReference } from '../offers/listing-reference.ts'

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

/** What import takes: the contract object. */
export const importedContract = z.object({
  id: id(),
  offer_id: id(),
  request_id: id().nullish(),
  store_id: id(),
  status_id: id(),
  created_by: id(),
  date_created: dateTime().nullish(),
  date_updated: dateTime().nullish(),
  status_date: dateTime().nullish(),
  currency: text(),
  loan_percentage: count().nullish(),
  initial_property_price: count().nullish(),
  final_property_price: count().nullish(),
  deposit_amount: count().nullish(),
  deposit_date: date().nullish(),
  notary_contact_id: id().nullish(),
  notes: optionalText(LONG_TEXT).nullish(),
  external_contact: z.boolean().nullish(),
  listing: importedReference,
  contacts: ids().nullish(),
})
