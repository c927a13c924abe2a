/** The fields of an income and of a commission: the share that goes to an agent, its partner. */
import { amount, choice, date, dateTime, key, reference, text } from '../fields/kinds.ts'
import { LONG_TEXT } from '../fields/values.ts'
import { COMMISSION_SIDES, INCOME_CATEGORIES, PAYMENT_STATUSES } from './office-enums.ts'

export const income = {
  id: key({ doc: 'Id of the income' }),
  category: choice(INCOME_CATEGORIES, { doc: 'How it was earned', required: true }),
  other_category_id: reference({ doc: 'Set when category is other', to: 'income_other_categories' }),
  contract_id: reference({ doc: 'Set when category is contract', to: 'contracts' }),
  owner_side_amount: amount({ doc: 'What the owner paid', storedAs: 'owner_side_cents', history: true }),
  client_side_amount: amount({
    doc: 'What the buyer or tenant paid',
    storedAs: 'client_side_cents',
    history: true,
  }),
  total_amount: amount({
    doc: 'Total of the income',
    storedAs: 'total_cents',
    required: true,
    history: true,
  }),
  date: date({ doc: 'Day of the income', required: true, history: true }),
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

export const commission = {
  id: key({ doc: 'Id of the commission' }),
  side: choice(COMMISSION_SIDES, { doc: 'The side whose payment is shared', required: true }),
  partner_id: reference({ doc: 'User who receives the share', to: 'users', required: true }),
  side_total_commission: amount({
    doc: 'Total that this side paid',
    storedAs: 'side_total_cents',
    required: true,
  }),
  partner_commission_amount: amount({
    doc: "The partner's share; it generates an expense of this amount",
    storedAs: 'partner_cents',
    required: true,
  }),
}
