/** Records of offers that tests of all resources use. */

import type { Samples } from '../../support/factories/samples.ts'
import { OFFER } from './seed.ts'

/** What the smallest offer and contract have. */
export const DEAL = {
  store_id: 1,
  created_by: 1,
  currency: 'EUR',
  listing: { external: false, listing_id: 1 },
}

export const samples: Samples = {
  offers: {
    smallest: { ...DEAL, status: 'submitted', is_active: true, current_listing_price: 1, contacts: [1] },
    whole: { ...OFFER, id: 50, rounds: OFFER.rounds.map((round) => ({ ...round, id: round.id + 500 })) },
    change: { rounds: [] },
    create: {
      listing: { external: false, listing_id: 1 },
      contacts: [1],
      current_listing_price: 5,
      amount: 4,
      notes: '"Ω"',
    },
  },
}
