/** Records of enquiries that tests of all resources use. */

import { dates } from '../../support/factories/dates.ts'
import type { Samples } from '../../support/factories/samples.ts'
import { MINIMAL as ENQUIRY } from './seed.ts'

export const samples: Samples = {
  enquiries: {
    smallest: ENQUIRY,
    whole: { ...ENQUIRY, id: 50, notes: 'Called', users: [1], status: 'open', ...dates },
    change: { message: 'Other' },
    create: {
      ...ENQUIRY,
      search: { locations: [111], extra_fields: { features: ['storage'] } },
      notes: '"Ω"',
    },
    update: [{ status: 'closed', notes: 'N' }, { status: ['new', 'closed'] }, ['notes']],
  },
}
