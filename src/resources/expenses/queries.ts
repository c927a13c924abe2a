/** Reading expenses: whole records, and the pages of the list. */
import { and, desc, eq, getTableColumns, type InferSelectModel, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Database, within } from '../../db/client.ts'
import { equals, hasContact } from '../../db/conditions.ts'
import { listOf, type Page, pageWhere, readPage } from '../../db/page.ts'
import { expense_contacts, expenses } from '../../db/tables/finances.ts'
import { expense_categories } from '../../db/tables/lookups.ts'
import type { expenseFilters } from './schema.ts'

/** A stored expense with the name of its category, and its contacts, in their order. */
export interface ExpenseRow extends InferSelectModel<typeof expenses> {
  category_name: string
  contacts: number[]
}

/** Whole expenses, their contacts in a sub-select: one statement. */
export function selectExpenses(db: Database) {
  return db
    .select({
      ...getTableColumns(expenses),
      category_name: expense_categories.name,
      contacts: listOf<number>('expense_contacts', 'contact_id', 'expense_id = expenses.id'),
    })
    .from(expenses)
    .innerJoin(expense_categories, eq(expense_categories.id, expenses.category_id))
}

/** The expenses of one page, newest first, and how many match in all; one round trip. */
export function findPage(db: Database, filters: z.output<typeof expenseFilters>): Promise<Page<ExpenseRow>> {
  const where = and(
    equals(expenses.category_id, filters.category_id),
    equals(expenses.partner_id, filters.partner_id),
    equals(expenses.linked_income_id, filters.linked_income_id),
    hasContact(expenses, expense_contacts, 'expense_id', filters.contact_id),
    equals(expenses.status, filters.status),
    equals(expenses.auto_generated, filters.auto_generated),
    within(sql`${expenses.date}`, filters.date),
    within(sql`${expenses.date_created}`, filters.date_created),
    within(sql`${expenses.amount_cents}`, filters.amount),
  )
  return readPage(db, 'expenses', pageWhere('expenses', where, filters.page), (ofPage) =>
    selectExpenses(db).where(ofPage).orderBy(desc(expenses.id)),
  )
}
