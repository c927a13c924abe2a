import { type Random, seeded } from '../fixtures/random.ts'
import { USERS } from './agency.ts'
import { contactOf } from './contacts.ts'
import type { DemoExternalListing } from './external-listings.ts'
import { DAY, dateTimeOf, LATEST } from './moments.ts'
import { type DemoOfferStatus, negotiate } from './offer-rounds.ts'
import type { PlannedRequest } from './requests.ts'

type DemoOffer = ReturnType<typeof demoOffer>['offer']

/** An offer and the result of its negotiation. */
export interface PlannedOffer {
  readonly offer: DemoOffer
  /** The price last spoken of. */
  readonly amount: number
  /** When the last round was. */
  readonly ended: number
}

/**
 * Offers of buyers, oldest first, on the listing that their request was built around. Every sixth is on an off-system
 * property, and every eighth is by a buyer who is not a stored contact.
 */
export function demoOffers(
  requests: readonly PlannedRequest[],
  externalListings: readonly DemoExternalListing[],
  count = 120,
): PlannedOffer[] {
  const random = seeded(7_013)
  const priced = externalListings.filter(({ price }) => price !== null)
  if (requests.length === 0 || priced.length === 0) return []
  const [buyers, strangers] = [random.deck(requests), random.deck(priced)]
  const status = random.deck(STATUSES)
  const starts = Array.from({ length: count }, () => start(random, buyers(), strangers(), status()))
  let roundId = 0
  return starts
    .sort((a, b) => a.created - b.created)
    .map((planned, index) => {
      const made = demoOffer(random, planned, index + 1, roundId)
      roundId += made.offer.rounds.length
      return made
    })
}

/** The statuses of sixty offers, with enough accepted ones for contracts. */
const STATUSES: readonly DemoOfferStatus[] = [
  ...Array<DemoOfferStatus>(4).fill('draft'),
  ...Array<DemoOfferStatus>(9).fill('submitted'),
  ...Array<DemoOfferStatus>(11).fill('under_negotiation'),
  ...Array<DemoOfferStatus>(22).fill('accepted'),
  ...Array<DemoOfferStatus>(8).fill('rejected'),
  ...Array<DemoOfferStatus>(6).fill('withdrawn'),
]

interface Start {
  readonly status: DemoOfferStatus
  readonly planned: PlannedRequest
  /** The off-system property of the offer; null for a listing of the agency. */
  readonly stranger: DemoExternalListing | null
  readonly created: number
}

function start(
  random: Random,
  planned: PlannedRequest,
  outsider: DemoExternalListing,
  status: DemoOfferStatus,
): Start {
  const { request, target } = planned
  const asked = Math.max(momentOf(request.date_created), momentOf(target.date_created))
  const created = Math.min(asked + random.int(5, 120) * DAY, LATEST - random.int(1, 40) * DAY)
  return {
    status,
    planned,
    stranger: random.chance(1 / 6) ? outsider : null,
    created: Math.max(created, asked),
  }
}

/** The moment that a `YYYY-MM-DD HH:MM:SS` names. */
function momentOf(dateTime: string): number {
  return Date.parse(`${dateTime.replace(' ', 'T')}Z`)
}

function demoOffer(
  random: Random,
  { status, planned, stranger: outsider, created }: Start,
  id: number,
  roundId: number,
) {
  const { request, target } = planned
  const asking = outsider?.price ?? target.price ?? 0
  const agents = USERS.filter((user) => user.store_id === request.store_id)
  const created_by = random.pick(agents).id
  const external_contact = random.chance(1 / 8)
  const talks = negotiate(random, { status, asking, created, created_by, roundId })
  const offer = {
    id,
    status,
    is_active: status !== 'rejected' && status !== 'withdrawn',
    request_id: external_contact || random.chance(0.25) ? null : request.id,
    store_id: request.store_id,
    created_by,
    date_created: dateTimeOf(created),
    date_updated: dateTimeOf(talks.ended),
    currency: 'EUR',
    current_listing_price: asking,
    loan_percentage: random.pick([0, 0, 0, 30, 50, 60, 70, 80]),
    notes: random.chance(0.35) ? random.pick(NOTES) : null,
    external_contact,
    listing: outsider === null ? { external: false, listing_id: target.id } : offSystem(random, outsider),
    contacts: external_contact ? [] : request.contacts,
    rounds: talks.rounds,
  }
  return { offer, amount: talks.amount, ended: talks.ended }
}

const NOTES = [
  'Ο αγοραστής θέλει να μείνει η κουζίνα.',
  'Υπό τον όρο έγκρισης του δανείου.',
  'Ζητά παράδοση μέσα σε τρεις μήνες.',
  'Cash buyer, ready to sign.',
  'Ο ιδιοκτήτης είναι στο εξωτερικό, απαντά το βράδυ.',
]

/** An off-system property; of every fourth only address and price are known. */
function offSystem(random: Random, listing: DemoExternalListing) {
  const { price, availability, category, subcategory, size, location } = listing
  const known = random.chance(0.75)
  const owner = contactOf(random)
  return {
    external: true,
    address: location.address ?? 'Χωρίς αριθμό',
    price,
    owner_name: known ? `${owner.first.el} ${owner.last.el}` : null,
    listing_code: known ? `EXT-${listing.id}` : null,
    availability: known ? availability : null,
    category: known ? category : null,
    subcategory: known ? subcategory : null,
    size: known ? size.toFixed(2) : null,
    area_level1: known ? location.area_level1 : null,
    area_level2: known ? location.area_level2 : null,
    area_level3: known ? location.area_level3 : null,
    listing_link: listing.external_url,
    notes: random.chance(0.3) ? 'Το έχει και άλλο γραφείο.' : null,
  }
}
