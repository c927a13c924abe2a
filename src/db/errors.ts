/** What D1's errors say, and which of them the API has an answer for. */
import { ApiError, type DatabaseErrors, tooManyIdempotencyKeys } from '../http/errors.ts'
import { causesOf } from '../http/log.ts'

/** The error of the triggers `…_highest_id`. */
const NO_ID_LEFT = 'No id is left'

/** The constraint on the number and size of idempotency keys. */
const IDEMPOTENCY_ROOM = 'idempotency_room'

/** A constraint that stopped a write. */
export interface Violation {
  /**
   * As D1 names it: `UNIQUE`, `NOTNULL`, `FOREIGNKEY`, …; `HIGHEST_ID` where no id is left, `IDEMPOTENCY_ROOM` where there are
   * too many idempotency keys.
   */
  kind: string
  /** The first column that it is about, `listings.code`; null where SQLite does not name one. */
  column: string | null
}

/** The constraint that stopped a write; null for any other error. */
export function findViolation(error: unknown): Violation | null {
  const message = messagesOfD1(error).find((text) => text.includes('SQLITE_CONSTRAINT'))
  if (message === undefined) return null
  const suffix = /SQLITE_CONSTRAINT_([A-Z]+)/.exec(message)?.[1]
  const words = /(UNIQUE|FOREIGN KEY|CHECK|NOT NULL) constraint failed/.exec(message)?.[1]
  const column = /constraint failed: (\w+\.\w+)/.exec(message)?.[1] ?? null
  if (message.includes(NO_ID_LEFT)) return { kind: 'HIGHEST_ID', column }
  if (message.includes(IDEMPOTENCY_ROOM)) return { kind: 'IDEMPOTENCY_ROOM', column }
  return { kind: suffix ?? words?.replace(' ', '') ?? 'CONSTRAINT', column }
}

/** Whether a row is larger than the database takes. */
export function isTooLarge(error: unknown): boolean {
  return [...causesOf(error)].some(({ message }) => /SQLITE_TOOBIG|string or blob too big/.test(message))
}

/** What the API answers to errors of the database. */
export const databaseErrors: DatabaseErrors = {
  toApiError: (error) => {
    const kind = findViolation(error)?.kind
    // An import has taken the highest id there is.
    if (kind === 'HIGHEST_ID') return new ApiError(409, `${NO_ID_LEFT} for a new record`)
    return kind === 'IDEMPOTENCY_ROOM' ? tooManyIdempotencyKeys() : null
  },
  isRefusedBookmark: (error) => messagesOfD1(error).some((message) => /bookmark/i.test(message)),
}

/** D1's own messages: one of drizzle's holds parameters, and so whatever a caller sent. */
function messagesOfD1(error: unknown): string[] {
  return [...causesOf(error)]
    .map(({ message }) => message)
    .filter((message) => message.startsWith('D1_ERROR'))
}
