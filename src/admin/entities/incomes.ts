/** Import and export of incomes: the income object; its commissions say the ids of their expenses. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { COMMISSION_SIDES, INCOME_CATEGORIES, PAYMENT_STATUSES } from '../../catalogue/enums.ts'
import { replaceLinkRows, upsertRows } from '../../db/bulk.ts'
import { batch } from '../../db/client.ts'
import { isOneOf } from '../../db/conditions.ts'
import { inIdOrder } from '../../db/page.ts'
import { idList, type Reference } from '../../db/references.ts'
import { sqlStatement } from '../../db/statements.ts'
import * as tables from '../../db/tables/finances.ts'
import { amount } from '../../fields/money.ts'
import { date, dateTime, id, ids, LONG_TEXT, list, optionalText } from '../../fields/values.ts'
import type { Draft } from '../../http/check.ts'
import { COMMISSION_CATEGORY, storeCommissions } from '../../resources/incomes/commissions.ts'
import { presentIncome } from '../../resources/incomes/present.ts'
import { type IncomeRow, selectIncomes } from '../../resources/incomes/queries.ts'
import { type Entity, type Entry, entity, type Incoming } from '../entity.ts'
import { datesOfChanges } from './dates.ts'
import { checkChildIds, type StoredChild, selectOwners } from './stored.ts'

/** What import takes: the income object; a commission may name the id of its expense. */
const importedIncome = z.object({
  id: id(),
  category: z.enum(INCOME_CATEGORIES),
  other_category_id: id().nullish(),
  contract_id: id().nullish(),
  owner_side_amount: amount().nullish(),
  client_side_amount: amount().nullish(),
  total_amount: amount(),
  date: date(),
  title: optionalText().nullish(),
  notes: optionalText(LONG_TEXT).nullish(),
  status: z.enum(PAYMENT_STATUSES),
  created_by: id(),
  date_created: dateTime().nullish(),
  date_updated: dateTime().nullish(),
  commissions: list(
    z.object({
      id: id(),
      side: z.enum(COMMISSION_SIDES),
      partner_id: id(),
      side_total_commission: amount(),
      partner_commission_amount: amount(),
      expense_id: id().nullish(),
    }),
  ).nullish(),
  contacts: ids().nullish(),
})

type Imported = z.output<typeof importedIncome>

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
  read: (where, limit) => selectIncomes(inIdOrder(tables.incomes.id, where, limit)),
  present: exportIncome,
  references: referencesOf,
  load: async (db, lines) => {
    const children = lines.flatMap(({ values }) => values.commissions ?? [])
    const requested = children.flatMap(({ expense_id }) => expense_id ?? [])
    const ids = children.map(({ id }) => id)
    const { commissions, found, manual, kept } = await batch(db, {
      commissions: selectOwners(tables.income_commissions, 'income_id', children),
      found: sqlStatement<{ category: number | null }>(sql`select ${COMMISSION_CATEGORY} as category`),
      manual: sqlStatement<{ id: number }>(sql`select id from expenses where ${isOneOf(sql`id`, requested)}
        and (auto_generated = 0 or linked_income_commission_id is null)`),
      kept: sqlStatement<{ id: number }>(sql`select linked_income_commission_id as id from expenses
        where ${isOneOf(sql`linked_income_commission_id`, ids)} and +auto_generated = 0`),
    })
    return {
      commissions,
      category: found[0]?.category ?? null,
      wishes: new Map(
        children.flatMap(({ id, expense_id }) => (expense_id == null ? [] : [[expense_id, id]])),
      ),
      taken: new Set(manual.map(({ id }) => id)),
      settled: new Set(kept.map(({ id }) => id)),
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

/** Everything that `input` refers to by id. */
function referencesOf(input: Partial<Imported>): Reference[] {
  const { other_category_id, contract_id, created_by, commissions, contacts } = input
  return [
    { field: 'other_category_id', table: 'income_other_categories', ids: idList(other_category_id) },
    { field: 'contract_id', table: 'contracts', ids: idList(contract_id) },
    { field: 'created_by', table: 'users', ids: idList(created_by) },
    {
      field: 'commissions.partner_id',
      table: 'users',
      ids: (commissions ?? []).map(({ partner_id }) => partner_id),
    },
    { field: 'contacts', table: 'contacts', ids: idList(contacts) },
  ]
}

/** Notes in `draft` an id that its category needs or does not have, and commissions without a category to book them in. */
function checkIncome(draft: Draft<Imported>, expenseCategory: number | null): void {
  checkCategoryId(draft, 'other_category_id', 'other')
  checkCategoryId(draft, 'contract_id', 'contract')
  if (draft.values.commissions?.length && expenseCategory === null) {
    draft.refuse(
      'commissions',
      'Invalid commissions: there is no expense category for the expenses that they generate',
    )
  }
}

/** `field` belongs to incomes of `owner` and to no others. */
function checkCategoryId(
  draft: Draft<Imported>,
  field: 'other_category_id' | 'contract_id',
  owner: Imported['category'],
): void {
  const { category } = draft.values
  if (!category || draft.isRefused(field)) return
  const isSet = draft.values[field] != null
  if (category === owner && !isSet) draft.refuse(field, `Missing ${field}`)
  if (category !== owner && isSet) draft.refuse(field, `Invalid ${field}: only when category is ${owner}`)
}

/** No two commissions of an income can have the same expense. */
function checkExpenseIds(draft: Draft<Imported>): void {
  const wished = new Set<number>()
  for (const { expense_id } of draft.values.commissions ?? []) {
    if (expense_id == null) continue
    if (wished.has(expense_id)) {
      draft.refuse('commissions', `Invalid commissions: expense_id ${expense_id} stands twice`)
    }
    wished.add(expense_id)
  }
}

function storeIncomes(entries: Entry<IncomeRow>[]) {
  const rows = entries.map(({ row }) => row)
  return [
    ...upsertRows(tables.incomes, rows),
    ...replaceLinkRows(tables.income_contacts, rows, ({ contacts }) => contacts),
    ...storeCommissions(
      rows.map(({ id }) => id),
      rows.flatMap(({ id: income_id, commissions }) =>
        commissions.map((commission) => ({ income_id, ...commission })),
      ),
    ),
  ]
}

function resolveLine(
  values: Imported,
  context: Context,
  { stored }: Incoming<Imported, IncomeRow>,
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
    ...datesOfChanges(values, stored, now),
    commissions: commissionsOf(values, context, stored),
    contacts: values.contacts ?? [],
  }
}

/** In the order in which they are read; a wish for an expense that cannot be granted counts as none. */
function commissionsOf(
  { commissions }: Imported,
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
