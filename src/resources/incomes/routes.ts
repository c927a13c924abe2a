/** `/api/incomes`: list, read, and the lookups of incomes. */
import { INCOME_CATEGORY, PAYMENT_STATUS } from '../../catalogue/office-enums.ts'
import { incomes as table } from '../../db/tables/finances.ts'
import { expense_categories, income_other_categories } from '../../db/tables/lookups.ts'
import { Router } from '../../http/endpoint/router.ts'
import { serveKeys, serveNames } from '../lookups/names.ts'
import { serveCourse } from '../payments/course.ts'
import { serveWrites } from '../plain/writes.ts'
import { serveRecords } from '../records.ts'
import { incomes } from './resource.ts'
import { effectsOf, incomeWrites, selectIncome } from './write.ts'

export const incomeRoutes = new Router(
  'Incomes',
  'The incomes of the agency, and how partners share them. Each commission of an income generates one expense. It ' +
    'follows the income while it is pending and no longer changes once it is confirmed. Amounts are text with two ' +
    'decimals, exact to the cent.',
)

serveRecords(incomeRoutes, incomes)
serveWrites(incomeRoutes, incomeWrites)
serveCourse(incomeRoutes, {
  resource: 'incomes',
  table,
  current: selectIncome,
  effectsOf,
  docs: {
    confirm: 'Pending expenses of its commissions are confirmed with it, on the same day.',
    reopen: 'Its expenses stay confirmed.',
    remove: 'The income is hidden, and its pending expenses with it.',
  },
})

serveKeys(incomeRoutes, '/api/incomes/statuses', { summary: 'Income statuses', table: PAYMENT_STATUS })
serveKeys(incomeRoutes, '/api/incomes/categories', { summary: 'Income categories', table: INCOME_CATEGORY })
serveNames(incomeRoutes, '/api/incomes/other-categories', {
  summary: 'Categories of other incomes',
  table: income_other_categories,
})
serveNames(incomeRoutes, '/api/incomes/expense-categories', {
  summary: 'Expense categories',
  description: 'The same list as `/api/expenses/categories`.',
  table: expense_categories,
})
