/** The rules of a contact: what a write refuses. */
import { withoutUndefined } from '../../fields/values.ts'
import type { Draft } from '../../http/request/check.ts'
import { checkCustomValues, checkSize } from '../custom-fields/values.ts'
import type { ContactRow } from './queries.ts'
import type { ContactDefaults, ContactLookups } from './references.ts'
import type { ContactInput } from './schema.ts'

export type ContactDraft = Draft<ContactInput>

/** Refuses in `draft` what does not exist or does not fit. `current` is the stored record, null for a new one. */
export function validateContact(draft: ContactDraft, lookups: ContactLookups, current: ContactRow | null) {
  draft.refuseAll(lookups.missing)
  checkNames(draft, current)
  checkCreator(draft, lookups)
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

/** Requires a creator, named or default. Only a new contact can be without, as the creator of another is a user. */
export function checkCreator(draft: ContactDraft, { default_user_id }: ContactDefaults): void {
  if (draft.isRefused('created_by')) return
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
  const stored = current?.custom_fields
  const checked = checkCustomValues(draft, 'custom_fields', custom_fields, customFields, stored, contacts)
  draft.values.custom_fields = checked
  if (current) checkSize(draft, 'custom_fields', current.custom_fields, checked)
}
