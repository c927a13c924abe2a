/** Reading incomes: whole records, and the pages of the list. */
import { and, desc, getTableColumns, type InferSelectModel, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Database, within } from '../../db/client.ts'
import { equals, hasContact } from '../../db/conditions.ts'
import { listOf, type Page, pageWhere, readPage } from '../../db/page.ts'
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
      commissions: listOf<Commission>(
        COMMISSIONS,
        `json_object('id', id, 'side', side, 'partner_id', partner_id, 'side_total_cents', side_total_cents,
          'partner_cents', partner_cents, 'expense_id', expense_id)`,
        LINK,
        'id',
      ),
      contacts: listOf<number>('income_contacts', 'contact_id', LINK),
    })
    .from(incomes)
}

/** The incomes of one page, newest first, and how many match in all; one round trip. */
export function findPage(db: Database, filters: z.output<typeof incomeFilters>): Promise<Page<IncomeRow>> {
  const where = and(
    equals(incomes.category, filters.category),
    equals(incomes.status, filters.status),
    equals(incomes.contract_id, filters.contract_id),
    hasContact(incomes, income_contacts, 'income_id', filters.contact_id),
    within(sql`${incomes.date}`, filters.date),
    within(sql`${incomes.date_created}`, filters.date_created),
    within(sql`${incomes.total_cents}`, filters.total_amount),
  )
  return readPage(db, 'incomes', pageWhere('incomes', where, filters.page), (ofPage) =>
    selectIncomes(db).where(ofPage).orderBy(desc(incomes.id)),
  )
}
