/** Records of requests that tests of all resources use. */

import { dates } from '../../support/factories/dates.ts'
import type { Samples } from '../../support/factories/samples.ts'
import { minimalRequest } from './seed.ts'

export const samples: Samples = {
  requests: {
    smallest: { ...minimalRequest, locations: [1], status: 1 },
    whole: {
      id: 50,
      ...minimalRequest,
      status: 1,
      price_max: 5000,
      extra_fields: { view: ['sea'], features: ['has_elevator'] },
      ...dates,
    },
    change: { extra_fields: { view: null } },
    create: {
      ...minimalRequest,
      locations: [111, 2, 21],
      tags: [2, 1],
      notes: '"Ω"\n',
      price_min: 1,
      extra_fields: { special_locations: [1], distance: 500, features: ['storage'] },
    },
    update: [
      { price_max: 9, notes: 'N', extra_fields: { yield_min: 3 } },
      { price_max: [null, 9], 'extra_fields.yield_min': [null, 3] },
      ['notes'],
    ],
  },
}
