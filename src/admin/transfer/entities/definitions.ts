/**
 * Import and export of places, subtypes and custom fields. A definition or option that records use cannot be moved, retyped or
 * removed: such a line is refused, and its error says what uses it.
 */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { place } from '../../../catalogue/agency.ts'
import { CUSTOM_FIELD_RESOURCES } from '../../../catalogue/custom-field.ts'
import { CUSTOM_FIELD_TYPES } from '../../../catalogue/office-enums.ts'
import { ALL_SUBCATEGORIES } from '../../../catalogue/property-enums.ts'
import { runStatement } from '../../../db/client.ts'
import { isOneOf } from '../../../db/conditions.ts'
import { fieldReferences, idList } from '../../../db/references.ts'
import { selectRows } from '../../../db/statements.ts'
import * as agency from '../../../db/tables/agency.ts'
import { listing_subtypes } from '../../../db/tables/lookups.ts'
import { inputs, present, toRow } from '../../../fields/derive.ts'
import { filledText, id, list } from '../../../fields/values.ts'
import type { Draft } from '../../../http/request/check.ts'
import { placeSearch } from '../../../resources/lookups/place-text.ts'
import { defineEntity, languagesOf, rowsOf } from '../entity.ts'
import {
  countUses,
  type DefinitionUses,
  definitionOf,
  describeUse,
  selectsOf,
  type UsedBy,
  usesOfFields,
  usesOfLocations,
  usesOfOptions,
  usesOfSubtypes,
} from '../uses.ts'

/** Maximum bytes of the translations of a subtype: they share its row. */
const MAX_TRANSLATION_BYTES = 500_000

const name = filledText()

type LocationRow = typeof agency.locations.$inferSelect

const importedLocation = z.object(inputs(place))

type ImportedLocation = z.output<typeof importedLocation>

interface Places extends DefinitionUses {
  levels: Map<number, number>
  /** The stored parent of each place that a line may move, by the id of the place. */
  parents: Map<number, number | null>
}

const movable = definitionOf<LocationRow>(isMoved, usesOfLocations)

export const locations = defineEntity<typeof importedLocation, LocationRow, Places>({
  ...movable,
  ...rowsOf(agency.locations, importedLocation),
  read: (where, limit) => selectRows(agency.locations, sql`where ${where} order by level, id limit ${limit}`),
  present: (row) => present(place, row),
  references: (values) => fieldReferences(place, values),
  load: async (db, lines) => {
    // A line that says no parent may keep the one that the place has.
    const places = lines.flatMap(({ values: { id = 0, parent_id } }) => (parent_id === undefined ? id : []))
    const parents = lines.flatMap(({ values }) => idList(values.parent_id))
    const kept = sql`id in (select parent_id from locations where ${isOneOf(sql`id`, places)})`
    const rows = await runStatement(
      db,
      selectRows(agency.locations, sql`where ${isOneOf(sql`id`, parents)} or ${kept}`),
    )
    return { levels: new Map(rows.map((row) => [row.id, row.level])), uses: [], parents: new Map() }
  },
  loadMore: async (db, lines) => ({
    ...(await movable.loadMore(db, lines)),
    parents: new Map(lines.flatMap(({ stored }) => (stored ? [[stored.id, stored.parent_id]] : []))),
  }),
  check: (draft, { levels, ...places }, { stored, changedKeys, current }, earlier) => {
    if (!current || changedKeys.has('level') || changedKeys.has('parent_id'))
      checkParent(draft, levels, earlier)
    const isValid = !draft.isRefused('level') && !draft.isRefused('parent_id')
    if (stored && isValid && isMoved(draft.values, stored)) checkUse(draft, stored, places, earlier)
  },
  resolve: (values) => ({
    ...toRow(place, values),
    search: placeSearch(values),
  }),
  changesDefinitions: (entries) => {
    const { altered } = movable.changesDefinitions(entries)
    const left = entries.flatMap(({ row, stored }) =>
      stored && row.parent_id !== stored.parent_id ? row.id : [],
    )
    return { altered, uses: selectsOf(usesOfLocations(altered, left)) }
  },
})

