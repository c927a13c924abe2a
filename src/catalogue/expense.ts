/** The fields of an expense. */
import { amount, choice, date, dateTime, flag, key, reference, text } from '../fields/kinds.ts'
import { LONG_TEXT } from '../fields/values.ts'
import { PAYMENT_STATUSES } from './office-enums.ts'

export const expense = {
  id: key({ doc: 'Id of the expense' }),
  category_id: reference({ doc: 'Id from the categories lookup', to: 'expense_categories', required: true }),
  partner_id: reference({ doc: 'User who receives the payment', to: 'users', history: true }),
  linked_income_id: reference({
    doc: 'The income that it belongs to; null for an independent expense',
    to: 'incomes',
  }),
  linked_income_commission_id: reference({
    doc: 'The commission that generated it',
    to: 'income_commissions',
  }),
  auto_generated: flag({ doc: 'Made from the commission split of an income' }),
  amount: amount({ doc: 'Amount', storedAs: 'amount_cents', required: true, history: true }),
  date: date({ doc: 'Day of the expense', required: true, history: true }),
  title: text({ doc: 'What it was for', person: true }),
  notes: text({ doc: 'Internal notes', person: true, max: LONG_TEXT }),
  status: choice(PAYMENT_STATUSES, {
    doc: 'Whether the payment is confirmed',
    required: true,
    history: true,
  }),
  created_by: reference({ doc: 'User who created it', to: 'users', required: true, history: true }),
  date_created: dateTime({ doc: 'When it was created', assigned: true }),
  date_updated: dateTime({ doc: 'When it last changed; null if it never did' }),
}
