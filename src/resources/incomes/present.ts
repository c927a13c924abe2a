/** Presents an income: the only place where its JSON is made. */
import { z } from 'zod'
import * as catalogue from '../../catalogue/income.ts'
import { outputs, present, WITH_ALL } from '../../fields/derive.ts'
import type { IncomeRow } from './queries.ts'

/** The schema of an income in a single read. */
export const income = z
  .object({
    ...outputs(catalogue.income),
    commissions: z
      .array(
        z
          .object(outputs(catalogue.commission))
          .meta({ id: 'Commission', description: "A partner's share of an income" }),
      )
      .describe('Commission splits between partners'),
    contacts: z.array(z.int()).describe('Contacts that it concerns: their ids'),
  })
  .meta({ id: 'Income', description: 'An income of the agency' })

/** The schema of an income in a list. */
export const listedIncome = income
  .extend({ notes: income.shape.notes.optional().describe(`Internal notes. ${WITH_ALL}`) })
  .meta({ id: 'IncomeSummary', description: 'An income in a list' })

/** The JSON of an income in a single read. */
export function presentIncome(row: IncomeRow): z.output<typeof income> {
  return {
    ...present(catalogue.income, row),
    commissions: row.commissions.map((commission) => present(catalogue.commission, commission)),
    contacts: row.contacts,
  }
}

/** The JSON of an income in a list, without its notes. */
export function presentListedIncome(row: IncomeRow): z.output<typeof listedIncome> {
  const { notes, ...listed } = presentIncome(row)
  return listed
}
