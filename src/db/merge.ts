/**
 * Reading and writing one record of a call, while others may be writing it or what it refers to. Each reports the
 * record's version, for the ETag of the reply, in the round trips that there are.
 *
 *     const row = await readRecord(db, record, selectContact({ id: record.id }))
 *
 *     await mergeRecord(db, record, { current: selectContact({ id }), lookups }, (current, found) => ({
 *       row: updateRow(contacts, current, columns),
 *       links: replaceLinks(LINKS, record.id, lists),
 *     }))
 *
 * Two things spare round trips, measured with 20 ms a trip. A new listing is inserted optimistically: 1 trip and 43 rows
 * instead of 2 and 50, 26 ms instead of 49. Writers of one record wait in a queue (`http/concurrency/queue.ts`): 2 trips a write;
 * without it, as each loser reads again, 3 for 2 writers, 8 for 10 and 16 for 50, at 83 ms instead of 55.
 */
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type RecordRef, requireMatch, type WriteContext } from '../http/concurrency/entity-tags.ts'
import { runInOrder } from '../http/concurrency/queue.ts'
import type { RecordVersion } from '../http/context.ts'
import { notFound, preconditionFailed, writeConflict } from '../http/errors.ts'
import { batch, type Database, type Results, type Statements } from './client.ts'
import { findViolation } from './errors.ts'
import { recordReply } from './idempotency-store.ts'
import { resourceOfTable, selectNewestRecordVersion, selectRecordVersion } from './record-versions.ts'
import { newestId } from './rows.ts'
import type { Statement } from './statements.ts'

/** How often a merge is tried when another client wrote first. */
const ATTEMPTS = 16
/** How often a write is tried when what it refers to vanished after it was looked for. */
const REFERENCE_ATTEMPTS = 3
/** Longest pause before the second try, in milliseconds; it doubles with each try, up to the maximum. */
const MIN_PAUSE_MS = 10
const MAX_PAUSE_MS = 640

/** The record that `statement` reads. Throws 404. */
export async function readRecord<Row>(
  db: Database,
  record: RecordRef,
  statement: Statement<Row>,
): Promise<Row> {
  const { rows, stamp: recordVersion } = await batch(db, {
    rows: statement,
    stamp: selectRecordVersion(record),
  })
  const [row] = rows
  if (row === undefined) throw notFound(record.name)
  if (recordVersion[0]) record.reportVersion(recordVersion[0])
  return row
}

/** What the statements of a write returned. */
interface Stored<Writes> {
  results: Results<Writes>
}

/** What a merge reads: the record as it is, and what its rules look up. */
interface Reading<Row, Lookups> {
  current: Statement<Row>
  lookups: Lookups & Statements
}

/**
 * Reads a record and what its rules look up, and runs the statements that `decide` returns as one transaction; again
 * while the record changes in between. Throws 404, 412 where the record is not what is expected, and 409 when others
 * keep writing.
 * @param decide returns null when nothing is to be stored
 * @returns null when nothing was to be stored
 */
export function mergeRecord<Row, Lookups, Writes>(
  db: Database,
  record: RecordRef,
  { current, lookups }: Reading<Row, Lookups>,
  decide: (current: Row, results: Results<Lookups>) => (Writes & Statements) | null,
): Promise<Stored<Writes> | null> {
  const attempt = async () => {
    const {
      stamp: recordVersion,
      rows,
      found: results,
    } = await batch(db, {
      stamp: selectRecordVersion(record),
      rows: current,
      found: lookups,
    })
    const [row] = rows
    if (row === undefined || !recordVersion[0]) throw notFound(record.name)
    // At each attempt: another client may have changed the record.
    requireMatch(record, recordVersion[0])
    record.reportVersion(recordVersion[0])
    const writes = decide(row, results)
    if (writes === null) return null
    return runBatch(db, record, writes, { stamp: selectRecordVersion(record), answer: [] })
  }
  return runInOrder(`${record.resource} ${record.id}`, () => retry(attempt))
}

/**
 * Runs statements, of which the first that writes sets `nextVersion`, as one transaction. Throws 412 where the record is
 * not what is expected; a missing record shows in their results.
 * @param answer the body of a POST
 */
