/**
 * Closed books: the setting `books_closed_until`. No write but import touches an income or expense of a day up to it. A write
 * reads the setting with its record, and a guard holds it to that in the transaction.
 */
import { type SqlFragment, type Statement, textStatement } from '../../db/statements.ts'
import { ApiError } from '../../http/errors.ts'

/** The day until which books are closed; null if they are open. */
export interface Books {
  closed: string | null
}

const CLOSED = "(select value ->> '$' from settings where key = 'books_closed_until')"

/** The statement that reads until when books are closed. */
export function selectBooks(): Statement<Books> {
  return textStatement(`select ${CLOSED} as closed`)
}

/** Throws 409 if one of `dates`, of what a write touches, is in closed books. */
export function requireOpen([books]: readonly Books[], ...dates: (string | null | undefined)[]): void {
  const closed = books?.closed ?? null
  if (closed !== null && dates.some((date) => date && date <= closed)) {
    throw new ApiError(409, `Books are closed until ${closed}`)
  }
}

/** The guard that holds while books are closed as far as was read. */
export function booksUnchanged([books]: readonly Books[]): SqlFragment {
  return { text: `${CLOSED} is ?`, params: [books?.closed ?? null] }
}
