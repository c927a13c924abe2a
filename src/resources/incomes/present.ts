/** An income as it is read back, and the only place where its JSON is made. */
import { z } from 'zod'
import * as catalogue from '../../catalogue/income.ts'
import { outputs, present, WITH_ALL } from '../../fields/derive.ts'
import type { IncomeRow } from './queries.ts'

/** An income as it is read back. */
export const income = z
  .object({
    ...outputs(catalogue.income),
    commissions: z
      .array(
        z
          .object(outputs(catalogue.commission))
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
    ...present(catalogue.income, row),
    commissions: row.commissions.map((commission) => present(catalogue.commission, commission)),
    contacts: row.contacts,
  }
}

/** An income's JSON in lists, without its notes. */
export function presentListedIncome(row: IncomeRow): z.output<typeof listedIncome> {
  const { notes, ...listed } = presentIncome(row)
  return listed
}
