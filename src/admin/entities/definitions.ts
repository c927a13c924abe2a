/**
 * Import and export of what records are built on: places, subtypes, custom fields. What records use cannot be pulled
 * from under them: such a line is refused and says what uses it.
 */
import { asc, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { CUSTOM_FIELD_RESOURCES } from '../../catalogue/custom-field.ts'
import { ALL_SUBCATEGORIES, CUSTOM_FIELD_TYPES } from '../../catalogue/enums.ts'
import { upsertRows } from '../../db/bulk.ts'
import { isOneOf } from '../../db/client.ts'
import { fold } from '../../db/fold.ts'
import { idList } from '../../db/references.ts'
import * as agency from '../../db/tables/agency.ts'
import { listing_subtypes } from '../../db/tables/lookups.ts'
import { filledText, id, int, list } from '../../fields/values.ts'
import type { Draft } from '../../http/check.ts'
import { type Entry, entity } from '../entity.ts'
import {
  countUses,
  describeUse,
  type Use,
  type Uses,
  usesOfFields,
  usesOfLocations,
  usesOfOptions,
  usesOfSubtypes,
} from './usage.ts'

/** Most bytes of the translations of a subtype, and of the options of a custom field: they share a row. */
const MAX_BYTES = 500_000

const name = filledText()

type LocationRow = typeof agency.locations.$inferSelect

const importedLocation = z.object({
  id: id(),
  level: int().min(1).max(3),
  parent_id: id().nullish(),
  name_el: name,
  name_en: name,
  full_name_el: name,
  full_name_en: name,
})

type ImportedLocation = z.output<typeof importedLocation>

interface Places {
  levels: Map<number, number>
  uses: Use[]
}

export const locations = entity<typeof importedLocation, LocationRow, Places>({
  name: 'locations',
  schema: importedLocation,
  read: (db, where, limit) =>
    db
      .select()
      .from(agency.locations)
      .where(where)
      .orderBy(asc(agency.locations.level), asc(agency.locations.id))
      .limit(limit),
  present: ({ search, ...place }) => place,
  references: ({ parent_id }) => [{ field: 'parent_id', table: 'locations', ids: idList(parent_id) }],
  load: async (db, lines) => {
    const parents = lines.flatMap(({ values }) => idList(values.parent_id))
    const moved = lines.flatMap(({ values, stored }) => (stored && isMoved(values, stored) ? stored.id : []))
    const { id: column, level } = agency.locations
    const [rows, uses] = await Promise.all([
      db.select({ id: column, level }).from(agency.locations).where(isOneOf(column.getSQL(), parents)),
      countUses(db, moved, usesOfLocations(moved)),
    ])
    return { levels: new Map(rows.map((row) => [row.id, row.level])), uses }
  },
  check: (draft, { levels, uses }, { stored, sent, current }, earlier) => {
    if (!current || sent.has('level') || sent.has('parent_id')) checkParent(draft, levels, earlier)
    const isSound = !draft.isRefused('level') && !draft.isRefused('parent_id')
    if (stored && isSound && isMoved(draft.values, stored)) checkUse(draft, stored, uses, earlier)
  },
  resolve: ({ parent_id = null, ...place }) => ({
    ...place,
    parent_id,
    search: fold(`${place.name_el}\n${place.name_en}`),
  }),
  changesDefinitions: (entries) => {
    const altered = alteredIn(entries, isMoved)
    return { added: addedIn(entries), altered, uses: selectsOf(usesOfLocations(altered)) }
  },
  store: (db, entries) =>
    upsertRows(
      db,
      agency.locations,
      entries.map(({ row }) => row),
    ),
})

function isMoved({ level, parent_id = null }: Partial<ImportedLocation>, stored: LocationRow): boolean {
  return level !== stored.level || parent_id !== stored.parent_id
}

/** A place lies in one of the level above. */
function checkParent(
  draft: Draft<ImportedLocation>,
  levels: Map<number, number>,
  earlier: ImportedLocation[],
): void {
  const { id, level, parent_id = null } = draft.values
  if (!level || draft.isRefused('parent_id')) return
  const parent = earlier.findLast((line) => line.id === parent_id)?.level ?? levels.get(parent_id ?? 0) ?? 0
  const wanted = level === 1 ? 'null for level 1' : `a location of level ${level - 1}`
  if (id === parent_id) draft.refuse('parent_id', 'Invalid parent_id: must be another location')
  else if (level > 1 && parent_id === null) draft.refuse('parent_id', 'Missing parent_id')
  else if (parent !== level - 1) draft.refuse('parent_id', `Invalid parent_id: must be ${wanted}`)
}

/** What lies in a place must find it where it was. */
function checkUse(
  draft: Draft<ImportedLocation>,
  stored: LocationRow,
  uses: Places['uses'],
  earlier: ImportedLocation[],
): void {
  const field = draft.values.level === stored.level ? 'parent_id' : 'level'
  const use = describeUse(uses, stored.id)
  const child = earlier.find(({ parent_id }) => parent_id === stored.id)
  if (use) draft.refuse(field, `Invalid ${field}: ${stored.id} ${use}`)
  else if (child) draft.refuse(field, `Invalid ${field}: ${stored.id} is used by location ${child.id}`)
}

const importedSubtype = z.object({
  id: id(),
  subcategory: z.enum(ALL_SUBCATEGORIES),
  translations: list(z.object({ language_id: id(), name }), { bytes: MAX_BYTES }),
})

type SubtypeRow = typeof listing_subtypes.$inferSelect

export const subtypes = entity<typeof importedSubtype, SubtypeRow, Use[]>({
  name: 'listing_subtypes',
  schema: importedSubtype,
  read: (db, where, limit) =>
    db.select().from(listing_subtypes).where(where).orderBy(asc(listing_subtypes.id)).limit(limit),
  present: (row) => ({ ...row }),
  references: ({ translations }) => [
    {
      field: 'translations.language_id',
      table: 'languages',
      ids: translations?.map(({ language_id }) => language_id) ?? [],
    },
  ],
  load: (db, lines) => {
    const altered = lines.flatMap(({ values, stored }) =>
      stored && isOtherKind(values, stored) ? stored.id : [],
    )
    return countUses(db, altered, usesOfSubtypes(altered))
  },
  check: (draft, uses, { stored }) => {
    const use = stored && describeUse(uses, stored.id)
    if (use && !draft.isRefused('subcategory')) {
      draft.refuse('subcategory', `Invalid subcategory: ${stored.id} ${use}`)
    }
  },
  resolve: (values) => values,
  changesDefinitions: (entries) => {
    const altered = alteredIn(entries, isOtherKind)
    return { added: addedIn(entries), altered, uses: selectsOf(usesOfSubtypes(altered)) }
  },
  store: (db, entries) =>
    upsertRows(
      db,
      listing_subtypes,
      entries.map(({ row }) => row),
    ),
})

function isOtherKind({ subcategory }: { subcategory?: string }, stored: SubtypeRow): boolean {
  return subcategory !== stored.subcategory
}

type FieldRow = typeof agency.custom_fields.$inferSelect

const importedField = z.object({
  id: id(),
  resource: z.enum(CUSTOM_FIELD_RESOURCES),
  name,
  type: z.enum(CUSTOM_FIELD_TYPES),
  options: list(z.object({ id: id(), name }), { bytes: MAX_BYTES }).nullish(),
})

type ImportedField = z.output<typeof importedField>

interface FieldUses {
  fields: Use[]
  options: Use[]
}

export const customFields = entity<typeof importedField, FieldRow, FieldUses>({
  name: 'custom_fields',
  schema: importedField,
  read: (db, where, limit) =>
    db.select().from(agency.custom_fields).where(where).orderBy(asc(agency.custom_fields.id)).limit(limit),
  present: ({ options, ...field }) => (options ? { ...field, options } : field),
  references: () => [],
  load: async (db, lines) => {
    const altered = lines.flatMap(({ values, stored }) =>
      stored && isRetyped(values, stored) ? stored.id : [],
    )
    const withdrawn = lines.flatMap(({ values, stored }) => withdrawnOptions(values, stored))
    const [fields, options] = await Promise.all([
      countUses(db, altered, usesOfFields(altered)),
      countUses(db, withdrawn, usesOfOptions(withdrawn), 'id, option'),
    ])
    return { fields, options }
  },
  check: (draft, uses, { stored, current, sent }) => {
    const { type, resource } = draft.values
    const isSelect = type?.startsWith('select') ?? true
    // A field that is no choice any more loses its options, unless the line insists on them.
    if (current && !isSelect && !sent.has('options')) draft.values.options = null
    checkOptions(draft)
    if (type === 'phone' && resource !== 'contacts')
      draft.refuse('type', 'Invalid type: phone is for contacts only')
    if (stored) checkFieldUse(draft, stored, uses)
  },
  resolve: ({ options = null, ...field }) => ({ ...field, options: options?.length ? options : null }),
  changesDefinitions: (entries) => {
    const retyped = alteredIn(entries, isRetyped)
    const withdrawn = entries.flatMap(({ row, stored }) => withdrawnOptions(row, stored))
    return {
      added: addedIn(entries),
      altered: [...retyped, ...withdrawn.map(({ field }) => field)],
      uses: [
        ...(retyped.length > 0 ? selectsOf(usesOfFields(retyped)) : []),
        ...(withdrawn.length > 0 ? selectsOf(usesOfOptions(withdrawn)) : []),
      ],
    }
  },
  store: (db, entries) =>
    upsertRows(
      db,
      agency.custom_fields,
      entries.map(({ row }) => row),
    ),
})

function isRetyped({ type, resource }: { type?: string; resource?: string }, stored: FieldRow): boolean {
  return type !== stored.type || resource !== stored.resource
}

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

function checkFieldUse(draft: Draft<ImportedField>, stored: FieldRow, { fields, options }: FieldUses): void {
  const use = describeUse(fields, stored.id)
  for (const key of ['resource', 'type'] as const) {
    if (use && draft.values[key] !== stored[key]) draft.refuse(key, `Invalid ${key}: ${stored.id} ${use}`)
  }
  for (const { option } of withdrawnOptions(draft.values, stored)) {
    const chosen = describeUse(options, stored.id, option)
    if (chosen && !use) draft.refuse('options', `Invalid options: ${option} ${chosen}`)
  }
}

/** Options that a line no longer has. */
function withdrawnOptions(
  { options }: { options?: FieldRow['options'] | undefined },
  stored: FieldRow | null,
): { field: number; option: number }[] {
  const left = new Set(options?.map((option) => option.id))
  return (stored?.options ?? []).flatMap((option) =>
    left.has(option.id) ? [] : [{ field: stored?.id ?? 0, option: option.id }],
  )
}

/** Ids of definitions that are new. */
function addedIn(entries: Entry<{ id: number }>[]): number[] {
  return entries.flatMap(({ row, stored }) => (stored ? [] : row.id))
}

/** Ids of those that come to mean something else. */
function alteredIn<Row extends { id: number }>(
  entries: Entry<Row>[],
  isAltered: (row: Row, stored: Row) => boolean,
): number[] {
  return entries.flatMap(({ row, stored }) => (stored && isAltered(row, stored) ? row.id : []))
}

function selectsOf(uses: Uses): SQL[] {
  return uses.map(([, select]) => select)
}
