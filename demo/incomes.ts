import { type Random, seeded } from '../fixtures/random.ts'
import { CONTRACT_STATUSES, INCOME_OTHER_CATEGORIES, USERS } from './agency.ts'
import type { DemoContract } from './contracts.ts'
import { DAY, dateOf, dateTimeOf, LATEST, momentBetween, OPENED } from './moments.ts'

export type DemoIncome = ReturnType<typeof finish>

/**
 * Incomes, oldest first: the fees of contracts that were not cancelled, split with the agents, and between them
 * valuations, referrals and the like. The expense of commission n gets the id `firstExpense` + n - 1.
 */
export function demoIncomes(
  contracts: readonly DemoContract[],
  contacts: readonly number[],
  count = 60,
  firstExpense = 91,
): DemoIncome[] {
  const random = seeded(9_019)
  const cancelled = CONTRACT_STATUSES.find((status) => status.is_cancelled)?.id
  const fees = contracts
    .filter((contract) => contract.status_id !== cancelled)
    .slice(0, Math.floor(count * 0.6))
    .map((contract) => contractFee(random, contract))
  const others = Array.from({ length: count - fees.length }, () => otherIncome(random, contacts))
  let commissionId = 0
  return [...fees, ...others]
    .sort((a, b) => a.earned - b.earned)
    .map((income, index) =>
      finish(random, income, index + 1, () => {
        commissionId += 1
        return { id: commissionId, expense_id: firstExpense + commissionId - 1 }
      }),
    )
}

interface Earned {
  readonly category: 'contract' | 'valuation' | 'referral' | 'other'
  readonly other_category_id: number | null
  readonly contract_id: number | null
  /** Cents. */
  readonly owner_side: number | null
  readonly client_side: number | null
  readonly total: number
  readonly earned: number
  readonly title: string
  readonly created_by: number
  readonly contacts: readonly number[]
}

/** Two percent from each side, now and then from one side only; of a rent, one month. */
function contractFee(random: Random, contract: DemoContract): Earned {
  const price = contract.final_property_price
  const fee = price > 10_000 ? Math.max(80_000, price * 2) : price * 100
  const sides = random.pick(['both', 'both', 'both', 'owner', 'client'])
  const owner_side = sides === 'client' ? null : fee
  const client_side = sides === 'owner' ? null : fee
  const signed = Date.parse(`${(contract.status_date ?? contract.date_created).slice(0, 10)}T09:00:00Z`)
  return {
    category: 'contract',
    other_category_id: null,
    contract_id: contract.id,
    owner_side,
    client_side,
    total: (owner_side ?? 0) + (client_side ?? 0),
    earned: Math.min(signed + random.int(0, 15) * DAY, LATEST),
    title: `Αμοιβή συμβολαίου ${contract.id}`,
    created_by: contract.created_by,
    contacts: contract.contacts,
  }
}

function otherIncome(random: Random, contacts: readonly number[]): Earned {
  const category = random.pick(['valuation', 'valuation', 'referral', 'other'] as const)
  const kind = random.pick(INCOME_OTHER_CATEGORIES)
  return {
    category,
    other_category_id: category === 'other' ? kind.id : null,
    contract_id: null,
    owner_side: null,
    client_side: null,
    total: random.int(8, 90) * 1_000 + random.pick([0, 0, 50]),
    earned: momentBetween(random, OPENED, LATEST),
    title: category === 'other' ? kind.name : TITLES[category],
    created_by: random.pick(USERS).id,
    contacts: random.sample(contacts, random.int(0, 1)),
  }
}

const TITLES = { valuation: 'Εκτίμηση ακινήτου', referral: 'Σύσταση πελάτη σε συνεργάτη' }

function finish(
  random: Random,
  income: Earned,
  id: number,
  nextIds: () => { id: number; expense_id: number },
) {
  const updated = random.chance(0.4) ? momentBetween(random, income.earned, LATEST) : null
  return {
    id,
    category: income.category,
    other_category_id: income.other_category_id,
    contract_id: income.contract_id,
    owner_side_amount: income.owner_side === null ? null : euros(income.owner_side),
    client_side_amount: income.client_side === null ? null : euros(income.client_side),
    total_amount: euros(income.total),
    date: dateOf(income.earned),
    title: income.title,
    notes: random.chance(0.25) ? 'Εκδόθηκε τιμολόγιο.' : null,
    status: income.earned < LATEST - 60 * DAY ? ('confirmed' as const) : ('pending' as const),
    created_by: income.created_by,
    date_created: dateTimeOf(income.earned),
    date_updated: updated === null ? null : dateTimeOf(updated),
    commissions: [
      ...split(random, 'owner_side', income.owner_side, nextIds),
      ...split(random, 'client_side', income.client_side, nextIds),
    ],
    contacts: income.contacts,
  }
}

/** The agents' shares of one side: one of them, or two. */
function split(
  random: Random,
  side: 'owner_side' | 'client_side',
  amount: number | null,
  nextIds: () => { id: number; expense_id: number },
) {
  if (amount === null || random.chance(0.15)) return []
  const partners = random.sample(USERS, random.chance(0.25) ? 2 : 1)
  return partners.map((partner) => {
    const { id, expense_id } = nextIds()
    const share = Math.round((amount * random.pick([25, 30, 35, 40])) / 100 / partners.length)
    return {
      id,
      side,
      partner_id: partner.id,
      side_total_commission: euros(amount),
      partner_commission_amount: euros(share),
      expense_id,
    }
  })
}

/** Cents as euros with two decimals. */
export function euros(cents: number): string {
  return (cents / 100).toFixed(2)
}
