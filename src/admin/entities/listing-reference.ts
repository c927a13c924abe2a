/** The property that a line of an offer or a contract is about: a listing of the agency, or one off its system. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import {
  ALL_SUBCATEGORIES,
  AVAILABILITIES,
  belongsTo,
  CATEGORIES,
  SUBCATEGORIES,
} from '../../catalogue/enums.ts'
import { AREAS, checkAreas, type NamedArea } from '../../db/areas.ts'
import { isOneOf } from '../../db/conditions.ts'
import { idList, type Reference } from '../../db/references.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import type { ExternalProperty } from '../../db/tables/offers.ts'
import { amount, formatCents } from '../../fields/money.ts'
import { count, id, LONG_TEXT, optionalText } from '../../fields/values.ts'
import type { Draft } from '../../http/check.ts'
import type { StoredReference } from '../../resources/offers/listing-reference.ts'

const property = {
  address: optionalText().nullish(),
  price: count().nullish(),
  owner_name: optionalText().nullish(),
  listing_code: optionalText().nullish(),
  availability: z.enum(AVAILABILITIES).nullish(),
  category: z.enum(CATEGORIES).nullish(),
  subcategory: z.enum(ALL_SUBCATEGORIES).nullish(),
  // Two decimals, as an amount has them.
  size: amount().transform(formatCents).nullish(),
  area_level1: id().nullish(),
  area_level2: id().nullish(),
  area_level3: id().nullish(),
  listing_link: optionalText().nullish(),
  notes: optionalText(LONG_TEXT).nullish(),
}

/** A listing reference as import takes it. */
export const importedReference = z.object({ external: z.boolean(), listing_id: id().nullish(), ...property })

type ImportedReference = z.output<typeof importedReference>
type ReferenceDraft = Draft<{ listing: ImportedReference }>

const KEYS = Object.keys(property) as (keyof typeof property)[]

/** Everything that a reference names by id. */
export function referencesOfListing(listing: Partial<ImportedReference> = {}): Reference[] {
  return [
    { field: 'listing.listing_id', table: 'listings', ids: idList(listing.listing_id) },
    ...AREAS.map((field) => ({
      field: `listing.${field}`,
      table: 'locations',
      ids: idList(listing[field]),
    })),
  ]
}

/** The statement for the level of each place that `listings` name. */
export function selectLevels(listings: (Partial<ImportedReference> | undefined)[]): Statement<NamedArea> {
  const ids = listings.flatMap((listing) => AREAS.flatMap((field) => idList(listing?.[field])))
  return sqlStatement(sql`select id, level from locations where ${isOneOf(sql`id`, ids)}`)
}

/** Notes in `draft` what one kind of property has and the other has not, and places of the wrong level. */
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

/** The columns that hold a checked reference. */
export function storedReference(listing: ImportedReference): StoredReference {
  if (!listing.external) return { listing_id: listing.listing_id ?? null, external_property: null }
  const stored = Object.fromEntries(KEYS.map((key) => [key, listing[key] ?? null]))
  return { listing_id: null, external_property: stored as unknown as ExternalProperty }
}

function refuse(draft: ReferenceDraft, key: string, message: string): void {
  draft.refuse(`listing.${key}`, `Invalid listing.${key}: ${message}`)
}
