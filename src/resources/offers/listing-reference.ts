/** The property of an offer or a contract, a part of both: a listing of the agency, or another property. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { externalProperty } from '../../catalogue/offer.ts'
import { belongsTo, SUBCATEGORIES } from '../../catalogue/property-enums.ts'
import { AREAS, checkAreas, type NamedArea } from '../../db/areas.ts'
import { isOneOf } from '../../db/conditions.ts'
import { fieldReferences, idList } from '../../db/references.ts'
import { sqlStatement } from '../../db/statements.ts'
import { inputs, outputs, present, toRow } from '../../fields/derive.ts'
import { id, named } from '../../fields/values.ts'
import type { Draft } from '../../http/request/check.ts'
import { isObject } from '../../http/request/object-keys.ts'
import type { WrittenPart } from '../plain/parts.ts'

const shown = z
  .discriminatedUnion('external', [
    named('OwnListingReference', 'A listing of the agency', {
      external: z.literal(false).describe('A listing of the agency'),
      listing_id: z.int().describe('Id of the listing'),
    }),
    named('OffSystemListingReference', 'A property that is not a listing of the agency', {
      external: z.literal(true).describe('A property that is not a listing of the agency'),
      ...outputs(externalProperty),
    }),
  ])
  .meta({
    id: 'ListingReference',
    description: 'The property of an offer or a contract; `external` says of which kind it is',
  })

const sent = z
  .object({
    external: z.boolean().describe('Whether it is off-system, and no listing of the agency'),
    listing_id: id().nullish().describe('The listing, unless it is off-system'),
    ...inputs(externalProperty),
  })
  .describe('The property')

type Sent = z.output<typeof sent>

const KEYS = Object.keys(externalProperty) as (keyof typeof externalProperty)[]

/** The part. Columns hold it: `listing_id` and `external_property`, of which one is null. */
export const listingReference: WrittenPart<unknown, Sent, NamedArea> = {
  doc: 'The property',
  output: shown,
  show: (_, { listing_id, external_property: property }) =>
    isObject(property)
      ? { external: true, ...present(externalProperty, property) }
      : { external: false, listing_id: listing_id ?? 0 },
  input: sent,
  references: (listing: Partial<Sent> | undefined) => [
    { field: 'listing.listing_id', table: 'listings', ids: idList(listing?.listing_id) },
    ...fieldReferences(externalProperty, listing, 'listing.'),
  ],
  load: (listings: (Partial<Sent> | undefined)[]) => {
    const ids = listings.flatMap((listing) => AREAS.flatMap((field) => idList(listing?.[field])))
    return sqlStatement(sql`select id, level from locations where ${isOneOf(sql`id`, ids)}`)
  },
  check: (draft, levels, { sent, isChanged }) => {
    if (isChanged) checkReference(draft, sent ?? {}, levels)
  },
  usesDefinitions: true,
  // A new contract may have null, and then the property of its offer.
  resolve: (listing: Sent | null) =>
    listing
      ? {
          listing_id: listing.external ? null : (listing.listing_id ?? null),
          external_property: listing.external ? toRow(externalProperty, listing) : null,
          external_listing: listing.external,
        }
      : {},
}

/** Refuses fields that the kind of property does not have, and places of the wrong level. */
function checkReference(draft: Draft<unknown>, listing: Partial<Sent>, levels: NamedArea[]): void {
  const refuse = (key: string, message: string) =>
    draft.refuse(`listing.${key}`, `Invalid listing.${key}: ${message}`)
  if (listing.external === undefined) return
  if (!listing.external) {
    if (listing.listing_id == null && !draft.isRefused('listing.listing_id')) {
      draft.refuse('listing.listing_id', 'Missing listing.listing_id')
    }
    for (const key of KEYS) {
      if (listing[key] != null) refuse(key, 'only an off-system property has it')
    }
    return
  }
  if (listing.listing_id != null) refuse('listing_id', 'an off-system property has none')
  const { category, subcategory } = listing
  if (category && subcategory && !belongsTo(subcategory, category)) {
    refuse('subcategory', `must be one of ${SUBCATEGORIES[category].join(', ')}`)
  }
  const areas = AREAS.map((key) => levels.find(({ id }) => id === listing[key]))
  checkAreas(draft, 'listing.', areas)
}
