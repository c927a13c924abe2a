/** Reads expenses: whole records, and the pages of the list. */
import { eq, getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { type Conditions, hasContact, whereClause, within } from '../../db/conditions.ts'
import { linkedIds, type Page, pageWhere, readPage } from '../../db/page.ts'
import { prepared, preparedAround, type Statement, select } from '../../db/statements.ts'
import { expense_contacts, expenses } from '../../db/tables/finances.ts'
import { expense_categories } from '../../db/tables/lookups.ts'
import type { expenseFilters } from './schema.ts'

/** A stored expense with the name of its category, and its contacts, in their order. */
export interface ExpenseRow extends InferSelectModel<typeof expenses> {
  category_name: string
  contacts: number[]
}

const FIELDS = {
  ...getTableColumns(expenses),
  category_name: expense_categories.name,
  contacts: linkedIds(expenses, expense_contacts),
}

/** The statement that reads whole expenses. `rest` is the SQL after the table. */
export function selectExpenses(rest: SQL): Statement<ExpenseRow> {
  const joined = sql`join ${expense_categories} on ${expense_categories.id} = ${expenses.category_id}`
  return select(FIELDS, sql`from ${expenses} ${joined} ${rest}`)
}

/** Reads the expense `id`. */
export const selectExpense = prepared(() =>
  selectExpenses(sql`where ${expenses.id} = ${sql.placeholder('id')}`),
)

const selectPage = preparedAround(selectExpenses)

type Filters = z.output<typeof expenseFilters>

const CONDITIONS = {
  category_id: (id) => eq(expenses.category_id, id),
  partner_id: (id) => eq(expenses.partner_id, id),
  linked_income_id: (id) => eq(expenses.linked_income_id, id),
  contact_id: (id) => hasContact(expenses, expense_contacts, id),
  status: (value) => eq(expenses.status, value),
  auto_generated: (value) => eq(expenses.auto_generated, value),
  date: (range) => within(expenses.date, range),
  date_created: (range) => within(expenses.date_created, range),
  amount: (range) => within(expenses.amount_cents, range),
} satisfies Conditions<Filters>

/** One page of expenses, and their total; one round trip. */
export function findPage(db: Database, filters: Filters): Promise<Page<ExpenseRow>> {
  return readPage(db, expenses, pageWhere(expenses, whereClause(CONDITIONS, filters), filters), selectPage)
}
