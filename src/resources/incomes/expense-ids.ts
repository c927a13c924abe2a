/**
 * The ids of expenses that commissions generate. A commission of an import may name the id of its expense, and an expense of an
 * import keeps its own: generated ones in the way get others. The id of one that goes is given to no other.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { commission } from '../../catalogue/income.ts'
import { deleteRows, updateRows } from '../../db/effects.ts'
import { highestIdOf, keepIds } from '../../db/id-floors.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { expenses } from '../../db/tables/finances.ts'
import { enterChangesWhere, enterSelected, jsonNames, MARKED_AS_DELETED } from '../../db/trail.ts'
import type { Row } from '../../fields/field.ts'

/** A commission of an income. */
export interface Commission extends Row<typeof commission> {
  income_id: number
  /** The id that its expense should have; null for any id. */
  expense_id: number | null
}

/** An expense of an import that is stored under its own id. */
export interface ExplicitExpense {
  id: number
  linked_income_commission_id: number | null
}

/**
 * Statements that free the ids for `explicit` expenses, which are stored afterwards. If an explicit expense belongs to
 * a commission, the generated expense of that commission is deleted. If a generated expense of another commission has
 * its id, that expense is renumbered.
 */
export function freeExpenseIds(explicit: ExplicitExpense[]): Statement[] {
  const lines = sql`json_each(${JSON.stringify(explicit)}) line`
  const replaced = sql`select expense.id from ${lines} join expenses expense
    on expense.linked_income_commission_id = line.value ->> 'linked_income_commission_id'
    where +expense.auto_generated = 1 and expense.id <> line.value ->> 'id'`
  return [
    ...deleteExpenses(replaced),
    ...renumber(
      sql`select expense.id as old, top.id + row_number() over (order by expense.id) as new
        from ${lines} join expenses expense on expense.id = line.value ->> 'id', (${highestId(explicit)}) top
        where +expense.auto_generated = 1 and expense.linked_income_commission_id is not null
          and expense.linked_income_commission_id is not line.value ->> 'linked_income_commission_id'`,
    ),
  ]
}

/**
 * Statements that assign to generated expenses the ids that their commissions request. Expenses that have these ids get
 * new ones.
 */
export function renumberRequested(commissions: Commission[]): Statement[] {
  const requesting = commissions.filter(({ expense_id }) => expense_id !== null)
  if (requesting.length === 0) return []
  return renumber(
    sql`with requested as (${requestedExpenseIds(requesting)})
      select expense.id as old,
        coalesce(requested.expense_id,
          top.id + row_number() over (partition by requested.expense_id is null order by expense.id)) as new
      from expenses expense left join requested on requested.commission_id = expense.linked_income_commission_id,
        (${highestId(requesting.map(({ expense_id }) => ({ id: expense_id ?? 0 })))}) top
      where (expense.linked_income_commission_id in (select commission_id from requested)
          or expense.id in (select expense_id from requested))
        and requested.expense_id is not expense.id`,
  )
}

/**
 * SQL for the requested ids that can be granted: free ones, and those of generated expenses, which are renumbered. If
 * several commissions request the same id, the last one gets it. A commission can request an id only if its expense is
 * generated or does not exist yet.
 */
export function requestedExpenseIds(commissions: Commission[]): SQL {
  const byExpense = new Map(commissions.map(({ id, expense_id }) => [expense_id, id]))
  byExpense.delete(null)
  return sql`select value ->> 1 as commission_id, value ->> 0 as expense_id
    from json_each(${JSON.stringify([...byExpense])})
    where not exists (select 1 from expenses where id = value ->> 0
        and (auto_generated = 0 or linked_income_commission_id is null))
      and not exists (select 1 from expenses where linked_income_commission_id = value ->> 1 and auto_generated = 0)`
}

/** Statements that change the ids of expenses. `moves` is a select of `old` and `new` ids. */
function renumber(moves: SQL): Statement[] {
  return [
    enterSelected(
      expenses,
      sql`(select move.new as id from (${moves}) move union select move.old from (${moves}) move) moved`,
      { id: sql`moved.id`, version: sql`null`, others: jsonNames('id') },
    ),
    // The contacts of an expense are updated before the expense itself.
    sqlStatement(sql`pragma defer_foreign_keys = on`),
    // With negative ids in between, as a new id may belong to an expense that has not moved yet.
    sqlStatement(sql`update expense_contacts set expense_id = -move.new from (${moves}) move
      where expense_contacts.expense_id = move.old`),
    updateRows(
      expenses,
      { id: sql`-move.new` },
      { from: sql`(${moves}) move`, where: sql`expenses.id = move.old` },
    ),
    sqlStatement(sql`update expense_contacts set expense_id = -expense_id where expense_id < 0`),
    updateRows(expenses, { id: sql`-id` }, { where: sql`id < 0` }),
  ]
}

/** The statements that delete the expenses that the select `ids` has. */
export function deleteExpenses(ids: SQL): Statement[] {
  return [
    enterChangesWhere(expenses, sql`id in (${ids})`, MARKED_AS_DELETED),
    sqlStatement(sql`delete from expense_contacts where expense_id in (${ids})`),
    keepIds('expenses', sql`id in (${ids})`),
    deleteRows(expenses, sql`id in (${ids})`),
  ]
}

/** SQL for the highest id of all expenses, stored or about to be stored. */
export function highestId(expenses: { id: number }[]): SQL {
  return highestIdOf(
    'expenses',
    expenses.reduce((top, { id }) => Math.max(top, id), 0),
  )
}
