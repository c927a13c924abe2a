/** Presents the property of an offer or a contract in the same way: a listing of the agency, or another property. */
import { z } from 'zod'
import { externalProperty } from '../../catalogue/offer.ts'
import type { ExternalProperty } from '../../db/tables/offers.ts'
import { outputs, present } from '../../fields/derive.ts'

/** The two columns of a listing reference, of which one is null. */
export interface StoredReference {
  listing_id: number | null
  external_property: ExternalProperty | null
}

/** The schema of a listing reference in replies. */
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
        external: z.literal(true).describe('A property that is not a listing of the agency'),
        ...outputs(externalProperty),
      })
      .meta({
        id: 'OffSystemListingReference',
        description: 'A property that is not a listing of the agency',
      }),
  ])
  .meta({
    id: 'ListingReference',
    description: 'The property of an offer or a contract; `external` says of which kind it is',
  })

/** The JSON of a listing reference. */
export function presentReference(row: StoredReference): z.output<typeof listingReference> {
  const { listing_id, external_property: property } = row
  if (!property) return { external: false, listing_id: listing_id ?? 0 }
  return { external: true, ...present(externalProperty, property) }
}