function isMoved({ level, parent_id = null }: Partial<LocationRow>, stored: LocationRow): boolean {
  return level !== stored.level || parent_id !== stored.parent_id
}

/** Requires that the parent is a place of the level above. */
function checkParent(
  draft: Draft<ImportedLocation>,
  levels: Map<number, number>,
  earlier: ImportedLocation[],
): void {
  const { id, level, parent_id = null } = draft.values
  if (!level || draft.isRefused('parent_id')) return
  const parent = earlier.findLast((line) => line.id === parent_id)?.level ?? levels.get(parent_id ?? 0) ?? 0
  const requested = level === 1 ? 'null for level 1' : `a location of level ${level - 1}`
  if (id === parent_id) draft.refuse('parent_id', 'Invalid parent_id: must be another location')
  else if (level > 1 && parent_id === null) draft.refuse('parent_id', 'Missing parent_id')
  else if (parent !== level - 1) draft.refuse('parent_id', `Invalid parent_id: must be ${requested}`)
}

/** Refuses to move a place that is in use. Places that earlier lines have moved out of it do not count. */
function checkUse(
  draft: Draft<ImportedLocation>,
  stored: LocationRow,
  { uses, parents }: Omit<Places, 'levels'>,
  earlier: ImportedLocation[],
): void {
  const field = draft.values.level === stored.level ? 'parent_id' : 'level'
  const left = earlier.filter(
    ({ id, parent_id }) => parents.get(id) === stored.id && parent_id !== stored.id,
  ).length
  const isChildren = ({ id, kind }: UsedBy) => id === stored.id && kind === 'locations'
  const remaining = uses
    .map((use) => (isChildren(use) ? { ...use, uses: use.uses - left } : use))
    .filter((use) => use.uses > 0)
  const use = describeUse(remaining, stored.id)
  const child = earlier.find(({ parent_id }) => parent_id === stored.id)
  if (use) draft.refuse(field, `Invalid ${field}: ${stored.id} ${use}`)
  else if (child) draft.refuse(field, `Invalid ${field}: ${stored.id} is used by location ${child.id}`)
}

const importedSubtype = z.object({
  id: id().describe('Id of the subtype'),
  subcategory: z.enum(ALL_SUBCATEGORIES).describe('The subcategory that it refines'),
  translations: list(
    z.object({ language_id: id().describe('Language of the name'), name: name.describe('Its name') }),
    { bytes: MAX_TRANSLATION_BYTES },
  ).describe('Its names by language'),
})

type SubtypeRow = typeof listing_subtypes.$inferSelect

export const subtypes = defineEntity<typeof importedSubtype, SubtypeRow, DefinitionUses>({
  ...rowsOf(listing_subtypes, importedSubtype),
  ...definitionOf<SubtypeRow>(
    ({ subcategory }, stored) => subcategory !== stored.subcategory,
    usesOfSubtypes,
  ),
  present: (row) => ({ ...row }),
  references: ({ translations }) => [languagesOf('translations', translations)],
  check: (draft, { uses }, { stored }) => {
    const use = stored && describeUse(uses, stored.id)
    if (use && !draft.isRefused('subcategory')) {
      draft.refuse('subcategory', `Invalid subcategory: ${stored.id} ${use}`)
    }
  },
  resolve: (values) => values,
})

/** Maximum bytes of the options of a custom field: they share its row. */
const MAX_OPTION_BYTES = 500_000

type FieldRow = typeof agency.custom_fields.$inferSelect

