/** Import and export of custom fields. A field or option that records use can be neither changed nor removed. */
import { z } from 'zod'
import { CUSTOM_FIELD_RESOURCES } from '../../../catalogue/custom-field.ts'
import { CUSTOM_FIELD_TYPES } from '../../../catalogue/office-enums.ts'
import * as agency from '../../../db/tables/agency.ts'
import { filledText, id, list } from '../../../fields/values.ts'
import type { Draft } from '../../../http/request/check.ts'
import { defineEntity } from '../entity.ts'
import { rowsOf } from './rows.ts'
import {
  addedIds,
  alteredIds,
  countUses,
  describeUse,
  selectsOf,
  type UsedBy,
  usesOfFields,
  usesOfOptions,
} from './usage.ts'

/** Maximum bytes of the options of a custom field: they share its row. */
const MAX_OPTION_BYTES = 500_000

const name = filledText()

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

/** Of fields, and of their options. */
interface FieldUses {
  uses?: UsedBy[]
}

export const customFields = defineEntity<typeof importedField, FieldRow, FieldUses>({
  ...rowsOf(agency.custom_fields, importedField),
  present: ({ options, ...field }) => (options ? { ...field, options } : field),
  load: async () => ({}),
  loadMore: async (db, lines) => {
    const altered = lines.flatMap(({ values, stored }) =>
      stored && isRetyped(values, stored) ? stored.id : [],
    )
    const withdrawn = lines.flatMap(({ values, stored }) => withdrawnOptions(values, stored))
    const [fields, options] = await Promise.all([
      countUses(db, altered, usesOfFields(altered)),
      countUses(db, withdrawn, usesOfOptions(withdrawn), 'id, option'),
    ])
    return { uses: [...fields, ...options] }
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
  isSurveyed: true,
  changesDefinitions: (entries) => {
    const retyped = alteredIds(entries, isRetyped)
    const withdrawn = entries.flatMap(({ row, stored }) => withdrawnOptions(row, stored))
    return {
      added: addedIds(entries),
      altered: [...retyped, ...withdrawn.map(({ field }) => field)],
      uses: [
        ...(retyped.length > 0 ? selectsOf(usesOfFields(retyped)) : []),
        ...(withdrawn.length > 0 ? selectsOf(usesOfOptions(withdrawn)) : []),
      ],
    }
  },
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

function checkFieldUse(draft: Draft<ImportedField>, stored: FieldRow, { uses = [] }: FieldUses): void {
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
