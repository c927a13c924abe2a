/** `/api/offers`: list and read. */
import { Router } from '../../http/endpoint/router.ts'
import { serveRecords } from '../records.ts'
import { listedOffer, offer, presentListedOffer, presentOffer } from './present.ts'
import { findPage, selectOffer } from './queries.ts'
import { offerFilters } from './schema.ts'

export const offerRoutes = new Router(
  'Offers',
  'What buyers offered for a property, and how it was negotiated, round by round. The property is a listing of the ' +
    'agency, or one off its system that the offer itself describes: see `ListingReference`.',
)

serveRecords(offerRoutes, {
  path: '/api/offers',
  resource: 'Offer',
  list: {
    summary: 'List offers',
    description: 'Newest first. Records lack `rounds`, unless `fields=all` asks for them.',
    filters: offerFilters,
    record: listedOffer,
  },
  read: { summary: 'Read an offer', record: offer },
  findPage,
  select: selectOffer,
  present: presentOffer,
  presentListed: presentListedOffer,
})
