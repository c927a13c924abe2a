/** Records of contracts that tests of all resources use. */

import { importRecords } from '../../support/api.ts'
import type { Samples } from '../../support/factories/samples.ts'
import { offerIn } from '../offers/deals.ts'
import { DEAL } from '../offers/sample.ts'
import { CANCELLED, CONTRACT } from '../offers/seed.ts'

export const samples: Samples = {
  contracts: {
    smallest: { ...DEAL, offer_id: 1, status_id: 1, contacts: [1] },
    whole: { ...CONTRACT, id: 50 },
    change: { notes: null },
    create: { offer_id: '{id}', final_property_price: 9, notes: '"Ω"' },
    createdFor: async () => {
      await importRecords([['contract_statuses', { ...CANCELLED, id: 3, is_cancelled: false }]])
      return offerIn('accepted')
    },
  },
}
