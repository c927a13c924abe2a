/**
 * The rules of a request: what a write refuses. A PUT is validated for the keys that were sent, against the record as it
 * would be afterwards.
 */
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
import type { Draft } from '../../http/request/check.ts'
import { checkCustomValues, checkSize } from '../custom-fields/values.ts'
import { kindOf } from './kind.ts'
import type { RequestRow } from './queries.ts'
import { customValuesOf, type RequestLookups } from './references.ts'
import type { RequestInput, soughtInput } from './schema.ts'

/** A request as its rules see it: its values, and where its problems are reported. */
export interface RequestDraft extends Pick<Draft<RequestInput>, 'values' | 'refuse' | 'isRefused' | 'drop'> {
  /** What stands before the names of its fields in the body; nothing by default. */
  prefix?: string
}

/** Refuses in `draft` what does not exist or does not fit. `current` is the stored record, null for a new one. */
export function validateRequest(
  draft: RequestDraft,
  lookups: RequestLookups,
  current: RequestRow | null,
): void {
  for (const { field, message } of lookups.missing) draft.refuse(field, message)
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
    checkSubcategories(draft, kind, draft.values.subcategories, draft.prefix)
    checkSubtypes(draft, kind, lookups)
    checkFeatures(draft, kind)
    checkShorttermUnit(draft, kind, current)
  }
  checkPairs(draft, current)
  const status = nameIn(draft, 'status')
  const needsStatus = draft.values.status == null && !draft.isRefused(status)
  // Only for a new request, as another has one.
  if (needsStatus && lookups.default_status === null) draft.refuse(status, `Missing ${status}`)
}

/** Checks the custom fields in `draft`, and replaces them by the values to merge into those of `current`. */
export function checkCustomFields(
  draft: RequestDraft,
  { customFields }: Pick<RequestLookups, 'customFields'>,
  current: RequestRow | null,
): void {
  const { extra_fields } = draft.values
  if (!extra_fields) return
  const name = nameIn(draft, 'extra_fields')
  const checked = checkCustomValues(draft, name, customValuesOf(extra_fields), customFields)
  draft.values.extra_fields = { ...extra_fields, ...checked }
  if (current) checkSize(draft, name, current.custom_fields, checked)
}

/** The name of `field` in the body. */
const nameIn = ({ prefix = '' }: RequestDraft, field: string) => prefix + field

function dropInapplicable(draft: RequestDraft, kind: ListingKind, current: RequestRow | null): void {
  for (const [name, { scope }] of Object.entries(SCALARS))
    if (!criterionApplies(scope, kind)) draft.drop(nameIn(draft, name))
  for (const [name, { scope }] of Object.entries(CRITERIA)) {
    if (!criterionApplies(scope, kind)) draft.drop(nameIn(draft, `extra_fields.${name}`))
  }
  const { has_elevator = current?.has_elevator } = draft.values
  if (!has_elevator) draft.drop(nameIn(draft, 'elevator_min_floor'))
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
  { subcategories: allowed }: { subcategories: string[] },
  lookups: RequestLookups,
): void {
  const name = nameIn(draft, 'subtypes')
  if (draft.isRefused(nameIn(draft, 'subcategories'))) return
  for (const subtype of draft.values.subtypes ?? []) {
    const owner = lookups.subtypes.get(subtype)
    if (!owner || allowed.includes(owner)) continue
    draft.refuse(name, `Invalid ${name}: ${subtype} belongs to ${owner}, not to ${allowed.join(' or ')}`)
  }
}

function checkFeatures(draft: RequestDraft, { category }: ListingKind): void {
  const name = nameIn(draft, 'extra_fields.features')
  for (const key of draft.values.extra_fields?.features ?? []) {
    if (featureKey('features', key)?.categories.includes(category)) continue
    draft.refuse(name, `Invalid ${name}: ${key} does not apply to ${category}`)
  }
}

/** Requires the period of a short-term rent, without which its price has no meaning. */
function checkShorttermUnit(
  draft: RequestDraft,
  { availability }: ListingKind,
  current: RequestRow | null,
): void {
  const field = nameIn(draft, 'extra_fields.shortterm_unit')
  const group = nameIn(draft, 'extra_fields')
  if (availability !== 'shortterm' || draft.isRefused(field) || draft.isRefused(group)) return
  if (!mergedExtra(draft, current).shortterm_unit) draft.refuse(field, `Missing ${field}`)
}

/** Refuses a lower limit above its upper one, in the record as it would be afterwards. */
function checkPairs(draft: RequestDraft, current: RequestRow | null): void {
  const { extra_fields } = draft.values
  checkPairsOf(draft, SCALARS, nameIn(draft, ''), draft.values, { ...current, ...draft.values })
  checkPairsOf(
    draft,
    CRITERIA,
    nameIn(draft, 'extra_fields.'),
    extra_fields ?? {},
    mergedExtra(draft, current),
  )
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
