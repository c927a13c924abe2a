/** Calls that write incomes and expenses. Each builds on those above it. */
import { type Calls, one, to } from './calls.ts'

const SHARE = { side: 'owner_side', partner_id: 2, partner_commission_amount: '600.00' }
const VALUATION = { category: 'valuation', date: '2026-11-10', owner_side_amount: '1200.00' }

export const MONEY_WRITES: Calls = {
  createIncome: to('POST /office/incomes', {
    shared: [
      'A valuation that a partner shares in',
      { ...VALUATION, title: 'Valuation of a house', commissions: [SHARE] },
    ],
    total: ['Another total than the sides make', { ...VALUATION, total_amount: 1000 }],
    tooMuch: [
      'More than the side comes to',
      { ...VALUATION, commissions: [{ ...SHARE, partner_commission_amount: 1300 }] },
    ],
  }),
  updateIncome: to('PUT /office/incomes/61', {
    side: ['Another amount, which the total follows', { owner_side_amount: 1500 }],
  }),
  confirmIncome: to('POST /office/incomes/61/confirm', { paid: ['Paid', { date: '2026-11-12' }] }),
  reopenIncome: to('POST /office/incomes/61/reopen', { slip: ['A slip', { reason: 'Paid by half' }] }),
  createExpense: to('POST /office/expenses', {
    rent: [
      'Paid at once',
      { category_id: 2, amount: 850, date: '2026-11-02', title: 'Rent', status: 'confirmed' },
    ],
    pending: ['To be paid', { category_id: 3, amount: '120.50', date: '2026-12-02' }],
  }),
  updateExpense: {
    texts: one('PUT /office/expenses/146', 'A confirmed one takes its texts', { notes: 'Invoice 118' }),
    amount: one('PUT /office/expenses/146', 'But no other amount', { amount: 900 }),
    follows: one('PUT /office/expenses/145', 'Nor does one of a commission', { amount: 500 }),
  },
  reopenExpense: to('POST /office/expenses/146/reopen', { slip: ['A slip', { reason: 'Wrong month' }] }),
  confirmExpense: to('POST /office/expenses/146/confirm', { paid: ['As it is', {}] }),
  deleteIncome: to('DELETE /office/incomes/61', { one: ['With the pending expenses that name it'] }),
  deleteExpense: {
    one: { call: 'DELETE /office/expenses/147', summary: 'Deleted' },
    follows: { call: 'DELETE /office/expenses/144', summary: 'One of a commission' },
  },
}
