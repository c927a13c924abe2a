/** Filters of incomes, what import takes, and the only place where an income's JSON is made. */
import { z } from 'zod'
import { amount, amountText, cents, formatCents } from '../../fields/money.ts'
import { date, dateTime, id, ids, LONG_TEXT, optionalText } from '../../fields/values.ts'
import {
  dateRange,
  dateTimeRange,
  idFilter,
  intRange,
  listFilters,
  oneOf,
  type Range,
} from '../../http/filters.ts'
import type { IncomeRow } from './queries.ts'

export const INCOME_CATEGORIES = ['contract', 'valuation', 'referral', 'other'] as const
export const COMMISSION_SIDES = ['owner_side', 'client_side'] as const
/** The states of incomes and expenses. */
export const PAYMENT_STATUSES = ['pending', 'confirmed'] as const

/** A range of amounts, its bounds as cents. */
export const amountRange = () =>
  z
    .object({ min: cents().nullish(), max: cents().nullish() })
    .nullish()
    .pipe(intRange() as z.ZodType<Range<number> | null | undefined, Bounds | null | undefined>)

type Bounds = Partial<Range<number>>

export const incomeFilters = z.object({
  category: oneOf(INCOME_CATEGORIES),
  status: oneOf(PAYMENT_STATUSES),
  contract_id: idFilter(),
  contact_id: idFilter(),
  date: dateRange(),
  date_created: dateTimeRange(),
  total_amount: amountRange(),
  ...listFilters,
})

/** An income as it is read back. */
export const income = z.object({
  id: z.int(),
  category: z.enum(INCOME_CATEGORIES),
  other_category_id: z.int().nullable().describe('Set when category is other'),
  contract_id: z.int().nullable().describe('Set when category is contract'),
  owner_side_amount: amountText().nullable(),
  client_side_amount: amountText().nullable(),
  total_amount: amountText(),
  date: date(),
  title: z.string().nullable(),
  notes: z.string().nullable(),
  status: z.enum(PAYMENT_STATUSES),
  created_by: z.int(),
  date_created: dateTime(),
  date_updated: dateTime().nullable().describe('Null while it was never updated'),
  commissions: z.array(
    z.object({
      id: z.int(),
      side: z.enum(COMMISSION_SIDES),
      partner_id: z.int().describe('User'),
      side_total_commission: amountText(),
      partner_commission_amount: amountText(),
    }),
  ),
  contacts: z.array(z.int()),
})

/** An income as lists show it. */
export const listedIncome = income.omit({ notes: true })

/** An item of a lookup whose ids are keys. */
export const keyed = z.object({ id: z.string(), name: z.string() })

/** The items for `keys`: `{id: 'pending', name: 'Pending'}`. */
export function keyedItems(keys: readonly string[]): z.output<typeof keyed>[] {
  return keys.map((key) => ({ id: key, name: key.charAt(0).toUpperCase() + key.slice(1) }))
}

/** What import takes: the income object; a commission may name the id of its expense. */
export const importedIncome = z.object({
  id: id(),
  category: z.enum(INCOME_CATEGORIES),
  other_category_id: id().nullish(),
  contract_id: id().nullish(),
  owner_side_amount: amount().nullish(),
  client_side_amount: amount().nullish(),
  total_amount: amount(),
  date: date(),
  title: optionalText().nullish(),
  notes: optionalText(LONG_TEXT).nullish(),
  status: z.enum(PAYMENT_STATUSES),
  created_by: id(),
  date_created: dateTime().nullish(),
  date_updated: dateTime().nullish(),
  commissions: z
    .array(
      z.object({
        id: id(),
        side: z.enum(COMMISSION_SIDES),
        partner_id: id(),
        side_total_commission: amount(),
        partner_commission_amount: amount(),
        expense_id: id().nullish(),
      }),
    )
    .nullish(),
  contacts: ids().nullish(),
})

/** An income's JSON in its single-record form. */
export function presentIncome(row: IncomeRow): z.output<typeof income> {
  return {
    id: row.id,
    category: row.category,
    other_category_id: row.other_category_id,
    contract_id: row.contract_id,
    owner_side_amount: row.owner_side_cents === null ? null : formatCents(row.owner_side_cents),
    client_side_amount: row.client_side_cents === null ? null : formatCents(row.client_side_cents),
    total_amount: formatCents(row.total_cents),
    date: row.date,
    title: row.title,
    notes: row.notes,
    status: row.status,
    created_by: row.created_by,
    date_created: row.date_created,
    date_updated: row.date_updated,
    commissions: row.commissions.map((commission) => ({
      id: commission.id,
      side: commission.side,
      partner_id: commission.partner_id,
      side_total_commission: formatCents(commission.side_total_cents),
      partner_commission_amount: formatCents(commission.partner_cents),
    })),
    contacts: row.contacts,
  }
}

/** An income's JSON in lists, without its notes. */
export function presentListedIncome(row: IncomeRow): z.output<typeof listedIncome> {
  const { notes, ...listed } = presentIncome(row)
  return listed
}
