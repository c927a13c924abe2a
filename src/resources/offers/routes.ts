/** `/api/offers`: list and read. */
import { Router } from '../../http/endpoint/router.ts'
import { serveRecords } from '../records.ts'
import { offers } from './resource.ts'

export const offerRoutes = new Router(
  'Offers',
  'The bids of buyers for a property, and the rounds of their negotiation. The property is a listing of the agency, or ' +
    'another one that the offer itself describes: see `ListingReference`.',
)

serveRecords(offerRoutes, offers)
