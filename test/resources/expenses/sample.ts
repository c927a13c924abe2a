/** Records of expenses that tests of all resources use. */
import { dates } from '../../support/factories/dates.ts'
import type { Samples } from '../../support/factories/samples.ts'

export const samples: Samples = {
  expenses: {
    smallest: { date: '2024-01-01', status: 'pending', created_by: 1, category_id: 3, amount: '5.00' },
    whole: {
      id: 52,
      category_id: 3,
      amount: '5.50',
      date: '2024-01-01',
      status: 'pending',
      created_by: 1,
      contacts: [1],
      ...dates,
    },
    change: { amount: 6 },
    create: {
      category_id: 3,
      amount: 5,
      date: '2024-01-01',
      partner_id: 1,
      notes: '"Ω" \\ ü',
      contacts: [1],
    },
  },
}
