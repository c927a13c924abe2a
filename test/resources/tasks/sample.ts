/** Records of tasks that tests of all resources use. */
import { dates } from '../../support/factories/dates.ts'
import type { Samples } from '../../support/factories/samples.ts'

export const samples: Samples = {
  tasks: {
    smallest: { title: 'Τηλεφώνημα', user_id: 1, status: 'open', created_by: 1 },
    whole: {
      id: 50,
      title: 'Τηλεφώνημα',
      notes: 'Σημείωση',
      due: '2024-01-05',
      user_id: 1,
      status: 'done',
      done_date: '2024-01-04 12:00:00',
      result: 'Θα το σκεφτεί',
      contacts: [2, 1],
      listing_id: 1,
      external_listing_id: 50,
      request_id: 50,
      enquiry_id: 50,
      offer_id: 50,
      contract_id: 50,
      appointment_id: 50,
      store_id: 1,
      created_by: 1,
      ...dates,
    },
    change: { contacts: [] },
    create: { title: '"Ω" \\ ü', due: '2024-01-05', user_id: 1, contacts: [1] },
    update: [
      { title: 'T', due: '2024-01-06', user_id: 2, status: 'cancelled', contacts: [2] },
      {
        due: ['2024-01-05', '2024-01-06'],
        user_id: [1, 2],
        status: ['open', 'cancelled'],
      },
      ['title', 'contacts'],
    ],
  },
}
