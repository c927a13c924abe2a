/**
 * Writing requests: at most two round trips, and one more to find the listings that meet the request. One reads the
 * record and everything the body refers to; one writes, guarded by the version that was read, so that two merges
 * at once never lose a key.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { definitionsAt } from '../../db/definitions.ts'
import { changeRecord, createRecord, differs, mergeRecord } from '../../db/merge.ts'
import { notDeleted } from '../../db/references.ts'
import { addLinks, insertRow, newestOf, newRow, replaceLinks, updateRow } from '../../db/rows.ts'
import { nextVersion } from '../../db/stamps.ts'
import { prepared, type SqlFragment, sqlStatement } from '../../db/statements.ts'
import {
  request_contacts,
  request_locations,
  request_tag_links,
  request_users,
  requests,
} from '../../db/tables/requests.ts'
import { formatDateTime, jsonBytes, MAX_ID } from '../../fields/values.ts'
import type { Call, Target } from '../../http/entity-tags.ts'
import { invalid, notFound } from '../../http/errors.ts'
import { staysDefined } from '../custom-fields/values.ts'
import { matchWritten } from './matches.ts'
import {
  type AreaChain,
  type RequestRow,
  type ShownRequest,
  selectAreas,
  selectLiving,
  selectRequests,
  selectWanted,
} from './queries.ts'
import { type RequestChange, resolveRequest } from './resolve.ts'
import { checkRequest, type Found, type RequestDraft, readFound, referencesOf, selectFound } from './rules.ts'

const LINKS = {
  contacts: request_contacts,
  users: request_users,
  tags: request_tag_links,
  locations: request_locations,
}

const selectRequest = prepared(() => selectRequests(sql`where requests.id = ${sql.placeholder('id')}`))
const selectNewest = prepared(() =>
  selectWanted(sql`where requests.id = ${sql.raw(newestOf(requests).text)}`),
)

/** Most bytes of the answer to a new request. */
const MAX_ANSWER = 512_000

/**
 * Stores a new request, finds the listings that meet it, and returns it. Throws 400.
 * @param answer makes the body that the call is answered with
 */
export async function createRequest(
  db: Database,
  draft: RequestDraft,
  call: Call,
  answer: (row: ShownRequest) => unknown,
): Promise<ShownRequest> {
  draft.dropNulls()
  const { values } = draft
  const references = referencesOf(values)
  let row: Omit<ShownRequest, 'id'> | undefined
  const rowOf = (id: number): ShownRequest => {
    if (!row) throw new Error('The request was not made')
    return { ...row, id }
  }
  const creation = { ...call, table: requests, answer: (id: number) => answer(rowOf(id)) }
  const { id, results } = await createRecord(db, creation, async () => {
    const { areas, lookups } = await batch(db, {
      areas: selectAreas(values.locations ?? []),
      lookups: selectFound([values], references, null),
    })
    const found = readFound(lookups)
    checkRequest(draft, references, found, null)
    const change = resolveRequest(draft.complete(), found, null)
    row = newRequest(change, areas)
    requireShort(row, answer(rowOf(MAX_ID)))
    // Always: the answer shows where its places lie.
    return insertStatements(change, row, definitionsAt(found.customFields.version))
  })
  await matchWritten(db, results.stored)
  return rowOf(id)
}

/** Throws 400 when custom values leave no room for the rest of the answer, which an idempotency key may have to keep. */
function requireShort({ criteria, custom_fields }: Omit<ShownRequest, 'id'>, answer: unknown): void {
  const over = jsonBytes(answer) - MAX_ANSWER
  if (over <= 0) return
  const most = jsonBytes({ ...criteria, ...custom_fields }) - over
  throw invalid([
    { field: 'extra_fields', message: `Invalid extra_fields: must be at most ${most} bytes in all here` },
  ])
}

/** The request that a change of none makes. */
function newRequest(
  { columns, contacts = [], users = [], tags = [] }: RequestChange,
  areas: { area: string }[],
) {
  const now = formatDateTime(new Date())
  const row = newRow(requests, { ...columns, date_created: now, date_updated: now })
  return { ...row, contacts, users, tags, areas: areas.map(({ area }): AreaChain => JSON.parse(area)) }
}

/** The statements that store it, and read it for matching. */
function insertStatements(
  { columns, ...lists }: RequestChange,
  { date_created, date_updated }: Omit<ShownRequest, 'id'>,
  guard: SqlFragment,
) {
  return {
    row: insertRow(requests, { ...columns, date_created, date_updated }, guard),
    rest: { links: addLinks(LINKS, requests, lists), stored: selectNewest({}) },
  }
}

/**
 * Merges the keys of `draft` into a request, finds the listings that meet it now, and returns it. Throws 404, 412,
 * 400, and 409 when others keep writing it.
 */
export async function updateRequest(db: Database, record: Target, draft: RequestDraft): Promise<RequestRow> {
  // The creator never changes, so it is not even looked at.
  delete draft.values.created_by
  const references = referencesOf(draft.values)
  let unchanged: RequestRow | undefined
  const { id } = record
  const reading = { current: selectLiving({ id }), lookups: selectFound([draft.values], references, id) }
  const stored = await mergeRecord(db, record, reading, (current, lookups) => {
    const found = readFound(lookups)
    // Each time: what others wrote meanwhile may no longer fit.
    checkRequest(draft, references, found, current)
    const { columns, ...lists } = resolveRequest(draft.complete(), found, current)
    unchanged = current
    if (!differs({ ...columns, ...lists }, current)) return null
    const row = { ...columns, date_updated: formatDateTime(new Date()) }
    return {
      row: updateRow(requests, current, row, [], guardOf(draft, found)),
      links: replaceLinks(LINKS, id, lists),
      stored: selectRequest({ id }),
    }
  })
  const [row] = stored?.results.stored ?? [unchanged]
  // Only a deletion at the very same moment leaves nothing to read.
  if (!row) throw notFound(record.name)
  await matchWritten(db, [row])
  return row
}

/**
 * What is true while the definitions that `draft` was judged by are as they were; null where it names none. Of places
 * a merge needs no more than that they exist, and what the record has already keeps its definitions by being there.
 */
function guardOf({ values }: RequestDraft, { customFields }: Found): SqlFragment | null {
  return values.subtypes?.length ? definitionsAt(customFields.version) : staysDefined(customFields)
}

/** Hides a request and forgets its matches; offers keep its id. Throws 412, and 404 when there is none, or it was deleted before. */
export async function deleteRequest(db: Database, record: Target): Promise<void> {
  const { id } = record
  const { results } = await changeRecord(db, record, {
    deleted: sqlStatement<{ id: number }>(sql`update requests set is_deleted = 1,
      date_updated = ${formatDateTime(new Date())}, version = ${nextVersion(requests, record)},
      matched_version = version + 1
      where id = ${id} and ${notDeleted} returning id`),
    matches: sqlStatement(sql`delete from request_matches where request_id = ${id}`),
  })
  if (results.deleted.length === 0) throw notFound(record.name)
}
