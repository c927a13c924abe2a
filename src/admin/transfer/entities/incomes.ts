/** Import and export of incomes: the income object. Its commissions include the ids of their expenses. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { commission, type income } from '../../../catalogue/income.ts'
import { batch } from '../../../db/client.ts'
import { isOneOf } from '../../../db/conditions.ts'
import { fieldReferences, idList } from '../../../db/references.ts'
import { sqlStatement } from '../../../db/statements.ts'
import * as tables from '../../../db/tables/finances.ts'
import { inputs, present, toRow } from '../../../fields/derive.ts'
import type { Values } from '../../../fields/field.ts'
import { id, list } from '../../../fields/values.ts'
import type { Draft } from '../../../http/request/check.ts'
import { COMMISSION_CATEGORY, storeCommissions } from '../../../resources/incomes/commissions.ts'
import { type IncomeRow, incomes as plainIncomes } from '../../../resources/incomes/resource.ts'
import { checkCategoryIds, checkExpenseCategory } from '../../../resources/incomes/rules.ts'
import { checkChildIds, type StoredChild, selectOwners } from '../../../resources/plain/children.ts'
import { defaultOf, type Entity, type StoredLine } from '../entity.ts'
import { entityOf } from '../plain.ts'

/** The commissions of a line. Each may name the id of its expense. */
const commissions = {
  ...plainIncomes.parts.commissions,
  input: list(
    z.object({
      ...inputs(commission),
      expense_id: id().nullish().describe('Id that the generated expense gets'),
    }),
  )
    .nullish()
    .describe('Shares of agents; each generates an expense'),
  references: (sent: Sent) =>
    (sent ?? []).flatMap((line) => fieldReferences(commission, line, 'commissions.')),
  nestedIds: (sent: Sent) =>
    (sent ?? []).flatMap(({ id, expense_id }, index) => [
      { field: `commissions.${index}.id`, table: 'income_commissions', ids: [id] },
      { field: `commissions.${index}.expense_id`, table: 'expenses', ids: idList(expense_id) },
    ]),
}

const presentCommission = (one: IncomeRow['commissions'][number]) => ({
  ...present(commission, one),
  expense_id: one.expense_id,
})

type Sent = (Values<typeof commission> & { expense_id?: number | null | undefined })[] | null | undefined

type Imported = Values<typeof income> & { commissions?: Sent }

/** What the category of the expenses that commissions generate depends on. */
export const COMMISSION_DEFAULTS = defaultOf('partner_commission_category_id', 'expense_categories')

interface Context {
  commissions: StoredChild[]
  /** Category of the expenses that commissions generate. */
  category: number | null
  /** By requested expense id, the last commission that requests it. */
  requestedExpenseIds: Map<number, number>
  /** Requested ids that belong to manual expenses: these keep their ids. */
  takenExpenseIds: Set<number>
  /** Commissions with a manual expense, which keeps its id. */
  commissionsWithManualExpense: Set<number>
}

const plain = entityOf({ ...plainIncomes, parts: { ...plainIncomes.parts, commissions } })

export const incomes: Entity = {
  ...plain,
  present: (row: IncomeRow) => ({
    ...plain.present(row),
    commissions: row.commissions.map(presentCommission),
  }),
  isSurveyed: true,
  dependences: ({ id, commissions }: Partial<Imported>, isKnown) => {
    const isStored = isKnown(`incomes ${id}`)
    if (!commissions?.length && !isStored) return {}
    // An expense without a free id of its own gets the next one of all.
    const takesNext = (commissions ?? []).some(
      ({ expense_id }) => expense_id == null || isKnown(`expenses ${expense_id}`),
    )
    return {
      reads: [...COMMISSION_DEFAULTS, ...(isStored || takesNext ? ['expenses *'] : [])],
      adds: ['expenses *'],
    }
  },
  load: async (db, lines: { values: Partial<Imported> }[]): Promise<Context> => {
    const children = lines.flatMap(({ values }) => values.commissions ?? [])
    const requested = children.flatMap(({ expense_id }) => expense_id ?? [])
    const ids = children.map(({ id }) => id)
    const { commissions, categories, taken, manual } = await batch(db, {
      commissions: selectOwners(tables.income_commissions, 'income_id', ids),
      categories: sqlStatement<{ category: number | null }>(sql`select ${COMMISSION_CATEGORY} as category`),
      taken: sqlStatement<{ id: number }>(sql`select id from expenses where ${isOneOf(sql`id`, requested)}
        and (auto_generated = 0 or linked_income_commission_id is null)`),
      // `+` keeps SQLite from using the index of auto_generated.
      manual: sqlStatement<{ id: number }>(sql`select linked_income_commission_id as id from expenses
        where ${isOneOf(sql`linked_income_commission_id`, ids)} and +auto_generated = 0`),
    })
    return {
      commissions,
      category: categories[0]?.category ?? null,
      requestedExpenseIds: new Map(
        children.flatMap(({ id, expense_id }) => (expense_id == null ? [] : [[expense_id, id]])),
      ),
      takenExpenseIds: new Set(taken.map(({ id }) => id)),
      commissionsWithManualExpense: new Set(manual.map(({ id }) => id)),
    }
  },
  check: (draft, { commissions, category }, _, earlier) => {
    checkCategoryIds(draft, draft.values)
    if (draft.values.commissions?.length) checkExpenseCategory(draft, category)
    checkChildIds(draft, 'commissions', commissions, earlier)
    checkExpenseIds(draft)
  },
  resolve: (values: Imported, context: Context, line, now) => ({
    ...plain.resolve(values, context, line, now),
    commissions: commissionsOf(values, context, line.stored),
  }),
  store: (entries: StoredLine<IncomeRow>[], context, kept) => [
    ...plain.store(entries, context, kept),
    ...storeCommissions(
      entries.map(({ row }) => row.id),
      entries.flatMap(({ row: { id: income_id, commissions } }) =>
        commissions.map((one) => ({ income_id, ...one })),
      ),
    ),
  ],
}

/** No two commissions of an income can have the same expense. */
function checkExpenseIds(draft: Draft<Imported>): void {
  const requested = new Set<number>()
  for (const { expense_id } of draft.values.commissions ?? []) {
    if (expense_id == null) continue
    if (requested.has(expense_id)) {
      draft.refuse('commissions', `Invalid commissions: expense_id ${expense_id} stands twice`)
    }
    requested.add(expense_id)
  }
}

/** The commissions in the order in which they are read. A requested expense id that is not available is ignored. */
function commissionsOf(
  { commissions }: Imported,
  { requestedExpenseIds, takenExpenseIds, commissionsWithManualExpense }: Context,
  stored: IncomeRow | null,
): IncomeRow['commissions'] {
  const expenses = new Map(stored?.commissions.map(({ id, expense_id }) => [id, expense_id]))
  return (commissions ?? [])
    .map((line) => {
      const { id, expense_id } = line
      const before = expenses.get(id) ?? null
      const isGranted =
        expense_id != null &&
        requestedExpenseIds.get(expense_id) === id &&
        !takenExpenseIds.has(expense_id) &&
        !commissionsWithManualExpense.has(id)
      return { ...toRow(commission, line), expense_id: isGranted ? expense_id : before }
    })
    .toSorted((a, b) => a.id - b.id)
}
