/** What storing a body changes in a contact, once the rules have let it through. */
import type { contacts } from '../../db/tables/contacts.ts'
import { given } from '../../fields/values.ts'
import { mergeValues } from '../custom-fields/values.ts'
import type { ContactRow } from './queries.ts'
import type { Defaults } from './rules.ts'
import type { ContactInput } from './schema.ts'
import { searchText } from './search.ts'

/** What a write changes: columns, and whole id lists. */
export interface ContactChange {
  columns: Partial<typeof contacts.$inferInsert>
  tags?: number[]
  users?: number[]
}

/** What storing `input` changes; `current` is null on create. */
export function resolveContact(
  input: ContactInput,
  defaults: Defaults,
  current: ContactRow | null,
): ContactChange {
  const { first_name, last_name, is_lead, is_company, company_name } = input
  const { phones, emails, notes, contact_details } = input
  const { source_id, address, custom_fields, tags, users, created_by } = input
  const columns: ContactChange['columns'] = given({
    first_name,
    last_name,
    is_lead,
    is_company,
    company_name,
    phones,
    emails,
    notes,
    contact_details,
    source_id: current ? source_id : (source_id ?? defaults.default_source_id),
    address_area: address === null ? null : address?.area,
    address_street: address === null ? null : address?.street,
    address_postal_code: address === null ? null : address?.postal_code,
    custom_fields:
      custom_fields === undefined ? undefined : mergeValues(current?.custom_fields, custom_fields),
    created_by: current ? undefined : Number(created_by ?? defaults.default_user_id),
  })
  const search = searchText({ ...NOTHING_TO_SEARCH, ...current, ...columns })
  return { columns: { ...columns, search }, ...given({ tags, users }) }
}

const NOTHING_TO_SEARCH = { first_name: '', last_name: '', company_name: null, phones: [], emails: [] }
