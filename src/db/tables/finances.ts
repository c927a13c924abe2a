/** Incomes with their commission splits, and expenses. Every amount is in integer cents. */
import { index, integer, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { expense } from '../../catalogue/expense.ts'
import { commission, income } from '../../catalogue/income.ts'
import { columns } from '../../fields/derive.ts'
import { users } from './agency.ts'
import { contacts } from './contacts.ts'
import { indexesBy } from './indexes.ts'
import { idOf, linkTable } from './links.ts'
import { expense_categories, income_other_categories } from './lookups.ts'
import { contracts } from './offers.ts'

export const incomes = sqliteTable(
  'incomes',
  {
    ...columns(income, { income_other_categories, contracts, users }),
    version: integer().notNull().default(1),
    is_deleted: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    ...indexesBy('incomes', table, ['is_deleted', 'category', 'status', 'contract_id', 'date']),
    ...indexesBy('incomes', table, ['date_created', 'date_updated', 'total_cents']),
  ],
)

export const income_contacts = linkTable('income_contacts', { income_id: incomes, contact_id: contacts }, [
  ['contact_id'],
])

export const income_commissions = sqliteTable(
  'income_commissions',
  {
    income_id: idOf(incomes),
    ...columns(commission, { users }),
  },
  (table) => [index('income_commissions_by_income').on(table.income_id)],
)

export const expenses = sqliteTable(
  'expenses',
  {
    ...columns(expense, { expense_categories, users, incomes, income_commissions }),
    version: integer().notNull().default(1),
    is_deleted: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    ...indexesBy('expenses', table, ['is_deleted', 'category_id', 'partner_id', 'status', 'auto_generated']),
    ...indexesBy('expenses', table, ['date', 'date_created', 'date_updated', 'amount_cents']),
    index('expenses_by_income').on(table.is_deleted, table.linked_income_id),
    uniqueIndex('expenses_by_commission').on(table.linked_income_commission_id),
  ],
)

export const expense_contacts = linkTable(
  'expense_contacts',
  { expense_id: expenses, contact_id: contacts },
  [['contact_id']],
)
