import type { Random } from '../fixtures/random.ts'
import { DAY, dateTimeOf, LATEST, momentBetween } from './moments.ts'

export type DemoOfferStatus =
  | 'draft'
  | 'submitted'
  | 'under_negotiation'
  | 'accepted'
  | 'rejected'
  | 'withdrawn'

type RoundType =
  | 'offer_submitted'
  | 'counter_offer'
  | 'buyer_revision'
  | 'accepted'
  | 'rejected'
  | 'withdrawn'
  | 'note'

interface Talks {
  readonly status: DemoOfferStatus
  /** The asking price. */
  readonly asking: number
  readonly created: number
  readonly created_by: number
  /** The last id that a round has. */
  readonly roundId: number
}

/** The rounds that lead to a status, the price last spoken of, and the moment of the last round. */
export function negotiate(random: Random, { status, asking, created, created_by, roundId }: Talks) {
  let buyer = asking * (0.82 + random.next() * 0.12)
  let seller = asking
  let moment = created
  let amount = tidy(buyer)
  const rounds = course(random, status).map((type, index) => {
    if (index > 0) moment = Math.min(momentBetween(random, moment, moment + 6 * DAY), LATEST)
    if (type === 'counter_offer') seller -= (seller - buyer) * (0.2 + random.next() * 0.4)
    if (type === 'buyer_revision') buyer += (seller - buyer) * (0.2 + random.next() * 0.4)
    if (type === 'accepted') buyer = random.chance(0.5) ? seller : (buyer + seller) / 2
    if (type !== 'note') amount = tidy(type === 'counter_offer' ? seller : buyer)
    return {
      id: roundId + index + 1,
      type,
      amount: SPOKEN.has(type) ? amount : null,
      current_listing_price: asking,
      notes: type === 'note' || random.chance(0.2) ? random.pick(REMARKS) : null,
      created_by,
      date_created: dateTimeOf(moment),
    }
  })
  return { rounds, amount, ended: moment }
}

/** The rounds that name a sum. */
const SPOKEN: ReadonlySet<RoundType> = new Set<RoundType>([
  'offer_submitted',
  'counter_offer',
  'buyer_revision',
  'accepted',
])

const REMARKS = [
  'Τηλεφωνική επικοινωνία με τον ιδιοκτήτη.',
  'Ο αγοραστής ζήτησε λίγες μέρες.',
  'Στάλθηκε με e-mail.',
  'Συζητήθηκε και η παραμονή των επίπλων.',
]

/** What kinds of rounds lead to `status`, in order. */
function course(random: Random, status: DemoOfferStatus): RoundType[] {
  if (status === 'draft') return random.chance(0.5) ? ['note'] : []
  const talks: RoundType[] = ['offer_submitted']
  const answered = status === 'under_negotiation' || (status !== 'submitted' && random.chance(0.7))
  if (answered) talks.push('counter_offer')
  if (answered && random.chance(0.6)) talks.push('buyer_revision')
  if (answered && random.chance(0.2)) talks.push('counter_offer', 'buyer_revision')
  if (random.chance(0.25)) talks.push('note')
  if (status === 'accepted' || status === 'rejected' || status === 'withdrawn') talks.push(status)
  return talks
}

/** To the next thousand, or to ten of a rent. */
function tidy(amount: number): number {
  const step = amount > 20_000 ? 1_000 : 10
  return Math.max(step, Math.round(amount / step) * step)
}
