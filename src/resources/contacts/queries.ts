/** Reading contacts: whole records, and the pages of the list. */
import { and, desc, getTableColumns, type InferSelectModel, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Database, within } from '../../db/client.ts'
import { listOf, type Page, pageWhere, readPage } from '../../db/page.ts'
import { notDeleted } from '../../db/references.ts'
import { contacts } from '../../db/tables/contacts.ts'
import type { contactFilters } from './schema.ts'
import { matches } from './search.ts'

const LINK = 'contact_id = contacts.id'

/** A stored contact with its tags and users, in their order. */
export interface ContactRow extends InferSelectModel<typeof contacts> {
  tags: number[]
  users: number[]
}

/** Whole contacts, deleted ones too, their lists in sub-selects: one statement. */
export function selectContacts(db: Database) {
  return db
    .select({
      ...getTableColumns(contacts),
      tags: listOf<number>('contact_tag_links', 'tag_id', LINK),
      users: listOf<number>('contact_users', 'user_id', LINK),
    })
    .from(contacts)
}

/** The contacts of one page that are not deleted, newest first, and how many match in all; one round trip. */
export function findPage(
  db: Database,
  { page, search, date_created, date_updated }: z.output<typeof contactFilters>,
): Promise<Page<ContactRow>> {
  const where = and(
    notDeleted,
    within(sql.raw('date_created'), date_created),
    within(sql.raw('date_updated'), date_updated),
    search ? matches(search) : undefined,
  )
  return readPage(db, 'contacts', pageWhere('contacts', where, page), (ofPage) =>
    selectContacts(db).where(ofPage).orderBy(desc(contacts.id)),
  )
}
