/** The rules of an income, and what its amounts and commissions come to. All amounts are integer cents. */
import type { commission, income } from '../../catalogue/income.ts'
import type { COMMISSION_SIDES } from '../../catalogue/office-enums.ts'
import { formatCents, MAX_CENTS } from '../../fields/money.ts'
import type { Draft } from '../../http/request/check.ts'
import type { Sent } from '../plain/plain-writes.ts'
import type { Share } from './commissions.ts'

type Refusing = Pick<Draft<unknown>, 'refuse' | 'isRefused'>

/** What decides which of its ids an income must have. */
type Categorised = Sent<Pick<typeof income, 'category' | 'other_category_id' | 'contract_id'>, unknown>

/** Refuses ids that the category of an income requires or forbids. */
export function checkCategoryIds(draft: Refusing, income: Categorised): void {
  checkCategoryId(draft, income, 'other_category_id', 'other')
  checkCategoryId(draft, income, 'contract_id', 'contract')
}

/** Requires `field` for incomes of category `owner` and refuses it for others. */
function checkCategoryId(
  draft: Refusing,
  income: Categorised,
  field: 'other_category_id' | 'contract_id',
  owner: Categorised['category'],
): void {
  const { category } = income
  if (!category || draft.isRefused(field)) return
  const isSet = income[field] != null
  if (category === owner && !isSet) draft.refuse(field, `Missing ${field}`)
  if (category !== owner && isSet) draft.refuse(field, `Invalid ${field}: only when category is ${owner}`)
}

/** Refuses commissions when no expense category can book the expenses that they generate. */
export function checkExpenseCategory(draft: Refusing, category: number | null): void {
  if (category !== null) return
  const message = 'there is no expense category for the expenses that they generate'
  draft.refuse('commissions', `Invalid commissions: ${message}`)
}

export interface Amounts {
  owner_side: number | null
  client_side: number | null
  total: number
}

/** The amounts that a body sends; undefined for those that it leaves as they are. */
type SentAmounts = Sent<
  Pick<typeof income, 'owner_side_amount' | 'client_side_amount' | 'total_amount'>,
  unknown
>

/**
 * The amounts of an income once a body is stored. The total is the sum of the sides, if there are any: it follows those that
 * change, and refuses another that is sent. Null if the amounts are refused.
 */
export function amountsOf(draft: Refusing & { values: SentAmounts }, before: Amounts | null): Amounts | null {
  const { owner_side_amount: owner_side = before?.owner_side ?? null } = draft.values
  const { client_side_amount: client_side = before?.client_side ?? null } = draft.values
  const sum = owner_side === null && client_side === null ? null : (owner_side ?? 0) + (client_side ?? 0)
  const isMoved = !before || owner_side !== before.owner_side || client_side !== before.client_side
  const total = draft.values.total_amount ?? (isMoved ? sum : null) ?? before?.total
  if (total === undefined) {
    draft.refuse('total_amount', 'Missing total_amount')
    return null
  }
  if (sum !== null && total !== sum && (isMoved || total !== before.total)) {
    draft.refuse('total_amount', `Invalid total_amount: the sides make ${formatCents(sum)}`)
  } else if (total > MAX_CENTS) {
    draft.refuse('total_amount', `Invalid total_amount: must be at most ${formatCents(MAX_CENTS)}`)
  }
  return { owner_side, client_side, total }
}

type Side = (typeof COMMISSION_SIDES)[number]

/** A commission of a body. One with an `id` is stored already, and keeps what it does not send. */
export type SentShare = Sent<typeof commission, unknown>

/** What commissions depend on: amounts before and after, and which of the commissions are paid, with their expenses. */
interface ShareFacts {
  stored: readonly Share[]
  before: Amounts | null
  amounts: Amounts
  /** The confirmed expense of a commission. */
  paid: ReadonlyMap<number, number>
}

/** What the commissions of a side are of, unless they say it. */
const sideTotal = (amounts: Amounts, side: Side) => amounts[side] ?? amounts.total

/**
 * The commissions of an income once `sent` are stored; all stay if that is undefined. What a side comes to follows the
 * amounts where it was no other, and the partners of the side get at most that.
 */
export function sharesOf(
  draft: Refusing,
  sent: readonly SentShare[] | null | undefined,
  { stored, before, amounts, paid }: ShareFacts,
): Share[] {
  const known = new Map(stored.map((share) => [share.id, share]))
  const seen = new Set<number>()
  const limits = new Map<Side, number>()
  const shares = (sent === undefined ? stored.map(({ id }): SentShare => ({ id })) : (sent ?? [])).flatMap(
    (line, index): Share[] => {
      const old = line.id == null ? null : known.get(line.id)
      if (old === undefined) draft.refuse('commissions', `Unknown commissions.id ${line.id}`)
      if (old && seen.has(old.id))
        draft.refuse('commissions', `Invalid commissions: id ${old.id} stands twice`)
      if (old) seen.add(old.id)
      const side = line.side ?? old?.side
      const partner_id = line.partner_id ?? old?.partner_id
      const partner_cents = line.partner_commission_amount ?? old?.partner_cents
      for (const [name, value] of Object.entries({
        side,
        partner_id,
        partner_commission_amount: partner_cents,
      })) {
        const field = `commissions.${index}.${name}`
        if (old !== undefined && value === undefined) draft.refuse(field, `Missing ${field}`)
      }
      if (!side || partner_id === undefined || partner_cents === undefined) return []
      const isOwn = old && before && old.side_total_cents !== sideTotal(before, old.side)
      const followed = line.side_total_commission ?? (isOwn ? old.side_total_cents : sideTotal(amounts, side))
      limits.set(side, Math.min(limits.get(side) ?? followed, followed))
      // What is paid stays as it is, unless the body says otherwise.
      const isPaid = old && paid.has(old.id) && line.side_total_commission == null
      const side_total_cents = isPaid ? old.side_total_cents : followed
      const values = { id: old?.id ?? 0, side, partner_id, side_total_cents, partner_cents }
      return [{ ...values, expense_id: old?.expense_id ?? null }]
    },
  )
  const next = shares.toSorted(
    (a, b) => (a.id || Number.MAX_SAFE_INTEGER) - (b.id || Number.MAX_SAFE_INTEGER),
  )
  const isMoved = !before || JSON.stringify(amounts) !== JSON.stringify(before)
  if (isMoved || changedShare(stored, next) !== null) checkLimits(draft, next, limits)
  return next
}

/** Refuses sides whose partners get more than it comes to. */
function checkLimits(draft: Refusing, shares: readonly Share[], limits: ReadonlyMap<Side, number>): void {
  if (draft.isRefused('commissions')) return
  for (const [side, limit] of limits) {
    const given = shares.reduce((sum, share) => sum + (share.side === side ? share.partner_cents : 0), 0)
    if (given <= limit) continue
    draft.refuse(
      'commissions',
      `Invalid commissions: ${side} gives ${formatCents(given)} of ${formatCents(limit)}`,
    )
  }
}

/** The id of the first commission that goes, changes or is new (0); null if there is none. `among`: only of these. */
export function changedShare(
  stored: readonly Share[],
  next: readonly Share[],
  among: (id: number) => boolean = () => true,
): number | null {
  const after = new Map(next.map((share) => [share.id, JSON.stringify(share)]))
  const changed = stored.find((share) => among(share.id) && after.get(share.id) !== JSON.stringify(share))
  return changed?.id ?? (among(0) && after.has(0) ? 0 : null)
}
