/** Incomes: their parts, filters and order. */
import type { InferSelectModel } from 'drizzle-orm'
import { z } from 'zod'
import { commission, income } from '../../catalogue/income.ts'
import { INCOME_CATEGORIES, PAYMENT_STATUSES } from '../../catalogue/office-enums.ts'
import { jsonList, jsonObject } from '../../db/relations.ts'
import { type income_commissions, income_contacts, incomes as table } from '../../db/tables/finances.ts'
import { outputs, present } from '../../fields/derive.ts'
import { amounts, dates, dateTimes, id, linkedTo, oneOf } from '../plain/filters.ts'
import { links, type Part } from '../plain/parts.ts'
import { type PlainRow, plain } from '../plain/resource.ts'

interface Commission extends Omit<InferSelectModel<typeof income_commissions>, 'income_id'> {
  /** Id of the expense that it generated, or of the one that replaced it. */
  expense_id: number | null
}

const COMMISSIONS = `(select commission.*, expense.id as expense_id from income_commissions commission
  left join expenses expense on expense.linked_income_commission_id = commission.id)`

/** By their ids. */
const commissions: Part<Commission[]> = {
  doc: 'Commission splits between partners',
  select: jsonList(COMMISSIONS, jsonObject(commission, 'expense_id'), 'income_id = incomes.id', 'id'),
  output: z
    .array(
      z.object(outputs(commission)).meta({ id: 'Commission', description: "A partner's share of an income" }),
    )
    .describe('Commission splits between partners'),
  show: (stored) => stored.map((one) => present(commission, one)),
}

export const incomes = plain('incomes', {
  table,
  doc: 'An income of the agency',
  fields: income,
  parts: {
    commissions,
    contacts: links(table, income_contacts, 'contacts', { doc: 'Contacts that it concerns: their ids' }),
  },
  brief: ['notes'],
  filters: {
    category: oneOf(table.category, INCOME_CATEGORIES, 'Category of the income'),
    status: oneOf(table.status, PAYMENT_STATUSES, 'Whether its receipt is confirmed'),
    contract_id: id(table.contract_id, 'Contract that it results from'),
    contact_id: linkedTo(income_contacts, 'One of its contacts'),
    date: dates(table.date, 'Day of the income'),
    date_created: dateTimes(table.date_created, 'When it was created'),
    total_amount: amounts(table.total_cents, 'Total'),
  },
  sort: ['date', 'date_created', 'date_updated'],
})

/** A stored income with its commissions and contacts. */
export type IncomeRow = PlainRow<typeof table, typeof incomes.parts>
