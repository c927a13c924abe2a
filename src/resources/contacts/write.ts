/**
 * Writing contacts: at most two round trips. One reads the record and everything the body refers to; one writes,
 * guarded by the version that was read, so that two merges at once never lose a key.
 */
import { and, eq } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { changeRecord, createRecord, differs, mergeRecord } from '../../db/merge.ts'
import { notDeleted } from '../../db/references.ts'
import { addLinks, insertRow, type Link, replaceLinks, updateRow } from '../../db/rows.ts'
import { nextVersion } from '../../db/stamps.ts'
import { contact_tag_links, contact_users, contacts } from '../../db/tables/contacts.ts'
import { formatDateTime } from '../../fields/values.ts'
import type { Call, Target } from '../../http/entity-tags.ts'
import { created } from '../../http/envelope.ts'
import { notFound } from '../../http/errors.ts'
import { staysDefined } from '../custom-fields/values.ts'
import { selectContact } from './queries.ts'
import { resolveContact } from './resolve.ts'
import { type ContactDraft, checkContact, readFound, referencesOf, selectFound } from './rules.ts'

const LINKS = {
  tags: { table: contact_tag_links, owner: 'contact_id', to: 'tag_id' },
  users: { table: contact_users, owner: 'contact_id', to: 'user_id' },
} satisfies Record<string, Link>

/** Stores a new contact and returns its id. Throws 400. */
export async function createContact(db: Database, draft: ContactDraft, call: Call): Promise<number> {
  const references = referencesOf(draft.values)
  const { id } = await createRecord(db, { ...call, table: contacts, answer: created }, async () => {
    const answers = await batch(db, selectFound(db, [draft.values], references))
    const found = readFound(...answers)
    checkContact(draft, references, found, null)
    const { columns, ...lists } = resolveContact(draft.complete(), found, null)
    const now = formatDateTime(new Date())
    return [
      insertRow(
        contacts,
        { ...columns, date_created: now, date_updated: now },
        staysDefined(found.customFields),
      ),
      ...addLinks(LINKS, contacts, lists),
    ]
  })
  return id
}

/** Merges the keys of `draft` into a contact. Throws 404, 412, 400, and 409 when others keep writing it. */
export async function updateContact(db: Database, record: Target, draft: ContactDraft): Promise<void> {
  // The creator never changes, so it is not even looked at.
  delete draft.values.created_by
  const references = referencesOf(draft.values)
  const reading = [selectContact({ id: record.id }), ...selectFound(db, [draft.values], references)] as const
  await mergeRecord(db, record, reading, (current, answers) => {
    const found = readFound(...answers)
    // Each time: what others wrote meanwhile may have taken the last name that was left.
    checkContact(draft, references, found, current)
    const { columns, ...lists } = resolveContact(draft.complete(), found, current)
    if (!differs({ ...columns, ...lists }, current)) return null
    return [
      updateRow(
        contacts,
        current,
        { ...columns, date_updated: formatDateTime(new Date()) },
        [],
        staysDefined(found.customFields),
      ),
      ...replaceLinks(LINKS, record.id, lists),
    ]
  })
}

/** Hides a contact; whatever refers to it stays. Throws 412, and 404 when there is none, or it was deleted before. */
export async function deleteContact(db: Database, record: Target): Promise<void> {
  const [[deleted]] = await changeRecord(db, record, [
    db
      .update(contacts)
      .set({
        is_deleted: true,
        date_updated: formatDateTime(new Date()),
        version: nextVersion(contacts, record),
      })
      .where(and(eq(contacts.id, record.id), notDeleted))
      .returning({ id: contacts.id }),
  ])
  if (!deleted) throw notFound(record.name)
}
