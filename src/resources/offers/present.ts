/** An offer as it is read back, and the only place where its JSON is made. */
import { z } from 'zod'
import * as catalogue from '../../catalogue/offer.ts'
import { outputs, present, WITH_ALL } from '../../fields/derive.ts'
import { listingReference, presentReference } from './listing-reference.ts'
import type { OfferRow } from './queries.ts'

const round = z
  .object(outputs(catalogue.round))
  .meta({ id: 'OfferRound', description: 'A step of a negotiation' })

/** An offer as it is read back. */
export const offer = z
  .object({
    ...outputs(catalogue.offer),
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
    ...present(catalogue.offer, row),
    listing: presentReference(row),
    contacts: row.contacts,
  }
}
