/** Presents an expense: the only place where its JSON is made. */
import { z } from 'zod'
import * as catalogue from '../../catalogue/expense.ts'
import { outputs, present, WITH_ALL } from '../../fields/derive.ts'
import type { ExpenseRow } from './queries.ts'

const { id, category_id, ...fields } = outputs(catalogue.expense)

/** The schema of an expense in a single read. */
export const expense = z
  .object({
    id,
    category_id,
    category_name: z.string().describe('Name of that category'),
    ...fields,
    contacts: z.array(z.int()).describe('Contacts that it concerns: their ids'),
  })
  .meta({ id: 'Expense', description: 'An expense of the agency' })

/** The schema of an expense in a list. */
export const listedExpense = expense
  .extend({ notes: expense.shape.notes.optional().describe(`Internal notes. ${WITH_ALL}`) })
  .meta({ id: 'ExpenseSummary', description: 'An expense in a list' })

/** The JSON of an expense in a single read. */
export function presentExpense(row: ExpenseRow): z.output<typeof expense> {
  const { id, category_id, ...presented } = present(catalogue.expense, row)
  return { id, category_id, category_name: row.category_name, ...presented, contacts: row.contacts }
}

/** The JSON of an expense in a list, without its notes. */
export function presentListedExpense(row: ExpenseRow): z.output<typeof listedExpense> {
  const { notes, ...listed } = presentExpense(row)
  return listed
}
