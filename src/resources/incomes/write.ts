/** Writes incomes, and the expenses that follow their commissions. Whatever belongs together is one transaction. */
import { sql } from 'drizzle-orm'
import { allOf } from '../../db/rows.ts'
import { type SqlFragment, sqlStatement } from '../../db/statements.ts'
import { contract_contacts } from '../../db/tables/offers.ts'
import { ApiError } from '../../http/errors.ts'
import { booksUnchanged, type Effects, requireOpen, requirePending, selectBooks } from '../payments/course.ts'
import { selectContactsOf } from '../plain/parts.ts'
import { writesOf } from '../plain/plain-writes.ts'
import {
  COMMISSION_CATEGORY,
  changeCommissions,
  hideExpenses,
  storeNewCommissions,
  updatePendingExpenses,
} from './commissions.ts'
import { type IncomeRow, incomes, newCommissions } from './resource.ts'
import { amountsOf, changedShare, checkCategoryIds, checkExpenseCategory, sharesOf } from './rules.ts'

/**
 * SQL for what writes of an income need to know of its expenses, as JSON: the first day of pending ones of commissions, and of
 * other pending ones, and the confirmed expenses of commissions. Written down as text, it is compared in the transaction.
 */
const EXPENSES = `(select json_array(
  min(iif(status = 'pending' and linked_income_commission_id is not null, date, null)),
  min(iif(status = 'pending' and linked_income_commission_id is null, date, null)),
  json_group_array(json_array(linked_income_commission_id, id))
    filter (where status = 'confirmed' and linked_income_commission_id is not null))
  from expenses where linked_income_id = incomes.id and is_deleted = 0)`

/** Reads the income `id` for a write. */
export const selectIncome = incomes.selectWith({ expenses: sql<string>`${sql.raw(EXPENSES)}` })

type WrittenIncome = IncomeRow & { expenses: string }

/** The days of pending expenses, and the confirmed expense of each paid commission. */
function expensesOf({ expenses }: WrittenIncome) {
  const [following, others, paid]: [string | null, string | null, [number, number][]] = JSON.parse(expenses)
  return { following, others, paid: new Map(paid) }
}

const expensesUnchanged = ({ expenses }: WrittenIncome): SqlFragment => ({
  text: `${EXPENSES} = ?`,
  params: [expenses],
})

/** What happens to the expenses of an income that changes its date or status, or is deleted. Confirmed ones stay as they are. */
export function effectsOf(row: WrittenIncome, change: 'moved' | 'deleted'): Effects {
  const { following, others } = expensesOf(row)
  const guard = expensesUnchanged(row)
  return change === 'moved'
    ? { dates: [following], guard, more: updatePendingExpenses([row.id]) }
    : { dates: [following, others], guard, more: hideExpenses(row.id) }
}

const TEXTS: readonly string[] = ['title', 'notes', 'contacts']
const EDITED = [
  ...(['category', 'date', 'other_category_id', 'contract_id'] as const),
  ...(['owner_side_amount', 'client_side_amount', 'total_amount'] as const),
  ...(['title', 'notes', 'status', 'contacts', 'created_by'] as const),
]

export const incomeWrites = writesOf(
  { ...incomes, select: selectIncome },
  {
    create: {
      takes: EDITED,
      optional: ['total_amount', 'status', 'created_by'],
      more: { commissions: newCommissions },
      description:
        '`total_amount` is the sum of the sides if there are any. `contacts` are those of the contract unless they are sent. ' +
        'Each commission generates an expense, with the date and status of the income. `side_total_commission` is the ' +
        'amount of the side by default, or the total; the partners of a side get at most that.',
    },
    update: {
      takes: [...EDITED, 'commissions'],
      description:
        'Only the keys sent change. The total follows the sides unless it is sent, and pending expenses follow their ' +
        'commissions. Commissions with `id` keep what they do not send, those without are new, and missing ones go; ' +
        'those whose expense is confirmed stay as they are. A confirmed income takes `title`, `notes` and `contacts` only.',
    },
    lookups: ({ contract_id }) => ({
      books: selectBooks(),
      expenseCategory: sqlStatement<{ id: number | null }>(sql`select ${COMMISSION_CATEGORY} as id`),
      contacts: selectContactsOf(contract_contacts, contract_id),
    }),
    decide: (draft, { books, expenseCategory, contacts }, { current, changedKeys }) => {
      // Bad values come before what the state of the income forbids, and that before rules between fields.
      draft.complete()
      const { values } = draft
      const categorised = ['category', 'other_category_id', 'contract_id']
      if (categorised.some((key) => changedKeys.has(key))) checkCategoryIds(draft, { ...current, ...values })
      const before = current && {
        owner_side: current.owner_side_cents,
        client_side: current.client_side_cents,
        total: current.total_cents,
      }
      const amounts = amountsOf(draft, before)
      const stored = current?.commissions ?? []
      const { following, paid } = current ? expensesOf(current) : { following: null, paid: new Map() }
      const shares = amounts ? sharesOf(draft, values.commissions, { stored, before, amounts, paid }) : stored
      if (shares.length > 0) checkExpenseCategory(draft, expenseCategory[0]?.id ?? null)
      const set = { total_cents: amounts?.total, commissions: shares }
      const open = booksUnchanged(books)
      if (!current) {
        draft.complete()
        requireOpen(books, values.date)
        return {
          set: {
            ...set,
            status: values.status ?? 'pending',
            contacts: values.contacts ?? contacts.map(({ id }) => id),
          },
          guard: open,
          more: storeNewCommissions(shares),
        }
      }
      const isShared = changedShare(stored, shares) !== null
      const follows = isShared || changedKeys.has('date') || changedKeys.has('status')
      const isTotalMoved = amounts !== null && amounts.total !== current.total_cents
      if (changedKeys.size === 0 && !isShared && !isTotalMoved) return {}
      requireOpen(books, current.date, values.date, follows ? following : null)
      if (isShared || isTotalMoved || [...changedKeys].some((key) => !TEXTS.includes(key))) {
        requirePending(current, 'Income')
      }
      draft.complete()
      const fixed = changedShare(stored, shares, (id) => paid.has(id))
      if (fixed !== null) {
        throw new ApiError(409, `Expense ${paid.get(fixed)} of commission ${fixed} is confirmed`)
      }
      return {
        set,
        guard: allOf(open, expensesUnchanged(current)),
        more: isShared
          ? changeCommissions(current.id, shares)
          : follows
            ? updatePendingExpenses([current.id])
            : null,
      }
    },
  },
)
