/** `/api/expenses`: list, read, and the lookups of expenses. */
import { PAYMENT_STATUS } from '../../catalogue/office-enums.ts'
import { expenses as table } from '../../db/tables/finances.ts'
import { Router } from '../../http/endpoint/router.ts'
import { serveKeys, serveLookups } from '../lookups/names.ts'
import { serveCourse } from '../payments/course.ts'
import { serveWrites } from '../plain/writes.ts'
import { serveRecords } from '../records.ts'
import { expenses } from './resource.ts'
import { expenseWrites, requireDeletable, selectExpense } from './write.ts'

export const expenseRoutes = new Router(
  'Expenses',
  'The expenses of the agency. Each commission split of an income generates one expense, with `auto_generated` true, ' +
    "the partner's amount, and the income's date and status. Amounts are text with two decimals, exact to the cent.",
)

serveRecords(expenseRoutes, expenses)
serveWrites(expenseRoutes, expenseWrites)
serveCourse(expenseRoutes, {
  resource: 'expenses',
  table,
  current: selectExpense,
  requireDeletable,
  docs: {
    confirm: 'One that a commission made can be confirmed before its income.',
    reopen: 'One that a commission made follows its income again.',
    remove: 'The expense is hidden. One of a commission goes with that, or with its income.',
  },
})

serveKeys(expenseRoutes, '/api/expenses/statuses', { summary: 'Expense statuses', table: PAYMENT_STATUS })
serveLookups(expenseRoutes, 'expenses')
