/** The rules of a contact: which records a body refers to, and whether it may be stored. */
import { sql } from 'drizzle-orm'
import { contact } from '../../catalogue/contact.ts'
import type { Results } from '../../db/client.ts'
import {
  fieldReferences,
  idList,
  type MissingIds,
  type Reference,
  readMissing,
  refuseMissingReferences,
  selectMissing,
} from '../../db/references.ts'
import { sqlStatement } from '../../db/statements.ts'
import { withoutUndefined } from '../../fields/values.ts'
import type { Draft } from '../../http/request/check.ts'
import {
  type CustomFieldFacts,
  checkCustomValues,
  checkSize,
  readFieldFacts,
  selectFieldFacts,
} from '../custom-fields/values.ts'
import type { ContactRow } from './queries.ts'
import type { ContactInput } from './schema.ts'

export type ContactDraft = Draft<ContactInput>

/** The rows that the rules need for one or several bodies. */
export interface ContactLookups {
  missing: MissingIds
  customFields: CustomFieldFacts
  /** The creator if the body names none; null only if no user exists. */
  default_user_id: number | null
  default_source_id: number | null
}

/** The values of a contact whose body does not set them. */
export type ContactDefaults = Pick<ContactLookups, 'default_user_id' | 'default_source_id'>

/** All references of `input`, except in its custom fields. */
export function referencesOf(input: Partial<ContactInput>): Reference[] {
  const { tags, created_by, users } = input
  return [
    ...fieldReferences(contact, input),
    { field: 'tags', table: 'contact_tags', ids: idList(tags) },
    { field: 'created_by', table: 'users', ids: typeof created_by === 'number' ? [created_by] : [] },
    { field: 'users', table: 'users', ids: idList(users) },
  ]
}

/**
 * Statements that read the lookups of `inputs`; `readLookups` takes their results.
 * @param named which contacts custom fields may name: `any` includes deleted ones
 */
export function selectLookups(
  inputs: Partial<ContactInput>[],
  references: Reference[],
  named: 'living' | 'any' = 'living',
) {
  return {
    missing: selectMissing(references),
    customFields: selectFieldFacts(
      'contacts',
      inputs.map(({ custom_fields }) => custom_fields),
      named,
    ),
    defaults: sqlStatement<ContactDefaults>(sql`select
      cast(coalesce((select value from settings where key = 'default_user_id'), (select min(id) from users))
        as integer) as default_user_id,
      (select cast(value as integer) from settings where key = 'default_contact_source_id') as default_source_id`),
  }
}

/** Reads the results of `selectLookups`. */
export function readLookups({
  missing,
  customFields,
  defaults: [defaults],
}: Results<ReturnType<typeof selectLookups>>): ContactLookups {
  return {
    missing: readMissing(missing),
    customFields: readFieldFacts(customFields),
    default_user_id: defaults?.default_user_id ?? null,
    default_source_id: defaults?.default_source_id ?? null,
  }
}

/** Refuses in `draft` what does not exist or does not fit. `current` is the stored record, null for a new one. */
export function checkContact(
  draft: ContactDraft,
  references: Reference[],
  lookups: ContactLookups,
  current: ContactRow | null,
): void {
  refuseMissingReferences(draft, references, lookups.missing)
  checkNames(draft, current)
  checkCreator(draft, lookups, current)
  checkCustomFields(draft, lookups, current)
}

/** Requires a first name, last name or company, in the record as it would be afterwards. */
export function checkNames(draft: ContactDraft, current: ContactRow | null): void {
  const names = ['first_name', 'last_name', 'company_name'] as const
  if (names.some((name) => draft.isRefused(name))) return
  const isTouched = names.some((name) => draft.values[name] !== undefined)
  if (current && !isTouched) return
  const merged = { ...current, ...withoutUndefined(draft.values) }
  if (!names.some((name) => merged[name]?.trim())) draft.refuse('first_name', 'Missing first_name')
}

/** Requires a creator for a new contact, named or default. */
export function checkCreator(
  draft: ContactDraft,
  { default_user_id }: ContactDefaults,
  current: ContactRow | null,
): void {
  if (current || draft.isRefused('created_by')) return
  if (draft.values.created_by == null && default_user_id === null) {
    draft.refuse('created_by', 'Missing created_by')
  }
}

/**
 * Checks the custom fields in `draft`, and replaces them by the values to merge into those of `current`.
 * @param contacts `awaited` skips the check of contacts, as for `checkCustomValues`
 */
export function checkCustomFields(
  draft: ContactDraft,
  { customFields }: Pick<ContactLookups, 'customFields'>,
  current: ContactRow | null,
  contacts: 'checked' | 'awaited' = 'checked',
): void {
  const { custom_fields } = draft.values
  if (!custom_fields) return
  const checked = checkCustomValues(draft, 'custom_fields', custom_fields, customFields, contacts)
  draft.values.custom_fields = checked
  if (current) checkSize(draft, 'custom_fields', current.custom_fields, checked)
}
