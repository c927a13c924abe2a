/** What storing a body makes of an external listing, once the rules have let it through. */
import { keeper, owner, place, property, texts } from '../../catalogue/external-listing.ts'
import { divideToCents } from '../../fields/decimal.ts'
import { toRow } from '../../fields/derive.ts'
import type { ExternalListingFacts } from './rules.ts'

/**
 * What `input` decides alone; coordinates of the location win over those beside it. Callers replace status and price
 * per square metre, where null means nothing to the API alone.
 */
export function columnsOf(input: ExternalListingFacts) {
  const { location } = input
  return {
    ...toRow(keeper, input),
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

/** Price / size rounded half up to two decimals; null when one is missing or the size is 0. */
export function pricePerSqm({ price, size }: Pick<ExternalListingFacts, 'price' | 'size'>): number | null {
  return price == null || !size ? null : divideToCents(price, size)
}
