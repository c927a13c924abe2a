/** Reading contacts: whole records, and the pages of the list. */
import { and, desc, getTableColumns, type InferSelectModel, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { batch, type Database, within } from '../../db/client.ts'
import { notDeleted } from '../../db/references.ts'
import { contacts } from '../../db/tables/contacts.ts'
import { PAGE_SIZE } from '../../http/envelope.ts'
import type { contactFilters } from './schema.ts'
import { matches } from './search.ts'

/** The ids of a contact's rows in `table`, in order: the inner select follows the primary key, so nothing is sorted. */
const links = (table: string, column: string) =>
  sql<number[]>`(${sql.raw(
    `select json_group_array(${column}) from
      (select ${column} from ${table} where contact_id = contacts.id order by position)`,
  )})`.mapWith(JSON.parse)

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
      tags: links('contact_tag_links', 'tag_id'),
      users: links('contact_users', 'user_id'),
    })
    .from(contacts)
}

/** The contacts of one page that are not deleted, newest first, and how many match in all; one round trip. */
export async function findPage(
  db: Database,
  { page, search, date_created, date_updated }: z.output<typeof contactFilters>,
): Promise<{ rows: ContactRow[]; total: number }> {
  const where = and(
    notDeleted,
    within(sql.raw('date_created'), date_created),
    within(sql.raw('date_updated'), date_updated),
    search ? matches(search) : undefined,
  )
  const offset = ((page ?? 1) - 1) * PAGE_SIZE
  const [rows, [counted]] = await batch(db, [
    selectContacts(db)
      .where(sql`contacts.id in
        (select id from contacts where ${where} order by id desc limit ${PAGE_SIZE} offset ${offset})`)
      .orderBy(desc(contacts.id)),
    db.all<{ total: number }>(sql`select count(*) as total from contacts where ${where}`),
  ])
  return { rows, total: counted?.total ?? 0 }
}
