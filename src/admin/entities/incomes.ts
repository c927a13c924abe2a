/** Import and export of incomes: the income object; its commissions say the ids of their expenses. */
import { asc, gt, sql } from 'drizzle-orm'
import { replaceLinkRows, upsertRows } from '../../db/bulk.ts'
import { batch, type Database, type Statement } from '../../db/client.ts'
import * as tables from '../../db/tables/finances.ts'
import { formatDateTime } from '../../fields/values.ts'
import type { Draft } from '../../http/check.ts'
import { COMMISSION_CATEGORY, storeCommissions } from '../../resources/incomes/commissions.ts'
import { type IncomeRow, selectIncomes } from '../../resources/incomes/queries.ts'
import { checkIncome, type IncomeInput, referencesOf } from '../../resources/incomes/rules.ts'
import { importedIncome, presentIncome } from '../../resources/incomes/schema.ts'
import { type Entity, entity } from '../entity.ts'
import { checkChildIds, type StoredChild, type StoredDates, selectDates, selectOwners } from './stored.ts'

interface Context {
  dates: StoredDates[]
  commissions: StoredChild[]
  /** Category of the expenses that commissions generate. */
  category: number | null
}

const incomes = entity<typeof importedIncome, Context>({
  name: 'incomes',
  schema: importedIncome,
  references: referencesOf,
  load: async (db, values) => {
    const children = values.flatMap(({ commissions }) => commissions ?? [])
    const [dates, commissions, [found]] = await batch(db, [
      selectDates(db, tables.incomes, values),
      selectOwners(db, tables.income_commissions, 'income_id', children),
      db.all<{ category: number | null }>(sql`select ${COMMISSION_CATEGORY} as category`),
    ])
    return { dates, commissions, category: found?.category ?? null }
  },
  check: (draft, { commissions, category }, earlier) => {
    checkIncome(draft, category)
    checkChildIds(draft, 'commissions', commissions, earlier)
    checkExpenseIds(draft)
  },
  store: storeIncomes,
  page: async (db, after, limit) => {
    const rows = await selectIncomes(db)
      .where(gt(tables.incomes.id, after))
      .orderBy(asc(tables.incomes.id))
      .limit(limit)
    return rows.map(exportIncome)
  },
})

export const incomeEntities: Entity[] = [incomes]

/** No two commissions of an income can have the same expense. */
function checkExpenseIds(draft: Draft<IncomeInput>): void {
  const wished = new Set<number>()
  for (const { expense_id } of draft.values.commissions ?? []) {
    if (expense_id == null) continue
    if (wished.has(expense_id)) {
      draft.refuse('commissions', `Invalid commissions: expense_id ${expense_id} stands twice`)
    }
    wished.add(expense_id)
  }
}

function storeIncomes(db: Database, lines: IncomeInput[], context: Context): Statement[] {
  const ids = lines.map(({ id }) => id)
  const now = formatDateTime(new Date())
  return [
    upsertRows(
      db,
      tables.incomes,
      lines.map((line) => columnsOf(line, context, now)),
    ),
    ...replaceLinkRows(
      db,
      tables.income_contacts,
      ['income_id', 'contact_id'],
      lines,
      (line) => line.contacts,
    ),
    ...storeCommissions(
      db,
      ids,
      lines.flatMap(({ id, commissions }) =>
        (commissions ?? []).map((commission) => ({
          id: commission.id,
          income_id: id,
          side: commission.side,
          partner_id: commission.partner_id,
          side_total_cents: commission.side_total_commission,
          partner_cents: commission.partner_commission_amount,
          expense_id: commission.expense_id ?? null,
        })),
      ),
    ),
  ]
}

/** Every column of an income's row; dates that the line leaves open keep their stored values. */
function columnsOf(line: IncomeInput, { dates }: Context, now: string) {
  const stored = dates.find(({ id }) => id === line.id)
  return {
    id: line.id,
    category: line.category,
    other_category_id: line.other_category_id ?? null,
    contract_id: line.contract_id ?? null,
    owner_side_cents: line.owner_side_amount ?? null,
    client_side_cents: line.client_side_amount ?? null,
    total_cents: line.total_amount,
    date: line.date,
    title: line.title ?? null,
    notes: line.notes ?? null,
    status: line.status,
    created_by: line.created_by,
    date_created: line.date_created ?? stored?.date_created ?? now,
    date_updated: line.date_updated === undefined ? (stored?.date_updated ?? null) : line.date_updated,
  }
}

function exportIncome(row: IncomeRow): Record<string, unknown> {
  const { commissions, contacts, ...income } = presentIncome(row)
  return {
    ...income,
    commissions: commissions.map((commission, index) => ({
      ...commission,
      expense_id: row.commissions[index]?.expense_id ?? null,
    })),
    contacts,
  }
}
