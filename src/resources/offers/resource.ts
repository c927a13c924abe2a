/** Offers: their parts, filters and order. */
import { offer, round } from '../../catalogue/offer.ts'
import { OFFER_STATUSES } from '../../catalogue/office-enums.ts'
import { offer_contacts, offer_rounds, offers as table } from '../../db/tables/offers.ts'
import { dateTimes, flag, id, linkedTo, oneOf, user } from '../plain/filters.ts'
import { links, rows } from '../plain/parts.ts'
import { type PlainRow, plain } from '../plain/resource.ts'
import { listingReference } from './listing-reference.ts'

export const offers = plain('offers', {
  table,
  doc: "A buyer's bid for a property",
  fields: offer,
  parts: {
    listing: listingReference,
    contacts: links(table, offer_contacts, 'contacts', { doc: 'Buyers: ids of contacts' }),
    rounds: rows(table, offer_rounds, round, {
      doc: 'The negotiation in chronological order',
      brief: 'The negotiation',
      entry: { name: 'OfferRound', doc: 'A step of a negotiation' },
      by: 'date_created',
      bytes: 1_000_000,
    }),
  },
  brief: ['rounds'],
  filters: {
    status: oneOf(table.status, OFFER_STATUSES, 'Status of the negotiation'),
    is_active: flag(table.is_active, 'Whether it is still active'),
    listing_id: id(table.listing_id, 'A listing of the agency; other properties never match'),
    request_id: id(table.request_id, 'Linked request'),
    store_id: id(table.store_id, 'Store'),
    created_by: user(table.created_by, 'User who created it'),
    contact_id: linkedTo(offer_contacts, 'One of the buyers'),
    date_created: dateTimes(table.date_created, 'When it was created'),
    date_updated: dateTimes(table.date_updated, 'When it last changed'),
  },
  sort: ['date_created', 'date_updated'],
})

/** A stored offer with its contacts and rounds. */
export type OfferRow = PlainRow<typeof table, typeof offers.parts>
