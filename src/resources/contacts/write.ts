import { batch, type Database } from '../../db/client.ts'
import { createRecord, mergeRecord } from '../../db/merge.ts'
import { addLinks, insertRow, updateRecord } from '../../db/rows.ts'
import { contact_tag_links, contact_users, contacts } from '../../db/tables/contacts.ts'
import { enterCreation } from '../../db/trail.ts'
import { formatDateTime } from '../../fields/values.ts'
import type { RecordRef, WriteContext } from '../../http/concurrency/entity-tags.ts'
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
  const { id } = await createRecord(db, { ...context, table: contacts }, async () => {
    const lookups = readLookups(await batch(db, selectLookups(draft.values)))
    validateContact(draft, lookups, null)
    const { columns, ...lists } = resolveContact(draft.complete(), lookups, null)
    const now = formatDateTime(new Date())
    const row = { ...columns, date_created: now, date_updated: now }
    return {
      row: insertRow(contacts, row, staysDefined(lookups.customFields)),
      rest: addLinks(LINKS, contacts, lists),
      answer: createdReply,
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
