/** Which records the body of a contact refers to, and what a write reads of them. */
import { sql } from 'drizzle-orm'
import { contact } from '../../catalogue/contact.ts'
import type { Database, Results } from '../../db/client.ts'
import { defaultCreator } from '../../db/default-creator.ts'
import {
  fieldReferences,
  idReferences,
  type MissingReference,
  type Reference,
  selectMissing,
} from '../../db/references.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { readFieldFacts, selectFieldFacts } from '../custom-fields/values.ts'
import type { ContactInput } from './schema.ts'

/** The values of a contact whose body does not set them. There is no creator only if no user exists. */
export type ContactDefaults = { [Name in keyof typeof NO_DEFAULTS]: number | null }
export const NO_DEFAULTS = { default_user_id: null, default_source_id: null }

/** All references of `input`, except in its custom fields. */
export function referencesOf(input: Partial<ContactInput>): Reference[] {
  return [
    ...fieldReferences(contact, input),
    ...idReferences(input, { tags: 'contact_tags', created_by: 'users', users: 'users' }),
  ]
}

/** Statements that read the lookups of `input`; `readLookups` takes their results. */
export function selectLookups(input: Partial<ContactInput>, { db }: { db: Database }) {
  return { missing: selectMissing(referencesOf(input)), ...selectFacts(db, [input]) }
}

/**
 * Statements that read what rules need besides the references of `inputs`.
 * @param named which contacts custom fields may name: `any` includes deleted ones
 */
export function selectFacts(
  db: Database,
  inputs: Partial<ContactInput>[],
  named: 'living' | 'any' = 'living',
) {
  return {
    customFields: selectFieldFacts(
      'contacts',
      inputs.map(({ custom_fields }) => custom_fields),
      named,
    ),
    defaults: selectDefaults(db),
  }
}

/** The statement that reads the values of a contact whose body does not set them. */
export function selectDefaults(db: Database): Statement<ContactDefaults> {
  return sqlStatement(sql`select ${defaultCreator(db)} as default_user_id,
    (select cast(value as integer) from settings where key = 'default_contact_source_id') as default_source_id`)
}

/** The rows that the rules need for one or several bodies. */
export type ContactLookups = ReturnType<typeof readLookups>

/** Reads the results of `selectLookups`, or only those of `selectFacts`. */
export function readLookups({
  missing = [],
  customFields,
  defaults: [defaults = NO_DEFAULTS],
}: Results<ReturnType<typeof selectFacts>> & { missing?: MissingReference[] }) {
  return { missing, customFields: readFieldFacts(customFields), ...defaults }
}
