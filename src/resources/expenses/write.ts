/** Writes expenses. One that a commission made follows its income, and only its texts and its course are its own. */
import { sql } from 'drizzle-orm'
import { ApiError } from '../../http/errors.ts'
import { booksUnchanged, requireOpen, requirePending, selectBooks } from '../payments/course.ts'
import { writesOf } from '../plain/plain-writes.ts'
import { type ExpenseRow, expenses } from './resource.ts'

const TEXTS: readonly string[] = ['title', 'notes', 'contacts']
const EDITED = [
  ...(['category_id', 'amount', 'date', 'partner_id', 'linked_income_id'] as const),
  ...(['title', 'notes', 'status', 'contacts', 'created_by'] as const),
]

/** Reads the expense `id` for a write: with whether it follows the commission of an income that is there. */
export const selectExpense = expenses.selectWith({
  follows: sql<number>`linked_income_commission_id is not null and exists (
    select 1 from incomes where incomes.id = linked_income_id and incomes.is_deleted = 0)`,
})

/** Throws 409 for the expense of a commission. */
function requireOwn({ linked_income_commission_id: commission }: ExpenseRow): void {
  if (commission !== null) throw new ApiError(409, `Expense follows commission ${commission}`)
}

/** Throws 409 for the expense of a commission, unless its income is deleted. */
export function requireDeletable(row: ExpenseRow & { follows: number }): void {
  if (row.follows) requireOwn(row)
}

export const expenseWrites = writesOf(expenses, {
  create: {
    takes: EDITED,
    optional: ['status', 'created_by'],
    description: 'An expense that no commission makes. It is pending unless the body says otherwise.',
  },
  update: {
    takes: EDITED,
    description:
      'Only the keys sent change. One that is confirmed, or that a commission made, takes `title`, `notes` and ' +
      '`contacts` only.',
  },
  lookups: () => ({ books: selectBooks() }),
  decide: (draft, { books }, { current, changedKeys }) => {
    const { values } = draft
    draft.complete()
    if (current && changedKeys.size === 0) return {}
    requireOpen(books, current?.date, values.date)
    if (current && [...changedKeys].some((key) => !TEXTS.includes(key))) {
      if (current.auto_generated || changedKeys.has('linked_income_id')) requireOwn(current)
      requirePending(current, 'Expense')
    }
    return {
      set: current ? {} : { status: values.status ?? ('pending' as const) },
      guard: booksUnchanged(books),
    }
  },
})
