/**
 * Generates the expenses of commission splits. Each commission of an income has one, with its amount, the date and
 * status of the income, and the category for partner commissions.
 *
 *     await batch(db, { rows: upsertRows(incomes, rows), commissions: storeCommissions([7], commissionsOf7) })
 *
 * A generated expense follows its income while it is pending, and no longer changes once it is confirmed. The
 * statements decide everything themselves, so they respect whatever the batch has written before. `+column` keeps
 * SQLite from using the indexes on flags, with which it would read every generated expense. Each expense that they change
 * is entered in the trail.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { commission } from '../../catalogue/income.ts'
import { upsertRows } from '../../db/bulk.ts'
import { isOneOf } from '../../db/conditions.ts'
import { deleteRows, insertRows, updateRows } from '../../db/effects.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { expenses, income_commissions } from '../../db/tables/finances.ts'
import { ADDED, enterChangesWhere, enterSelected, jsonNames, MARKED_AS_DELETED } from '../../db/trail.ts'
import type { Row } from '../../fields/field.ts'
import { formatDateTime } from '../../fields/values.ts'

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

/** SQL for the category of generated expenses: the setting, otherwise the lowest id; null if no category exists. */
export const COMMISSION_CATEGORY = sql`coalesce(
  (select cast(value as integer) from settings where key = 'partner_commission_category_id'),
  (select min(id) from expense_categories))`

/**
 * Statements that make `commissions` the commissions of `incomes`, and update their expenses. The batch must have
 * stored the incomes before. If a commission is gone, its pending expense is deleted, and a confirmed one loses its
 * commission.
 */
export function storeCommissions(incomes: number[], commissions: Commission[]): Statement[] {
  const rows = commissions.map(({ expense_id, ...row }) => row)
  return [
    ...deleteMissingCommissions(incomes, commissions),
    ...(rows.length > 0 ? upsertRows(income_commissions, rows) : []),
    ...renumberRequested(commissions),
    ...updatePendingExpenses(incomes),
    ...generateMissingExpenses(incomes, commissions),
  ]
}

/** A commission as a write of its income has it: the id 0 stands for a new one. */
export type Share = Omit<Commission, 'income_id'>

/** Statements that make `shares` the commissions of an income whose row the same batch updates, with their expenses. */
export function changeCommissions(income_id: number, shares: readonly Share[]): Statement[] {
  const known = shares.filter(({ id }) => id > 0).map(({ expense_id, ...share }) => ({ income_id, ...share }))
  return [
    ...deleteMissingCommissions([income_id], known),
    ...(known.length > 0 ? upsertRows(income_commissions, known) : []),
    ...addCommissions([income_id], shares),
    ...updatePendingExpenses([income_id]),
    ...generateMissingExpenses([income_id]),
  ]
}

/** Statements that store the commissions of the income that the same batch adds, and their expenses. */
export function storeNewCommissions(shares: readonly Share[]): Statement[] {
  return shares.length > 0 ? [...addCommissions(NEWEST, shares), ...generateMissingExpenses(NEWEST)] : []
}