const importedField = z.object({
  id: id().describe('Key of its values in records'),
  resource: z.enum(CUSTOM_FIELD_RESOURCES).describe('Whose records have the field'),
  name: name.describe('What people call it'),
  type: z.enum(CUSTOM_FIELD_TYPES).describe('Type of its values; `phone` is for contacts only'),
  options: list(z.object({ id: id().describe('The value in records'), name: name.describe('Its name') }), {
    bytes: MAX_OPTION_BYTES,
  })
    .nullish()
    .describe('The choices of `select` and `select_multi`, which need some'),
})

type ImportedField = z.output<typeof importedField>

const retypable = definitionOf<FieldRow>(
  ({ type, resource }, stored) => type !== stored.type || resource !== stored.resource,
  usesOfFields,
)

export const customFields = defineEntity<typeof importedField, FieldRow, DefinitionUses>({
  ...rowsOf(agency.custom_fields, importedField),
  ...retypable,
  present: ({ options, ...field }) => (options ? { ...field, options } : field),
  loadMore: async (db, lines) => {
    const withdrawn = lines.flatMap(({ values, stored }) => withdrawnOptions(values, stored))
    const [{ uses }, ofOptions] = await Promise.all([
      retypable.loadMore(db, lines),
      countUses(db, withdrawn, usesOfOptions(withdrawn), 'id, option'),
    ])
    return { uses: [...uses, ...ofOptions] }
  },
  check: (draft, found, { stored, current, changedKeys }) => {
    const { type, resource } = draft.values
    const isSelect = type?.startsWith('select') ?? true
    // A field that is no longer a select loses its options, unless the line sends some.
    if (current && !isSelect && !changedKeys.has('options')) draft.values.options = null
    checkOptions(draft)
    if (type === 'phone' && resource !== 'contacts')
      draft.refuse('type', 'Invalid type: phone is for contacts only')
    if (stored) checkFieldUse(draft, stored, found)
  },
  resolve: ({ options = null, ...field }) => ({ ...field, options: options?.length ? options : null }),
  changesDefinitions: (entries) => {
    const { altered, uses } = retypable.changesDefinitions(entries)
    const withdrawn = entries.flatMap(({ row, stored }) => withdrawnOptions(row, stored))
    return {
      altered: [...altered, ...withdrawn.map(({ field }) => field)],
      // Each of them reads all records.
      uses: [...uses, ...(withdrawn.length > 0 ? selectsOf(usesOfOptions(withdrawn)) : [])],
    }
  },
})

function checkOptions(draft: Draft<ImportedField>): void {
  const { type, options } = draft.values
  if (!type || draft.isRefused('options')) return
  const isSelect = type.startsWith('select')
  if (isSelect && !options?.length) draft.refuse('options', 'Missing options')
  if (!isSelect && options?.length) {
    draft.refuse('options', 'Invalid options: only when type is select or select_multi')
  }
  const ids = (options ?? []).map((option) => option.id)
  const twice = ids.find((id, index) => ids.indexOf(id) < index)
  if (twice !== undefined) draft.refuse('options', `Invalid options: id ${twice} stands twice`)
}

function checkFieldUse(draft: Draft<ImportedField>, stored: FieldRow, { uses }: DefinitionUses): void {
  const use = describeUse(uses, stored.id)
  for (const key of ['resource', 'type'] as const) {
    if (use && draft.values[key] !== stored[key]) draft.refuse(key, `Invalid ${key}: ${stored.id} ${use}`)
  }
  for (const { option } of withdrawnOptions(draft.values, stored)) {
    const chosen = describeUse(uses, stored.id, option)
    if (chosen && !use) draft.refuse('options', `Invalid options: ${option} ${chosen}`)
  }
}

/** The stored options that a line removes. */
function withdrawnOptions(
  { options }: { options?: FieldRow['options'] | undefined },
  stored: FieldRow | null,
): { field: number; option: number }[] {
  const left = new Set(options?.map((option) => option.id))
  return (stored?.options ?? []).flatMap((option) =>
    left.has(option.id) ? [] : [{ field: stored?.id ?? 0, option: option.id }],
  )
}
