/** Reads expenses: whole records. */
import { getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import { isNotDeleted } from '../../db/references.ts'
import { linkedIds } from '../../db/relations.ts'
import { prepared, type Statement, select } from '../../db/statements.ts'
import { expense_contacts, expenses } from '../../db/tables/finances.ts'
import { expense_categories } from '../../db/tables/lookups.ts'

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
  selectExpenses(sql`where ${expenses.id} = ${sql.placeholder('id')} and ${isNotDeleted}`),
)

/** Reads the expense `id` for a write: with whether it follows the commission of an income that is there. */
export const selectWrittenExpense = prepared(() =>
  select(
    {
      ...FIELDS,
      follows: sql<number>`${expenses.linked_income_commission_id} is not null and exists (
        select 1 from incomes where incomes.id = ${expenses.linked_income_id} and incomes.is_deleted = 0)`,
    },
    sql`from ${expenses} join ${expense_categories} on ${expense_categories.id} = ${expenses.category_id}
      where ${expenses.id} = ${sql.placeholder('id')} and expenses.is_deleted = 0`,
  ),
)
