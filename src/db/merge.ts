/**
 * Reads and writes a single record while other calls may change it or the records that it refers to. All functions but
 * `changeRecord` report the version of the record for the ETag of the reply, without an extra round trip.
 *
 *     const row = await readRecord(db, record, selectContact({ id: record.id }))
 *
 *     await mergeRecord(db, record, { current: selectContact({ id }), lookups }, (current, results) => {
 *       validateContact(draft, results, current)
 *       return updateRecord(contacts, LINKS, current, resolveContact(draft.complete(), results, current))
 *     })
 *
 * Two things save round trips, measured with 20 ms a trip. A new listing is inserted optimistically: 1 trip and 43 rows
 * instead of 2 and 50, 26 ms instead of 49. Writers of one record wait in a queue (`http/concurrency/queue.ts`), so that a
 * write takes 2 trips. Without it each loser reads again: 3 trips for 2 writers, 8 for 10, 16 for 50 (83 ms instead of 55).
 */
import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { formatDateTime } from '../fields/values.ts'
import { type RecordRef, requireMatch, type WriteContext } from '../http/concurrency/entity-tags.ts'
import { runInOrder } from '../http/concurrency/queue.ts'
import { sleep } from '../http/concurrency/waiting.ts'
import type { RecordVersion } from '../http/context.ts'
import { notFound, preconditionFailed, writeConflict } from '../http/errors.ts'
import { batch, type Database, type Results, runStatement, type Statements } from './client.ts'
import { findViolation } from './errors.ts'
import { recordReply, recordReplyText } from './idempotency-store.ts'
import {
  nextVersion,
  requireResource,
  selectNewestRecordVersion,
  selectRecordVersion,
  selectTarget,
} from './record-versions.ts'
import { isNotDeleted } from './references.ts'
import { newestId } from './rows.ts'
import { type SqlFragment, type Statement, sqlStatement } from './statements.ts'
import { enterChangesWhere, enterCreation, MARKED_AS_DELETED } from './trail.ts'

/** How many times a merge is attempted while other calls keep changing the record. */
const ATTEMPTS = 16
/** How many times a write is attempted while records that it refers to are deleted after the check. */
const REFERENCE_ATTEMPTS = 3
/** Maximum pause before the second attempt, in milliseconds. It doubles with each attempt up to `MAX_PAUSE_MS`. */
const MIN_PAUSE_MS = 10
const MAX_PAUSE_MS = 640

/** Reads a record. Throws 404. */
export async function readRecord<Row>(db: Database, record: RecordRef, statement: Statement<Row>) {
  const { rows, recordVersion, target } = await batch(db, {
    rows: statement,
    recordVersion: selectRecordVersion(record),
    target: selectTarget(record),
  })
  const [row] = rows
  if (row === undefined) throw notFound(record.name, target?.[0]?.id)
  if (recordVersion[0]) record.reportVersion(recordVersion[0])
  return row
}

/** Throws 404 unless a table has a row with an id. `name` is what the row is called. */
export async function requireRow(db: Database, table: string, id: number, name: string): Promise<void> {
  const [row] = await runStatement(db, sqlStatement(sql`select id from ${sql.raw(table)} where id = ${id}`))
  if (!row) throw notFound(name)
}

interface WriteResults<Writes> {
  results: Results<Writes>
}

/** What a merge reads: the current record, and the rows that its rules need. */
interface MergeReads<Row, Lookups> {
  current: Statement<Row>
  lookups: Lookups & Statements
}

/**
 * Reads a record and the rows that its rules need, then runs the statements of `decide` as one transaction. If another
 * call changes the record in between, it starts again. Throws 404, 412 if `If-Match` does not hold, and 409 if other
 * calls keep changing the record.
 * @param decide returns null if there is nothing to store
 * @param isQueued false for writes that hardly ever meet: the guard alone decides between them
 * @param answer the body of the reply to a POST as SQL, in which `written.id` is the id; it is recorded even if nothing is
 *   stored
 * @returns null if there was nothing to store
 */
