/**
 * Commission splits make expenses: one for each commission of an income, with its amount, the income's date and
 * status, and the account's partner-commission category.
 *
 *     await batch(db, { rows: upsertRows(incomes, rows), commissions: storeCommissions([7], commissionsOf7) })
 *
 * An expense follows its income while it is pending; once confirmed it stays as it is. Everything is decided by the
 * statements themselves, so it holds whatever else the batch has written before. In them `+column` keeps SQLite from
 * the indexes of flags, which would have it read every generated expense.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { commission } from '../../catalogue/income.ts'
import { upsertRows } from '../../db/bulk.ts'
import { isOneOf } from '../../db/conditions.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { income_commissions } from '../../db/tables/finances.ts'
import type { Row } from '../../fields/field.ts'
import { formatDateTime } from '../../fields/values.ts'

/** A commission of an income. */
export interface Commission extends Row<typeof commission> {
  income_id: number
  /** The id that its expense is to have; null: any. */
  expense_id: number | null
}

/** An expense about to be stored under an id of its own choice. */
export interface ExplicitExpense {
  id: number
  linked_income_commission_id: number | null
}

/** Category of generated expenses: the setting, else the lowest; null while there is none at all. */
export const COMMISSION_CATEGORY = sql`coalesce(
  (select cast(value as integer) from settings where key = 'partner_commission_category_id'),
  (select min(id) from expense_categories))`

/**
 * Makes `commissions` the whole commissions of `incomes`, which the batch has stored before, and lets the expenses
 * follow. The pending expense of a commission that is gone goes too, a confirmed one stays without its commission.
 */
export function storeCommissions(incomes: number[], commissions: Commission[]): Statement[] {
  const rows = commissions.map(({ expense_id, ...row }) => row)
  return [
    ...deleteMissingCommissions(incomes, commissions),
    ...(rows.length > 0 ? upsertRows(income_commissions, rows) : []),
    ...renumberRequested(commissions),
    updatePendingExpenses(incomes),
    generateMissingExpenses(incomes, commissions),
  ]
}

/**
 * Makes way for `explicit`, to be stored after this: of what was generated, the expense of a commission that one of
 * them takes is deleted, and one that has the id of another is renumbered.
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

/** Generates the expenses that the commissions of `incomes` lack. */
export function generateMissingExpenses(incomes: number[], commissions: Commission[] = []): Statement {
  return sqlStatement(sql`
    insert into expenses (id, category_id, partner_id, linked_income_id, linked_income_commission_id,
      auto_generated, amount_cents, date, status, created_by, date_created)
    with wish as (${requestedExpenseIds(commissions)})
    select coalesce(wish.expense_id, top.id + row_number() over (partition by wish.expense_id is null order by commission.id)),
      ${COMMISSION_CATEGORY}, commission.partner_id, income.id, commission.id,
      1, commission.partner_cents, income.date, income.status, income.created_by, income.date_created
    from income_commissions commission
      join incomes income on income.id = commission.income_id
      left join wish on wish.commission_id = commission.id,
      (${highestId(commissions.map(({ expense_id }) => ({ id: expense_id ?? 0 })))}) top
    where ${isOneOf(sql`commission.income_id`, incomes)}
      and not exists (select 1 from expenses where linked_income_commission_id = commission.id)`)
}

function deleteMissingCommissions(incomes: number[], commissions: Commission[]): Statement[] {
  const kept = JSON.stringify(commissions.map(({ id, income_id }) => [id, income_id]))
  const gone = sql`select id from income_commissions where ${isOneOf(sql`income_id`, incomes)}
    and (id, income_id) not in (select value ->> 0, value ->> 1 from json_each(${kept}))`
  return [
    ...deleteExpenses(
      sql`select id from expenses
        where linked_income_commission_id in (${gone}) and +auto_generated = 1 and +status = 'pending'`,
    ),
    sqlStatement(sql`update expenses set linked_income_commission_id = null, date_updated = ${now()}
      where linked_income_commission_id in (${gone})`),
    sqlStatement(sql`delete from income_commissions where id in (${gone})`),
  ]
}

