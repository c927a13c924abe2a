/**
 * The property that an offer or a contract is about: a listing of the agency, or one off its system. Offers and
 * contracts show it the same way.
 */
import { z } from 'zod'
import { externalProperty } from '../../catalogue/offer.ts'
import type { ExternalProperty } from '../../db/tables/offers.ts'
import { outputs, present } from '../../fields/derive.ts'

/** The two columns of a listing reference; one of them is null. */
export interface StoredReference {
  listing_id: number | null
  external_property: ExternalProperty | null
}

/** A listing reference as it is read back. */
export const listingReference = z
  .discriminatedUnion('external', [
    z
      .object({
        external: z.literal(false).describe('A listing of the agency'),
        listing_id: z.int().describe('Id of the listing'),
      })
      .meta({ id: 'OwnListingReference', description: 'A listing of the agency' }),
    z
      .object({
        external: z.literal(true).describe('A property off the system'),
        ...outputs(externalProperty),
      })
      .meta({ id: 'OffSystemListingReference', description: 'A property that is no listing of the agency' }),
  ])
  .meta({
    id: 'ListingReference',
    description:
      'The property that an offer or a contract is about; `external` tells which of two kinds it is',
  })

/** A reference's JSON. */
export function presentReference(row: StoredReference): z.output<typeof listingReference> {
  const { listing_id, external_property: property } = row
  if (!property) return { external: false, listing_id: listing_id ?? 0 }
  return { external: true, ...present(externalProperty, property) }
}