export function mergeRecord<Row, Lookups, Writes>(
  db: Database,
  record: RecordRef,
  { current, lookups }: MergeReads<Row, Lookups>,
  decide: (current: Row, results: Results<Lookups>) => (Writes & Statements) | null,
  { isQueued = true, answer }: { isQueued?: boolean; answer?: SqlFragment } = {},
): Promise<WriteResults<Writes> | null> {
  const recordVersion = selectRecordVersion(record)
  const id = { text: '?', params: [record.id] }
  const attempt = async () => {
    const { versions, rows, results, target } = await batch(db, {
      versions: recordVersion,
      rows: current,
      target: selectTarget(record),
      results: lookups,
    })
    const [version] = versions
    const [row] = rows
    if (row === undefined || !version) throw notFound(record.name, target?.[0]?.id)
    // Checked at each attempt, as another call may have changed the record.
    requireMatch(record, version)
    record.reportVersion(version)
    const writes = decide(row, results)
    // After the decision, which may set headers that belong to the answer.
    const recording = answer ? recordReplyText(record.idempotentCall, record.resource, id, () => answer) : []
    if (writes !== null) return runWrites(db, record, writes, { recordVersion, recording })
    if (recording.length > 0) await batch(db, { recording })
    return null
  }
  const merge = () => retry(attempt)
  return isQueued ? runInOrder(`${record.resource} ${record.id}`, merge) : merge()
}

/**
 * Runs statements as one transaction, without reading first. The first that writes must set `version` to `nextVersion`,
 * which checks `If-Match`: throws 412 if it does not hold. A missing record is no error here: the results show it.
 * @param answer the body of the reply to a POST
 */
export async function changeRecord<Writes>(
  db: Database,
  record: RecordRef,
  writes: Writes & Statements,
  answer?: object,
): Promise<WriteResults<Writes>> {
  const id = { text: '?', params: [record.id] }
  const recording = answer ? recordReply(record.idempotentCall, record.resource, id, () => answer) : []
  try {
    return await batch(db, { results: writes, recording })
  } catch (error) {
    throw isVersionGuard(error) ? preconditionFailed() : error
  }
}

export type NewRecord<Rest, Reply> = {
  row: Statement<{ id: number }>
  rest: Rest & Statements
  answer: (id: number) => Reply
}

/**
 * Stores a new record and returns its id, the body of the reply and the results of `rest`.
 * @param prepare reads what the rules need and returns the statements; called again if other writes interfere
 * @param optimistic returns statements for the happy path: a guard verifies the references inside the transaction,
 *   which saves the read. If the guard fails, `prepare` runs and reports what is wrong. Null if the body alone is
 *   invalid.
 */
export async function createRecord<Rest, Reply>(
  db: Database,
  { table, ...context }: WriteContext & { table: SQLiteTable },
  prepare: () => Promise<NewRecord<Rest, Reply>>,
  optimistic: () => NewRecord<Rest, Reply> | null = () => null,
): Promise<{ id: number; reply: Reply; results: Results<Rest> }> {
  const store = async ({ answer, ...writes }: NewRecord<Rest, Reply>) => {
    const recording = recordReply(context.idempotentCall, requireResource(table), newestId(table), answer)
    const completion = {
      trail: enterCreation(table),
      recordVersion: selectNewestRecordVersion(table),
      recording,
    }
    const { results } = await runWrites(db, context, writes, completion)
    const id = results.row[0]?.id ?? 0
    return { id, reply: answer(id), results: results.rest }
  }
  const writes = optimistic()
  if (writes) {
    try {
      return await store(writes)
    } catch (error) {
      if (!isRolledBack(error)) throw error
    }
  }
  return retry(async () => store(await prepare()))
}

/** Thrown where a create finds what it would store. */
export class AlreadyStored extends Error {
  readonly id: number

