/**
 * Writes requests, in at most two round trips and one more for matching. The first reads the record and its references,
 * and the second writes. A guard compares the version that was read, so concurrent merges never lose a key.
 */
import { sql } from 'drizzle-orm'
import { batch, type Database, type Results } from '../../db/client.ts'
import { definitionsUnchanged } from '../../db/definitions.ts'
import { createRecord, mergeRecord } from '../../db/merge.ts'
import { idList, staysFound } from '../../db/references.ts'
import { addLinks, allOf, insertRow, newestId, newRow, updateRecord } from '../../db/rows.ts'
import { prepared, type SqlFragment, sqlStatement, textStatement } from '../../db/statements.ts'
import { requests } from '../../db/tables/requests.ts'
import { enterCreation } from '../../db/trail.ts'
import { formatDateTime, jsonBytes, MAX_ID } from '../../fields/values.ts'
import type { RecordRef, WriteContext } from '../../http/concurrency/entity-tags.ts'
import { invalid, notFound } from '../../http/errors.ts'
import type { Draft, DraftPart } from '../../http/request/check.ts'
import { staysDefined } from '../custom-fields/values.ts'
import { selectMatchingRequests } from '../matching/request.ts'
import { matchWrittenRequests } from '../matching/run.ts'
import {
  type AreaChain,
  LINKS,
  type PresentedRequest,
  type RequestRow,
  selectAreas,
  selectRequests,
  selectUndeletedRequest,
} from './queries.ts'
import { type RequestLookups, readLookups, referencesOf, selectLookups } from './references.ts'
import { type RequestChange, resolveRequest } from './resolve.ts'
import { checkRequest } from './rules.ts'
import type { RequestInput } from './schema.ts'

const selectRequest = prepared(() => selectRequests(sql`where requests.id = ${sql.placeholder('id')}`))
const selectNewest = prepared(() =>
  selectMatchingRequests(sql`where requests.id = ${sql.raw(newestId(requests).text)}`),
)

/** Maximum bytes of the reply to a new request. */
const MAX_REPLY_BYTES = 512_000

/**
 * Stores a new request, matches it with the listings, and returns the body of the reply. Throws 400.
 * @param answer makes that body
 */
export async function createRequest<Body>(
  db: Database,
  draft: Draft<RequestInput>,
  context: WriteContext,
  answer: (row: PresentedRequest) => Body,
): Promise<Body> {
  draft.dropNulls()
  const { values } = draft
  const { reply, results: rest } = await createRecord(db, { ...context, table: requests }, async () => {
    const { areas, results } = await batch(db, {
      areas: selectAreas(values.locations ?? []),
      results: selectLookups(values, null),
    })
    const lookups = readLookups(results)
    const change = resolveRequest(checkRequest(draft, lookups, null), lookups, null)
    const row = newRequest(change, areas)
    const answerFor = (id: number) => answer({ ...row, id })
    requireShortReply(row, answerFor(MAX_ID))
    return { ...insertStatements(change, row, draft, lookups), answer: answerFor }
  })
  await matchWrittenRequests(db, rest.stored)
  return reply
}

/** Throws 400 if custom values make the reply too large to be recorded under an idempotency key. */
function requireShortReply({ criteria, custom_fields }: Omit<PresentedRequest, 'id'>, answer: unknown): void {
  const excess = jsonBytes(answer) - MAX_REPLY_BYTES
  if (excess <= 0) return
  const maximum = jsonBytes({ ...criteria, ...custom_fields }) - excess
  throw invalid([
    { field: 'extra_fields', message: `Invalid extra_fields: must be at most ${maximum} bytes in all here` },
  ])
}

/** The new request that a change describes, without its id. */
function newRequest(
  { columns, contacts = [], users = [], tags = [] }: RequestChange,
  areas: { area: string }[],
) {
  const now = formatDateTime(new Date())
  const row = newRow(requests, { ...columns, date_created: now, date_updated: now })
  return { ...row, contacts, users, tags, areas: areas.map(({ area }): AreaChain => JSON.parse(area)) }
}

