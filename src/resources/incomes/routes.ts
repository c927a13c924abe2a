/** `/api/incomes`: list, read, and the lookups of incomes. */
import { INCOME_CATEGORIES, PAYMENT_STATUSES } from '../../catalogue/enums.ts'
import { database } from '../../db/client.ts'
import { readRecord } from '../../db/merge.ts'
import { expense_categories, income_other_categories } from '../../db/tables/lookups.ts'
import { item, itemBody, list, listBody, lookup, lookupBody } from '../../http/envelope.ts'
import { readOptions } from '../../http/filters.ts'
import { Router } from '../../http/router.ts'
import { findNames, keyed, keyedItems, named } from '../lookups/names.ts'
import { income, listedIncome, presentIncome, presentListedIncome } from './present.ts'
import { findPage, selectIncome } from './queries.ts'
import * as schema from './schema.ts'

export const incomeRoutes = new Router(
  'Incomes',
  'What the agency earned, and how partners share in it. An income with commissions makes one expense for each, which ' +
    'follows it while it is pending and is never touched once it is confirmed. Amounts are text with two decimals, ' +
    'exact to the cent.',
)

incomeRoutes.get(
  '/api/incomes',
  {
    summary: 'List incomes',
    description: 'Newest first. Records lack `notes`, unless `fields=all` asks for them.',
    filters: schema.incomeFilters,
    list: true,
    reply: listBody(listedIncome),
  },
  async (c, input) => {
    const filters = await input.filters()
    const { rows, total } = await findPage(database(c.env), filters)
    const present = filters.fields === 'all' ? presentIncome : presentListedIncome
    return list(c, { page: filters.page ?? 1, total }, rows.map(present))
  },
)

incomeRoutes.get(
  '/api/incomes/{id}',
  { summary: 'Read an income', resource: 'Income', filters: readOptions, reply: itemBody(income) },
  async (c, input) => {
    const db = database(c.env)
    const record = input.record()
    const row = await readRecord(db, record, selectIncome({ id: record.id }))
    await input.filters()
    return item(c, presentIncome(row))
  },
)

incomeRoutes.get('/api/incomes/statuses', { summary: 'Income statuses', reply: lookupBody(keyed) }, (c) =>
  lookup(c, keyedItems(PAYMENT_STATUSES)),
)

incomeRoutes.get('/api/incomes/categories', { summary: 'Income categories', reply: lookupBody(keyed) }, (c) =>
  lookup(c, keyedItems(INCOME_CATEGORIES)),
)

incomeRoutes.get(
  '/api/incomes/other-categories',
  { summary: 'Categories of other incomes', reply: lookupBody(named) },
  async (c) => lookup(c, await findNames(c.env, income_other_categories)),
)

incomeRoutes.get(
  '/api/incomes/expense-categories',
  {
    summary: 'Expense categories',
    description: 'The same list as `/api/expenses/categories`.',
    reply: lookupBody(named),
  },
  async (c) => lookup(c, await findNames(c.env, expense_categories)),
)
