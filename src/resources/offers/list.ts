/** The list of offers: its filters, their conditions, and its pages. */
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { OFFER_STATUSES } from '../../catalogue/office-enums.ts'
import type { Database } from '../../db/client.ts'
import { type Conditions, hasContact, within } from '../../db/conditions.ts'
import { type Page, pageReader } from '../../db/page.ts'
import { offer_contacts, offers } from '../../db/tables/offers.ts'
import {
  booleanFilter,
  dateTimeRange,
  idFilter,
  listFilters,
  oneOfFilter,
} from '../../http/request/filters.ts'
import { type OfferRow, selectBriefOffers, selectOffers } from './queries.ts'

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

type Filters = z.output<typeof offerFilters>

const CONDITIONS = {
  status: (value) => eq(offers.status, value),
  is_active: (value) => eq(offers.is_active, value),
  listing_id: (id) => eq(offers.listing_id, id),
  request_id: (id) => eq(offers.request_id, id),
  store_id: (id) => eq(offers.store_id, id),
  created_by: (id) => eq(offers.created_by, id),
  contact_id: (id) => hasContact(offers, offer_contacts, id),
  date_created: (range) => within(offers.date_created, range),
  date_updated: (range) => within(offers.date_updated, range),
} satisfies Conditions<Filters>

const findBriefPage = pageReader<Filters, OfferRow>(offers, CONDITIONS, selectBriefOffers)
const findFullPage = pageReader<Filters, OfferRow>(offers, CONDITIONS, selectOffers)

/** One page of offers, and their total; one round trip. They have rounds only with `fields=all`. */
export function findPage(db: Database, filters: Filters): Promise<Page<OfferRow>> {
  return filters.fields === 'all' ? findFullPage(db, filters) : findBriefPage(db, filters)
}
