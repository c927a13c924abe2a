/** Reading contacts: whole records, and the pages of the list. */
import { and, desc, eq, getTableColumns, type InferSelectModel, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Database, within } from '../../db/client.ts'
import { type Conditions, whereOf } from '../../db/conditions.ts'
import { listOf, type Page, pageWhere, readPage } from '../../db/page.ts'
import { notDeleted } from '../../db/references.ts'
import { fixed, fixedAround } from '../../db/statements.ts'
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

/** The contact `id`, unless it is deleted. */
export const selectContact = fixed((db) =>
  selectContacts(db).where(and(eq(contacts.id, sql.placeholder('id')), notDeleted)),
)

const selectPage = fixedAround((db, ofPage) => selectContacts(db).where(ofPage).orderBy(desc(contacts.id)))

type Filters = z.output<typeof contactFilters>

const CONDITIONS = {
  date_created: (range) => within(sql.raw('date_created'), range),
  date_updated: (range) => within(sql.raw('date_updated'), range),
  search: matches,
} satisfies Conditions<Filters>

/** The contacts of one page that are not deleted, newest first, and how many match in all; one round trip. */
export function findPage(db: Database, filters: Filters): Promise<Page<ContactRow>> {
  const where = and(notDeleted, whereOf(CONDITIONS, filters))
  return readPage(db, 'contacts', pageWhere('contacts', where, filters.page), selectPage)
}
