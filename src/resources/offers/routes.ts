import { Router } from '../../http/endpoint/router.ts'
import { serveRecords } from '../records.ts'
import { findPage, offerFilters } from './list.ts'
import { listedOffer, offer, presentListedOffer, presentOffer } from './present.ts'
import { selectOffer } from './queries.ts'

export const offerRoutes = new Router(
  'Offers',
  'The bids of buyers for a property, and the rounds of their negotiation. The property is a listing of the agency, or ' +
    'another one that the offer itself describes: see `ListingReference`.',
)

serveRecords(offerRoutes, {
  resource: 'offers',
  list: {
    description: 'Newest first unless `sort` is set. Records have `rounds` only with `fields=all`.',
    filters: offerFilters,
    record: listedOffer,
  },
  read: { record: offer },
  findPage,
  select: selectOffer,
  present: presentOffer,
  presentListed: presentListedOffer,
})
