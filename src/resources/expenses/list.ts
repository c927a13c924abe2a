/** The list of expenses: its filters, their conditions, and its pages. */
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { PAYMENT_STATUSES } from '../../catalogue/office-enums.ts'
import { hasContact, within } from '../../db/conditions.ts'
import { pageReader } from '../../db/page.ts'
import { expense_contacts, expenses } from '../../db/tables/finances.ts'
import {
  amountRange,
  booleanFilter,
  dateRange,
  dateTimeRange,
  idFilter,
  listFilters,
  oneOfFilter,
} from '../../http/request/filters.ts'
import { type ExpenseRow, selectExpenses } from './queries.ts'

export const expenseFilters = z
  .object({
    category_id: idFilter().describe('Id from the categories lookup'),
    partner_id: idFilter().describe('User'),
    linked_income_id: idFilter().describe('The income whose commission generated it'),
    contact_id: idFilter().describe('One of its contacts'),
    status: oneOfFilter(PAYMENT_STATUSES).describe('Whether its payment is confirmed'),
    auto_generated: booleanFilter().describe('Whether a commission split generated it'),
    date: dateRange().describe('Day of the expense'),
    date_created: dateTimeRange().describe('When it was created'),
    amount: amountRange().describe('Amount'),
    ...listFilters('date', 'date_created', 'date_updated'),
  })
  .meta({ id: 'ExpenseFilters', description: 'Filters of expenses; an expense must meet all of them' })

/** One page of the expenses, and their total; one round trip. */
export const findPage = pageReader<z.output<typeof expenseFilters>, ExpenseRow>(
  expenses,
  {
    category_id: (id) => eq(expenses.category_id, id),
    partner_id: (id) => eq(expenses.partner_id, id),
    linked_income_id: (id) => eq(expenses.linked_income_id, id),
    contact_id: (id) => hasContact(expenses, expense_contacts, id),
    status: (value) => eq(expenses.status, value),
    auto_generated: (value) => eq(expenses.auto_generated, value),
    date: (range) => within(expenses.date, range),
    date_created: (range) => within(expenses.date_created, range),
    amount: (range) => within(expenses.amount_cents, range),
  },
  selectExpenses,
)
