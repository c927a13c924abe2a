/** Filters of offers, and what import takes. */
import { z } from 'zod'
import { OFFER_STATUSES, ROUND_TYPES } from '../../catalogue/enums.ts'
import { count, dateTime, id, ids, LONG_TEXT, list, optionalText, text } from '../../fields/values.ts'
import { booleanFilter, dateTimeRange, idFilter, listFilters, oneOf } from '../../http/filters.ts'
import { importedReference } from './listing-reference.ts'

export const offerFilters = z
  .object({
    status: oneOf(OFFER_STATUSES).describe('How far the negotiation is'),
    is_active: booleanFilter().describe('Whether it still stands'),
    listing_id: idFilter().describe('A listing of the agency; off-system properties never match'),
    request_id: idFilter().describe('Linked buyer request'),
    store_id: idFilter().describe('Office'),
    created_by: idFilter().describe('User who created it'),
    contact_id: idFilter().describe('One of the buyers'),
    date_created: dateTimeRange().describe('When it was created'),
    date_updated: dateTimeRange().describe('When it last changed'),
    ...listFilters,
  })
  .meta({ id: 'OfferFilters', description: 'Filters of offers; an offer must meet all of them' })

/** Most bytes of the rounds of an offer as JSON: they are read as one value, and D1 has none above 2 MB. */
const MAX_ROUNDS = 1_000_000

/** What import takes: the offer object. */
export const importedOffer = z.object({
  id: id(),
  status: z.enum(OFFER_STATUSES),
  is_active: z.boolean(),
  request_id: id().nullish(),
  store_id: id(),
  created_by: id(),
  date_created: dateTime().nullish(),
  date_updated: dateTime().nullish(),
  currency: text(),
  current_listing_price: count(),
  loan_percentage: count().nullish(),
  notes: optionalText(LONG_TEXT).nullish(),
  external_contact: z.boolean().nullish(),
  listing: importedReference,
  contacts: ids().nullish(),
  rounds: list(
    z.object({
      id: id(),
      type: z.enum(ROUND_TYPES),
      amount: count().nullish(),
      current_listing_price: count().nullish(),
      notes: optionalText(LONG_TEXT).nullish(),
      created_by: id(),
      date_created: dateTime().nullish(),
    }),
    { bytes: MAX_ROUNDS },
  ).nullish(),
})
