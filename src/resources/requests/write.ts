/**
 * Writing requests: at most two round trips, and one more to find the listings that meet the request. One reads the
 * record and everything the body refers to; one writes, guarded by the version that was read, so that two merges
 * at once never lose a key.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { batch, type Database, replaceLinks, type Statement } from '../../db/client.ts'
import { createRecord, differs, mergeRecord, nextVersion } from '../../db/merge.ts'
import { notDeleted } from '../../db/references.ts'
import {
  request_contacts,
  request_locations,
  request_matches,
  request_tag_links,
  request_users,
  requests,
} from '../../db/tables/requests.ts'
import { formatDateTime } from '../../fields/values.ts'
import { notFound } from '../../http/errors.ts'
import { matchWritten } from './matches.ts'
import { type RequestRow, selectRequests } from './queries.ts'
import { type RequestChange, resolveRequest } from './resolve.ts'
import { checkRequest, type RequestDraft, readFound, referencesOf, selectFound } from './rules.ts'

/** Stores a new request, finds the listings that meet it, and returns it. Throws 400. */
export async function createRequest(db: Database, draft: RequestDraft): Promise<RequestRow> {
  // On create null means the same as nothing sent.
  const { values } = draft
  for (const key of Object.keys(values) as (keyof typeof values)[])
    if (values[key] === null) delete values[key]
  const references = referencesOf(values)
  const results = await createRecord(db, async () => {
    const answers = await batch(db, selectFound(db, [values], references, null))
    const found = readFound(...answers)
    checkRequest(draft, references, found, null)
    const { columns, ...lists } = resolveRequest(draft.complete(), found, null)
    const now = formatDateTime(new Date())
    const row = { ...columns, date_created: now, date_updated: now }
    // Ids only grow, so within this transaction the highest is the one just given.
    const newest = sql`(select max(id) from requests)`
    return [
      db.insert(requests).values(row as typeof requests.$inferInsert),
      ...linkStatements(db, newest, lists),
      selectRequests(db).where(sql`requests.id = ${newest}`),
    ]
  })
  return matched(db, results)
}

/**
 * Merges the keys of `draft` into a request, finds the listings that meet it now, and returns it. Throws 404, 400,
 * and 409 when others keep writing it.
 */
export async function updateRequest(db: Database, id: number, draft: RequestDraft): Promise<RequestRow> {
  // The creator never changes, so it is not even looked at.
  delete draft.values.created_by
  const references = referencesOf(draft.values)
  let unchanged: RequestRow | undefined
  const results = await mergeRecord(db, `requests ${id}`, async () => {
    const [[current], ...answers] = await batch(db, [
      selectRequests(db).where(and(eq(requests.id, id), notDeleted)),
      ...selectFound(db, [draft.values], references, id),
    ])
    if (!current) throw notFound('Request')
    const found = readFound(...answers)
    // Each time: what others wrote meanwhile may no longer fit.
    checkRequest(draft, references, found, current)
    const { columns, ...lists } = resolveRequest(draft.complete(), found, current)
    unchanged = current
    if (!differs({ ...columns, ...lists }, current)) return null
    const version = nextVersion(current.version)
    return [
      db
        .update(requests)
        .set({ ...columns, date_updated: formatDateTime(new Date()), version })
        .where(eq(requests.id, id)),
      ...linkStatements(db, sql`${id}`, lists),
      selectRequests(db).where(eq(requests.id, id)),
    ]
  })
  return matched(db, results ?? [[unchanged]])
}

/** Hides a request and forgets its matches; offers keep its id. Throws 404 when there is none, or it was deleted before. */
export async function deleteRequest(db: Database, id: number): Promise<void> {
  const [deleted] = await batch(db, [
    db
      .update(requests)
      .set({
        is_deleted: true,
        date_updated: formatDateTime(new Date()),
        version: sql`version + 1`,
        matched_version: sql`version + 1`,
      })
      .where(and(eq(requests.id, id), notDeleted))
      .returning({ id: requests.id }),
    db.delete(request_matches).where(eq(request_matches.request_id, id)),
  ])
  if (deleted.length === 0) throw notFound('Request')
}

/** The request that the last statement of a batch read, after matching it. */
async function matched(db: Database, results: unknown[]): Promise<RequestRow> {
  const [row] = results.at(-1) as RequestRow[]
  // Only a deletion at the very same moment leaves nothing to read.
  if (!row) throw notFound('Request')
  await matchWritten(db, [row])
  return row
}

function linkStatements(db: Database, id: SQL, lists: Omit<RequestChange, 'columns'>): Statement[] {
  const { contacts, users, tags, locations } = lists
  return [
    ...(contacts ? replaceLinks(db, request_contacts, ['request_id', 'contact_id'], id, contacts) : []),
    ...(users ? replaceLinks(db, request_users, ['request_id', 'user_id'], id, users) : []),
    ...(tags ? replaceLinks(db, request_tag_links, ['request_id', 'tag_id'], id, tags) : []),
    ...(locations ? replaceLinks(db, request_locations, ['request_id', 'location_id'], id, locations) : []),
  ]
}
