/** Reads incomes: whole records. */
import { getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import { commission } from '../../catalogue/income.ts'
import { jsonList, jsonObject, linkedIds } from '../../db/relations.ts'
import { prepared, type Statement, select } from '../../db/statements.ts'
import { type income_commissions, income_contacts, incomes } from '../../db/tables/finances.ts'

interface Commission extends Omit<InferSelectModel<typeof income_commissions>, 'income_id'> {
  /** Id of the expense that it generated, or of the one that replaced it. */
  expense_id: number | null
}

/** A stored income with its commissions, by id, and its contacts, in their order. */
export interface IncomeRow extends InferSelectModel<typeof incomes> {
  commissions: Commission[]
  contacts: number[]
}

const LINK = 'income_id = incomes.id'
const COMMISSIONS = `(select commission.*, expense.id as expense_id from income_commissions commission
  left join expenses expense on expense.linked_income_commission_id = commission.id)`

const FIELDS = {
  ...getTableColumns(incomes),
  commissions: jsonList<Commission>(COMMISSIONS, jsonObject(commission, 'expense_id'), LINK, 'id'),
  contacts: linkedIds(incomes, income_contacts),
}

/** The statement that reads whole incomes. `rest` is the SQL after the table. */
export function selectIncomes(rest: SQL): Statement<IncomeRow> {
  return select(FIELDS, sql`from ${incomes} ${rest}`)
}

/** Reads the income `id`. */
export const selectIncome = prepared(() => selectIncomes(sql`where ${incomes.id} = ${sql.placeholder('id')}`))
