/** A line in English about a listing that has no other text. */
import type { FeedListing } from '../listing.ts'
import { kyeroType } from './types.ts'

/** `Apartment, 85 m², 2 bedrooms, Kifisia, North Athens`. */
export function englishLine(listing: FeedListing): string {
  const { size, rooms, location } = listing
  const { area_level1, area_level2, area_level3 } = location
  return [
    kyeroType(listing) ?? 'Property',
    size ? `${Math.round(size)} m²` : null,
    rooms ? `${rooms} ${rooms === 1 ? 'bedroom' : 'bedrooms'}` : null,
    ...[area_level3, area_level2, area_level1].map((area) => area?.name_en),
  ]
    .filter(Boolean)
    .join(', ')
}
