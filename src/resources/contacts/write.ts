/**
 * Writes contacts, in at most two round trips. The first reads the record and its references, and the second writes. A
 * guard compares the version that was read, so concurrent merges never lose a key.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { changeRecord, createRecord, mergeRecord } from '../../db/merge.ts'
import { nextVersion } from '../../db/record-versions.ts'
import { isNotDeleted } from '../../db/references.ts'
import { addLinks, insertRow, updateRecord } from '../../db/rows.ts'
import { sqlStatement } from '../../db/statements.ts'
import { contact_tag_links, contact_users, contacts } from '../../db/tables/contacts.ts'
import { enterChangesWhere, enterCreation, MARKED_AS_DELETED } from '../../db/trail.ts'
import { formatDateTime } from '../../fields/values.ts'
import type { RecordRef, WriteContext } from '../../http/concurrency/entity-tags.ts'
import { notFound } from '../../http/errors.ts'
import { createdReply } from '../../http/reply/envelope.ts'
import { staysDefined } from '../custom-fields/values.ts'
import { selectContact } from './queries.ts'
import { type ContactDefaults, readLookups, selectLookups } from './references.ts'
import { resolveContact } from './resolve.ts'
import { type ContactDraft, validateContact } from './rules.ts'
import type { ContactInput } from './schema.ts'

const LINKS = {
  tags: contact_tag_links,
  users: contact_users,
}

/** Stores a new contact and returns its id. Throws 400. */
export async function createContact(
  db: Database,
  draft: ContactDraft,
  context: WriteContext,
): Promise<number> {
  const { id } = await createRecord(db, { ...context, table: contacts, answer: createdReply }, async () => {
    const lookups = readLookups(await batch(db, selectLookups(draft.values)))
    validateContact(draft, lookups, null)
    const { columns, ...lists } = resolveContact(draft.complete(), lookups, null)
    const now = formatDateTime(new Date())
    const row = { ...columns, date_created: now, date_updated: now }
    return {
      row: insertRow(contacts, row, staysDefined(lookups.customFields)),
      rest: addLinks(LINKS, contacts, lists),
    }
  })
  return id
}

/** The statements that store a contact that needs no check, for a batch that stores more. */
export function insertContact(input: ContactInput, defaults: ContactDefaults) {
  const { columns, ...lists } = resolveContact(input, defaults, null)
  const now = formatDateTime(new Date())
  return {
    row: insertRow(contacts, { ...columns, date_created: now, date_updated: now }),
    links: addLinks(LINKS, contacts, lists),
    trail: enterCreation(contacts),
  }
}

/** Merges the keys of `draft` into a contact. Throws 404, 412, 400, and 409 if other calls keep changing it. */
export async function updateContact(db: Database, record: RecordRef, draft: ContactDraft): Promise<void> {
  // The creator never changes, so the key is not even validated.
  delete draft.values.created_by
  const reading = { current: selectContact({ id: record.id }), lookups: selectLookups(draft.values) }
  await mergeRecord(db, record, reading, (current, results) => {
    const lookups = readLookups(results)
    // At each attempt, as another call may have cleared the other names.
    validateContact(draft, lookups, current)
    const change = resolveContact(draft.complete(), lookups, current)
    return updateRecord(contacts, LINKS, current, change, { guard: staysDefined(lookups.customFields) })
  })
}

/**
 * Marks a contact as deleted; records that refer to it stay. Throws 412, and 404 if it does not exist or is deleted.
 */
export async function deleteContact(db: Database, record: RecordRef): Promise<void> {
  const { results } = await changeRecord(db, record, {
    trail: enterChangesWhere(contacts, sql`id = ${record.id} and ${isNotDeleted}`, MARKED_AS_DELETED),
    deleted: sqlStatement<{ id: number }>(sql`update contacts set is_deleted = 1,
      date_updated = ${formatDateTime(new Date())}, version = ${nextVersion(contacts, record)}
      where id = ${record.id} and ${isNotDeleted} returning id`),
  })
  if (results.deleted.length === 0) throw notFound(record.name)
}
