/** Import and export of expenses: the expense object without the name of its category. */
import { asc, gt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { replaceLinkRows, upsertRows } from '../../db/bulk.ts'
import { batch, type Database, type Statement } from '../../db/client.ts'
import { idList } from '../../db/references.ts'
import * as tables from '../../db/tables/finances.ts'
import { formatDateTime } from '../../fields/values.ts'
import type { Draft } from '../../http/check.ts'
import { selectExpenses } from '../../resources/expenses/queries.ts'
import { importedExpense, presentExpense } from '../../resources/expenses/schema.ts'
import { generateMissing, makeWay } from '../../resources/incomes/commissions.ts'
import { type Entity, entity } from '../entity.ts'
import { type StoredChild, type StoredDates, selectDates, selectOwners } from './stored.ts'

type Imported = z.output<typeof importedExpense>

interface Context {
  dates: StoredDates[]
  /** The incomes of commissions. */
  commissions: StoredChild[]
  /** Expenses of commissions: those that the lines replace, and those of the same ids. */
  linked: Linked[]
}

interface Linked {
  id: number
  linked_income_id: number | null
  linked_income_commission_id: number
  auto_generated: number | boolean
}

const expenses = entity<typeof importedExpense, Context>({
  name: 'expenses',
  schema: importedExpense,
  references: (values) => [
    { field: 'category_id', table: 'expense_categories', ids: idList(values.category_id) },
    { field: 'partner_id', table: 'users', ids: idList(values.partner_id) },
    { field: 'linked_income_id', table: 'incomes', ids: idList(values.linked_income_id) },
    {
      field: 'linked_income_commission_id',
      table: 'income_commissions',
      ids: idList(values.linked_income_commission_id),
    },
    { field: 'created_by', table: 'users', ids: idList(values.created_by) },
    { field: 'contacts', table: 'contacts', ids: idList(values.contacts) },
  ],
  load: async (db, values) => {
    const ids = JSON.stringify(values.map(({ id }) => id ?? 0))
    const wanted = values.flatMap(({ linked_income_commission_id }) => idList(linked_income_commission_id))
    const [dates, commissions, linked] = await batch(db, [
      selectDates(db, tables.expenses, values),
      selectOwners(
        db,
        tables.income_commissions,
        'income_id',
        wanted.map((id) => ({ id })),
      ),
      db.all<Linked>(sql`select id, linked_income_id, linked_income_commission_id, auto_generated from expenses
        where linked_income_commission_id in (select value from json_each(${JSON.stringify(wanted)}))
          or (id in (select value from json_each(${ids})) and linked_income_commission_id is not null)`),
    ])
    return { dates, commissions, linked }
  },
  check: checkCommission,
  store: storeExpenses,
  page: async (db, after, limit) => {
    const rows = await selectExpenses(db)
      .where(gt(tables.expenses.id, after))
      .orderBy(asc(tables.expenses.id))
      .limit(limit)
    return rows.map((row) => {
      const { category_name, ...expense } = presentExpense(row)
      return expense
    })
  },
})

export const expenseEntities: Entity[] = [expenses]

/** A commission belongs to the linked income, and has one expense: a line takes the place of a generated one only. */
function checkCommission(draft: Draft<Imported>, context: Context, earlier: Imported[]): void {
  const { id, linked_income_id, linked_income_commission_id: commission } = draft.values
  if (commission == null || draft.isRefused('linked_income_commission_id')) return
  const income = context.commissions.find((stored) => stored.id === commission)?.owner
  if (linked_income_id == null) draft.values.linked_income_id = income ?? null
  else if (linked_income_id !== income && !draft.isRefused('linked_income_id')) {
    const message = `commission ${commission} is not part of income ${linked_income_id}`
    draft.refuse('linked_income_commission_id', `Invalid linked_income_commission_id: ${message}`)
  }
  const holder = holderOf(commission, context, earlier)
  if (holder && holder.id !== id && !holder.auto_generated) {
    const message = `commission ${commission} has the expense ${holder.id} already`
    draft.refuse('linked_income_commission_id', `Invalid linked_income_commission_id: ${message}`)
  }
}

/** The expense of a commission once the `earlier` lines are stored. */
function holderOf(commission: number, { linked }: Context, earlier: Imported[]) {
  const line = earlier.findLast((other) => other.linked_income_commission_id === commission)
  if (line) return line
  const stored = linked.find((expense) => expense.linked_income_commission_id === commission)
  return earlier.some(({ id }) => id === stored?.id) ? undefined : stored
}

function storeExpenses(db: Database, lines: Imported[], context: Context): Statement[] {
  const now = formatDateTime(new Date())
  const rows = lines.map((line) => columnsOf(line, context, now))
  return [
    ...makeWay(db, rows),
    upsertRows(db, tables.expenses, rows),
    ...replaceLinkRows(
      db,
      tables.expense_contacts,
      ['expense_id', 'contact_id'],
      lines,
      (line) => line.contacts,
    ),
    // A line that no longer names its commission leaves it without an expense.
    generateMissing(
      db,
      context.linked.flatMap(({ linked_income_id }) => linked_income_id ?? []),
    ),
  ]
}

/** Every column of an expense's row; dates that the line leaves open keep their stored values. */
function columnsOf(line: Imported, { dates }: Context, now: string) {
  const stored = dates.find(({ id }) => id === line.id)
  return {
    id: line.id,
    category_id: line.category_id,
    partner_id: line.partner_id ?? null,
    linked_income_id: line.linked_income_id ?? null,
    linked_income_commission_id: line.linked_income_commission_id ?? null,
    auto_generated: line.auto_generated ?? false,
    amount_cents: line.amount,
    date: line.date,
    title: line.title ?? null,
    notes: line.notes ?? null,
    status: line.status,
    created_by: line.created_by,
    date_created: line.date_created ?? stored?.date_created ?? now,
    date_updated: line.date_updated === undefined ? (stored?.date_updated ?? null) : line.date_updated,
  }
}
