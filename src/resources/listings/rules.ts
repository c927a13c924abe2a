/**
 * The rules of a listing: what a body refers to, and whether its values fit each other. A PUT is judged on the keys
 * that were sent, against the record as it would be afterwards.
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

/** What the database knows about the references of one body, or of several. */
export interface ListingLookups {
  missing: MissingIds
  /** Subcategory by subtype id. */
  subtypes: Map<number, string>
  areas: { id: number; level: number; parent_id: number | null }[]
  default_language_id: number | null
  /** The version of the definitions; null where it was not read. */
  definitions: number | null
}

/** Most bytes of all translations of a listing as JSON: they are read as one value, and D1 has none above 2 MB. */
export const MAX_TRANSLATIONS = 1_000_000

/** Everything that `input` refers to by id. */
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

/** The statements, for one batch, whose results `readFound` takes. */
export function selectLookups(inputs: Partial<ListingInput>[], references: Reference[]) {
  const areas = inputs.flatMap(({ location }) => AREAS.map((field) => location?.[field]))
  const subtypes = inputs.map(({ subtype }) => subtype)
  return {
    missing: selectMissing(references),
    facts: textStatement<FactsRow>(FACTS, [JSON.stringify(subtypes), JSON.stringify(areas)]),
  }
}

/** Whether `selectFound` has anything to look for. */
export function hasReferences(input: Partial<ListingInput>, references: Reference[]): boolean {
  return hasText(input) || references.some(({ ids }) => ids.length > 0)
}

/** The language of a text that names none, as SQL. */
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

/** The results of `selectFound`; null where there was nothing to look for. */
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

/** Stands for the default language, whichever it is. */
const ANY_LANGUAGE = 0

/** The language of a text as SQL, with one parameter: the default one for `ANY_LANGUAGE`. */
export const LANGUAGE = `coalesce(nullif(?, ${ANY_LANGUAGE}), ${DEFAULT_LANGUAGE})`

/** What an optimistic insert expects of the references of `input`; `referencesHold` verifies it. */
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

/** The guard of an optimistic insert: whether everything is as expected. */
export function referencesHold(references: Reference[], { subtypes, areas }: ListingLookups): SqlFragment {
  const exist = referencesExist(references)
  const facts = [
    ...[...subtypes].map((fact) => ({ ...SUBTYPE_CONDITION, params: fact })),
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
    text: [exist.text, ...facts.map(({ text }) => text)].join(' and '),
    params: [...exist.params, ...facts.flatMap(({ params }) => params)],
  }
}

/** What is true while the definitions that were `found` are as they were; null where there are none. */
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

/** Notes in `draft` whatever does not exist or does not fit; `current` is the record as it is, null on create. */
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

/** Texts have a language, and not too many bytes with the other translations. */
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
  if (jsonBytes([...others, { ...stored, ...withoutUndefined({ title, description }) }]) <= MAX_TRANSLATIONS)
    return
  const field = description === undefined ? 'title' : 'description'
  draft.refuse(field, `Invalid ${field}: translations must be at most ${MAX_TRANSLATIONS} bytes in all`)
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
 * Each level under the one above, on the merged whole; a deeper level needs the one above. What is stored may be wrong
 * since places were moved, and counts only when something of the location is sent.
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
