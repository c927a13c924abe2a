/**
 * The rules of a listing: what a write refuses. A PUT is validated for the keys that were sent, against the record as it
 * would be afterwards.
 */
import { featureKey } from '../../catalogue/features.ts'
import { belongsTo, SUBCATEGORIES } from '../../catalogue/property-enums.ts'
import { AREAS, checkAreas } from '../../db/areas.ts'
import { newlyMissing } from '../../db/references.ts'
import { jsonBytes, withoutUndefined } from '../../fields/values.ts'
import type { Draft } from '../../http/request/check.ts'
import type { ListingInput } from './input.ts'
import type { Translation } from './queries.ts'
import { hasText, type ListingLookups } from './references.ts'
import type { StoredListing } from './stored.ts'

export type ListingDraft = Draft<ListingInput>

/**
 * Maximum bytes of all translations of a listing, as JSON. They are read as one value, and D1 allows at most 2 MB for
 * it.
 */
export const MAX_TRANSLATION_BYTES = 1_000_000

/** Refuses in `draft` what does not exist or does not fit. `current` is the stored record, null for a new one. */
export function validateListing(draft: ListingDraft, lookups: ListingLookups, current: StoredListing | null) {
  const held = current && 'extra' in current ? { ...current, 'the service': current.extra } : current
  draft.refuseAll(newlyMissing(lookups.missing, held))
  checkKind(draft, lookups, current)
  checkTexts(draft, lookups, current)
  checkLocation(draft, lookups, current)
}

/** Refuses texts without a language, and texts that make the translations of the listing too large. */
export function checkTexts(
  draft: ListingDraft,
  lookups: ListingLookups,
  current: { translations?: Translation[] } | null,
): void {
  const { title, description, language_id } = draft.values
  if (!hasText(draft.values)) return
  const { translations = [] } = current ?? {}
  const language = language_id ?? lookups.default_language_id
  if (language === null) draft.refuse('language_id', 'Missing language_id')
  const stored = translations.find(({ language_id }) => language_id === language)
  const others = translations.filter((translation) => translation !== stored)
  if (
    jsonBytes([...others, { ...stored, ...withoutUndefined({ title, description }) }]) <=
    MAX_TRANSLATION_BYTES
  )
    return
  const field = description === undefined ? 'title' : 'description'
  draft.refuse(field, `Invalid ${field}: translations must be at most ${MAX_TRANSLATION_BYTES} bytes in all`)
}

/** Refuses what does not fit the category: subcategory, subtype and features. */
export function checkKind(draft: ListingDraft, lookups: ListingLookups, current: StoredListing | null): void {
  checkType(draft, lookups, current)
  checkFeatures(draft, current)
}

function checkType(draft: ListingDraft, lookups: ListingLookups, current: StoredListing | null): void {
  const { category = current?.category, subtype } = draft.values
  const subcategory = draft.values.subcategory === undefined ? current?.subcategory : draft.values.subcategory
  const sentSubcategory = draft.values.subcategory
  if (sentSubcategory && category && !belongsTo(sentSubcategory, category)) {
    draft.refuse('subcategory', `Invalid subcategory: must be one of ${SUBCATEGORIES[category].join(', ')}`)
  }
  const owner = subtype ? lookups.subtypes.get(subtype) : undefined
  if (!owner || draft.isRefused('subcategory')) return
  if (!subcategory) draft.refuse('subtype', 'Invalid subtype: requires subcategory')
  else if (owner !== subcategory) {
    draft.refuse('subtype', `Invalid subtype: belongs to ${owner}, not to ${subcategory}`)
  }
}

function checkFeatures(draft: ListingDraft, current: StoredListing | null): void {
  const { features, category = current?.category } = draft.values
  if (!category) return
  for (const key of features ?? []) {
    if (!featureKey('features', key)?.categories.includes(category)) {
      draft.refuse('features', `Invalid features: ${key} does not apply to ${category}`)
    }
  }
}

/**
 * Refuses areas that do not lie within each other, checked on the merged location. A lower level needs the one above
 * it. Stored areas may not fit any more if places have moved; they are checked only if the location is sent.
 */
export function checkLocation(draft: ListingDraft, lookups: ListingLookups, current: StoredListing | null) {
  const { location } = draft.values
  if (location === undefined || (location && Object.keys(location).length === 0)) return
  const stored = [current?.area1, current?.area2, current?.area3]
  const chain = AREAS.map((field, index) => {
    const sent = location === null ? null : location?.[field]
    if (sent === undefined) return stored[index] ?? null
    return lookups.areas.find((area) => area.id === sent) ?? null
  })
  checkAreas(draft, 'location.', chain, (area, index) => {
    const above = AREAS[index - 1]
    const parent = chain[index - 1]
    if (!above) return
    if (!parent) return draft.isRefused(`location.${above}`) ? undefined : `requires ${above}`
    return area.parent_id === parent.id ? undefined : `is not part of ${above} ${parent.id}`
  })
}
