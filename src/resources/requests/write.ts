/**
 * Writing requests: at most two round trips, and one more to find the listings that meet the request. One reads the
 * record and everything the body refers to; one writes, guarded by the version that was read, so that two merges
 * at once never lose a key.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { definitionsUnchanged } from '../../db/definitions.ts'
import { changeRecord, createRecord, hasChanges, mergeRecord } from '../../db/merge.ts'
import { nextVersion } from '../../db/record-versions.ts'
import { isNotDeleted } from '../../db/references.ts'
import { addLinks, insertRow, newestId, newRow, replaceLinks, updateRow } from '../../db/rows.ts'
import { prepared, type SqlFragment, sqlStatement } from '../../db/statements.ts'
import {
  request_contacts,
  request_locations,
  request_tag_links,
  request_users,
  requests,
} from '../../db/tables/requests.ts'
import { formatDateTime, jsonBytes, MAX_ID } from '../../fields/values.ts'
import type { RecordRef, WriteContext } from '../../http/concurrency/entity-tags.ts'
import { invalid, notFound } from '../../http/errors.ts'
import { staysDefined } from '../custom-fields/values.ts'
import { selectMatchingRequests } from '../matching/request.ts'
import { matchWrittenRequests } from '../matching/run.ts'
import {
  type AreaChain,
  type PresentedRequest,
  type RequestRow,
  selectAreas,
  selectRequests,
  selectUndeletedRequest,
} from './queries.ts'
import { type RequestChange, resolveRequest } from './resolve.ts'
import {
  checkRequest,
  type RequestDraft,
  type RequestLookups,
  readLookups,
  referencesOf,
  selectLookups,
} from './rules.ts'

const LINKS = {
  contacts: request_contacts,
  users: request_users,
  tags: request_tag_links,
  locations: request_locations,
}

const selectRequest = prepared(() => selectRequests(sql`where requests.id = ${sql.placeholder('id')}`))
const selectNewest = prepared(() =>
  selectMatchingRequests(sql`where requests.id = ${sql.raw(newestId(requests).text)}`),
)

/** Most bytes of the answer to a new request. */
const MAX_REPLY_BYTES = 512_000

/**
 * Stores a new request, finds the listings that meet it, and returns it. Throws 400.
 * @param answer makes the body that the call is answered with
 */
export async function createRequest(
  db: Database,
  draft: RequestDraft,
  call: WriteContext,
  answer: (row: PresentedRequest) => unknown,
): Promise<PresentedRequest> {
  draft.dropNulls()
  const { values } = draft
  const references = referencesOf(values)
  let row: Omit<PresentedRequest, 'id'> | undefined
  const rowOf = (id: number): PresentedRequest => {
    if (!row) throw new Error('The request was not made')
    return { ...row, id }
  }
  const creation = { ...call, table: requests, answer: (id: number) => answer(rowOf(id)) }
  const { id, results } = await createRecord(db, creation, async () => {
    const { areas, lookups } = await batch(db, {
      areas: selectAreas(values.locations ?? []),
      lookups: selectLookups([values], references, null),
    })
    const found = readLookups(lookups)
    checkRequest(draft, references, found, null)
    const change = resolveRequest(draft.complete(), found, null)
    row = newRequest(change, areas)
    requireShortReply(row, answer(rowOf(MAX_ID)))
    // Always: the answer shows where its places lie.
    return insertStatements(change, row, definitionsUnchanged(found.customFields.version))
  })
  await matchWrittenRequests(db, results.stored)
  return rowOf(id)
}

/** Throws 400 when custom values leave no room for the rest of the answer, which an idempotency key may have to keep. */
function requireShortReply({ criteria, custom_fields }: Omit<PresentedRequest, 'id'>, answer: unknown): void {
  const over = jsonBytes(answer) - MAX_REPLY_BYTES
  if (over <= 0) return
  const maximum = jsonBytes({ ...criteria, ...custom_fields }) - over
  throw invalid([
    { field: 'extra_fields', message: `Invalid extra_fields: must be at most ${maximum} bytes in all here` },
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
  { date_created, date_updated }: Omit<PresentedRequest, 'id'>,
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
export async function updateRequest(
  db: Database,
  record: RecordRef,
  draft: RequestDraft,
): Promise<RequestRow> {
  // The creator never changes, so it is not even looked at.
  delete draft.values.created_by
  const references = referencesOf(draft.values)
  let unchanged: RequestRow | undefined
  const { id } = record
  const reading = {
    current: selectUndeletedRequest({ id }),
    lookups: selectLookups([draft.values], references, id),
  }
  const stored = await mergeRecord(db, record, reading, (current, lookups) => {
    const found = readLookups(lookups)
    // Each time: what others wrote meanwhile may no longer fit.
    checkRequest(draft, references, found, current)
    const { columns, ...lists } = resolveRequest(draft.complete(), found, current)
    unchanged = current
    if (!hasChanges({ ...columns, ...lists }, current)) return null
    const row = { ...columns, date_updated: formatDateTime(new Date()) }
    return {
      row: updateRow(requests, current, row, [], requestGuard(draft, found)),
      links: replaceLinks(LINKS, id, lists),
      stored: selectRequest({ id }),
    }
  })
  const [row] = stored?.results.stored ?? [unchanged]
  // Only a deletion at the very same moment leaves nothing to read.
  if (!row) throw notFound(record.name)
  await matchWrittenRequests(db, [row])
  return row
}

/**
 * What is true while the definitions that `draft` was judged by are as they were; null where it names none. Of places
 * a merge needs no more than that they exist, and what the record has already keeps its definitions by being there.
 */
function requestGuard({ values }: RequestDraft, { customFields }: RequestLookups): SqlFragment | null {
  return values.subtypes?.length ? definitionsUnchanged(customFields.version) : staysDefined(customFields)
}

/** Hides a request and forgets its matches; offers keep its id. Throws 412, and 404 when there is none, or it was deleted before. */
export async function deleteRequest(db: Database, record: RecordRef): Promise<void> {
  const { id } = record
  const { results } = await changeRecord(db, record, {
    deleted: sqlStatement<{ id: number }>(sql`update requests set is_deleted = 1,
      date_updated = ${formatDateTime(new Date())}, version = ${nextVersion(requests, record)},
      matched_version = version + 1
      where id = ${id} and ${isNotDeleted} returning id`),
    matches: sqlStatement(sql`delete from request_matches where request_id = ${id}`),
  })
  if (results.deleted.length === 0) throw notFound(record.name)
}
