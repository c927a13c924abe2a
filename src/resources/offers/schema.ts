/** Filters of offers, what import takes, and the only place where an offer's JSON is made. */
import { z } from 'zod'
import { count, dateTime, id, ids, LONG_TEXT, optionalText, text } from '../../fields/values.ts'
import { booleanFilter, dateTimeRange, idFilter, listFilters, oneOf } from '../../http/filters.ts'
import { importedReference, listingReference, presentReference } from './listing-reference.ts'
import type { OfferRow } from './queries.ts'

export const OFFER_STATUSES = [
  'draft',
  'submitted',
  'under_negotiation',
  'accepted',
  'rejected',
  'withdrawn',
] as const

export const ROUND_TYPES = [
  'offer_submitted',
  'counter_offer',
  'buyer_revision',
  'accepted',
  'rejected',
  'withdrawn',
  'note',
] as const

export const offerFilters = z.object({
  status: oneOf(OFFER_STATUSES),
  is_active: booleanFilter(),
  listing_id: idFilter().describe('A listing of the agency; off-system properties never match'),
  request_id: idFilter(),
  store_id: idFilter(),
  created_by: idFilter(),
  contact_id: idFilter().describe('One of the buyers'),
  date_created: dateTimeRange(),
  date_updated: dateTimeRange(),
  ...listFilters,
})

const round = z.object({
  id: z.int(),
  type: z.enum(ROUND_TYPES),
  amount: z.int().nullable().describe('Null for informational entries'),
  current_listing_price: z.int().nullable(),
  notes: z.string().nullable(),
  created_by: z.int(),
  date_created: dateTime(),
})

/** An offer as it is read back. */
export const offer = z.object({
  id: z.int(),
  status: z.enum(OFFER_STATUSES),
  is_active: z.boolean(),
  request_id: z.int().nullable().describe('Linked buyer request'),
  store_id: z.int(),
  created_by: z.int(),
  date_created: dateTime(),
  date_updated: dateTime(),
  currency: z.string().describe('Currency code'),
  current_listing_price: z.int().describe('Asking price when the offer was made'),
  loan_percentage: z.int().describe('0 when there is no loan'),
  notes: z.string().nullable(),
  external_contact: z.boolean().describe('The buyer is no stored contact'),
  listing: listingReference,
  contacts: z.array(z.int()).describe('Buyers'),
  rounds: z.array(round).describe('The negotiation in chronological order'),
})

/** An offer as lists show it. */
export const listedOffer = offer.omit({ rounds: true })

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
  rounds: z
    .array(
      z.object({
        id: id(),
        type: z.enum(ROUND_TYPES),
        amount: count().nullish(),
        current_listing_price: count().nullish(),
        notes: optionalText(LONG_TEXT).nullish(),
        created_by: id(),
        date_created: dateTime().nullish(),
      }),
    )
    .nullish(),
})

/** An offer's JSON in its single-record form. */
export function presentOffer(row: OfferRow): z.output<typeof offer> {
  return { ...presentListedOffer(row), rounds: row.rounds }
}

/** An offer's JSON in lists, without its rounds. */
export function presentListedOffer(row: OfferRow): z.output<typeof listedOffer> {
  return {
    id: row.id,
    status: row.status,
    is_active: row.is_active,
    request_id: row.request_id,
    store_id: row.store_id,
    created_by: row.created_by,
    date_created: row.date_created,
    date_updated: row.date_updated,
    currency: row.currency,
    current_listing_price: row.current_listing_price,
    loan_percentage: row.loan_percentage,
    notes: row.notes,
    external_contact: row.external_contact,
    listing: presentReference(row),
    contacts: row.contacts,
  }
}
