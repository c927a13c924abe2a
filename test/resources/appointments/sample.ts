/** Records of appointments that tests of all resources use. */
import { dates } from '../../support/factories/dates.ts'
import type { Samples } from '../../support/factories/samples.ts'

export const APPOINTMENT = {
  type: 'viewing',
  starts: '2024-01-01 10:00:00',
  ends: '2024-01-01 11:00:00',
  store_id: 1,
  listing_id: 1,
}

const SMALLEST = { ...APPOINTMENT, status: 'proposed', created_by: 1 }

export const samples: Samples = {
  appointments: {
    smallest: SMALLEST,
    whole: {
      id: 50,
      ...SMALLEST,
      status: 'done',
      status_date: '2024-01-01 11:30:00',
      title: 'Υπόδειξη',
      external_listing_id: 50,
      request_id: 1,
      enquiry_id: 50,
      location: 'Στην είσοδο',
      notes: 'Σημείωση',
      sequence: 2,
      users: [1],
      contacts: [2, 1],
      confirmations: [
        { party: 'agent', via: 'phone', date: '2023-12-30 10:00:00', user_id: 1 },
        { party: 'owner', via: 'in_person', date: '2023-12-31 10:00:00', user_id: null },
      ],
      feedback: {
        interest: 'interested',
        price: 'high',
        text: 'Του άρεσε',
        date: '2024-01-01 12:00:00',
        user_id: 1,
        shared_date: '2024-01-02 12:00:00',
        shared_by: 1,
      },
      notified: [
        { party: 'agent', id: 1, event: 'booked', date: '2023-12-30 10:00:10' },
        { party: 'visitor', id: 2, event: 'moved', date: null },
      ],
      ...dates,
    },
    change: { contacts: [] },
    create: {
      ...{ ...APPOINTMENT, type: 'meeting', listing_id: null, title: '"Ω" \\ ü', location: 'L' },
      ...{ contacts: [1], users: [1], allow_conflicts: true },
    },
    smallestBody: { ...APPOINTMENT, type: 'meeting', users: [1], created_by: 1, allow_conflicts: true },
    update: [
      { ends: '2024-01-01 12:00:00', title: 'T', location: null, contacts: [], users: [2] },
      { ends: ['2024-01-01 11:00:00', '2024-01-01 12:00:00'], users: [[1], [2]] },
      ['title', 'location', 'contacts'],
    ],
  },
}
