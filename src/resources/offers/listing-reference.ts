/**
 * The property that an offer or a contract is about: a listing of the agency, or one off its system. Offers and
 * contracts show it the same way.
 */
import { z } from 'zod'
import { ALL_SUBCATEGORIES, AVAILABILITIES, CATEGORIES } from '../../catalogue/enums.ts'
import type { ExternalProperty } from '../../db/tables/offers.ts'
import { amountText } from '../../fields/money.ts'

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
        address: z.string().nullable().describe('Street address'),
        price: z.int().nullable().describe('Asking price, in whole units of currency'),
        owner_name: z.string().nullable().describe('Name of the owner'),
        listing_code: z.string().nullable().describe('Code that others gave it'),
        availability: z.enum(AVAILABILITIES).nullable().describe('How it is offered'),
        category: z.enum(CATEGORIES).nullable().describe('Kind of property'),
        subcategory: z.enum(ALL_SUBCATEGORIES).nullable().describe('One of the category’s'),
        size: amountText().nullable().describe('Square metres with two decimals'),
        area_level1: z.int().nullable().describe('Region'),
        area_level2: z.int().nullable().describe('Municipality or district'),
        area_level3: z.int().nullable().describe('Neighbourhood'),
        listing_link: z.string().nullable().describe('Where it was found'),
        notes: z.string().nullable().describe('Internal notes'),
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
  return {
    external: true,
    address: property.address,
    price: property.price,
    owner_name: property.owner_name,
    listing_code: property.listing_code,
    availability: property.availability,
    category: property.category,
    subcategory: property.subcategory,
    size: property.size,
    area_level1: property.area_level1,
    area_level2: property.area_level2,
    area_level3: property.area_level3,
    listing_link: property.listing_link,
    notes: property.notes,
  }
}
