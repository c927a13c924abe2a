/** Reads contacts: whole records. */
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { isNotDeleted } from '../../db/references.ts'
import { linkedIds } from '../../db/relations.ts'
import { prepared, type RowOf, type Statement, select } from '../../db/statements.ts'
import { contact_tag_links, contact_users, contacts } from '../../db/tables/contacts.ts'

/** The lists of ids of a contact. */
export const LINKS = { tags: contact_tag_links, users: contact_users }

const FIELDS = {
  ...getTableColumns(contacts),
  tags: linkedIds(contacts, LINKS.tags),
  users: linkedIds(contacts, LINKS.users),
}

/** A stored contact with its tags and users, in their order. */
export type ContactRow = RowOf<typeof FIELDS>

/** The statement that reads whole contacts, including deleted ones. `rest` is the SQL after the table. */
export function selectContacts(rest: SQL): Statement<ContactRow> {
  return select(FIELDS, sql`from ${contacts} ${rest}`)
}

/** Reads the contact `id` unless it is deleted. */
export const selectContact = prepared(() =>
  selectContacts(sql`where ${contacts.id} = ${sql.placeholder('id')} and ${isNotDeleted}`),
)
