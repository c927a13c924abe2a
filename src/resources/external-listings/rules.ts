/** The rules of an external listing: which records a body refers to, and whether it may be stored. */
import { sql } from 'drizzle-orm'
import { belongsTo, SUBCATEGORIES } from '../../catalogue/enums.ts'
import { place, property, watchers } from '../../catalogue/external-listing.ts'
import { AREAS, checkAreas, type NamedArea } from '../../db/areas.ts'
import type { Results } from '../../db/client.ts'
import { isOneOf } from '../../db/conditions.ts'
import { DEFINITIONS } from '../../db/definitions.ts'
import {
  fieldReferences,
  idList,
  type MissingIds,
  type Reference,
  readMissing,
  refuseMissingReferences,
  selectMissing,
} from '../../db/references.ts'
import { sqlStatement } from '../../db/statements.ts'
import type { Draft } from '../../http/request/check.ts'
import type { ExternalListingRow } from './queries.ts'
import type { ExternalListingInput } from './schema.ts'

/** The part of a body that import and the API share. */
export type ExternalListingFacts = Omit<ExternalListingInput, 'photos'>

interface Area extends NamedArea {
  parent_id: number | null
  /** The parent of the parent. */
  grandparent_id: number | null
}

/** The rows that the rules need for the references of one or several bodies. */
export interface ExternalListingLookups {
  missing: MissingIds
  areas: Area[]
  /** The status of an external listing whose body has none; null if no status exists. */
  default_status: number | null
  /** The version of the definitions. */
  definitions: number
}

/** All references of `input`. */
export function referencesOf(input: Partial<ExternalListingFacts>): Reference[] {
  const { location, tags, users } = input
  return [
    ...fieldReferences(watchers, input),
    ...fieldReferences(property, input),
    ...fieldReferences(place, location, 'location.'),
    { field: 'tags', table: 'external_listing_tags', ids: idList(tags) },
    { field: 'users', table: 'users', ids: idList(users) },
  ]
}

/**
 * Statements that read the lookups of `inputs`; `readLookups` takes their results.
 * @param id the stored external listing that an input changes, whose areas are needed as well
 */
export function selectLookups(
  inputs: Partial<ExternalListingFacts>[],
  references: Reference[],
  id: number | null = null,
) {
  const areas = inputs.flatMap(({ location }) => AREAS.flatMap((field) => location?.[field] ?? []))
  return {
    missing: selectMissing(references),
    facts: sqlStatement<FactsRow>(sql`select
      (select json_group_array(json_object('id', own.id, 'level', own.level, 'parent_id', own.parent_id,
          'grandparent_id', parent.parent_id))
        from locations own left join locations parent on parent.id = own.parent_id
        where ${isOneOf(sql`own.id`, areas)}
          or own.id in (select value from external_listings record,
            json_each(json_array(record.area_level1, record.area_level2, record.area_level3))
            where record.id = ${id})) as areas,
      cast(coalesce((select value from settings where key = 'default_external_listing_status_id'),
        (select min(id) from external_listing_statuses)) as integer) as default_status,
      ${sql.raw(DEFINITIONS)} as definitions`),
  }
}

interface FactsRow {
  areas: string
  default_status: number | null
  definitions: number
}

/** Reads the results of `selectLookups`. */
export function readLookups({
  missing,
  facts: [facts],
}: Results<ReturnType<typeof selectLookups>>): ExternalListingLookups {
  return {
    missing: readMissing(missing),
    areas: JSON.parse(facts?.areas ?? '[]'),
    default_status: facts?.default_status ?? null,
    definitions: facts?.definitions ?? 0,
  }
}

/**
 * Refuses in `draft` what does not exist or does not fit. `current` is the stored record, null for a new one: what
 * depends on several keys is checked as it would be afterwards, if one of them is sent.
 */
export function checkExternalListing(
  draft: Draft<Partial<ExternalListingFacts>>,
  references: Reference[],
  lookups: ExternalListingLookups,
  current: ExternalListingRow | null,
): void {
  const { category, subcategory, location } = draft.values
  refuseMissingReferences(draft, references, lookups.missing)
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
