/** Filters of incomes, what import takes, and the only place where an income's JSON is made. */
import { z } from 'zod'
import { COMMISSION_SIDES, INCOME_CATEGORIES, PAYMENT_STATUSES } from '../../catalogue/enums.ts'
import { WITH_ALL } from '../../fields/kinds.ts'
import { amount, amountText, formatCents } from '../../fields/money.ts'
import { date, dateTime, id, ids, LONG_TEXT, list, optionalText } from '../../fields/values.ts'
import { amountRange, dateRange, dateTimeRange, idFilter, listFilters, oneOf } from '../../http/filters.ts'
import type { IncomeRow } from './queries.ts'

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

/** An income as it is read back. */
export const income = z
  .object({
    id: z.int().describe('Id of the income'),
    category: z.enum(INCOME_CATEGORIES).describe('What it was earned with'),
    other_category_id: z.int().nullable().describe('Set when category is other'),
    contract_id: z.int().nullable().describe('Set when category is contract'),
    owner_side_amount: amountText().nullable().describe('What the owner paid'),
    client_side_amount: amountText().nullable().describe('What the buyer or tenant paid'),
    total_amount: amountText().describe('Total'),
    date: date().describe('Day of the income'),
    title: z.string().nullable().describe('What it was for'),
    notes: z.string().nullable().describe('Internal notes'),
    status: z.enum(PAYMENT_STATUSES).describe('Whether it is received for certain'),
    created_by: z.int().describe('User who created it'),
    date_created: dateTime().describe('When it was created'),
    date_updated: dateTime().nullable().describe('Null while it was never updated'),
    commissions: z
      .array(
        z
          .object({
            id: z.int().describe('Id of the commission'),
            side: z.enum(COMMISSION_SIDES).describe('Whose payment is shared'),
            partner_id: z.int().describe('User who shares in it'),
            side_total_commission: amountText().describe('What that side paid in all'),
            partner_commission_amount: amountText().describe("The partner's part; an expense of this amount"),
          })
          .meta({ id: 'Commission', description: "A partner's share in an income" }),
      )
      .describe('How partners share in it'),
    contacts: z.array(z.int()).describe('Whom it concerns: ids of contacts'),
  })
  .meta({ id: 'Income', description: 'What the agency earned' })

/** An income as lists show it. */
export const listedIncome = income
  .extend({ notes: income.shape.notes.optional().describe(`Internal notes. ${WITH_ALL}`) })
  .meta({ id: 'IncomeSummary', description: 'An income in a list' })

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

/** An income's JSON in its single-record form. */
export function presentIncome(row: IncomeRow): z.output<typeof income> {
  return {
    id: row.id,
    category: row.category,
    other_category_id: row.other_category_id,
    contract_id: row.contract_id,
    owner_side_amount: row.owner_side_cents === null ? null : formatCents(row.owner_side_cents),
    client_side_amount: row.client_side_cents === null ? null : formatCents(row.client_side_cents),
    total_amount: formatCents(row.total_cents),
    date: row.date,
    title: row.title,
    notes: row.notes,
    status: row.status,
    created_by: row.created_by,
    date_created: row.date_created,
    date_updated: row.date_updated,
    commissions: row.commissions.map((commission) => ({
      id: commission.id,
      side: commission.side,
      partner_id: commission.partner_id,
      side_total_commission: formatCents(commission.side_total_cents),
      partner_commission_amount: formatCents(commission.partner_cents),
    })),
    contacts: row.contacts,
  }
}

/** An income's JSON in lists, without its notes. */
export function presentListedIncome(row: IncomeRow): z.output<typeof listedIncome> {
  const { notes, ...listed } = presentIncome(row)
  return listed
}
