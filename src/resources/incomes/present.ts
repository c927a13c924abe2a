/** An income as it is read back, and the only place where its JSON is made. */
import { z } from 'zod'
import { COMMISSION_SIDES, INCOME_CATEGORIES, PAYMENT_STATUSES } from '../../catalogue/enums.ts'
import { WITH_ALL } from '../../fields/kinds.ts'
import { amountText, formatCents } from '../../fields/money.ts'
import { date, dateTime } from '../../fields/values.ts'
import type { IncomeRow } from './queries.ts'

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
