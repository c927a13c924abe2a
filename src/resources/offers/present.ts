/** An offer as it is read back, and the only place where its JSON is made. */
import { z } from 'zod'
import { OFFER_STATUSES, ROUND_TYPES } from '../../catalogue/enums.ts'
import { WITH_ALL } from '../../fields/kinds.ts'
import { dateTime } from '../../fields/values.ts'
import { listingReference, presentReference } from './listing-reference.ts'
import type { OfferRow } from './queries.ts'

const round = z
  .object({
    id: z.int().describe('Id of the round'),
    type: z.enum(ROUND_TYPES).describe('What happened'),
    amount: z.int().nullable().describe('In whole units of currency; null for informational entries'),
    current_listing_price: z.int().nullable().describe('Asking price at that moment'),
    notes: z.string().nullable().describe('Internal notes'),
    created_by: z.int().describe('User who entered it'),
    date_created: dateTime().describe('When it happened'),
  })
  .meta({ id: 'OfferRound', description: 'A step of a negotiation' })

/** An offer as it is read back. */
export const offer = z
  .object({
    id: z.int().describe('Id of the offer'),
    status: z.enum(OFFER_STATUSES).describe('How far the negotiation is'),
    is_active: z.boolean().describe('Whether it still stands'),
    request_id: z.int().nullable().describe('Linked buyer request'),
    store_id: z.int().describe('Office'),
    created_by: z.int().describe('User who created it'),
    date_created: dateTime().describe('When it was created'),
    date_updated: dateTime().describe('When it last changed'),
    currency: z.string().describe('Currency code'),
    current_listing_price: z.int().describe('Asking price when the offer was made'),
    loan_percentage: z.int().describe('Share of the price that a loan pays; 0 when there is none'),
    notes: z.string().nullable().describe('Internal notes'),
    external_contact: z.boolean().describe('The buyer is no stored contact'),
    listing: listingReference,
    contacts: z.array(z.int()).describe('Buyers: ids of contacts'),
    rounds: z.array(round).describe('The negotiation in chronological order'),
  })
  .meta({ id: 'Offer', description: 'What a buyer offered for a property' })

/** An offer as lists show it. */
export const listedOffer = offer
  .extend({ rounds: offer.shape.rounds.optional().describe(`The negotiation. ${WITH_ALL}`) })
  .meta({ id: 'OfferSummary', description: 'An offer in a list' })

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
