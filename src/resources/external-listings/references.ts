/** Which records the body of an external listing refers to, and what a write reads of them. */
import { sql } from 'drizzle-orm'
import { place, property, watchers } from '../../catalogue/external-listing.ts'
import { AREAS, type NamedArea } from '../../db/areas.ts'
import type { Results } from '../../db/client.ts'
import { isOneOf } from '../../db/conditions.ts'
import { DEFINITIONS } from '../../db/definitions.ts'
import {
  fieldReferences,
  idReferences,
  type MissingReference,
  type Reference,
  selectMissing,
} from '../../db/references.ts'
import { sqlStatement } from '../../db/statements.ts'
import type { ExternalListingInput } from './schema.ts'

/** The part of a body that import and the API share. */
export type ExternalListingFacts = Omit<ExternalListingInput, 'photos'>

interface Area extends NamedArea {
  parent_id: number | null
  /** The parent of the parent. */
  grandparent_id: number | null
}

/** All references of `input`. */
export function referencesOf(input: Partial<ExternalListingFacts>): Reference[] {
  return [
    ...fieldReferences(watchers, input),
    ...fieldReferences(property, input),
    ...fieldReferences(place, input.location, 'location.'),
    ...idReferences(input, { tags: 'external_listing_tags', users: 'users' }),
  ]
}

/** Statements that read the lookups of `input`; `readLookups` takes their results. */
export function selectLookups(input: Partial<ExternalListingFacts>, id: number | null = null) {
  return { missing: selectMissing(referencesOf(input)), ...selectFacts([input], id) }
}

/**
 * Statements that read what rules need besides the references of `inputs`.
 * @param id the stored external listing that an input changes, whose areas are needed as well
 */
export function selectFacts(inputs: Partial<ExternalListingFacts>[], id: number | null = null) {
  const areas = inputs.flatMap(({ location }) => AREAS.flatMap((field) => location?.[field] ?? []))
  return {
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

/** The rows that the rules need for the references of one or several bodies. */
export type ExternalListingLookups = ReturnType<typeof readLookups>

/** Reads the results of `selectLookups`, or only those of `selectFacts`. */
export function readLookups({
  missing = [],
  facts: [facts],
}: Results<ReturnType<typeof selectFacts>> & { missing?: MissingReference[] }) {
  return {
    missing,
    areas: JSON.parse(facts?.areas ?? '[]') as Area[],
    /** The status of an external listing whose body has none; null if no status exists. */
    default_status: facts?.default_status ?? null,
    definitions: facts?.definitions ?? 0,
  }
}
