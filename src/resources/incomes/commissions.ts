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
import { upsertRows } from '../../db/bulk.ts'
import { isOneOf } from '../../db/conditions.ts'
import { deleteRows, insertRows, updateRows } from '../../db/effects.ts'
import { highestIdOf, keepIds } from '../../db/id-floors.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { expenses, income_commissions } from '../../db/tables/finances.ts'
import { ADDED, enterChangesWhere, enterSelected, jsonNames, MARKED_AS_DELETED } from '../../db/trail.ts'
import { formatDateTime } from '../../fields/values.ts'
import {
  type Commission,
  deleteExpenses,
  highestId,
  renumberRequested,
  requestedExpenseIds,
} from './expense-ids.ts'

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
    keepIds('income_commissions', sql`id in (${gone})`),
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

function now(): string {
  return formatDateTime(new Date())
}
