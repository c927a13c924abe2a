/** Import and export of incomes: the income object; its commissions say the ids of their expenses. */
import { asc, sql } from 'drizzle-orm'
import { replaceLinkRows, upsertRows } from '../../db/bulk.ts'
import { batch, type Database } from '../../db/client.ts'
import * as tables from '../../db/tables/finances.ts'
import type { Draft } from '../../http/check.ts'
import { COMMISSION_CATEGORY, storeCommissions } from '../../resources/incomes/commissions.ts'
import { presentIncome } from '../../resources/incomes/present.ts'
import { type IncomeRow, selectIncomes } from '../../resources/incomes/queries.ts'
import { checkIncome, type IncomeInput, referencesOf } from '../../resources/incomes/rules.ts'
import { importedIncome } from '../../resources/incomes/schema.ts'
import { type Entity, type Entry, entity, type Incoming } from '../entity.ts'
import { checkChildIds, type StoredChild, selectOwners } from './stored.ts'

interface Context {
  commissions: StoredChild[]
  /** Category of the expenses that commissions generate. */
  category: number | null
  /** By id of an expense, the last commission that wishes for it. */
  wishes: Map<number, number>
  /** Wished ids that expenses have which nobody generated: these do not give way. */
  taken: Set<number>
  /** Commissions whose expense was not generated: it keeps its id. */
  settled: Set<number>
}

const incomes = entity<typeof importedIncome, IncomeRow, Context>({
  name: 'incomes',
  schema: importedIncome,
  read: (db, where, limit) => selectIncomes(db).where(where).orderBy(asc(tables.incomes.id)).limit(limit),
  present: exportIncome,
  references: referencesOf,
  load: async (db, lines) => {
    const children = lines.flatMap(({ values }) => values.commissions ?? [])
    const wished = JSON.stringify(children.flatMap(({ expense_id }) => expense_id ?? []))
    const ids = JSON.stringify(children.map(({ id }) => id))
    const [commissions, [found], taken, settled] = await batch(db, [
      selectOwners(db, tables.income_commissions, 'income_id', children),
      db.all<{ category: number | null }>(sql`select ${COMMISSION_CATEGORY} as category`),
      db.all<{ id: number }>(sql`select id from expenses where id in (select value from json_each(${wished}))
        and (auto_generated = 0 or linked_income_commission_id is null)`),
      db.all<{ id: number }>(sql`select linked_income_commission_id as id from expenses
        where linked_income_commission_id in (select value from json_each(${ids})) and +auto_generated = 0`),
    ])
    return {
      commissions,
      category: found?.category ?? null,
      wishes: new Map(
        children.flatMap(({ id, expense_id }) => (expense_id == null ? [] : [[expense_id, id]])),
      ),
      taken: new Set(taken.map(({ id }) => id)),
      settled: new Set(settled.map(({ id }) => id)),
    }
  },
  check: (draft, { commissions, category }, _, earlier) => {
    checkIncome(draft, category)
    checkChildIds(draft, 'commissions', commissions, earlier)
    checkExpenseIds(draft)
  },
  resolve: resolveLine,
  store: storeIncomes,
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

function storeIncomes(db: Database, entries: Entry<IncomeRow>[]) {
  const rows = entries.map(({ row }) => row)
  return [
    ...upsertRows(db, tables.incomes, rows),
    ...replaceLinkRows(
      db,
      tables.income_contacts,
      ['income_id', 'contact_id'],
      rows,
      ({ contacts }) => contacts,
    ),
    ...storeCommissions(
      db,
      rows.map(({ id }) => id),
      rows.flatMap(({ id: income_id, commissions }) =>
        commissions.map((commission) => ({ income_id, ...commission })),
      ),
    ),
  ]
}

/** Dates that the line leaves open keep their stored values in any case. */
function resolveLine(
  values: IncomeInput,
  context: Context,
  { stored }: Incoming<IncomeInput, IncomeRow>,
  now: string,
): IncomeRow {
  return {
    id: values.id,
    category: values.category,
    other_category_id: values.other_category_id ?? null,
    contract_id: values.contract_id ?? null,
    owner_side_cents: values.owner_side_amount ?? null,
    client_side_cents: values.client_side_amount ?? null,
    total_cents: values.total_amount,
    date: values.date,
    title: values.title ?? null,
    notes: values.notes ?? null,
    status: values.status,
    created_by: values.created_by,
    date_created: values.date_created ?? stored?.date_created ?? now,
    date_updated: values.date_updated === undefined ? (stored?.date_updated ?? null) : values.date_updated,
    commissions: commissionsOf(values, context, stored),
    contacts: values.contacts ?? [],
  }
}

/** In the order in which they are read; a wish for an expense that cannot be granted counts as none. */
function commissionsOf(
  { commissions }: IncomeInput,
  { wishes, taken, settled }: Context,
  stored: IncomeRow | null,
): IncomeRow['commissions'] {
  const expenses = new Map(stored?.commissions.map(({ id, expense_id }) => [id, expense_id]))
  return (commissions ?? [])
    .map(({ id, expense_id, ...commission }) => {
      const before = expenses.get(id) ?? null
      const isGranted =
        expense_id != null && wishes.get(expense_id) === id && !taken.has(expense_id) && !settled.has(id)
      return {
        id,
        side: commission.side,
        partner_id: commission.partner_id,
        side_total_cents: commission.side_total_commission,
        partner_cents: commission.partner_commission_amount,
        expense_id: isGranted ? expense_id : before,
      }
    })
    .toSorted((a, b) => a.id - b.id)
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
