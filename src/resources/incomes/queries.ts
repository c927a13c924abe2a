/** Reading incomes: whole records, and the pages of the list. */
import { desc, eq, getTableColumns, type InferSelectModel, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { commission } from '../../catalogue/income.ts'
import { type Database, within } from '../../db/client.ts'
import { type Conditions, hasContact, whereOf } from '../../db/conditions.ts'
import { jsonObject, listOf, type Page, pageWhere, readPage } from '../../db/page.ts'
import { fixed, fixedAround } from '../../db/statements.ts'
import { type income_commissions, income_contacts, incomes } from '../../db/tables/finances.ts'
import type { incomeFilters } from './schema.ts'

interface Commission extends Omit<InferSelectModel<typeof income_commissions>, 'income_id'> {
  /** The expense that it generated, or that took its place. */
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

/** Whole incomes, what belongs to them in sub-selects: one statement. */
export function selectIncomes(db: Database) {
  return db
    .select({
      ...getTableColumns(incomes),
      commissions: listOf<Commission>(COMMISSIONS, jsonObject(commission, 'expense_id'), LINK, 'id'),
      contacts: listOf<number>('income_contacts', 'contact_id', LINK),
    })
    .from(incomes)
}

/** The income `id`. */
export const selectIncome = fixed((db) => selectIncomes(db).where(eq(incomes.id, sql.placeholder('id'))))

const selectPage = fixedAround((db, ofPage) => selectIncomes(db).where(ofPage).orderBy(desc(incomes.id)))

type Filters = z.output<typeof incomeFilters>

const CONDITIONS = {
  category: (value) => eq(incomes.category, value),
  status: (value) => eq(incomes.status, value),
  contract_id: (id) => eq(incomes.contract_id, id),
  contact_id: (id) => hasContact(incomes, income_contacts, 'income_id', id),
  date: (range) => within(sql`${incomes.date}`, range),
  date_created: (range) => within(sql`${incomes.date_created}`, range),
  total_amount: (range) => within(sql`${incomes.total_cents}`, range),
} satisfies Conditions<Filters>

/** The incomes of one page, newest first, and how many match in all; one round trip. */
export function findPage(db: Database, filters: Filters): Promise<Page<IncomeRow>> {
  return readPage(db, 'incomes', pageWhere('incomes', whereOf(CONDITIONS, filters), filters.page), selectPage)
}
