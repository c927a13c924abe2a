/** Reads incomes: whole records, and the pages of the list. */
import { eq, getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { commission } from '../../catalogue/income.ts'
import type { Database } from '../../db/client.ts'
import { type Conditions, hasContact, whereClause, within } from '../../db/conditions.ts'
import { jsonList, jsonObject, linkedIds, type Page, pageWhere, readPage } from '../../db/page.ts'
import { prepared, preparedAround, type Statement, select } from '../../db/statements.ts'
import { type income_commissions, income_contacts, incomes } from '../../db/tables/finances.ts'
import type { incomeFilters } from './schema.ts'

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

const selectPage = preparedAround(selectIncomes)

type Filters = z.output<typeof incomeFilters>

const CONDITIONS = {
  category: (value) => eq(incomes.category, value),
  status: (value) => eq(incomes.status, value),
  contract_id: (id) => eq(incomes.contract_id, id),
  contact_id: (id) => hasContact(incomes, income_contacts, id),
  date: (range) => within(incomes.date, range),
  date_created: (range) => within(incomes.date_created, range),
  total_amount: (range) => within(incomes.total_cents, range),
} satisfies Conditions<Filters>

/** One page of incomes, and their total; one round trip. */
export function findPage(db: Database, filters: Filters): Promise<Page<IncomeRow>> {
  return readPage(db, incomes, pageWhere(incomes, whereClause(CONDITIONS, filters), filters), selectPage)
}
