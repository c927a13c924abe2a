/** Resolves the body of an external listing, after the rules have accepted it. */
import { owner, place, property, texts, watchers } from '../../catalogue/external-listing.ts'
import { divideToCents } from '../../fields/decimal.ts'
import { toRow } from '../../fields/derive.ts'
import type { ExternalListingFacts } from './rules.ts'

/**
 * The columns that follow from `input` alone. Coordinates in `location` take precedence over those at the top level.
 * Callers replace status and price per square metre, as only the API has defaults for null.
 */
export function columnsOf(input: ExternalListingFacts) {
  const { location } = input
  return {
    ...toRow(watchers, input),
    ...toRow(property, input),
    ...toRow(texts, input),
    ...toRow(place, {
      ...location,
      latitude: location?.latitude ?? input.latitude,
      longitude: location?.longitude ?? input.longitude,
    }),
    ...toRow(owner, input),
  }
}

/** Price / size, rounded half up to two decimals; null if one is missing or the size is 0. */
export function pricePerSqm({ price, size }: Pick<ExternalListingFacts, 'price' | 'size'>): number | null {
  return price == null || !size ? null : divideToCents(price, size)
}
