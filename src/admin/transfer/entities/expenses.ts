/** Import and export of expenses: the expense object without `category_name`. */
import { sql } from 'drizzle-orm'
import type { expense } from '../../../catalogue/expense.ts'
import { batch } from '../../../db/client.ts'
import { isOneOf } from '../../../db/conditions.ts'
import { idList } from '../../../db/references.ts'
import { sqlStatement } from '../../../db/statements.ts'
import * as tables from '../../../db/tables/finances.ts'
import type { Values } from '../../../fields/field.ts'
import type { Draft } from '../../../http/request/check.ts'
import { type ExpenseRow, expenses as plainExpenses } from '../../../resources/expenses/resource.ts'
import { generateMissingExpenses } from '../../../resources/incomes/commissions.ts'
import { freeExpenseIds } from '../../../resources/incomes/expense-ids.ts'
import { type StoredChild, selectOwners } from '../../../resources/plain/children.ts'
import type { Entity, StoredLine } from '../entity.ts'
import { entityOf } from '../plain.ts'
import { COMMISSION_DEFAULTS } from './incomes.ts'

type Imported = Values<typeof expense>

interface Context {
  /** Stored commissions that lines name, with their incomes. */
  commissions: StoredChild[]
  /** Stored expenses of commissions, with the same commission or the same id as a line. */
  linked: Linked[]
}

/** A stored expense of a commission. */
interface Linked {
  id: number
  linked_income_id: number | null
  linked_income_commission_id: number
  auto_generated: number | boolean
}

const plain = entityOf(plainExpenses)

export const expenses: Entity = {
  ...plain,
  isDifferentRecord,
  isSurveyed: true,
  dependences: ({ id, linked_income_commission_id: commission }, isKnown) => {
    // It may take the place of an expense that a commission generated, which then gets the next id of all, or is made anew.
    const replaces = commission != null || isKnown(`expenses ${id}`)
    return replaces
      ? {
          reads: [`income_commissions ${commission}`, ...COMMISSION_DEFAULTS, 'expenses *'],
          adds: ['expenses *'],
        }
      : {}
  },
  load: async (db, lines: { values: Partial<Imported> }[]): Promise<Context> => {
    const values = lines.map((line) => line.values)
    const ids = values.map(({ id }) => id ?? 0)
    const requested = values.flatMap(({ linked_income_commission_id }) => idList(linked_income_commission_id))
    return batch(db, {
      commissions: selectOwners(tables.income_commissions, 'income_id', requested),
      linked:
        sqlStatement<Linked>(sql`select id, linked_income_id, linked_income_commission_id, auto_generated
        from expenses where ${isOneOf(sql`linked_income_commission_id`, requested)}
          or (${isOneOf(sql`id`, ids)} and linked_income_commission_id is not null)`),
    })
  },
  check: (draft, context, _, earlier) => checkCommission(draft, context, earlier),
  store: (entries: StoredLine<ExpenseRow>[], context: Context, kept) => [
    ...freeExpenseIds(
      entries.map(({ row: { id, linked_income_commission_id } }) => ({ id, linked_income_commission_id })),
    ),
    ...plain.store(entries, context, kept),
    // Commissions whose expense now belongs to another commission or to none need a new one.
    ...generateMissingExpenses(context.linked.flatMap(({ linked_income_id }) => linked_income_id ?? [])),
  ],
}

/**
 * Whether a line is not the generated expense with its id: it is complete and names no or another commission. The line
 * then takes the id, and the generated expense gets a new one.
 */
function isDifferentRecord(data: Record<string, unknown>, stored: ExpenseRow): boolean {
  const { linked_income_commission_id: commission, auto_generated } = stored
  const isGenerated = auto_generated && commission !== null
  return isGenerated && (data.linked_income_commission_id ?? null) !== commission && isComplete(data)
}

/** Whether a line has all that a new expense needs. */
function isComplete(data: Record<string, unknown>): boolean {
  return ['category_id', 'amount', 'date', 'status', 'created_by'].every((key) => data[key] != null)
}

/**
 * Refuses a commission that is not part of the linked income, or that has another expense which was not generated. A line
 * without an income gets that of its commission.
 */
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