/** A new request within the write of another record: what it reads, and what stores it. */
export function nestedRequest(draft: DraftPart<RequestInput>) {
  const lookups = selectLookups(draft.values, null)
  /**
   * The statements that store it; `stored` is for matching. Throws 400.
   * @param contact the id of its contact as SQL, as the batch may add it
   */
  const insert = (results: Results<typeof lookups>, contact: SqlFragment) => {
    const found = readLookups(results)
    const change = resolveRequest(checkRequest(draft, found, null), found, null)
    const now = formatDateTime(new Date())
    const { row, rest } = insertStatements(change, { date_created: now, date_updated: now }, draft, found)
    return {
      row,
      links: rest.links,
      contact: textStatement(
        `insert into request_contacts (request_id, contact_id, position)
        values (${newestId(requests).text}, ${contact.text}, 0)`,
        [...contact.params],
      ),
      trail: enterCreation(requests),
      stored: rest.stored,
    }
  }
  return { lookups, insert }
}

/** The statements that store a new request, and read it for matching. */
function insertStatements(
  { columns, ...lists }: RequestChange,
  { date_created, date_updated }: Pick<PresentedRequest, 'date_created' | 'date_updated'>,
  draft: Pick<Draft<RequestInput>, 'values'>,
  lookups: RequestLookups,
) {
  // Always guarded, as the reply shows the areas of its places.
  const guard = allOf(definitionsUnchanged(lookups.customFields.version), staysLinked(draft, lookups))
  return {
    row: insertRow(requests, { ...columns, date_created, date_updated }, guard),
    rest: { links: addLinks(LINKS, requests, lists), stored: selectNewest({}) },
  }
}

/**
 * Merges the keys of `draft` into a request, matches it with the listings, and returns it. Throws 404, 412, 400, and
 * 409 if other calls keep changing it.
 */
export async function updateRequest(db: Database, record: RecordRef, draft: Draft<RequestInput>) {
  // The creator never changes, so the key is not even validated.
  delete draft.values.created_by
  let unchanged: RequestRow | undefined
  const { id } = record
  const reading = { current: selectUndeletedRequest({ id }), lookups: selectLookups(draft.values, id) }
  const stored = await mergeRecord(db, record, reading, (current, results) => {
    const lookups = readLookups(results)
    // At each attempt, as another call may have changed the request.
    const change = resolveRequest(checkRequest(draft, lookups, current), lookups, current)
    unchanged = current
    const guard = requestGuard(draft, lookups)
    const writes = updateRecord(requests, LINKS, current, change, { guard })
    return writes && { ...writes, stored: selectRequest({ id }) }
  })
  const [row] = stored?.results.stored ?? [unchanged]
  // There is nothing to read only if the request was deleted at the same moment.
  if (!row) throw notFound(record.name)
  await matchWrittenRequests(db, [row])
  return row
}

/**
 * The guard that holds while what `draft` uses of definitions is unchanged, and its contacts are not deleted; null if it uses
 * none. Places only have to exist. Definitions that the stored record uses cannot change anyway.
 */
function requestGuard({ values }: Draft<RequestInput>, lookups: RequestLookups): SqlFragment | null {
  const { special_locations, listing_tags } = values.extra_fields ?? {}
  const isNamed = [values.subtypes, special_locations, listing_tags].some((ids) => idList(ids).length > 0)
  const named = isNamed ? definitionsUnchanged(lookups.customFields.version) : null
  return allOf(named, staysLinked({ values }, lookups))
}

/** The guard that custom fields mean the same, and that the contacts of `draft` are not deleted. */
const staysLinked = (
  { values }: Pick<Draft<RequestInput>, 'values'>,
  { missing, customFields }: RequestLookups,
) => allOf(staysDefined(customFields), staysFound(referencesOf(values), missing))

/** What the deletion of a request does besides: its matches go. */
export const deletionOf = (id: number) => ({
  assignments: sql`matched_version = version + 1, match_count = null`,
  more: sqlStatement(sql`delete from request_matches where request_id = ${id}`),
})
