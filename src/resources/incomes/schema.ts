/** Filters of incomes. */
import { z } from 'zod'
import { INCOME_CATEGORIES, PAYMENT_STATUSES } from '../../catalogue/enums.ts'
import {
  amountRange,
  dateRange,
  dateTimeRange,
  idFilter,
  listFilters,
  oneOfFilter,
} from '../../http/request/filters.ts'

export const incomeFilters = z
  .object({
    category: oneOfFilter(INCOME_CATEGORIES).describe('Category of the income'),
    status: oneOfFilter(PAYMENT_STATUSES).describe('Whether its receipt is confirmed'),
    contract_id: idFilter().describe('Contract that it results from'),
    contact_id: idFilter().describe('One of its contacts'),
    date: dateRange().describe('Day of the income'),
    date_created: dateTimeRange().describe('When it was created'),
    total_amount: amountRange().describe('Total'),
    ...listFilters('date', 'date_created', 'date_updated'),
  })
  .meta({ id: 'IncomeFilters', description: 'Filters of incomes; an income must meet all of them' })
