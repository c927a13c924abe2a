/** Which records the body of a listing refers to, and what a write reads of them. */
import { core, details, extra, location } from '../../catalogue/listing.ts'
import { AREAS } from '../../db/areas.ts'
import { DEFINITIONS, definitionsUnchanged } from '../../db/definitions.ts'
import {
  fieldReferences,
  idReferences,
  type MissingReference,
  NOT_DELETED,
  type Reference,
  referencesExist,
  selectMissing,
} from '../../db/references.ts'
import { type SqlFragment, type Statement, textStatement } from '../../db/statements.ts'
import type { ListingInput } from './input.ts'

/** The rows that the rules need for the references of one or several bodies. */
export interface ListingLookups {
  missing: MissingReference[]
  /** Subcategory by subtype id. */
  subtypes: Map<number, string>
  areas: { id: number; level: number; parent_id: number | null }[]
  default_language_id: number | null
  /** The version of the definitions; null if it was not read. */
  definitions: number | null
}

/** All references of `input`. `contactCondition` is SQL that a contact must meet to be referred to. */
export function referencesOf(input: Partial<ListingInput>, contactCondition = NOT_DELETED): Reference[] {
  const references = [
    ...idReferences(input, { store_id: 'stores', created_by: 'users', users: 'users' }),
    ...idReferences(hasText(input) ? input : null, { language_id: 'languages' }),
    ...idReferences(input, { tags: 'listing_tags', contacts: 'contacts' }),
    ...fieldReferences(core, input),
    ...fieldReferences(location, input.location, 'location.'),
    ...fieldReferences(details, input.details, 'details.'),
    ...fieldReferences(extra, input['the service'], 'the service.'),
    ...fieldReferences(extra, input.extra, 'extra.'),
  ]
  return references.map((one) => (one.table === 'contacts' ? { ...one, where: contactCondition } : one))
}

/** Statements that read the lookups of `input`; null if it needs none. `readLookups` takes their results. */
export function selectLookups(input: Partial<ListingInput>) {
  const references = referencesOf(input)
  const needsNone = !hasText(input) && references.every(({ ids }) => ids.length === 0)
  return needsNone ? null : { missing: selectMissing(references), facts: selectFacts([input]) }
}

/** The statement that reads what rules need besides the references of `inputs`. */
export function selectFacts(inputs: Partial<ListingInput>[]): Statement<FactsRow> {
  const areas = inputs.flatMap(({ location }) => AREAS.map((field) => location?.[field]))
  const subtypes = inputs.map(({ subtype }) => subtype)
  return textStatement(FACTS, [JSON.stringify(subtypes), JSON.stringify(areas)])
}

/** SQL for the language of a text without one. */
const DEFAULT_LANGUAGE = `coalesce((select value from settings where key = 'default_language_id'),
  (select min(id) from languages))`

const FACTS = `select
  (select json_group_array(json_array(id, subcategory)) from listing_subtypes
    where id in (select value from json_each(?))) as subtypes,
  (select json_group_array(json_object('id', id, 'level', level, 'parent_id', parent_id)) from locations
    where id in (select value from json_each(?))) as areas,
  ${DEFAULT_LANGUAGE} as default_language_id,
  ${DEFINITIONS} as definitions`

interface FactsRow {
  subtypes: string
  areas: string
  default_language_id: number | null
  definitions: number
}

/** Reads the results of `selectLookups`. */
export function readLookups(
  results: {
    missing?: MissingReference[]
    facts: FactsRow[]
  } | null,
): ListingLookups {
  const [facts] = results?.facts ?? []
  return {
    missing: results?.missing ?? [],
    subtypes: new Map(JSON.parse(facts?.subtypes ?? '[]')),
    areas: JSON.parse(facts?.areas ?? '[]'),
    default_language_id: facts?.default_language_id == null ? null : Number(facts.default_language_id),
    definitions: facts?.definitions ?? null,
  }
}

/** Placeholder id for the default language, before it is known. */
const ANY_LANGUAGE = 0

/** SQL for the language of a text. Its one parameter is the id, or `ANY_LANGUAGE` for the default language. */
export const LANGUAGE = `coalesce(nullif(?, ${ANY_LANGUAGE}), ${DEFAULT_LANGUAGE})`

/** The lookups that an optimistic insert of `input` assumes; `referencesHold` verifies them. */
export function expectFound({ location, subtype, subcategory }: Partial<ListingInput>): ListingLookups {
  const areas = AREAS.flatMap((field, index) => {
    const above = AREAS[index - 1]
    const id = location?.[field]
    return id ? [{ id, level: index + 1, parent_id: (above && location?.[above]) ?? null }] : []
  })
  return {
    missing: [],
    subtypes: new Map(subtype ? [[subtype, subcategory ?? '']] : []),
    areas,
    default_language_id: ANY_LANGUAGE,
    definitions: null,
  }
}

/** The guard of an optimistic insert of `input`: its references exist, and subtypes and areas are as assumed. */
export function referencesHold(
  input: Partial<ListingInput>,
  { subtypes, areas }: ListingLookups,
): SqlFragment {
  const exist = referencesExist(referencesOf(input))
  const conditions = [
    ...[...subtypes].map((params) => ({ ...SUBTYPE_CONDITION, params })),
    ...(areas.length > 0
      ? [
          {
            ...AREAS_CONDITION,
            params: [JSON.stringify(areas.map((area) => [area.id, area.level, area.parent_id]))],
          },
        ]
      : []),
  ]
  return {
    text: [exist.text, ...conditions.map(({ text }) => text)].join(' and '),
    params: [...exist.params, ...conditions.flatMap(({ params }) => params)],
  }
}

/** The guard that holds while the definitions are at the version of `lookups`; null if the listing uses none. */
export function definitionsHold({ subtypes, areas, definitions }: ListingLookups): SqlFragment | null {
  if (definitions === null || (subtypes.size === 0 && areas.length === 0)) return null
  return definitionsUnchanged(definitions)
}

const SUBTYPE_CONDITION = { text: 'exists (select 1 from listing_subtypes where id = ? and subcategory = ?)' }

const AREAS_CONDITION = {
  text: `not exists (select 1 from json_each(?) area where not exists (
    select 1 from locations where id = area.value ->> 0 and level = area.value ->> 1
      and parent_id is ifnull(area.value ->> 2, parent_id)))`,
}

/** Whether `input` touches a translation. */
export function hasText(input: Partial<ListingInput>): boolean {
  return input.title !== undefined || input.description !== undefined
}
