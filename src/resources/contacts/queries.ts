/** Reads contacts: whole records, and the pages of the list. */
import { and, getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { type Conditions, whereClause, within } from '../../db/conditions.ts'
import { linkedIds, type Page, pageWhere, readPage } from '../../db/page.ts'
import { isNotDeleted } from '../../db/references.ts'
import { prepared, preparedAround, type Statement, select } from '../../db/statements.ts'
import { contact_tag_links, contact_users, contacts } from '../../db/tables/contacts.ts'
import type { contactFilters } from './schema.ts'
import { matchesSearch } from './search.ts'

/** A stored contact with its tags and users, in their order. */
export interface ContactRow extends InferSelectModel<typeof contacts> {
  tags: number[]
  users: number[]
}

const FIELDS = {
  ...getTableColumns(contacts),
  tags: linkedIds(contacts, contact_tag_links),
  users: linkedIds(contacts, contact_users),
}

/** The statement that reads whole contacts, including deleted ones. `rest` is the SQL after the table. */
export function selectContacts(rest: SQL): Statement<ContactRow> {
  return select(FIELDS, sql`from ${contacts} ${rest}`)
}

/** Reads the contact `id` unless it is deleted. */
export const selectContact = prepared(() =>
  selectContacts(sql`where ${contacts.id} = ${sql.placeholder('id')} and ${isNotDeleted}`),
)

const selectPage = preparedAround(selectContacts)

type Filters = z.output<typeof contactFilters>

const CONDITIONS = {
  date_created: (range) => within(sql.raw('date_created'), range),
  date_updated: (range) => within(sql.raw('date_updated'), range),
  search: matchesSearch,
} satisfies Conditions<Filters>

/** One page of the contacts that are not deleted, and their total; one round trip. */
export function findPage(db: Database, filters: Filters): Promise<Page<ContactRow>> {
  const where = and(isNotDeleted, whereClause(CONDITIONS, filters))
  return readPage(db, contacts, pageWhere(contacts, where, filters), selectPage)
}
