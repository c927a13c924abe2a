/** Presents an offer: the only place where its JSON is made. */
import { z } from 'zod'
import * as catalogue from '../../catalogue/offer.ts'
import { outputs, present, WITH_ALL } from '../../fields/derive.ts'
import { listingReference, presentReference } from './listing-reference.ts'
import type { OfferRow } from './queries.ts'

const round = z
  .object(outputs(catalogue.round))
  .meta({ id: 'OfferRound', description: 'A step of a negotiation' })

/** The schema of an offer in a single read. */
export const offer = z
  .object({
    ...outputs(catalogue.offer),
    listing: listingReference,
    contacts: z.array(z.int()).describe('Buyers: ids of contacts'),
    rounds: z.array(round).describe('The negotiation in chronological order'),
  })
  .meta({ id: 'Offer', description: "A buyer's bid for a property" })

/** The schema of an offer in a list. */
export const listedOffer = offer
  .extend({ rounds: offer.shape.rounds.optional().describe(`The negotiation. ${WITH_ALL}`) })
  .meta({ id: 'OfferSummary', description: 'An offer in a list' })

/** The JSON of an offer in a single read. */
export function presentOffer(row: OfferRow): z.output<typeof offer> {
  return { ...presentListedOffer(row), rounds: row.rounds }
}

/** The JSON of an offer in a list, without its rounds. */
export function presentListedOffer(row: OfferRow): z.output<typeof listedOffer> {
  return {
    ...present(catalogue.offer, row),
    listing: presentReference(row),
    contacts: row.contacts,
  }
}
