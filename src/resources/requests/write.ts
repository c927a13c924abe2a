/**
 * Writing requests: at most two round trips, and one more to find the listings that meet the request. One reads the
 * record and everything the body refers to; one writes, guarded by the version that was read, so that two merges
 * at once never lose a key.
 */
import { and, eq, sql } from 'drizzle-orm'
import { batch, type Database, type Statement } from '../../db/client.ts'
import { definitionsAt } from '../../db/definitions.ts'
import { changeRecord, createRecord, differs, mergeRecord } from '../../db/merge.ts'
import { notDeleted } from '../../db/references.ts'
import { addLinks, insertRow, type Link, newestOf, newRow, replaceLinks, updateRow } from '../../db/rows.ts'
import { nextVersion } from '../../db/stamps.ts'
import { fixed, type Piece } from '../../db/statements.ts'
import {
  request_contacts,
  request_locations,
  request_matches,
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
  type Wanted,
} from './queries.ts'
import { type RequestChange, resolveRequest } from './resolve.ts'
import { checkRequest, type Found, type RequestDraft, readFound, referencesOf, selectFound } from './rules.ts'

const LINKS = {
  contacts: { table: request_contacts, owner: 'request_id', to: 'contact_id' },
  users: { table: request_users, owner: 'request_id', to: 'user_id' },
  tags: { table: request_tag_links, owner: 'request_id', to: 'tag_id' },
  locations: { table: request_locations, owner: 'request_id', to: 'location_id' },
} satisfies Record<string, Link>

const selectRequest = fixed((db) => selectRequests(db).where(eq(requests.id, sql.placeholder('id'))))
const selectNewest = fixed((db) =>
  selectWanted(db).where(sql`requests.id = ${sql.raw(newestOf(requests).text)}`),
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
    const places = selectAreas(values.locations ?? [])
    const [areas, ...answers] = await batch(db, [places, ...selectFound(db, [values], references, null)])
    const found = readFound(...answers)
    checkRequest(draft, references, found, null)
    const change = resolveRequest(draft.complete(), found, null)
    row = newRequest(change, areas)
    requireShort(row, answer(rowOf(MAX_ID)))
    // Always: the answer shows where its places lie.
    return insertStatements(change, row, definitionsAt(found.customFields.version))
  })
  await matchWritten(db, results.at(-1) as Wanted[])
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

/** The statements that store it, of which the last reads it for matching. */
function insertStatements(
  { columns, ...lists }: RequestChange,
  { date_created, date_updated }: Omit<ShownRequest, 'id'>,
  guard: Piece,
): Statement[] {
  return [
    insertRow(requests, { ...columns, date_created, date_updated }, guard),
    ...addLinks(LINKS, requests, lists),
    selectNewest({}),
  ]
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
  const reading = [selectLiving({ id }), ...selectFound(db, [draft.values], references, id)] as const
  const results = await mergeRecord(db, record, reading, (current, answers) => {
    const found = readFound(...answers)
    // Each time: what others wrote meanwhile may no longer fit.
    checkRequest(draft, references, found, current)
    const { columns, ...lists } = resolveRequest(draft.complete(), found, current)
    unchanged = current
    if (!differs({ ...columns, ...lists }, current)) return null
    return [
      updateRow(
        requests,
        current,
        { ...columns, date_updated: formatDateTime(new Date()) },
        [],
        guardOf(draft, found),
      ),
      ...replaceLinks(LINKS, id, lists),
      selectRequest({ id }),
    ]
  })
  return matched(db, results ?? [[unchanged]])
}

/**
 * What is true while the definitions that `draft` was judged by are as they were; null where it names none. Of places
 * a merge needs no more than that they exist, and what the record has already keeps its definitions by being there.
 */
function guardOf({ values }: RequestDraft, { customFields }: Found): Piece | null {
  return values.subtypes?.length ? definitionsAt(customFields.version) : staysDefined(customFields)
}

/** Hides a request and forgets its matches; offers keep its id. Throws 412, and 404 when there is none, or it was deleted before. */
export async function deleteRequest(db: Database, record: Target): Promise<void> {
  const { id } = record
  const [deleted] = await changeRecord(db, record, [
    db
      .update(requests)
      .set({
        is_deleted: true,
        date_updated: formatDateTime(new Date()),
        version: nextVersion(requests, record),
        matched_version: sql`version + 1`,
      })
      .where(and(eq(requests.id, id), notDeleted))
      .returning({ id: requests.id }),
    db.delete(request_matches).where(eq(request_matches.request_id, id)),
  ])
  if (deleted.length === 0) throw notFound(record.name)
}

/** The request that the last statement of a batch read, after matching it. */
async function matched(db: Database, results: unknown[]): Promise<RequestRow> {
  const [row] = results.at(-1) as RequestRow[]
  // Only a deletion at the very same moment leaves nothing to read.
  if (!row) throw notFound('Request')
  await matchWritten(db, [row])
  return row
}
