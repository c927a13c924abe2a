/** An expense as it is read back, and the only place where its JSON is made. */
import { z } from 'zod'
import { PAYMENT_STATUSES } from '../../catalogue/enums.ts'
import { WITH_ALL } from '../../fields/kinds.ts'
import { amountText, formatCents } from '../../fields/money.ts'
import { date, dateTime } from '../../fields/values.ts'
import type { ExpenseRow } from './queries.ts'

/** An expense as it is read back. */
export const expense = z
  .object({
    id: z.int().describe('Id of the expense'),
    category_id: z.int().describe('Id from the categories lookup'),
    category_name: z.string().describe('Name of that category'),
    partner_id: z.int().nullable().describe('User who is paid'),
    linked_income_id: z.int().nullable().describe('Null for an expense that stands alone'),
    linked_income_commission_id: z.int().nullable().describe('The commission that generated it'),
    auto_generated: z.boolean().describe('Made from the commission split of an income'),
    amount: amountText().describe('Amount'),
    date: date().describe('Day of the expense'),
    title: z.string().nullable().describe('What it was for'),
    notes: z.string().nullable().describe('Internal notes'),
    status: z.enum(PAYMENT_STATUSES).describe('Whether it is paid for certain'),
    created_by: z.int().describe('User who created it'),
    date_created: dateTime().describe('When it was created'),
    date_updated: dateTime().nullable().describe('Null while it was never updated'),
    contacts: z.array(z.int()).describe('Whom it concerns: ids of contacts'),
  })
  .meta({ id: 'Expense', description: 'What the agency spent' })

/** An expense as lists show it. */
export const listedExpense = expense
  .extend({ notes: expense.shape.notes.optional().describe(`Internal notes. ${WITH_ALL}`) })
  .meta({ id: 'ExpenseSummary', description: 'An expense in a list' })

/** An expense's JSON in its single-record form. */
export function presentExpense(row: ExpenseRow): z.output<typeof expense> {
  return {
    id: row.id,
    category_id: row.category_id,
    category_name: row.category_name,
    partner_id: row.partner_id,
    linked_income_id: row.linked_income_id,
    linked_income_commission_id: row.linked_income_commission_id,
    auto_generated: row.auto_generated,
    amount: formatCents(row.amount_cents),
    date: row.date,
    title: row.title,
    notes: row.notes,
    status: row.status,
    created_by: row.created_by,
    date_created: row.date_created,
    date_updated: row.date_updated,
    contacts: row.contacts,
  }
}

/** An expense's JSON in lists, without its notes. */
export function presentListedExpense(row: ExpenseRow): z.output<typeof listedExpense> {
  const { notes, ...listed } = presentExpense(row)
  return listed
}
