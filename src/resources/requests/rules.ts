/**
 * The rules of a request: which records a body refers to, which keys apply, and whether the values fit each other. A
 * PUT is checked for the keys that were sent, against the record as it would be afterwards.
 */
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { belongsTo, SUBCATEGORIES } from '../../catalogue/enums.ts'
import { featureKey } from '../../catalogue/features.ts'
import {
  CRITERIA,
  criterionApplies,
  type ListingKind,
  rangePairsOf,
  SCALARS,
} from '../../catalogue/request.ts'
import type { Results } from '../../db/client.ts'
import { valuesOf } from '../../db/conditions.ts'
import {
  idList,
  type MissingIds,
  NOT_DELETED,
  type Reference,
  readMissing,
  refuseMissingReferences,
  selectMissing,
} from '../../db/references.ts'
import { sqlStatement } from '../../db/statements.ts'
import type { Draft } from '../../http/request/check.ts'
import {
  type CustomFieldFacts,
  type CustomValues,
  checkCustomValues,
  checkSize,
  readFieldFacts,
  selectFieldFacts,
} from '../custom-fields/values.ts'
import type { RequestRow } from './queries.ts'
import type { RequestInput, soughtInput } from './schema.ts'

export type RequestDraft = Draft<RequestInput>

/** The rows that the rules need for the references of one or several bodies. */
export interface RequestLookups {
  missing: MissingIds
  customFields: CustomFieldFacts
  /** Subcategory by subtype id. */
  subtypes: Map<number, string>
  /** English name by location id. */
  places: Map<number, string>
  /** Status of a request whose body has none; null only if no status exists. */
  default_status: number | null
}

/**
 * All references of `input`, except in its custom fields. `contactCondition` is SQL that a contact must meet to be
 * referred to.
 */
export function referencesOf(input: Partial<RequestInput>, contactCondition = NOT_DELETED): Reference[] {
  const { created_by } = input
  return [
    { field: 'contacts', table: 'contacts', ids: idList(input.contacts), where: contactCondition },
    { field: 'locations', table: 'locations', ids: idList(input.locations) },
    { field: 'users', table: 'users', ids: idList(input.users) },
    { field: 'created_by', table: 'users', ids: typeof created_by === 'number' ? [created_by] : [] },
    { field: 'store_id', table: 'stores', ids: idList(input.store_id) },
    { field: 'subtypes', table: 'listing_subtypes', ids: idList(input.subtypes) },
    { field: 'source_id', table: 'request_sources', ids: idList(input.source_id) },
    { field: 'status', table: 'request_statuses', ids: idList(input.status) },
    { field: 'tags', table: 'request_tags', ids: idList(input.tags) },
    {
      field: 'extra_fields.special_locations',
      table: 'special_locations',
      ids: idList(input.extra_fields?.special_locations),
    },
    {
      field: 'extra_fields.listing_tags',
      table: 'listing_tags',
      ids: idList(input.extra_fields?.listing_tags),
    },
  ]
}

/**
 * Statements that read the lookups of `inputs`; `readLookups` takes their results.
 * @param id the request that a body is merged into; null for a new one
 * @param named which contacts custom fields may name: `any` includes deleted ones
 */
