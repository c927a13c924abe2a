/** Reads D1's errors, and maps those that a caller can cause to API errors. */
import { ApiError, type DatabaseErrors, databaseBusy, tooManyIdempotencyKeys } from '../http/errors.ts'
import { causesOf } from '../http/log.ts'

/** The message of the triggers `…_highest_id`. */
const NO_ID_LEFT = 'No id is left'

/** What the names of the constraints that limit the number and size of idempotency keys begin with. */
const IDEMPOTENCY_ROOM = 'idempotency_room'

/** The errors of D1 that was reset as some statement took too much: this one, or another that ran beside it. */
const TOO_DEAR = /exceeded its memory limit|exceeded its CPU time limit|storage operation exceeded timeout/i

/**
 * The errors after which Cloudflare advises to try again: D1 was reset, not reached, exported, or had too much to do. A
 * write may be stored all the same.
 */
const PASSING =
  /reset because its code was updated|network connection lost|caused object to be reset|transient issue on remote node|D1 DB is overloaded|too many requests queued|long-running export|^(?:D1_ERROR: )?internal error/i

/** D1 did not carry out a call, for a reason that passes; see `cause`. Not known of a write: it may be stored. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy'

  constructor(cause: unknown) {
    super('The database is busy', { cause })
  }
}

/** A write would make a row too large; see `cause`. It is not stored. */
export class RowTooLarge extends Error {
  override readonly name = 'RowTooLarge'

  constructor(cause: unknown) {
    super('A row is too large', { cause })
  }
}

/** Whether D1 failed for a reason that passes. To be asked only of errors of its calls, as other storage has such, too. */
export function isPassing(error: unknown): boolean {
  return [...causesOf(error)].some(({ message }) => PASSING.test(message) || TOO_DEAR.test(message))
}

/** Whether what was asked of D1 may be too much for one call, so that the same would fail each time. */
function isTooDear(error: unknown): boolean {
  return [...causesOf(error)].some(({ message }) => TOO_DEAR.test(message))
}

/** Whether storage failed for a reason that passes, so that it says nothing of the record that was worked on. */
export function isOutage(error: unknown): boolean {
  // What fails in the bucket is thrown as the 503 that a call is answered. The hosts that a job calls fail with the words of D1.
  const isUnavailable = (cause: Error) =>
    cause instanceof ApiError ? cause.status === 503 : cause instanceof DatabaseBusy && !isTooDear(cause)
  return [...causesOf(error)].some(isUnavailable)
}

/** The message for a record, or what visitors would see of it, above the 2 MB that D1 stores in a row. */
const TOO_LARGE = 'The record is too large: shorten its texts'

/** The message of the trigger that limits the enquiries of visitors. */
const ENQUIRY_ROOM = 'enquiry_room'

/** A constraint that made a write fail. */
export interface Violation {
  /**
   * D1's name of it: `UNIQUE`, `NOTNULL`, `FOREIGNKEY`, … `HIGHEST_ID` means that no id is left, and `IDEMPOTENCY_ROOM`
   * and `ENQUIRY_ROOM` that there are too many idempotency keys or enquiries.
   */
  kind: string
  /** The first column concerned, such as `listings.code`; null if SQLite does not name one. */
  column: string | null
}

/** The constraint that made a write fail; null for any other error. */
export function findViolation(error: unknown): Violation | null {
  const message = messagesOfD1(error).find((text) => text.includes('SQLITE_CONSTRAINT'))
  if (message === undefined) return null
  const suffix = /SQLITE_CONSTRAINT_([A-Z]+)/.exec(message)?.[1]
  const words = /(UNIQUE|FOREIGN KEY|CHECK|NOT NULL) constraint failed/.exec(message)?.[1]
  const column = /constraint failed: (\w+\.\w+)/.exec(message)?.[1] ?? null
  if (message.includes(NO_ID_LEFT)) return { kind: 'HIGHEST_ID', column }
  if (message.includes(IDEMPOTENCY_ROOM)) return { kind: 'IDEMPOTENCY_ROOM', column }
  if (message.includes(ENQUIRY_ROOM)) return { kind: 'ENQUIRY_ROOM', column }
  return { kind: suffix ?? words?.replace(' ', '') ?? 'CONSTRAINT', column }
}

/** Whether a row exceeded the maximum size of the database. */
export function isTooLarge(error: unknown): boolean {
  return [...causesOf(error)].some(({ message }) => /SQLITE_TOOBIG|string or blob too big/.test(message))
}

/** Whether a table or column is missing: the database is that of another version. */
export function isMissing(error: unknown): boolean {
  return messagesOfD1(error).some((message) => /no such (?:table|column)/.test(message))
}

/** Maps database errors to API errors. */
export const databaseErrors: DatabaseErrors = {
  toApiError: (error) => {
    if ([...causesOf(error)].some((cause) => cause instanceof DatabaseBusy)) return databaseBusy()
    const kind = findViolation(error)?.kind
    // An import has used the highest possible id.
    if (kind === 'HIGHEST_ID') return new ApiError(409, `${NO_ID_LEFT} for a new record`)
    if (kind === 'ENQUIRY_ROOM') return tooManyEnquiries()
    if (kind === 'IDEMPOTENCY_ROOM') return tooManyIdempotencyKeys()
    return [...causesOf(error)].some((cause) => cause instanceof RowTooLarge)
      ? new ApiError(400, TOO_LARGE)
      : null
  },
  isRefusedBookmark: (error) => messagesOfD1(error).some((message) => /bookmark/i.test(message)),
}

/** 429: visitors have sent as many enquiries with this key as the agency can deal with. */
function tooManyEnquiries(): ApiError {
  return new ApiError(429, 'Too many enquiries', [], { 'Retry-After': '3600' })
}

/** The messages of D1 itself. Messages of drizzle are left out, as they contain parameters and so the caller's data. */
export function messagesOfD1(error: unknown): string[] {
  return [...causesOf(error)]
    .map(({ message }) => message)
    .filter((message) => message.startsWith('D1_ERROR'))
}
