/** The list of incomes: its filters, their conditions, and its pages. */
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { INCOME_CATEGORIES, PAYMENT_STATUSES } from '../../catalogue/office-enums.ts'
import { hasContact, within } from '../../db/conditions.ts'
import { pageReader } from '../../db/page.ts'
import { income_contacts, incomes } from '../../db/tables/finances.ts'
import {
  amountRange,
  dateRange,
  dateTimeRange,
  idFilter,
  listFilters,
  oneOfFilter,
} from '../../http/request/filters.ts'
import { type IncomeRow, selectIncomes } from './queries.ts'

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

/** One page of the incomes, and their total; one round trip. */
export const findPage = pageReader<z.output<typeof incomeFilters>, IncomeRow>(
  incomes,
  {
    category: (value) => eq(incomes.category, value),
    status: (value) => eq(incomes.status, value),
    contract_id: (id) => eq(incomes.contract_id, id),
    contact_id: (id) => hasContact(incomes, income_contacts, id),
    date: (range) => within(incomes.date, range),
    date_created: (range) => within(incomes.date_created, range),
    total_amount: (range) => within(incomes.total_cents, range),
  },
  selectIncomes,
)