export function selectLookups(
  inputs: Partial<RequestInput>[],
  references: Reference[],
  id: number | null,
  named: 'living' | 'any' = 'living',
) {
  const places = inputs.flatMap(({ locations }) => idList(locations))
  const subtypes = inputs.flatMap((input) => idList(input.subtypes))
  const customFields = inputs.map(({ extra_fields }) => customValuesOf(extra_fields))
  return {
    missing: selectMissing(references),
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

/** Reads the results of `selectLookups`. */
export function readLookups({
  missing,
  customFields,
  facts: [facts],
}: Results<ReturnType<typeof selectLookups>>): RequestLookups {
  return {
    missing: readMissing(missing),
    customFields: readFieldFacts(customFields),
    places: new Map(JSON.parse(facts?.places ?? '[]')),
    subtypes: new Map(JSON.parse(facts?.subtypes ?? '[]')),
    default_status: facts?.default_status ?? null,
  }
}

/** Refuses in `draft` what does not exist or does not fit. `current` is the stored record, null for a new one. */
export function checkRequest(
  draft: RequestDraft,
  references: Reference[],
  lookups: RequestLookups,
  current: RequestRow | null,
): void {
  refuseMissingReferences(draft, references, lookups.missing)
  checkCriteria(draft, lookups, current)
  checkCustomFields(draft, lookups, current)
}

/**
 * Checks the rules between the keys of a request. Keys that do not apply to its category and availability are dropped
 * before they are checked.
 */
export function checkCriteria(
  draft: RequestDraft,
  lookups: RequestLookups,
  current: RequestRow | null,
): void {
  const kind = kindOf(draft.values, current)
  if (kind) {
    dropInapplicable(draft, kind, current)
    checkSubcategories(draft, kind, draft.values.subcategories)
    checkSubtypes(draft, kind, lookups, current)
    checkFeatures(draft, kind)
    checkShorttermUnit(draft, kind, current)
  }
  checkPairs(draft, current)
  const needsStatus = !current && draft.values.status == null && !draft.isRefused('status')
  if (needsStatus && lookups.default_status === null) draft.refuse('status', 'Missing status')
}

/** Checks the custom fields in `draft`, and replaces them by the values to merge into those of `current`. */
export function checkCustomFields(
  draft: RequestDraft,
  { customFields }: Pick<RequestLookups, 'customFields'>,
  current: RequestRow | null,
): void {
  const { extra_fields } = draft.values
  if (!extra_fields) return
  const checked = checkCustomValues(draft, 'extra_fields', customValuesOf(extra_fields), customFields)
  draft.values.extra_fields = { ...extra_fields, ...checked }
  if (current) checkSize(draft, 'extra_fields', current.custom_fields, checked)
}

/** Category and availability after `input` is merged; null if one of them is unknown. */
export function kindOf(input: Partial<RequestInput>, current: RequestRow | null): ListingKind | null {
  const { category = current?.category, availability = current?.availability } = input
  return category && availability ? { category, availability } : null
}

/** The subcategories after `input` is merged: all of the category unless the request names some of them. */
export function subcategoriesOf(input: Partial<RequestInput>, kind: ListingKind, current: RequestRow | null) {
  const stored = current?.category === kind.category ? current.subcategories : []
  const chosen = input.subcategories === undefined ? stored : (input.subcategories ?? [])
  return chosen.length > 0 ? chosen : [...SUBCATEGORIES[kind.category]]
}

/** The values of `extra_fields` whose keys are ids of custom fields. */
export function customValuesOf(extra: Record<string, unknown> | null | undefined): CustomValues {
  return Object.fromEntries(Object.entries(extra ?? {}).filter(([key]) => /^[1-9]\d{0,14}$/.test(key)))
}

function dropInapplicable(draft: RequestDraft, kind: ListingKind, current: RequestRow | null): void {
  for (const [name, { scope }] of Object.entries(SCALARS))
    if (!criterionApplies(scope, kind)) draft.drop(name)
  for (const [name, { scope }] of Object.entries(CRITERIA)) {
    if (!criterionApplies(scope, kind)) draft.drop(`extra_fields.${name}`)
  }
  const { has_elevator = current?.has_elevator } = draft.values
  if (!has_elevator) draft.drop('elevator_min_floor')
}

/** Where rules report what is wrong. */
type Problems = Pick<RequestDraft, 'refuse' | 'isRefused'>

/**
 * Refuses what does not fit each other in what is sought, whatever else a request needs.
 * @param prefix what stands before the names of the fields, such as `search.`
 */
export function checkSought(draft: Problems, sought: z.output<typeof soughtInput>, prefix: string): void {
  const { category, subcategories, extra_fields } = sought
  if (category) checkSubcategories(draft, { category }, subcategories, prefix)
  checkPairsOf(draft, SCALARS, prefix, sought, sought)
  checkPairsOf(draft, CRITERIA, `${prefix}extra_fields.`, extra_fields ?? {}, extra_fields ?? {})
}

function checkSubcategories(
  draft: Problems,
  { category }: Pick<ListingKind, 'category'>,
  subcategories: RequestInput['subcategories'],
  prefix = '',
): void {
  if (subcategories?.every((subcategory) => belongsTo(subcategory, category)) ?? true) return
  const field = `${prefix}subcategories`
  draft.refuse(field, `Invalid ${field}: must be any of ${SUBCATEGORIES[category].join(', ')}`)
}

function checkSubtypes(
  draft: RequestDraft,
  kind: ListingKind,
  lookups: RequestLookups,
  current: RequestRow | null,
): void {
  if (draft.isRefused('subcategories')) return
  const allowed: string[] = subcategoriesOf(draft.values, kind, current)
  for (const subtype of draft.values.subtypes ?? []) {
    const owner = lookups.subtypes.get(subtype)
    if (!owner || allowed.includes(owner)) continue
    draft.refuse(
      'subtypes',
      `Invalid subtypes: ${subtype} belongs to ${owner}, not to ${allowed.join(' or ')}`,
    )
  }
}

function checkFeatures(draft: RequestDraft, { category }: ListingKind): void {
  for (const key of draft.values.extra_fields?.features ?? []) {
    if (featureKey('features', key)?.categories.includes(category)) continue
    draft.refuse(
      'extra_fields.features',
      `Invalid extra_fields.features: ${key} does not apply to ${category}`,
    )
  }
}

/** Requires the period of a short-term rent, without which its price has no meaning. */
function checkShorttermUnit(
  draft: RequestDraft,
  { availability }: ListingKind,
  current: RequestRow | null,
): void {
  const field = 'extra_fields.shortterm_unit'
  if (availability !== 'shortterm' || draft.isRefused(field) || draft.isRefused('extra_fields')) return
  if (!mergedExtra(draft, current).shortterm_unit) draft.refuse(field, `Missing ${field}`)
}

/** Refuses a lower limit above its upper one, in the record as it would be afterwards. */
function checkPairs(draft: RequestDraft, current: RequestRow | null): void {
  const { extra_fields } = draft.values
  checkPairsOf(draft, SCALARS, '', draft.values, { ...current, ...draft.values })
  checkPairsOf(draft, CRITERIA, 'extra_fields.', extra_fields ?? {}, mergedExtra(draft, current))
}

function checkPairsOf(
  draft: Problems,
  fields: typeof SCALARS | typeof CRITERIA,
  prefix: string,
  sent: Record<string, unknown>,
  merged: Record<string, unknown>,
): void {
  for (const pair of rangePairsOf(fields)) {
    const [min, max] = [`${pair}_min`, `${pair}_max`]
    const [lower, upper] = [merged[min], merged[max]]
    if (typeof lower !== 'number' || typeof upper !== 'number' || lower <= upper) continue
    if (draft.isRefused(prefix + min) || draft.isRefused(prefix + max)) continue
    if (sent[min] !== undefined) {
      draft.refuse(prefix + min, `Invalid ${prefix + min}: must not be above ${max}`)
    } else if (sent[max] !== undefined) {
      draft.refuse(prefix + max, `Invalid ${prefix + max}: must not be below ${min}`)
    }
  }
}

/** The criteria after merging; null for `extra_fields` clears all of them. */
function mergedExtra(draft: RequestDraft, current: RequestRow | null): Record<string, unknown> {
  const { extra_fields } = draft.values
  return extra_fields === null ? {} : { ...current?.criteria, ...extra_fields }
}
