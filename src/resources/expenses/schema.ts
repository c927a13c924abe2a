/** Filters of expenses. */
import { z } from 'zod'
import { PAYMENT_STATUSES } from '../../catalogue/enums.ts'
import {
  amountRange,
  booleanFilter,
  dateRange,
  dateTimeRange,
  idFilter,
  listFilters,
  oneOfFilter,
} from '../../http/request/filters.ts'

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
