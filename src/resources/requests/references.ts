/** Which records the body of a request refers to, and what a write reads of them. */
import { sql } from 'drizzle-orm'
import type { Results } from '../../db/client.ts'
import { valuesOf } from '../../db/conditions.ts'
import {
  idList,
  idReferences,
  type MissingReference,
  NOT_DELETED,
  type Reference,
  selectMissing,
} from '../../db/references.ts'
import { sqlStatement } from '../../db/statements.ts'
import { type CustomValues, readFieldFacts, selectFieldFacts } from '../custom-fields/values.ts'
import type { RequestInput } from './schema.ts'

/**
 * All references of `input`, except in its custom fields. `contactCondition` is SQL that a contact must meet to be
 * referred to.
 */
export function referencesOf(input: Partial<RequestInput>, contactCondition = NOT_DELETED): Reference[] {
  const references = [
    ...idReferences(input, REFERRING),
    ...idReferences(input.extra_fields, REFERRING_CRITERIA, 'extra_fields.'),
  ]
  return references.map((one) => (one.table === 'contacts' ? { ...one, where: contactCondition } : one))
}

const REFERRING = {
  contacts: 'contacts',
  locations: 'locations',
  users: 'users',
  created_by: 'users',
  store_id: 'stores',
  subtypes: 'listing_subtypes',
  source_id: 'request_sources',
  status: 'request_statuses',
  tags: 'request_tags',
}
const REFERRING_CRITERIA = { special_locations: 'special_locations', listing_tags: 'listing_tags' }

/**
 * Statements that read the lookups of `input`; `readLookups` takes their results.
 * @param id the request that it is merged into; null for a new one
 */
export function selectLookups(input: Partial<RequestInput>, id: number | null) {
  return { missing: selectMissing(referencesOf(input)), ...selectFacts([input], id) }
}

/**
 * Statements that read what rules need besides the references of `inputs`.
 * @param id the request that a body is merged into; null for a new one
 * @param named which contacts custom fields may name: `any` includes deleted ones
 */
export function selectFacts(
  inputs: Partial<RequestInput>[],
  id: number | null,
  named: 'living' | 'any' = 'living',
) {
  const places = inputs.flatMap(({ locations }) => idList(locations))
  const subtypes = inputs.flatMap((input) => idList(input.subtypes))
  const customFields = inputs.map(({ extra_fields }) => customValuesOf(extra_fields))
  return {
    customFields: selectFieldFacts('requests', customFields, named),
    facts: sqlStatement<FactsRow>(sql`select
      (select json_group_array(json_array(id, name_en)) from locations where id in (
        ${valuesOf(places)}
        union all select location_id from request_locations where request_id = ${id})) as places,
      (select json_group_array(json_array(id, subcategory)) from listing_subtypes where id in (
        ${valuesOf(subtypes)}
        union all select value from requests, json_each(requests.subtypes) where requests.id = ${id})) as subtypes,
      cast(coalesce((select value from settings where key = 'default_request_status_id'),
        (select min(id) from request_statuses)) as integer) as default_status`),
  }
}

interface FactsRow {
  places: string
  subtypes: string
  default_status: number | null
}

/** The rows that the rules need for the references of one or several bodies. */
export type RequestLookups = ReturnType<typeof readLookups>

/** Reads the results of `selectLookups`, or only those of `selectFacts`. */
export function readLookups({
  missing = [],
  customFields,
  facts: [facts],
}: Results<ReturnType<typeof selectFacts>> & { missing?: MissingReference[] }) {
  return {
    missing,
    customFields: readFieldFacts(customFields),
    /** English name by location id. */
    places: new Map<number, string>(JSON.parse(facts?.places ?? '[]')),
    /** Subcategory by subtype id. */
    subtypes: new Map<number, string>(JSON.parse(facts?.subtypes ?? '[]')),
    /** Status of a request whose body has none; null only if no status exists. */
    default_status: facts?.default_status ?? null,
  }
}

/** The values of `extra_fields` whose keys are ids of custom fields. */
export function customValuesOf(extra: Record<string, unknown> | null | undefined): CustomValues {
  return Object.fromEntries(Object.entries(extra ?? {}).filter(([key]) => /^[1-9]\d{0,14}$/.test(key)))
}
