/** The rounds of a negotiation: in which statuses an offer takes each, which amount it has, and where it leads. */
import { OFFER_STATUSES, type ROUND_TYPES } from '../../catalogue/office-enums.ts'

export type OfferStatus = (typeof OFFER_STATUSES)[number]
export type RoundType = (typeof ROUND_TYPES)[number]

interface Transition {
  allowedIn: readonly OfferStatus[]
  /** `last`: that of the rounds before, where none is sent. */
  amount: 'required' | 'last' | 'none'
  /** Null: the status stays. */
  leadsTo: OfferStatus | null
}

/** The statuses of an offer that is neither accepted nor ended. */
const OPEN = ['submitted', 'under_negotiation'] as const
/** An offer that came to nothing, which a new amount reopens. */
export const ENDED = ['rejected', 'withdrawn'] as const

export const TRANSITIONS: Record<RoundType, Transition> = {
  offer_submitted: { allowedIn: ['draft'], amount: 'required', leadsTo: 'submitted' },
  counter_offer: { allowedIn: [...OPEN, ...ENDED], amount: 'required', leadsTo: 'under_negotiation' },
  buyer_revision: { allowedIn: [...OPEN, ...ENDED], amount: 'required', leadsTo: 'under_negotiation' },
  accepted: { allowedIn: OPEN, amount: 'last', leadsTo: 'accepted' },
  rejected: { allowedIn: [...OPEN, 'accepted'], amount: 'none', leadsTo: 'rejected' },
  withdrawn: { allowedIn: ['draft', ...OPEN, 'accepted'], amount: 'none', leadsTo: 'withdrawn' },
  note: { allowedIn: OFFER_STATUSES, amount: 'none', leadsTo: null },
}

/** The statuses of offers that an acceptance of another may reject. */
export const UNDECIDED = ['draft', ...OPEN] as const

/** Whether an offer of this status came to nothing. */
export function isEnded(status: OfferStatus): boolean {
  return ENDED.some((one) => one === status)
}
