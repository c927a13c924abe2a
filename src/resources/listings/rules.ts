/**
 * The rules of a listing: which records a body refers to, and whether its values fit each other. A PUT is checked for
 * the keys that were sent, against the record as it would be afterwards.
 */
import { belongsTo, SUBCATEGORIES } from '../../catalogue/enums.ts'
import { featureKey } from '../../catalogue/features.ts'
import { core, details, extra, location } from '../../catalogue/listing.ts'
import { AREAS, checkAreas } from '../../db/areas.ts'
import type { Results } from '../../db/client.ts'
import { DEFINITIONS, definitionsUnchanged } from '../../db/definitions.ts'
import {
  fieldReferences,
  idList,
  type MissingIds,
  NOT_DELETED,
  type Reference,
  readMissing,
  referencesExist,
  refuseMissingReferences,
  selectMissing,
} from '../../db/references.ts'
import { type SqlFragment, textStatement } from '../../db/statements.ts'
import { jsonBytes, withoutUndefined } from '../../fields/values.ts'
import type { Draft } from '../../http/request/check.ts'
import type { Translation } from './queries.ts'
import type { ListingInput } from './schema.ts'
import type { StoredListing } from './stored.ts'

export type ListingDraft = Draft<ListingInput>

/** The rows that the rules need for the references of one or several bodies. */
export interface ListingLookups {
  missing: MissingIds
  /** Subcategory by subtype id. */
  subtypes: Map<number, string>
  areas: { id: number; level: number; parent_id: number | null }[]
  default_language_id: number | null
  /** The version of the definitions; null if it was not read. */
  definitions: number | null
}

/**
 * Maximum bytes of all translations of a listing, as JSON. They are read as one value, and D1 allows at most 2 MB for
 * it.
 */
export const MAX_TRANSLATION_BYTES = 1_000_000

/** All references of `input`. `contactCondition` is SQL that a contact must meet to be referred to. */
export function referencesOf(input: Partial<ListingInput>, contactCondition = NOT_DELETED): Reference[] {
  const languageId = hasText(input) ? input.language_id : null
  const scalars = [
    ...fieldReferences(core, input),
    ...fieldReferences(location, input.location, 'location.'),
    ...fieldReferences(details, input.details, 'details.'),
    ...fieldReferences(extra, input['the service'], 'the service.'),
    ...fieldReferences(extra, input.extra, 'extra.'),
  ]
  return [
    { field: 'store_id', table: 'stores', ids: idList(input.store_id) },
    {
      field: 'created_by',
      table: 'users',
      ids: typeof input.created_by === 'number' ? [input.created_by] : [],
    },
    { field: 'users', table: 'users', ids: idList(input.users) },
    { field: 'language_id', table: 'languages', ids: idList(languageId) },
    { field: 'tags', table: 'listing_tags', ids: idList(input.tags) },
    { field: 'contacts', table: 'contacts', ids: idList(input.contacts), where: contactCondition },
    ...scalars.map((reference) =>
      reference.table === 'contacts' ? { ...reference, where: contactCondition } : reference,
    ),
  ]
}

/** Statements that read the lookups of `inputs`; `readLookups` takes their results. */
export function selectLookups(inputs: Partial<ListingInput>[], references: Reference[]) {
  const areas = inputs.flatMap(({ location }) => AREAS.map((field) => location?.[field]))
  const subtypes = inputs.map(({ subtype }) => subtype)
  return {
    missing: selectMissing(references),
    facts: textStatement<FactsRow>(FACTS, [JSON.stringify(subtypes), JSON.stringify(areas)]),
  }
}

/** Whether `selectLookups` has anything to read. */
export function hasReferences(input: Partial<ListingInput>, references: Reference[]): boolean {
  return hasText(input) || references.some(({ ids }) => ids.length > 0)
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

/** Reads the results of `selectLookups`; null means that there was nothing to look up. */
export function readLookups(results: Results<ReturnType<typeof selectLookups>> | null): ListingLookups {
  const [facts] = results?.facts ?? []
  return {
    missing: readMissing(results?.missing ?? []),
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
    missing: new Map(),
    subtypes: new Map(subtype ? [[subtype, subcategory ?? '']] : []),
    areas,
    default_language_id: ANY_LANGUAGE,
    definitions: null,
  }
}

/** The guard of an optimistic insert: the references exist, and subtypes and areas are as assumed. */
export function referencesHold(references: Reference[], { subtypes, areas }: ListingLookups): SqlFragment {
  const exist = referencesExist(references)
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

/** Refuses in `draft` what does not exist or does not fit. `current` is the stored record, null for a new one. */
export function checkListing(
  draft: ListingDraft,
  references: Reference[],
  lookups: ListingLookups,
  current: StoredListing | null,
): void {
  refuseMissingReferences(draft, references, lookups.missing)
  checkType(draft, lookups, current)
  checkFeatures(draft, current)
  checkLocation(draft, lookups, current)
  checkTexts(draft, lookups, current)
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
export function checkLocation(
  draft: ListingDraft,
  lookups: ListingLookups,
  current: StoredListing | null,
): void {
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

/** Whether `input` touches a translation. */
export function hasText(input: Partial<ListingInput>): boolean {
  return input.title !== undefined || input.description !== undefined
}
