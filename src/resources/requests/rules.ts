/**
 * The rules of a request: what a write refuses. A PUT is validated for the keys that were sent, against the record as it
 * would be afterwards.
 */
import { featureKey } from '../../catalogue/features.ts'
import { belongsTo, SUBCATEGORIES } from '../../catalogue/property-enums.ts'
import {
  CRITERIA,
  criterionApplies,
  type ListingKind,
  rangePairsOf,
  SCALARS,
} from '../../catalogue/request.ts'
import { newlyMissing } from '../../db/references.ts'
import type { DraftPart } from '../../http/request/check.ts'
import { checkCustomValues, checkSize } from '../custom-fields/values.ts'
import type { RequestRow } from './queries.ts'
import { customValuesOf, type RequestLookups } from './references.ts'
import type { RequestInput, Sought } from './schema.ts'

type RequestDraft = DraftPart<RequestInput>

/** The kind of listings that are wanted: all subcategories of the category unless the request names some of them. */
export interface RequestKind extends ListingKind {
  subcategories: RequestRow['subcategories']
}

/** A body that the rules have accepted, and the kind of the request after it is merged. */
export interface CheckedRequest {
  input: RequestInput
  kind: RequestKind
}

/** Checks what exists and what fits. `current` is the stored record, null for a new one. Throws 400. */
export function checkRequest(draft: RequestDraft, lookups: RequestLookups, current: RequestRow | null) {
  for (const { field, message } of newlyMissing(lookups.missing, current)) draft.refuse(field, message)
  const kind = checkCriteria(draft, lookups, current)
  checkCustomFields(draft, lookups, current)
  return kind ? { input: draft.complete(), kind } : draft.reject()
}

type KindNamed = RequestInput & Required<Pick<RequestInput, 'category' | 'availability'>>

/** The kind after `input` is merged; null if category or availability is unknown. */
export function kindOf(input: KindNamed, current: RequestRow | null): RequestKind
export function kindOf(input: RequestInput, current: RequestRow | null): RequestKind | null
export function kindOf(input: RequestInput, current: RequestRow | null): RequestKind | null {
  const { category = current?.category, availability = current?.availability } = input
  if (!category || !availability) return null
  const stored = current?.category === category ? current.subcategories : []
  const chosen = input.subcategories === undefined ? stored : (input.subcategories ?? [])
  return {
    category,
    availability,
    subcategories: chosen.length > 0 ? chosen : [...SUBCATEGORIES[category]],
  }
}

/**
 * Checks the rules between the keys of a request. Keys that do not apply to its category and availability are dropped
 * before they are checked. Returns its kind; null if category or availability was refused.
 */
export function checkCriteria(draft: RequestDraft, lookups: RequestLookups, current: RequestRow | null) {
  const kind = kindOf(draft.values, current)
  if (kind) {
    dropInapplicable(draft, kind, current)
    checkSubcategories(draft, kind, draft.values.subcategories)
    checkSubtypes(draft, kind, lookups)
    checkFeatures(draft, kind)
    checkShorttermUnit(draft, kind, current)
  }
  checkPairs(draft, current)
  const needsStatus = draft.values.status == null && !draft.isRefused('status')
  // Only for a new request, as another has one.
  if (needsStatus && lookups.default_status === null) draft.refuse('status', 'Missing status')
  return kind
}

/** Checks the custom fields in `draft`, and replaces them by the values to merge into those of `current`. */
export function checkCustomFields(
  draft: RequestDraft,
  { customFields }: Pick<RequestLookups, 'customFields'>,
  current: RequestRow | null,
): void {
  const { extra_fields } = draft.values
  if (!extra_fields) return
  const sent = customValuesOf(extra_fields)
  const checked = checkCustomValues(draft, 'extra_fields', sent, customFields, current?.custom_fields)
  draft.values.extra_fields = { ...extra_fields, ...checked }
  if (current) checkSize(draft, 'extra_fields', current.custom_fields, checked)
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

/** Refuses what does not fit each other in what is sought, whatever else a request needs. */
export function checkSought(draft: DraftPart<Sought>): void {
  const { category, subcategories, extra_fields } = draft.values
  if (category) checkSubcategories(draft, { category }, subcategories)
  checkPairsOf(draft, SCALARS, '', draft.values, draft.values)
  checkPairsOf(draft, CRITERIA, 'extra_fields.', extra_fields ?? {}, extra_fields ?? {})
}

function checkSubcategories(
  draft: Problems,
  { category }: Pick<ListingKind, 'category'>,
  subcategories: RequestInput['subcategories'],
): void {
  if (subcategories?.every((subcategory) => belongsTo(subcategory, category)) ?? true) return
  const allowed = SUBCATEGORIES[category].join(', ')
  draft.refuse('subcategories', `Invalid subcategories: must be any of ${allowed}`)
}

function checkSubtypes(
  draft: RequestDraft,
  { subcategories: allowed }: { subcategories: string[] },
  lookups: RequestLookups,
): void {
  if (draft.isRefused('subcategories')) return
  for (const subtype of draft.values.subtypes ?? []) {
    const owner = lookups.subtypes.get(subtype)
    if (!owner || allowed.includes(owner)) continue
    const message = `Invalid subtypes: ${subtype} belongs to ${owner}, not to ${allowed.join(' or ')}`
    draft.refuse('subtypes', message)
  }
}

function checkFeatures(draft: RequestDraft, { category }: ListingKind): void {
  const name = 'extra_fields.features'
  for (const key of draft.values.extra_fields?.features ?? []) {
    if (featureKey('features', key)?.categories.includes(category)) continue
    draft.refuse(name, `Invalid ${name}: ${key} does not apply to ${category}`)
  }
}

/** Requires the period of a short-term rent, without which its price has no meaning. */
function checkShorttermUnit(draft: RequestDraft, { availability }: ListingKind, current: RequestRow | null) {
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
