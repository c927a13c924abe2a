/** `/api/expenses`: list, read, and the lookups of expenses. */
import { PAYMENT_STATUSES } from '../../catalogue/enums.ts'
import { database } from '../../db/client.ts'
import { readRecord } from '../../db/merge.ts'
import { expense_categories } from '../../db/tables/lookups.ts'
import { item, itemBody, list, listBody, lookup, lookupBody } from '../../http/envelope.ts'
import { readOptions } from '../../http/filters.ts'
import { Router } from '../../http/router.ts'
import { findNames, keyed, keyedItems, named } from '../lookups/names.ts'
import { expense, listedExpense, presentExpense, presentListedExpense } from './present.ts'
import { findPage, selectExpense } from './queries.ts'
import * as schema from './schema.ts'

export const expenseRoutes = new Router(
  'Expenses',
  'What the agency spent. Each commission split of an income makes one expense, with `auto_generated` true: the ' +
    "partner's amount, the income's date and status. Amounts are text with two decimals, exact to the cent.",
)

expenseRoutes.get(
  '/api/expenses',
  {
    summary: 'List expenses',
    description: 'Newest first. Records lack `notes`, unless `fields=all` asks for them.',
    filters: schema.expenseFilters,
    list: true,
    reply: listBody(listedExpense),
  },
  async (c, input) => {
    const filters = await input.filters()
    const { rows, total } = await findPage(database(c.env), filters)
    const present = filters.fields === 'all' ? presentExpense : presentListedExpense
    return list(c, { page: filters.page ?? 1, total }, rows.map(present))
  },
)

expenseRoutes.get(
  '/api/expenses/{id}',
  { summary: 'Read an expense', resource: 'Expense', filters: readOptions, reply: itemBody(expense) },
  async (c, input) => {
    const db = database(c.env)
    const record = input.record()
    const row = await readRecord(db, record, selectExpense({ id: record.id }))
    await input.filters()
    return item(c, presentExpense(row))
  },
)

expenseRoutes.get('/api/expenses/statuses', { summary: 'Expense statuses', reply: lookupBody(keyed) }, (c) =>
  lookup(c, keyedItems(PAYMENT_STATUSES)),
)

expenseRoutes.get(
  '/api/expenses/categories',
  { summary: 'Expense categories', reply: lookupBody(named) },
  async (c) => lookup(c, await findNames(c.env, expense_categories)),
)
