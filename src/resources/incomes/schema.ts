/** Filters of incomes, and what import takes. */
import { z } from 'zod'
import { COMMISSION_SIDES, INCOME_CATEGORIES, PAYMENT_STATUSES } from '../../catalogue/enums.ts'
import { amount } from '../../fields/money.ts'
import { date, dateTime, id, ids, LONG_TEXT, list, optionalText } from '../../fields/values.ts'
import { amountRange, dateRange, dateTimeRange, idFilter, listFilters, oneOf } from '../../http/filters.ts'

export const incomeFilters = z
  .object({
    category: oneOf(INCOME_CATEGORIES).describe('What it was earned with'),
    status: oneOf(PAYMENT_STATUSES).describe('Whether it is received for certain'),
    contract_id: idFilter().describe('The contract that it comes from'),
    contact_id: idFilter().describe('One of its contacts'),
    date: dateRange().describe('Day of the income'),
    date_created: dateTimeRange().describe('When it was created'),
    total_amount: amountRange().describe('Total'),
    ...listFilters,
  })
  .meta({ id: 'IncomeFilters', description: 'Filters of incomes; an income must meet all of them' })

/** What import takes: the income object; a commission may name the id of its expense. */
export const importedIncome = z.object({
  id: id(),
  category: z.enum(INCOME_CATEGORIES),
  other_category_id: id().nullish(),
  contract_id: id().nullish(),
  owner_side_amount: amount().nullish(),
  client_side_amount: amount().nullish(),
  total_amount: amount(),
  date: date(),
  title: optionalText().nullish(),
  notes: optionalText(LONG_TEXT).nullish(),
  status: z.enum(PAYMENT_STATUSES),
  created_by: id(),
  date_created: dateTime().nullish(),
  date_updated: dateTime().nullish(),
  commissions: list(
    z.object({
      id: id(),
      side: z.enum(COMMISSION_SIDES),
      partner_id: id(),
      side_total_commission: amount(),
      partner_commission_amount: amount(),
      expense_id: id().nullish(),
    }),
  ).nullish(),
  contacts: ids().nullish(),
})
