/** Incomes with their commission splits, and expenses. Every amount is in integer cents. */
import { index, integer, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { expense } from '../../catalogue/expense.ts'
import { commission, income } from '../../catalogue/income.ts'
import { columns } from '../../fields/derive.ts'
import { users } from './agency.ts'
import { contacts } from './contacts.ts'
import { linkTable } from './links.ts'
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
    index('incomes_by_deleted').on(table.is_deleted),
    index('incomes_by_category').on(table.is_deleted, table.category),
    index('incomes_by_status').on(table.is_deleted, table.status),
    index('incomes_by_contract').on(table.is_deleted, table.contract_id),
    index('incomes_by_date').on(table.is_deleted, table.date),
    index('incomes_by_date_created').on(table.is_deleted, table.date_created),
    index('incomes_by_date_updated').on(table.is_deleted, table.date_updated),
    index('incomes_by_total').on(table.is_deleted, table.total_cents),
  ],
)

export const income_contacts = linkTable(
  'income_contacts',
  { income_id: incomes.id },
  { contact_id: contacts.id },
  (table) => [index('income_contacts_by_contact').on(table.contact_id)],
)

export const income_commissions = sqliteTable(
  'income_commissions',
  {
    income_id: integer()
      .notNull()
      .references(() => incomes.id),
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
    index('expenses_by_deleted').on(table.is_deleted),
    index('expenses_by_category').on(table.is_deleted, table.category_id),
    index('expenses_by_partner').on(table.is_deleted, table.partner_id),
    index('expenses_by_income').on(table.is_deleted, table.linked_income_id),
    uniqueIndex('expenses_by_commission').on(table.linked_income_commission_id),
    index('expenses_by_status').on(table.is_deleted, table.status),
    index('expenses_by_auto_generated').on(table.is_deleted, table.auto_generated),
    index('expenses_by_date').on(table.is_deleted, table.date),
    index('expenses_by_date_created').on(table.is_deleted, table.date_created),
    index('expenses_by_date_updated').on(table.is_deleted, table.date_updated),
    index('expenses_by_amount').on(table.is_deleted, table.amount_cents),
  ],
)

export const expense_contacts = linkTable(
  'expense_contacts',
  { expense_id: expenses.id },
  { contact_id: contacts.id },
  (table) => [index('expense_contacts_by_contact').on(table.contact_id)],
)