  constructor(id: number) {
    super(`${id} is stored already`)
    this.id = id
  }
}

/** Answers a create with the record that is stored already. */
export async function answerStored<Reply>(
  db: Database,
  { id, resource, ...context }: WriteContext & Pick<RecordRef, 'resource' | 'id'>,
  answer: (id: number) => Reply,
): Promise<{ reply: Reply }> {
  const { recordVersion } = await batch(db, {
    recordVersion: selectRecordVersion({ resource, id }),
    recording: recordReply(context.idempotentCall, resource, { text: '?', params: [id] }, answer),
  })
  if (recordVersion[0]) context.reportVersion(recordVersion[0])
  return { reply: answer(id) }
}

/** What else deleting a record does. */
export interface Deletion {
  assignments?: SQL
  /** What follows in the same transaction. */
  more?: Statements
}

/** Marks a record as deleted. Throws 412, and 404 if it does not exist or is deleted. */
export async function markDeleted(
  db: Database,
  record: RecordRef,
  table: SQLiteTable,
  { assignments, more = null }: Deletion = {},
): Promise<void> {
  const isRecord = sql`id = ${record.id} and ${isNotDeleted}`
  const { results } = await changeRecord(db, record, {
    trail: enterChangesWhere(table, isRecord, MARKED_AS_DELETED),
    deleted: sqlStatement<{ id: number }>(sql`update ${table} set is_deleted = 1,
      date_updated = ${formatDateTime(new Date())}, version = ${nextVersion(table, record)}
      ${assignments ? sql`, ${assignments}` : sql``} where ${isRecord} returning id`),
    more,
    target: selectTarget(record),
  })
  if (results.deleted.length === 0) throw notFound(record.name, results.target?.[0]?.id)
}

/** Whether a guard, which makes `version` null, or a foreign key has rolled a batch back. */
function isRolledBack(error: unknown): boolean {
  return ['NOTNULL', 'FOREIGNKEY'].includes(findViolation(error)?.kind ?? '')
}

/** Whether a write was rolled back because the row no longer has the version that was read. */
export function isVersionGuard(error: unknown): boolean {
  const violation = findViolation(error)
  return violation?.kind === 'NOTNULL' && violation.column?.endsWith('.version') === true
}

/** The statements that end the transaction of a write. */
interface Completion {
  /** Enters a new record in the trail. */
  trail?: Statement
  recordVersion: Statement<RecordVersion>
  /** Stores the reply for the idempotency key of the call, if it has one. */
  recording: Statement[]
}

/** Runs the statements of a write, and reports the version of the record. */
async function runWrites<Writes>(
  db: Database,
  context: WriteContext,
  writes: Writes & Statements,
  completion: Completion,
): Promise<WriteResults<Writes>> {
  const { results, recordVersion } = await batch(db, { results: writes, ...completion })
  if (recordVersion[0]) context.reportVersion(recordVersion[0])
  return { results }
}

/** Runs `write` again for as long as it fails because of other writes. Throws 409. */
async function retry<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries <= ATTEMPTS; tries++) {
    try {
      return await write()
    } catch (error) {
      if (!isRetryable(error, tries)) throw error
    }
    await pauseBeforeRetry(tries)
  }
  throw writeConflict()
}

/**
 * Whether another attempt may succeed: the row changed after it was read, or a record that it refers to was deleted. The
 * next attempt reports the deleted record. Any other constraint is a fault in our code.
 */
function isRetryable(error: unknown, tries: number): boolean {
  if (findViolation(error)?.kind === 'FOREIGNKEY') return tries < REFERENCE_ATTEMPTS
  return isVersionGuard(error)
}

/**
 * Waits for a random time, so that calls that collided do not collide again. The limit grows with each attempt, as more
 * calls seem to compete.
 * @param tries attempts so far
 */
export function pauseBeforeRetry(tries: number): Promise<void> {
  const maxPause = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** (tries - 1))
  return sleep(Math.random() * maxPause)
}
