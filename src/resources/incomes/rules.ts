/** The rules of an income: what it refers to, and what its category asks for. */
import type { z } from 'zod'
import { idList, type Reference } from '../../db/references.ts'
import type { Draft } from '../../http/check.ts'
import type { importedIncome } from './schema.ts'

export type IncomeInput = z.output<typeof importedIncome>

/** Everything that `input` refers to by id. */
export function referencesOf(input: Partial<IncomeInput>): Reference[] {
  const { other_category_id, contract_id, created_by, commissions, contacts } = input
  return [
    { field: 'other_category_id', table: 'income_other_categories', ids: idList(other_category_id) },
    { field: 'contract_id', table: 'contracts', ids: idList(contract_id) },
    { field: 'created_by', table: 'users', ids: idList(created_by) },
    {
      field: 'commissions.partner_id',
      table: 'users',
      ids: (commissions ?? []).map(({ partner_id }) => partner_id),
    },
    { field: 'contacts', table: 'contacts', ids: idList(contacts) },
  ]
}

/** Notes in `draft` an id that its category needs or does not have, and commissions without a category to book them in. */
export function checkIncome(draft: Draft<IncomeInput>, expenseCategory: number | null): void {
  checkCategoryId(draft, 'other_category_id', 'other')
  checkCategoryId(draft, 'contract_id', 'contract')
  if (draft.values.commissions?.length && expenseCategory === null) {
    draft.refuse(
      'commissions',
      'Invalid commissions: there is no expense category for the expenses that they generate',
    )
  }
}

/** `field` belongs to incomes of `owner` and to no others. */
function checkCategoryId(
  draft: Draft<IncomeInput>,
  field: 'other_category_id' | 'contract_id',
  owner: IncomeInput['category'],
): void {
  const { category } = draft.values
  if (!category || draft.isRefused(field)) return
  const isSet = draft.values[field] != null
  if (category === owner && !isSet) draft.refuse(field, `Missing ${field}`)
  if (category !== owner && isSet) draft.refuse(field, `Invalid ${field}: only when category is ${owner}`)
}
