/** What storing a body makes of an external listing, once the rules have let it through. */
import type { external_listings } from '../../db/tables/external-listings.ts'
import { divideToCents } from '../../fields/decimal.ts'
import type { ExternalListingFacts } from './rules.ts'

type ExternalListingColumns = Omit<
  typeof external_listings.$inferInsert,
  'id' | 'date_created' | 'date_updated' | 'photos' | 'status' | 'price_per_sqm'
>

/**
 * What `input` decides alone; coordinates of the location win over those beside it. Status and price per square metre
 * depend on who asks: for the API null is the same as nothing.
 */
export function columnsOf(input: ExternalListingFacts): ExternalListingColumns {
  const { location } = input
  return {
    created_by: input.created_by,
    store_id: input.store_id,
    source_id: input.source_id ?? null,
    external_url: input.external_url ?? null,
    availability: input.availability ?? null,
    category: input.category ?? null,
    subcategory: input.subcategory ?? null,
    price: input.price ?? null,
    size: input.size ?? null,
    floor: input.floor ?? null,
    levels: input.levels ?? null,
    rooms: input.rooms ?? null,
    wcs: input.wcs ?? null,
    bathrooms: input.bathrooms ?? null,
    kitchens: input.kitchens ?? null,
    living_rooms: input.living_rooms ?? null,
    year_built: input.year_built ?? null,
    description: input.description ?? null,
    address: location?.address ?? null,
    area_level1: location?.area_level1 ?? null,
    area_level2: location?.area_level2 ?? null,
    area_level3: location?.area_level3 ?? null,
    latitude: location?.latitude ?? input.latitude ?? null,
    longitude: location?.longitude ?? input.longitude ?? null,
    contact_full_name: input.contact_full_name ?? null,
    contact_email: input.contact_email ?? null,
    contact_phones: input.contact_phones ?? null,
  }
}

/** Price / size rounded half up to two decimals; null when one is missing or the size is 0. */
export function pricePerSqm({ price, size }: Pick<ExternalListingFacts, 'price' | 'size'>): number | null {
  return price == null || !size ? null : divideToCents(price, size)
}