function updatePendingExpenses(incomes: number[]): Statement {
  return sqlStatement(sql`
    update expenses set category_id = wanted.category_id, partner_id = wanted.partner_id,
      amount_cents = wanted.partner_cents, date = wanted.date, status = wanted.status, date_updated = ${now()}
    from (
      select commission.id, ${COMMISSION_CATEGORY} as category_id, commission.partner_id, commission.partner_cents,
        income.date, income.status
      from income_commissions commission join incomes income on income.id = commission.income_id
      where ${isOneOf(sql`income.id`, incomes)}
    ) wanted
    where expenses.linked_income_commission_id = wanted.id
      and +expenses.auto_generated = 1 and +expenses.status = 'pending'
      and (expenses.category_id, expenses.partner_id, expenses.amount_cents, expenses.date, expenses.status)
        is not (wanted.category_id, wanted.partner_id, wanted.partner_cents, wanted.date, wanted.status)`)
}

/** Gives generated expenses the ids that their commissions wish for; others in the way get new ones. */
function renumberRequested(commissions: Commission[]): Statement[] {
  const requesting = commissions.filter(({ expense_id }) => expense_id !== null)
  if (requesting.length === 0) return []
  return renumber(
    sql`with wish as (${requestedExpenseIds(requesting)})
      select expense.id as old,
        coalesce(wish.expense_id, top.id + row_number() over (partition by wish.expense_id is null order by expense.id)) as new
      from expenses expense left join wish on wish.commission_id = expense.linked_income_commission_id,
        (${highestId(requesting.map(({ expense_id }) => ({ id: expense_id ?? 0 })))}) top
      where (expense.linked_income_commission_id in (select commission_id from wish)
          or expense.id in (select expense_id from wish))
        and wish.expense_id is not expense.id`,
  )
}

/**
 * The ids that expenses may get as wished: those that are free, and those of generated expenses, which give way. Of
 * commissions that wish for the same, the last gets it. The expense of a wishing commission is a generated one, or
 * still to be made.
 */
function requestedExpenseIds(commissions: Commission[]): SQL {
  const byExpense = new Map(commissions.map(({ id, expense_id }) => [expense_id, id]))
  byExpense.delete(null)
  return sql`select value ->> 1 as commission_id, value ->> 0 as expense_id
    from json_each(${JSON.stringify([...byExpense])})
    where not exists (select 1 from expenses where id = value ->> 0
        and (auto_generated = 0 or linked_income_commission_id is null))
      and not exists (select 1 from expenses where linked_income_commission_id = value ->> 1 and auto_generated = 0)`
}

/** Gives the expenses of `moves` (`old`, `new`) other ids. */
function renumber(moves: SQL): Statement[] {
  return [
    // The contacts of an expense change before it does.
    sqlStatement(sql`pragma defer_foreign_keys = on`),
    // By way of negative ids, as an id may be taken by one that has yet to move.
    sqlStatement(sql`update expense_contacts set expense_id = -move.new from (${moves}) move
      where expense_contacts.expense_id = move.old`),
    sqlStatement(sql`update expenses set id = -move.new from (${moves}) move where expenses.id = move.old`),
    sqlStatement(sql`update expense_contacts set expense_id = -expense_id where expense_id < 0`),
    sqlStatement(sql`update expenses set id = -id where id < 0`),
  ]
}

function deleteExpenses(ids: SQL): Statement[] {
  return [
    sqlStatement(sql`delete from expense_contacts where expense_id in (${ids})`),
    sqlStatement(sql`delete from expenses where id in (${ids})`),
  ]
}

/** The highest id of an expense, be it stored or about to be. */
function highestId(expenses: { id: number }[]): SQL {
  const highest = expenses.reduce((top, { id }) => Math.max(top, id), 0)
  return sql`select max(coalesce(max(id), 0), ${highest}) as id from expenses`
}

function now(): string {
  return formatDateTime(new Date())
}
