/** Resolves the body of a request, after the rules have accepted it. */
import { featureKey } from '../../catalogue/features.ts'
import type { Category } from '../../catalogue/property-enums.ts'
import {
  CRITERIA,
  type Criteria,
  criterionApplies,
  type ListingKind,
  SCALARS,
} from '../../catalogue/request.ts'
import type { requests } from '../../db/tables/requests.ts'
import { withoutUndefined } from '../../fields/values.ts'
import { mergeCustomValues } from '../custom-fields/values.ts'
import type { RequestRow } from './queries.ts'
import { customValuesOf, type RequestLookups } from './references.ts'
import type { CheckedRequest } from './rules.ts'
import type { RequestInput } from './schema.ts'
import { generatedTitle } from './title.ts'

/** What a write changes: columns, and complete lists of ids. */
export interface RequestChange {
  columns: Partial<typeof requests.$inferInsert>
  contacts?: number[]
  users?: number[]
  tags?: number[]
  locations?: number[]
}

/** What storing a body changes. `current` is null for a new request. */
export function resolveRequest(
  { input, kind }: CheckedRequest,
  lookups: RequestLookups,
  current: RequestRow | null,
): RequestChange {
  const { store_id, rating, source_id, notes, status, extra_fields, contacts, users, tags, locations } = input
  return {
    columns: {
      ...kind,
      ...withoutUndefined({ store_id, rating, source_id, notes }),
      ...withoutUndefined(scalarColumns(input, kind, current)),
      ...titleColumn(input, kind, lookups, current),
      ...(current && status === undefined ? {} : { status: status ?? lookups.default_status ?? 0 }),
      subtypes: subtypesOf(input, kind.subcategories, lookups, current),
      criteria: mergeCriteria(current?.criteria, extra_fields, kind),
      custom_fields: mergeCustomValues(
        current?.custom_fields,
        extra_fields === null ? null : customValuesOf(extra_fields),
      ),
      ...(current ? {} : { created_by: Number(input.created_by) }),
    },
    ...withoutUndefined({ contacts, users, tags: tags === null ? [] : tags, locations }),
  }
}

/** The scalars that were sent. Those that do not apply are cleared, sent or not. */
function scalarColumns(
  input: RequestInput,
  kind: ListingKind,
  current: RequestRow | null,
): RequestChange['columns'] {
  const sent: Record<string, unknown> = { ...input }
  const columns: Record<string, unknown> = {}
  for (const [name, { scope }] of Object.entries(SCALARS)) {
    columns[name] = criterionApplies(scope, kind) ? sent[name] : null
  }
  if (columns.has_elevator === null) columns.has_elevator = false
  const hasElevator = columns.has_elevator ?? current?.has_elevator ?? false
  if (!hasElevator) columns.elevator_min_floor = null
  return columns
}

/**
 * The title as sent. A new request without one, or a cleared title, gets a generated one. It stays when the request
 * changes.
 */
function titleColumn(
  { title, locations }: RequestInput,
  kind: ListingKind,
  { places }: RequestLookups,
  current: RequestRow | null,
): RequestChange['columns'] {
  if (title || (current && title === undefined)) return withoutUndefined({ title })
  const names = (locations ?? current?.locations ?? []).map((id) => places.get(id))
  return { title: generatedTitle(kind, names) }
}

/** The subtypes as sent; otherwise the stored ones that still belong to one of the subcategories. */
function subtypesOf(
  { subtypes }: RequestInput,
  subcategories: string[],
  lookups: RequestLookups,
  current: RequestRow | null,
): number[] {
  if (subtypes !== undefined) return subtypes ?? []
  const stored = current?.subtypes ?? []
  return stored.filter((subtype) => subcategories.includes(lookups.subtypes.get(subtype) ?? ''))
}

/** Merges criteria key by key, in the order of their table. Criteria that do not apply to `kind` are dropped. */
function mergeCriteria(
  stored: Criteria | undefined,
  sent: Record<string, unknown> | null | undefined,
  kind: ListingKind,
): Criteria {
  const merged: Record<string, unknown> = sent === null ? {} : { ...stored, ...withoutUndefined(sent ?? {}) }
  const applicable = Object.entries(CRITERIA).flatMap(([name, { scope }]) => {
    const value = name === 'features' ? applicableFeatures(merged.features, kind.category) : merged[name]
    return value == null || !criterionApplies(scope, kind) ? [] : [[name, value]]
  })
  return Object.fromEntries(applicable) as Criteria
}

function applicableFeatures(features: unknown, category: Category): string[] | null {
  if (!Array.isArray(features)) return null
  const applicable = features.filter((key) =>
    featureKey('features', String(key))?.categories.includes(category),
  )
  return applicable.length > 0 ? applicable : null
}