/** Statements that delete the pending expenses of an income with it: those of commissions, and others that name it. */
export function hideExpenses(income: number): Statement[] {
  const pending = sql`linked_income_id = ${income} and is_deleted = 0 and +status = 'pending'`
  return [
    enterChangesWhere(expenses, pending, MARKED_AS_DELETED),
    updateRows(
      expenses,
      { is_deleted: sql`1`, version: NEXT, date_updated: sql`${now()}` },
      { where: pending },
    ),
  ]
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

/** Ids of incomes, or the income that the same batch has added. */
type Incomes = readonly number[] | typeof NEWEST
const NEWEST = 'newest'

const isOf = (column: SQL, incomes: Incomes) =>
  incomes === NEWEST ? sql`${column} = (select max(id) from incomes)` : isOneOf(column, incomes)

/** Statements that generate the missing expenses of the commissions of `incomes`; a deleted income needs none. */
export function generateMissingExpenses(incomes: Incomes, commissions: Commission[] = []): Statement[] {
  const missing = sql`
    with requested as (${requestedExpenseIds(commissions)})
    select coalesce(requested.expense_id,
        top.id + row_number() over (partition by requested.expense_id is null order by commission.id)) as id,
      ${COMMISSION_CATEGORY}, commission.partner_id, income.id, commission.id,
      1, commission.partner_cents, income.date, income.status, income.created_by, income.date_created
    from income_commissions commission
      join incomes income on income.id = commission.income_id
      left join requested on requested.commission_id = commission.id,
      (${highestId(commissions.map(({ expense_id }) => ({ id: expense_id ?? 0 })))}) top
    where ${isOf(sql`commission.income_id`, incomes)} and not income.is_deleted
      and not exists (select 1 from expenses where linked_income_commission_id = commission.id)`
  return [
    enterSelected(expenses, sql`(${missing}) missing`, { id: sql`missing.id`, ...ADDED }),
    insertRows(expenses, GENERATED, missing),
  ]
}

/** The version of an expense that a statement changes. */
const NEXT = sql`expenses.version + 1`

/** What an expense that follows its income changes, for the trail, as SQL: the field, and what it was and is. */
const FOLLOWED = Object.entries({
  amount: ["printf('%.2f', expenses.amount_cents / 100.0)", "printf('%.2f', wanted.partner_cents / 100.0)"],
  status: ['expenses.status', 'wanted.status'],
  date: ['expenses.date', 'wanted.date'],
  partner_id: ['expenses.partner_id', 'wanted.partner_id'],
  is_deleted: [jsonFlag('expenses.is_deleted'), jsonFlag('wanted.is_deleted')],
})
const CHANGED = sql.raw(`json_remove(
  json_object(${FOLLOWED.map(([name, [was, is]]) => `'${name}', json_array(${was}, ${is})`).join(', ')}),
  ${FOLLOWED.map(([name, [was, is]]) => `iif(${was} is ${is}, '$.${name}', '$.none')`).join(', ')})`)

function jsonFlag(column: string): string {
  return `json(iif(${column}, 'true', 'false'))`
}

/** The columns that are generated. */
const GENERATED = [
  'id',
  'category_id',
  'partner_id',
  'linked_income_id',
  'linked_income_commission_id',
  'auto_generated',
  'amount_cents',
  'date',
  'status',
  'created_by',
  'date_created',
]

/** The statements that add the new ones of `shares`, under ids that no commission has had. */
function addCommissions(incomes: Incomes, shares: readonly Share[]): Statement[] {
  const added = shares.filter(({ id }) => id === 0)
  if (added.length === 0) return []
  return [
    sqlStatement(sql`insert into income_commissions
        (id, income_id, side, partner_id, side_total_cents, partner_cents)
      select top.id + key + 1, incomes.id, value ->> 'side', value ->> 'partner_id', value ->> 'side_total_cents',
        value ->> 'partner_cents'
      from json_each(${JSON.stringify(added)}), incomes, (${highestIdOf('income_commissions')}) top
      where ${isOf(sql`incomes.id`, incomes)}`),
  ]
}

function deleteMissingCommissions(
  incomes: number[],
  commissions: readonly Pick<Commission, 'id' | 'income_id'>[],
): Statement[] {
  const remaining = JSON.stringify(commissions.map(({ id, income_id }) => [id, income_id]))
  const gone = sql`select id from income_commissions where ${isOneOf(sql`income_id`, incomes)}
    and (id, income_id) not in (select value ->> 0, value ->> 1 from json_each(${remaining}))`
  return [
    ...deleteExpenses(
      sql`select id from expenses
        where linked_income_commission_id in (${gone}) and +auto_generated = 1 and +status = 'pending'`,
    ),
    enterChangesWhere(expenses, sql`linked_income_commission_id in (${gone})`, {
      others: jsonNames('linked_income_commission_id'),
    }),
    updateRows(
      expenses,
      { linked_income_commission_id: sql`null`, version: NEXT, date_updated: sql`${now()}` },
      { where: sql`linked_income_commission_id in (${gone})` },
    ),
    keepIds('income_commissions', gone),
    deleteRows(income_commissions, sql`id in (${gone})`),
  ]
}

/** Statements that make the pending expenses of the commissions of `incomes` follow them. */
export function updatePendingExpenses(incomes: readonly number[]): Statement[] {
  const set = {
    category_id: sql`wanted.category_id`,
    partner_id: sql`wanted.partner_id`,
    amount_cents: sql`wanted.partner_cents`,
    date: sql`wanted.date`,
    status: sql`wanted.status`,
    is_deleted: sql`wanted.is_deleted`,
    version: NEXT,
    date_updated: sql`${now()}`,
  }
  const wanted = sql`(
      select commission.id, ${COMMISSION_CATEGORY} as category_id, commission.partner_id, commission.partner_cents,
        income.date, income.status, income.is_deleted
      from income_commissions commission join incomes income on income.id = commission.income_id
      where ${isOneOf(sql`income.id`, incomes)}
    ) wanted`
  const differs = sql`expenses.linked_income_commission_id = wanted.id
      and +expenses.auto_generated = 1 and +expenses.status = 'pending'
      and (expenses.category_id, expenses.partner_id, expenses.amount_cents, expenses.date, expenses.status,
        expenses.is_deleted)
        is not (wanted.category_id, wanted.partner_id, wanted.partner_cents, wanted.date, wanted.status, wanted.is_deleted)`
  return [
    enterSelected(expenses, sql`${wanted} join expenses on ${differs}`, {
      id: sql`expenses.id`,
      changed: CHANGED,
      others: sql`iif(expenses.category_id is wanted.category_id, json('[]'), ${jsonNames('category_id')})`,
    }),
    updateRows(expenses, set, { from: wanted, where: differs }),
  ]
}

/**
 * Statements that assign to generated expenses the ids that their commissions request. Expenses that have these ids get
 * new ones.
 */
function renumberRequested(commissions: Commission[]): Statement[] {
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
function requestedExpenseIds(commissions: Commission[]): SQL {
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

function deleteExpenses(ids: SQL): Statement[] {
  return [
    enterChangesWhere(expenses, sql`id in (${ids})`, MARKED_AS_DELETED),
    sqlStatement(sql`delete from expense_contacts where expense_id in (${ids})`),
    keepIds('expenses', ids),
    deleteRows(expenses, sql`id in (${ids})`),
  ]
}

/** SQL for the highest id of all expenses, stored or about to be stored. */
function highestId(expenses: { id: number }[]): SQL {
  return highestIdOf(
    'expenses',
    expenses.reduce((top, { id }) => Math.max(top, id), 0),
  )
}

/** SQL for the highest id that a record of `table` has or has had, at least `least`. */
function highestIdOf(table: Floored, least = 0): SQL {
  return sql`select max(coalesce(max(id), 0), coalesce((select id from id_floors where name = ${table}), 0), ${least}) as id
    from ${sql.identifier(table)}`
}

/** A table whose rows go, and whose ids no other row is to get. */
type Floored = 'expenses' | 'income_commissions'

/** The statement that keeps the ids of rows which go from being given to others. `ids` is a select. */
function keepIds(table: Floored, ids: SQL): Statement {
  return sqlStatement(sql`insert into id_floors (name, id)
    select ${table}, max(id) from ${sql.identifier(table)} where id in (${ids}) having max(id) is not null
    on conflict (name) do update set id = max(id_floors.id, excluded.id)`)
}

function now(): string {
  return formatDateTime(new Date())
}
