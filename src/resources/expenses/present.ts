/** An expense as it is read back, and the only place where its JSON is made. */
import { z } from 'zod'
import * as catalogue from '../../catalogue/expense.ts'
import { outputs, present, WITH_ALL } from '../../fields/derive.ts'
import type { ExpenseRow } from './queries.ts'

const { id, category_id, ...fields } = outputs(catalogue.expense)

/** An expense as it is read back. */
export const expense = z
  .object({
    id,
    category_id,
    category_name: z.string().describe('Name of that category'),
    ...fields,
    contacts: z.array(z.int()).describe('Whom it concerns: ids of contacts'),
  })
  .meta({ id: 'Expense', description: 'What the agency spent' })

/** An expense as lists show it. */
export const listedExpense = expense
  .extend({ notes: expense.shape.notes.optional().describe(`Internal notes. ${WITH_ALL}`) })
  .meta({ id: 'ExpenseSummary', description: 'An expense in a list' })

/** An expense's JSON in its single-record form. */
export function presentExpense(row: ExpenseRow): z.output<typeof expense> {
  const { id, category_id, ...shown } = present(catalogue.expense, row)
  return { id, category_id, category_name: row.category_name, ...shown, contacts: row.contacts }
}

/** An expense's JSON in lists, without its notes. */
export function presentListedExpense(row: ExpenseRow): z.output<typeof listedExpense> {
  const { notes, ...listed } = presentExpense(row)
  return listed
}
