/** Expenses: their parts, filters and order. */
import { expense } from '../../catalogue/expense.ts'
import { PAYMENT_STATUSES } from '../../catalogue/office-enums.ts'
import { expense_contacts, expenses as table } from '../../db/tables/finances.ts'
import { amounts, dates, dateTimes, flag, id, linkedTo, oneOf, user } from '../plain/filters.ts'
import { links, shownName } from '../plain/parts.ts'
import { type PlainRow, plain } from '../plain/resource.ts'

export const expenses = plain('expenses', {
  table,
  doc: 'An expense of the agency',
  fields: expense,
  parts: {
    category_name: shownName('expenses', 'Name of that category'),
    contacts: links(table, expense_contacts, 'contacts', { doc: 'Contacts that it concerns: their ids' }),
  },
  first: ['id', 'category_id', 'category_name'],
  brief: ['notes'],
  filters: {
    category_id: id(table.category_id, 'Id from the categories lookup'),
    partner_id: user(table.partner_id, 'User'),
    linked_income_id: id(table.linked_income_id, 'The income whose commission generated it'),
    contact_id: linkedTo(expense_contacts, 'One of its contacts'),
    status: oneOf(table.status, PAYMENT_STATUSES, 'Whether its payment is confirmed'),
    auto_generated: flag(table.auto_generated, 'Whether a commission split generated it'),
    date: dates(table.date, 'Day of the expense'),
    date_created: dateTimes(table.date_created, 'When it was created'),
    amount: amounts(table.amount_cents, 'Amount'),
  },
  sort: ['date', 'date_created', 'date_updated'],
})

/** A stored expense with the name of its category, and its contacts. */
export type ExpenseRow = PlainRow<typeof table, typeof expenses.parts>
