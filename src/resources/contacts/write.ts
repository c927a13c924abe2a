/**
 * Writing contacts: at most two round trips. One reads the record and everything the body refers to; one writes,
 * guarded by the version that was read, so that two merges at once never lose a key.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { batch, type Database, replaceLinks, type Statement } from '../../db/client.ts'
import { notDeleted } from '../../db/references.ts'
import { contact_tag_links, contact_users, contacts } from '../../db/tables/contacts.ts'
import { formatDateTime } from '../../fields/values.ts'
import { conflict, notFound, violatedConstraint } from '../../http/errors.ts'
import { type ContactRow, selectContacts } from './queries.ts'
import {
  type ContactChange,
  type ContactDraft,
  checkContact,
  readFound,
  referencesOf,
  resolveContact,
  selectFound,
} from './rules.ts'

/** How often a merge is tried again when somebody else wrote first. */
const ATTEMPTS = 12
/** Longest pause before the next try, in milliseconds per try so far. */
const PAUSE = 10

/** Stores a new contact and returns its id. Throws 400. */
export async function createContact(db: Database, draft: ContactDraft): Promise<number> {
  const references = referencesOf(draft.values)
  const answers = await batch(db, selectFound(db, [draft.values], references))
  const found = readFound(...answers)
  checkContact(draft, references, found, null)
  const change = resolveContact(draft.complete(), found, null)
  const now = formatDateTime(new Date())
  const columns = { ...change.columns, date_created: now, date_updated: now }
  const [inserted] = await batch(db, [
    db
      .insert(contacts)
      .values(columns as typeof contacts.$inferInsert)
      .returning({ id: contacts.id }),
    // Ids only grow, so within this transaction the highest is the one just given.
    ...linkStatements(db, sql`(select max(id) from contacts)`, change),
  ])
  return (inserted as { id: number }[])[0]?.id ?? 0
}

/** Merges the keys of `draft` into a contact. Throws 404, 400, and 409 when others keep writing it. */
export async function updateContact(db: Database, id: number, draft: ContactDraft): Promise<void> {
  // The creator never changes, so it is not even looked at.
  delete draft.values.created_by
  const references = referencesOf(draft.values)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [[current], ...answers] = await batch(db, [
      selectContacts(db).where(and(eq(contacts.id, id), notDeleted)),
      ...selectFound(db, [draft.values], references),
    ])
    if (!current) throw notFound('Contact')
    const found = readFound(...answers)
    // Each time: what others wrote meanwhile may have taken the last name that was left.
    checkContact(draft, references, found, current)
    const change = resolveContact(draft.complete(), found, current)
    if (!changesAnything(change, current) || (await write(db, current, change))) return
    await pause(attempt + 1)
  }
  throw conflict()
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

function linkStatements(db: Database, id: SQL, { tags, users }: ContactChange): Statement[] {
  return [
    ...(tags ? replaceLinks(db, contact_tag_links, ['contact_id', 'tag_id'], id, tags) : []),
    ...(users ? replaceLinks(db, contact_users, ['contact_id', 'user_id'], id, users) : []),
  ]
}

/** Waits a random while, longer after each try, so that writers who met do not meet again. */
function pause(tries: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE * tries))
}

/** False when the contact was written since `current` was read; then nothing at all is stored. */
async function write(db: Database, current: ContactRow, change: ContactChange): Promise<boolean> {
  try {
    await batch(db, [
      db
        .update(contacts)
        .set({
          ...change.columns,
          date_updated: formatDateTime(new Date()),
          version: nextVersion(current.version),
        })
        .where(eq(contacts.id, current.id)),
      ...linkStatements(db, sql`${current.id}`, change),
    ])
    return true
  } catch (error) {
    if (violatedConstraint(error) === 'NOTNULL') return false
    throw error
  }
}

/** Null unless the row is still at version `read`: NOT NULL then undoes the whole batch. */
function nextVersion(read: number): SQL<number> {
  return sql<number>`case when version = ${read} then version + 1 end`
}

function changesAnything({ columns, tags, users }: ContactChange, current: ContactRow): boolean {
  const before = new Map<string, unknown>(Object.entries(current))
  const lists = Object.entries({ tags, users }).filter(([, value]) => value !== undefined)
  return [...Object.entries(columns), ...lists].some(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before.get(key)),
  )
}
