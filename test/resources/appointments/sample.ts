/** Records of appointments that tests of all resources use. */
import { dates } from '../../support/factories/dates.ts'
import type { Samples } from '../../support/factories/samples.ts'

export const APPOINTMENT = {
  type: 'viewing',
  starts: '2024-01-01 10:00:00',
  ends: '2024-01-01 11:00:00',
  store_id: 1,
}

export const samples: Samples = {
  appointments: {
    smallest: { ...APPOINTMENT, status: 'proposed', created_by: 1 },
    whole: {
      id: 50,
      ...APPOINTMENT,
      status: 'confirmed',
      title: 'Υπόδειξη',
      listing_id: 1,
      notes: 'Σημείωση',
      created_by: 1,
      contacts: [2, 1],
      users: [1],
      ...dates,
    },
    change: { contacts: [] },
    create: { ...APPOINTMENT, title: '"Ω" \\ ü', listing_id: 1, contacts: [1], users: [1] },
    update: [
      { ends: '2024-01-01 12:00:00', status: 'done', title: 'T', contacts: [], users: [2] },
      {
        ends: ['2024-01-01 11:00:00', '2024-01-01 12:00:00'],
        status: ['proposed', 'done'],
        users: [[1], [2]],
      },
      ['title', 'contacts'],
    ],
  },
}
