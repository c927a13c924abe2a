/** The rules of a contact: what a body refers to, and whether it may be stored. */
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

/** What the database knows about what bodies refer to. */
export interface ContactLookups {
  missing: MissingIds
  customFields: CustomFieldFacts
  /** Who creates a contact when the body does not say; null only while there is no user at all. */
  default_user_id: number | null
  default_source_id: number | null
}

/** What a contact gets where its body does not say. */
export type ContactDefaults = Pick<ContactLookups, 'default_user_id' | 'default_source_id'>

/** Everything that `input` refers to by id, except in its custom fields. */
export function referencesOf(input: Partial<ContactInput>): Reference[] {
  const { tags, created_by, users } = input
  return [
    ...fieldReferences(contact, input),
    { field: 'tags', table: 'contact_tags', ids: idList(tags) },
    { field: 'created_by', table: 'users', ids: typeof created_by === 'number' ? [created_by] : [] },
    { field: 'users', table: 'users', ids: idList(users) },
  ]
}

/** The statements, for one batch, whose results `readFound` takes. */
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

/** The results of `selectFound`. */
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

/** Notes in `draft` whatever does not exist or does not fit; `current` is the record as it is, null on create. */
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

/** Somebody must be named, by first name, last name or company, in the record as it would be afterwards. */
export function checkNames(draft: ContactDraft, current: ContactRow | null): void {
  const names = ['first_name', 'last_name', 'company_name'] as const
  if (names.some((name) => draft.isRefused(name))) return
  const isTouched = names.some((name) => draft.values[name] !== undefined)
  if (current && !isTouched) return
  const merged = { ...current, ...withoutUndefined(draft.values) }
  if (!names.some((name) => merged[name]?.trim())) draft.refuse('first_name', 'Missing first_name')
}

/** A contact has a creator, be it the default one. */
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

/** Leaves the custom fields in `draft` as they are to be merged into those of `current`. */
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
