/** Resolves the body of a contact, after the rules have accepted it. */
import * as catalogue from '../../catalogue/contact.ts'
import type { contacts } from '../../db/tables/contacts.ts'
import { pick, toRow } from '../../fields/derive.ts'
import { withoutUndefined } from '../../fields/values.ts'
import { mergeCustomValues } from '../custom-fields/values.ts'
import { contactKeys } from '../people/keys.ts'
import type { ContactRow } from './queries.ts'
import type { ContactDefaults } from './references.ts'
import type { ContactInput } from './schema.ts'
import { searchText } from './search.ts'

/** What storing `input` changes: columns, and complete lists of ids. `current` is null for a new contact. */
export function resolveContact(
  input: ContactInput,
  defaults: ContactDefaults,
  current: ContactRow | null,
): { columns: Partial<typeof contacts.$inferInsert>; tags?: number[]; users?: number[] } {
  const { source_id, address, custom_fields, tags, users, created_by } = input
  const columns: Partial<typeof contacts.$inferInsert> = {
    ...pick(catalogue.contact, input),
    ...(address === null ? toRow(catalogue.address, {}) : pick(catalogue.address, address ?? {})),
    ...pick(catalogue.people, input),
    ...withoutUndefined({
      source_id: current ? undefined : (source_id ?? defaults.default_source_id),
      custom_fields:
        custom_fields === undefined ? undefined : mergeCustomValues(current?.custom_fields, custom_fields),
      created_by: current ? undefined : Number(created_by ?? defaults.default_user_id),
    }),
  }
  const row = { ...NO_TEXTS, ...current, ...columns }
  const derived = { search: searchText(row), person_keys: contactKeys(row) }
  return { columns: { ...columns, ...derived }, ...withoutUndefined({ tags, users }) }
}

const NO_TEXTS = {
  ...{ first_name: '', last_name: '', company_name: null },
  ...{ phones: [], emails: [], contact_details: [] },
}
