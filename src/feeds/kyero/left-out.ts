/** Which listings Kyero's format has no room for. The feed leaves out those for which this names a reason. */
import type { FeedListing } from '../listing.ts'
import { kyeroType } from './types.ts'

/** Highest price: the format has eight digits. */
const MAX_PRICE = 99_999_999

/** Why listings are left out, in the order in which it is examined, and what each reason means. */
export const REASONS = {
  no_price: 'it has no price',
  hidden_price: 'its price is not published',
  price_digits: 'its price has more than eight digits',
  auction: 'it is auctioned',
  shortterm: 'it is let short-term, but not by the month',
  no_area: 'it has no area of level 2, or none of level 1',
  no_type: 'the format has no type for its subcategory',
} as const

export type Reason = keyof typeof REASONS

const TESTS: Record<Reason, (listing: FeedListing) => boolean> = {
  no_price: ({ price, has_hidden_price }) => !has_hidden_price && !price,
  hidden_price: ({ has_hidden_price }) => has_hidden_price === true,
  price_digits: ({ price }) => (price ?? 0) > MAX_PRICE,
  auction: ({ availability }) => availability === 'auction',
  shortterm: ({ availability, shortterm_unit }) =>
    availability === 'shortterm' && shortterm_unit !== 'per_month',
  no_area: ({ location: { area_level1, area_level2 } }) => !area_level1?.name_en || !area_level2?.name_en,
  no_type: (listing) => kyeroType(listing) === null,
}

/** Why the feed leaves this listing out; null if it has it. */
export function whyLeftOut(listing: FeedListing): Reason | null {
  const reasons = Object.keys(TESTS) as Reason[]
  return reasons.find((reason) => TESTS[reason](listing)) ?? null
}
