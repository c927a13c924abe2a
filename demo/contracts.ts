import { type Random, seeded } from '../fixtures/random.ts'
import { CONTRACT_STATUSES } from './agency.ts'
import { DAY, dateOf, dateTimeOf, LATEST, momentBetween } from './moments.ts'
import type { PlannedOffer } from './offers.ts'

export type DemoContract = ReturnType<typeof demoContract>

/** Contracts from the first accepted offers, oldest first. `contacts` are the ids to take notaries from. */
export function demoContracts(
  offers: readonly PlannedOffer[],
  contacts: readonly number[],
  count = 40,
): DemoContract[] {
  const random = seeded(8_017)
  const accepted = offers.filter(({ offer }) => offer.status === 'accepted').slice(0, count)
  return accepted.map((planned, index) => demoContract(random, planned, contacts, index + 1))
}

function demoContract(
  random: Random,
  { offer, amount, ended }: PlannedOffer,
  contacts: readonly number[],
  id: number,
) {
  const created = Math.min(ended + random.int(1, 12) * DAY, LATEST)
  const status = statusOf(random, created)
  const changed =
    status === FIRST ? null : momentBetween(random, created, Math.min(created + 90 * DAY, LATEST))
  const deposited = status !== FIRST
  return {
    id,
    offer_id: offer.id,
    request_id: offer.request_id,
    store_id: offer.store_id,
    status_id: status.id,
    created_by: offer.created_by,
    date_created: dateTimeOf(created),
    date_updated: dateTimeOf(changed ?? created),
    status_date: changed === null ? null : dateTimeOf(changed),
    currency: offer.currency,
    loan_percentage: offer.loan_percentage,
    initial_property_price: offer.current_listing_price,
    final_property_price: amount,
    deposit_amount: deposited ? Math.round(amount / 10) : null,
    deposit_date: deposited ? dateOf(Math.min(created + random.int(1, 20) * DAY, LATEST)) : null,
    notary_contact_id: random.chance(0.7) && contacts.length > 0 ? random.pick(contacts) : null,
    notes: random.chance(0.4) ? random.pick(NOTES) : null,
    external_contact: offer.external_contact,
    listing: offer.listing,
    contacts: offer.contacts,
  }
}

const FIRST = CONTRACT_STATUSES[0]

/** Old contracts are signed or, rarely, cancelled; recent ones are in progress. */
function statusOf(random: Random, created: number) {
  const [preparing, titles, preliminary, signed, cancelled] = CONTRACT_STATUSES
  const old = [signed, signed, signed, signed, cancelled]
  const young = [preparing, titles, preliminary]
  const status = random.pick(created < LATEST - 150 * DAY ? old : young)
  if (!status) throw new Error('A contract status is missing')
  return status
}

const NOTES = [
  'Ο συμβολαιογράφος ζητά νεότερο απόσπασμα.',
  'Παράδοση κλειδιών την ημέρα του συμβολαίου.',
  'Αναμένεται φορολογική ενημερότητα.',
  'Deposit held by the notary.',
]
