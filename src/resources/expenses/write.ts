/** Writes expenses. One that a commission made follows its income, and only its texts and its course are its own. */

import * as catalogue from '../../catalogue/expense.ts'
import { selectDefaultCreator } from '../../db/default-creator.ts'
import { expense_contacts, expenses as table } from '../../db/tables/finances.ts'
import { inputs } from '../../fields/derive.ts'
import { ApiError } from '../../http/errors.ts'
import { booksUnchanged, requireOpen, selectBooks } from '../payments/books.ts'
import { requirePending } from '../payments/course.ts'
import { links } from '../plain/parts.ts'
import { writesOf } from '../plain/plain-writes.ts'
import { type ExpenseRow, selectExpense } from './queries.ts'

const TEXTS: readonly string[] = ['title', 'notes', 'contacts']
const EDITED = [
  'category_id',
  'amount',
  'date',
  'partner_id',
  'linked_income_id',
  'title',
  'notes',
  'status',
  'contacts',
] as const

/** Throws 409 for the expense of a commission. */
function requireOwn({ linked_income_commission_id: commission }: ExpenseRow): void {
  if (commission !== null) throw new ApiError(409, `Expense follows commission ${commission}`)
}

/** Throws 409 for the expense of a commission, unless its income is deleted. */
export function requireDeletable(row: ExpenseRow & { follows: number }): void {
  if (row.follows) requireOwn(row)
}

/** How expenses are created and updated. */
export const expenseWrites = writesOf(
  {
    resource: 'expenses',
    table,
    fields: catalogue.expense,
    parts: {
      contacts: links(table, expense_contacts, 'contacts', { doc: 'Contacts that it concerns: ids' }),
    },
    select: selectExpense,
  },
  {
    create: {
      takes: EDITED,
      optional: ['status'],
      more: { created_by: inputs(catalogue.expense).created_by.nullish().describe('User who created it') },
      description: 'An expense that no commission makes. It is pending unless the body says otherwise.',
    },
    update: {
      takes: EDITED,
      description:
        'Only the keys sent change. One that is confirmed, or that a commission made, takes `title`, `notes` and ' +
        '`contacts` only.',
    },
    lookups: (_, { db }) => ({ books: selectBooks(), creator: selectDefaultCreator(db) }),
    decide: (draft, { books, creator }, { current, changedKeys }) => {
      const { values } = draft
      const created_by = values.created_by ?? creator[0]?.created_by ?? undefined
      if (!current && created_by === undefined) draft.refuse('created_by', 'Missing created_by')
      draft.complete()
      if (current && changedKeys.size === 0) return {}
      requireOpen(books, current?.date, values.date)
      if (current && [...changedKeys].some((key) => !TEXTS.includes(key))) {
        if (current.auto_generated || changedKeys.has('linked_income_id')) requireOwn(current)
        requirePending(current, 'Expense')
      }
      return {
        set: current ? {} : { status: values.status ?? ('pending' as const), created_by },
        guard: booksUnchanged(books),
      }
    },
  },
)
