/** Calls that write incomes and expenses. Each builds on those above it. */
import type { Calls } from './calls.ts'

const SHARE = { side: 'owner_side', partner_id: 2, partner_commission_amount: '600.00' }
const VALUATION = { category: 'valuation', date: '2026-11-10', owner_side_amount: '1200.00' }

export const MONEY_WRITES: Calls = {
  createIncome: {
    shared: {
      call: 'POST /office/incomes',
      summary: 'A valuation that a partner shares in',
      body: { ...VALUATION, title: 'Valuation of a house', commissions: [SHARE] },
    },
    total: {
      call: 'POST /office/incomes',
      summary: 'Another total than the sides make',
      body: { ...VALUATION, total_amount: 1000 },
    },
    tooMuch: {
      call: 'POST /office/incomes',
      summary: 'More than the side comes to',
      body: { ...VALUATION, commissions: [{ ...SHARE, partner_commission_amount: 1300 }] },
    },
  },
  updateIncome: {
    side: {
      call: 'PUT /office/incomes/61',
      summary: 'Another amount, which the total follows',
      body: { owner_side_amount: 1500 },
    },
  },
  confirmIncome: {
    paid: { call: 'POST /office/incomes/61/confirm', summary: 'Paid', body: { date: '2026-11-12' } },
  },
  reopenIncome: {
    slip: { call: 'POST /office/incomes/61/reopen', summary: 'A slip', body: { reason: 'Paid by half' } },
  },
  createExpense: {
    rent: {
      call: 'POST /office/expenses',
      summary: 'Paid at once',
      body: { category_id: 2, amount: 850, date: '2026-11-02', title: 'Rent', status: 'confirmed' },
    },
    pending: {
      call: 'POST /office/expenses',
      summary: 'To be paid',
      body: { category_id: 3, amount: '120.50', date: '2026-12-02' },
    },
  },
  updateExpense: {
    texts: {
      call: 'PUT /office/expenses/146',
      summary: 'A confirmed one takes its texts',
      body: { notes: 'Invoice 118' },
    },
    amount: {
      call: 'PUT /office/expenses/146',
      summary: 'But no other amount',
      body: { amount: 900 },
    },
    follows: {
      call: 'PUT /office/expenses/145',
      summary: 'Nor does one of a commission',
      body: { amount: 500 },
    },
  },
  reopenExpense: {
    slip: { call: 'POST /office/expenses/146/reopen', summary: 'A slip', body: { reason: 'Wrong month' } },
  },
  confirmExpense: { paid: { call: 'POST /office/expenses/146/confirm', summary: 'As it is', body: {} } },
  deleteIncome: {
    one: { call: 'DELETE /office/incomes/61', summary: 'With the pending expenses that name it' },
  },
  deleteExpense: {
    one: { call: 'DELETE /office/expenses/147', summary: 'Deleted' },
    follows: { call: 'DELETE /office/expenses/144', summary: 'One of a commission' },
  },
}
