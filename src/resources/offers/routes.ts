/** Offers: list and read under `/api/`; create, update and rounds under `/office/`. */
import { z } from 'zod'
import { database } from '../../db/client.ts'
import { named } from '../../fields/values.ts'
import { Router } from '../../http/endpoint/router.ts'
import { createdBody } from '../../http/reply/envelope.ts'
import { publicUrlBuilder } from '../../http/urls.ts'
import { serveWrites } from '../plain/writes.ts'
import { serveRecords } from '../records.ts'
import { addRound, newRound, permissionsOf } from './negotiate.ts'
import { offers } from './resource.ts'
import { offerWrites } from './write.ts'

export const offerRoutes = new Router(
  'Offers',
  'The bids of buyers for a property, and the rounds of their negotiation. The property is a listing of the agency, or ' +
    'another one that the offer itself describes: see `ListingReference`.',
)

serveRecords(offerRoutes, offers)
serveWrites(offerRoutes, offerWrites)

offerRoutes.post(
  '/office/offers/{id}/rounds',
  {
    summary: 'Add a round to an offer',
    description:
      'The step decides the status: `counter_offer` and `buyer_revision` reopen an offer that was rejected or withdrawn, ' +
      'and `note` leaves it. Of the active offers for a listing that is for sale, rent or auction, one may be accepted. ' +
      'Rounds never change: a slip gets a `note`. A listing keeps its status unless `listing_status` says otherwise.',
    resource: 'Offer',
    body: newRound,
    reply: named('OfferRoundCreated', 'The round, and the offer with it', {
      ...createdBody.shape,
      data: offers.read.record,
      rejected: z.array(z.int()).optional().describe('The other offers that were rejected'),
    }),
    errors: { 409: 'Offer is accepted: counter_offer is not possible' },
  },
  async (c, input) => {
    const draft = await input.body()
    const record = input.record()
    const permissions = permissionsOf(c, draft)
    return c.json(await addRound(database(c.env), record, draft, permissions, publicUrlBuilder(c)))
  },
)
