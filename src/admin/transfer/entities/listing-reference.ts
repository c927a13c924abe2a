/** The property of an offer or contract line: a listing of the agency or an off-system property. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { belongsTo, SUBCATEGORIES } from '../../../catalogue/enums.ts'
import { externalProperty } from '../../../catalogue/offer.ts'
import { AREAS, checkAreas, type NamedArea } from '../../../db/areas.ts'
import { isOneOf } from '../../../db/conditions.ts'
import { fieldReferences, idList, type Reference } from '../../../db/references.ts'
import { type Statement, sqlStatement } from '../../../db/statements.ts'
import { inputs, toRow } from '../../../fields/derive.ts'
import { id } from '../../../fields/values.ts'
import type { Draft } from '../../../http/request/check.ts'
import type { StoredReference } from '../../../resources/offers/listing-reference.ts'

/** A listing reference in an import line. */
export const importedReference = z.object({
  external: z.boolean().describe('Whether it is off-system, and no listing of the agency'),
  listing_id: id().nullish().describe('The listing, unless it is off-system'),
  ...inputs(externalProperty),
})

type ImportedReference = z.output<typeof importedReference>
type ReferenceDraft = Draft<{ listing: ImportedReference }>

const KEYS = Object.keys(externalProperty) as (keyof typeof externalProperty)[]

/** All ids in a listing reference. */
export function referencesOfListing(listing: Partial<ImportedReference> = {}): Reference[] {
  return [
    { field: 'listing.listing_id', table: 'listings', ids: idList(listing.listing_id) },
    ...fieldReferences(externalProperty, listing, 'listing.'),
  ]
}

/** The statement for the levels of the places that `listings` name. */
export function selectLevels(listings: (Partial<ImportedReference> | undefined)[]): Statement<NamedArea> {
  const ids = listings.flatMap((listing) => AREAS.flatMap((field) => idList(listing?.[field])))
  return sqlStatement(sql`select id, level from locations where ${isOneOf(sql`id`, ids)}`)
}

/** Refuses fields that the kind of property does not have, and places of the wrong level. */
export function checkReference(draft: ReferenceDraft, levels: NamedArea[]): void {
  const listing: Partial<ImportedReference> = draft.values.listing ?? {}
  if (listing.external === undefined) return
  if (!listing.external) {
    if (listing.listing_id == null && !draft.isRefused('listing.listing_id')) {
      draft.refuse('listing.listing_id', 'Missing listing.listing_id')
    }
    for (const key of KEYS) {
      if (listing[key] != null) refuse(draft, key, 'only an off-system property has it')
    }
    return
  }
  if (listing.listing_id != null) refuse(draft, 'listing_id', 'an off-system property has none')
  const { category, subcategory } = listing
  if (category && subcategory && !belongsTo(subcategory, category)) {
    refuse(draft, 'subcategory', `must be one of ${SUBCATEGORIES[category].join(', ')}`)
  }
  const areas = AREAS.map((key) => levels.find(({ id }) => id === listing[key]))
  checkAreas(draft, 'listing.', areas)
}

/** The columns of a checked reference. */
export function storedReference(listing: ImportedReference): StoredReference {
  if (!listing.external) return { listing_id: listing.listing_id ?? null, external_property: null }
  return { listing_id: null, external_property: toRow(externalProperty, listing) }
}

function refuse(draft: ReferenceDraft, key: string, message: string): void {
  draft.refuse(`listing.${key}`, `Invalid listing.${key}: ${message}`)
}