export async function changeRecord<Writes>(
  db: Database,
  record: RecordRef,
  writes: Writes & Statements,
  answer?: object,
): Promise<Stored<Writes>> {
  const id = { text: '?', params: [record.id] }
  const recording = answer ? recordReply(record.idempotentCall, record.resource, id, () => answer) : []
  try {
    return await batch(db, { results: writes, recording })
  } catch (error) {
    throw isVersionGuard(error) ? preconditionFailed() : error
  }
}

/** A new record. */
interface RecordCreation extends WriteContext {
  table: SQLiteTable
  /** Makes the body of the reply; called once the statements that store the record are made. */
  answer: (id: number) => unknown
}

/** The statements that store a new record. */
export type NewRecord<Rest> = {
  /** Inserts its row. */
  row: Statement<{ id: number }>
  rest: Rest & Statements
}

/**
 * Stores a new record, which no other client knows yet.
 * @param attempt reads what the rules need and returns the statements
 * @param optimistic returns statements for the happy path: a guard verifies the references inside the transaction, which
 *   saves the read. If it fails, `attempt` runs and reports what is wrong. Null where the body alone is invalid.
 */
export async function createRecord<Rest>(
  db: Database,
  { table, answer, ...call }: RecordCreation,
  attempt: () => Promise<NewRecord<Rest>>,
  optimistic: () => NewRecord<Rest> | null = () => null,
): Promise<{ id: number; results: Results<Rest> }> {
  const store = async (writes: NewRecord<Rest>) => {
    const recording = recordReply(call.idempotentCall, resourceOfTable(table), newestId(table), answer)
    const end = { stamp: selectNewestRecordVersion(table), answer: recording }
    const { results } = await runBatch(db, call, writes, end)
    return { id: results.row[0]?.id ?? 0, results: results.rest }
  }
  const writes = optimistic()
  if (writes) {
    try {
      return await store(writes)
    } catch (error) {
      if (!isRolledBack(error)) throw error
    }
  }
  return retry(async () => store(await attempt()))
}

/** Whether a guard, or what the database itself knows of references, has undone a batch. */
function isRolledBack(error: unknown): boolean {
  return ['NOTNULL', 'FOREIGNKEY'].includes(findViolation(error)?.kind ?? '')
}

/** Whether a write was undone because the row is at another version than the one that was read. */
export function isVersionGuard(error: unknown): boolean {
  const violation = findViolation(error)
  return violation?.kind === 'NOTNULL' && violation.column?.endsWith('.version') === true
}

/** Whether a key of `changes` that is not undefined differs from the stored one, which must have been read. */
export function hasChanges(changes: object, stored: object): boolean {
  const before = new Map<string, unknown>(Object.entries(stored))
  return Object.entries(changes).some(([key, value]) => {
    if (value === undefined) return false
    if (!before.has(key)) throw new Error(`${key} is compared, but was not read`)
    return JSON.stringify(value) !== JSON.stringify(before.get(key))
  })
}

/** The statements that end a transaction. */
interface Completion {
  stamp: Statement<RecordVersion>
  answer: Statement[]
}

/** Runs statements, and reports the record's version. */
async function runBatch<Writes>(
  db: Database,
  call: WriteContext,
  writes: Writes & Statements,
  end: Completion,
): Promise<Stored<Writes>> {
  const { results, stamp: recordVersion } = await batch(db, { results: writes, ...end })
  if (recordVersion[0]) call.reportVersion(recordVersion[0])
  return { results }
}

/** Runs `write`, again while it loses against other writers. Throws 409. */
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
 * Whether reading again may help: the row was written after it was read, or a row referred to is gone, which the
 * next attempt then tells. Every other constraint is a fault of ours.
 */
function isRetryable(error: unknown, tries: number): boolean {
  if (findViolation(error)?.kind === 'FOREIGNKEY') return tries < REFERENCE_ATTEMPTS
  return isVersionGuard(error)
}

/** A random while, so that writers who met do not meet again; longer after each try, as more of them seem to be there. */
export function pauseBeforeRetry(tries: number): Promise<void> {
  const longest = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** (tries - 1))
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest))
}
