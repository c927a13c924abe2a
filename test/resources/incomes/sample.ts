/** Records of incomes that tests of all resources use. */

import type { Samples } from '../../support/factories/samples.ts'
import { commission, INCOME } from './seed.ts'

export const samples: Samples = {
  incomes: {
    smallest: {
      date: '2024-01-01',
      status: 'pending',
      created_by: 1,
      category: 'other',
      other_category_id: 1,
      total_amount: '9.00',
    },
    whole: { ...INCOME, id: 50, commissions: [commission(50, { expense_id: 51 })] },
    change: { notes: null },
    create: {
      category: 'other',
      other_category_id: 1,
      date: '2024-01-01',
      owner_side_amount: '9.50',
      title: '"Ω" \\ ü',
      contacts: [1],
      commissions: [{ side: 'owner_side', partner_id: 1, partner_commission_amount: 2 }],
    },
  },
}
