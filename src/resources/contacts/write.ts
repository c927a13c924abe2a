/**
 * Writing contacts: at most two round trips. One reads the record and everything the body refers to; one writes,
 * guarded by the version that was read, so that two merges at once never lose a key.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { batch, type Database, replaceLinks, type Statement } from '../../db/client.ts'
import { createRecord, differs, mergeRecord, nextVersion } from '../../db/merge.ts'
import { notDeleted } from '../../db/references.ts'
import { contact_tag_links, contact_users, contacts } from '../../db/tables/contacts.ts'
import { formatDateTime } from '../../fields/values.ts'
import { notFound } from '../../http/errors.ts'
import { selectContacts } from './queries.ts'
import { type ContactChange, resolveContact } from './resolve.ts'
import { type ContactDraft, checkContact, readFound, referencesOf, selectFound } from './rules.ts'

/** Stores a new contact and returns its id. Throws 400. */
export async function createContact(db: Database, draft: ContactDraft): Promise<number> {
  const references = referencesOf(draft.values)
  const [inserted] = await createRecord(db, async () => {
    const answers = await batch(db, selectFound(db, [draft.values], references))
    const found = readFound(...answers)
    checkContact(draft, references, found, null)
    const change = resolveContact(draft.complete(), found, null)
    const now = formatDateTime(new Date())
    const columns = { ...change.columns, date_created: now, date_updated: now }
    return [
      db
        .insert(contacts)
        .values(columns as typeof contacts.$inferInsert)
        .returning({ id: contacts.id }),
      // Ids only grow, so within this transaction the highest is the one just given.
      ...linkStatements(db, sql`(select max(id) from contacts)`, change),
    ]
  })
  return (inserted as { id: number }[])[0]?.id ?? 0
}

/** Merges the keys of `draft` into a contact. Throws 404, 400, and 409 when others keep writing it. */
export async function updateContact(db: Database, id: number, draft: ContactDraft): Promise<void> {
  // The creator never changes, so it is not even looked at.
  delete draft.values.created_by
  const references = referencesOf(draft.values)
  await mergeRecord(db, `contacts ${id}`, async () => {
    const [[current], ...answers] = await batch(db, [
      selectContacts(db).where(and(eq(contacts.id, id), notDeleted)),
      ...selectFound(db, [draft.values], references),
    ])
    if (!current) throw notFound('Contact')
    const found = readFound(...answers)
    // Each time: what others wrote meanwhile may have taken the last name that was left.
    checkContact(draft, references, found, current)
    const { columns, ...lists } = resolveContact(draft.complete(), found, current)
    if (!differs({ ...columns, ...lists }, current)) return null
    const version = nextVersion(current.version)
    return [
      db
        .update(contacts)
        .set({ ...columns, date_updated: formatDateTime(new Date()), version })
        .where(eq(contacts.id, id)),
      ...linkStatements(db, sql`${id}`, lists),
    ]
  })
}

/** Hides a contact; whatever refers to it stays. Throws 404 when there is none, or it was deleted before. */
export async function deleteContact(db: Database, id: number): Promise<void> {
  const [deleted] = await db
    .update(contacts)
    .set({ is_deleted: true, date_updated: formatDateTime(new Date()), version: sql`version + 1` })
    .where(and(eq(contacts.id, id), notDeleted))
    .returning({ id: contacts.id })
  if (!deleted) throw notFound('Contact')
}

function linkStatements(db: Database, id: SQL, { tags, users }: Omit<ContactChange, 'columns'>): Statement[] {
  return [
    ...(tags ? replaceLinks(db, contact_tag_links, ['contact_id', 'tag_id'], id, tags) : []),
    ...(users ? replaceLinks(db, contact_users, ['contact_id', 'user_id'], id, users) : []),
  ]
}
