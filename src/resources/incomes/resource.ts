/** Incomes: their parts, filters and order. */
import type { InferSelectModel } from 'drizzle-orm'
import { z } from 'zod'
import { commission, income } from '../../catalogue/income.ts'
import { INCOME_CATEGORIES, PAYMENT_STATUSES } from '../../catalogue/office-enums.ts'
import { idList } from '../../db/references.ts'
import { jsonList, jsonObject } from '../../db/relations.ts'
import { type income_commissions, income_contacts, incomes as table } from '../../db/tables/finances.ts'
import { inputs, outputs, present } from '../../fields/derive.ts'
import { list, named } from '../../fields/values.ts'
import { amounts, dates, dateTimes, id, linkedTo, oneOf } from '../plain/filters.ts'
import { links, type WrittenPart } from '../plain/parts.ts'
import { type PlainRow, plain } from '../plain/resource.ts'
import type { SentShare } from './rules.ts'

interface Commission extends Omit<InferSelectModel<typeof income_commissions>, 'income_id'> {
  /** Id of the expense that it generated, or of the one that replaced it. */
  expense_id: number | null
}

const COMMISSIONS = `(select commission.*, expense.id as expense_id from income_commissions commission
  left join expenses expense on expense.linked_income_commission_id = commission.id)`

const { id: idInput, ...share } = inputs(commission)
/** What a side comes to may be left out: it is the amount of that side, or the total. */
const SHARE_DEFAULTS = {
  side_total_commission: share.side_total_commission
    .nullish()
    .describe('What the side comes to: by default its amount, or the total'),
}

/** What a write sends of a commission: those with an id are stored already. */
type SentCommissions = SentShare[] | null | undefined

/** By their ids. */
const commissions = {
  doc: 'Commission splits between partners',
  select: jsonList<Commission>(
    COMMISSIONS,
    jsonObject(commission, 'expense_id'),
    'income_id = incomes.id',
    'id',
  ),
  output: z
    .array(named('Commission', "A partner's share of an income", outputs(commission)))
    .describe('Commission splits between partners'),
  show: (stored: Commission[]) => stored.map((one) => present(commission, one)),
  input: list(
    z
      .object({ id: idInput.nullish().describe('Id of a stored commission'), ...share, ...SHARE_DEFAULTS })
      .partial()
      .meta({ id: 'CommissionUpdate', description: 'A commission; one without `id` is new' }),
  )
    .nullish()
    .describe('All commissions: those that are missing go, with their pending expenses'),
  references: (sent: SentCommissions) =>
    (sent ?? []).flatMap(({ partner_id }) => ({
      field: 'commissions.partner_id',
      table: commission.partner_id.to,
      ids: idList(partner_id),
    })),
  // The rules say what becomes of them.
  resolve: () => ({}),
} satisfies WrittenPart<Commission[], SentCommissions>

/** Commissions of a new income: all of them are new. */
export const newCommissions = list(
  named('CommissionInput', 'A new commission; it generates an expense', { ...share, ...SHARE_DEFAULTS }),
)
  .nullish()
  .describe('Shares of partners; each generates an expense')

export const incomes = plain('incomes', {
  table,
  doc: 'An income of the agency',
  fields: income,
  parts: {
    commissions,
    contacts: links(table, income_contacts, 'contacts', { doc: 'Contacts that it concerns: their ids' }),
  },
  brief: ['notes'],
  filters: {
    category: oneOf(table.category, INCOME_CATEGORIES, 'Category of the income'),
    status: oneOf(table.status, PAYMENT_STATUSES, 'Whether its receipt is confirmed'),
    contract_id: id(table.contract_id, 'Contract that it results from'),
    contact_id: linkedTo(income_contacts, 'One of its contacts'),
    date: dates(table.date, 'Day of the income'),
    date_created: dateTimes(table.date_created, 'When it was created'),
    total_amount: amounts(table.total_cents, 'Total'),
  },
  sort: ['date', 'date_created', 'date_updated'],
})

/** A stored income with its commissions and contacts. */
export type IncomeRow = PlainRow<typeof table, typeof incomes.parts>
