/** The rules of an external listing: what a write refuses. */
import { belongsTo, SUBCATEGORIES } from '../../catalogue/property-enums.ts'
import { AREAS, checkAreas } from '../../db/areas.ts'
import type { Draft } from '../../http/request/check.ts'
import type { ExternalListingRow } from './queries.ts'
import type { ExternalListingFacts, ExternalListingLookups } from './references.ts'

/**
 * Refuses in `draft` what does not exist or does not fit. `current` is the stored record, null for a new one: what
 * depends on several keys is checked as it would be afterwards, if one of them is sent.
 */
export function validateExternalListing(
  draft: Draft<Partial<ExternalListingFacts>>,
  lookups: ExternalListingLookups,
  current: ExternalListingRow | null,
): void {
  const { category, subcategory, location } = draft.values
  draft.refuseAll(lookups.missing)
  if (category !== undefined || subcategory !== undefined) checkSubcategory(draft, current)
  if (location && Object.keys(location).length > 0) checkLocation(draft, lookups, current)
}

/** Refuses a subcategory without a category, or of another category. */
export function checkSubcategory(
  draft: Draft<Partial<ExternalListingFacts>>,
  current: Pick<ExternalListingRow, 'category' | 'subcategory'> | null,
): void {
  const { category = current?.category, subcategory = current?.subcategory } = draft.values
  if (!subcategory || draft.isRefused('category')) return
  if (!category) draft.refuse('subcategory', 'Invalid subcategory: requires category')
  else if (!belongsTo(subcategory, category)) {
    draft.refuse('subcategory', `Invalid subcategory: must be one of ${SUBCATEGORIES[category].join(', ')}`)
  }
}

/** Refuses areas of another level than their field, or outside the nearest area above them. Levels may be left out. */
export function checkLocation(
  draft: Draft<Partial<ExternalListingFacts>>,
  { areas }: Pick<ExternalListingLookups, 'areas'>,
  current: Pick<ExternalListingRow, (typeof AREAS)[number]> | null,
): void {
  const { location } = draft.values
  const ids = AREAS.map((field) => (location?.[field] === undefined ? current?.[field] : location[field]))
  const chain = ids.map((id) => areas.find((area) => area.id === id))
  checkAreas(draft, 'location.', chain, ({ parent_id, grandparent_id }, index) => {
    for (const [distance, ancestor] of [parent_id, grandparent_id].entries()) {
      const above = AREAS[index - 1 - distance]
      const id = ids[index - 1 - distance]
      if (!id || draft.isRefused(`location.${above}`)) continue
      return id === ancestor ? undefined : `is not part of ${above} ${id}`
    }
  })
}
