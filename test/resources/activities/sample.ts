/** Records of activities that tests of all resources use. */
import { dates } from '../../support/factories/dates.ts'
import type { Samples } from '../../support/factories/samples.ts'

export const CALL = { type: 'call', date: '2024-01-01 10:00:00' }

export const samples: Samples = {
  activities: {
    smallest: { ...CALL, created_by: 1 },
    whole: {
      id: 50,
      ...CALL,
      direction: 'in',
      subject: 'Κλειδιά',
      text: 'Τα κλειδιά είναι στον θυρωρό',
      contacts: [2, 1],
      users: [1],
      listing_id: 1,
      external_listing_id: 50,
      request_id: 50,
      enquiry_id: 50,
      offer_id: 50,
      contract_id: 50,
      store_id: 1,
      minutes: 12,
      is_pinned: true,
      author: 'Telephone',
      external_id: 'call-7',
      created_by: 1,
      ...dates,
    },
    change: { contacts: [] },
    create: { ...CALL, subject: '"Ω" \\ ü', text: 'T', contacts: [1], users: [1] },
    smallestBody: { ...CALL, text: 'T', contacts: [1] },
    update: [
      { direction: 'out', minutes: 3, is_pinned: true, text: 'U', users: [2], contacts: [2] },
      { direction: [null, 'out'], minutes: [null, 3], is_pinned: [false, true], users: [[1], [2]] },
      ['text', 'contacts'],
    ],
  },
}
