/** The list of expenses: its filters, and its pages. */
import { PAYMENT_STATUSES } from '../../catalogue/office-enums.ts'
import { isNotDeleted } from '../../db/references.ts'
import { expense_contacts, expenses } from '../../db/tables/finances.ts'
import { amounts, dates, dateTimes, filteredList, flag, id, linkedTo, oneOf, user } from '../plain/filters.ts'
import { selectExpenses } from './queries.ts'

export const { filters: expenseFilters, findPage } = filteredList('expenses', expenses, {
  filters: {
    category_id: id(expenses.category_id, 'Id from the categories lookup'),
    partner_id: user(expenses.partner_id, 'User'),
    linked_income_id: id(expenses.linked_income_id, 'The income whose commission generated it'),
    contact_id: linkedTo(expense_contacts, 'One of its contacts'),
    status: oneOf(expenses.status, PAYMENT_STATUSES, 'Whether its payment is confirmed'),
    auto_generated: flag(expenses.auto_generated, 'Whether a commission split generated it'),
    date: dates(expenses.date, 'Day of the expense'),
    date_created: dateTimes(expenses.date_created, 'When it was created'),
    amount: amounts(expenses.amount_cents, 'Amount'),
  },
  sort: ['date', 'date_created', 'date_updated'],
  select: selectExpenses,
  always: isNotDeleted,
})
