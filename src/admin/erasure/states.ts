/**
 * The states of erasures and of the records on their lists, by name, and how the tables encode them. Versions since 0.3.0 read
 * and write this encoding, so a database can go back to one of them.
 */
import { type SQL, sql } from 'drizzle-orm'
import { formatDateTime } from '../../fields/values.ts'

/**
 * The stored reason of an erasure that came with a contact which an import has added as erased. No call can give it. What links
 * to such a contact has been written since, so it is never cleared for it.
 */
export const CAME_ERASED = ''
/** What is shown for it, and stored for contacts that an import erases. */
export const IMPORTED_REASON = 'Imported as erased'

/** The reason of an erasure, as it is shown. */
export const reasonShown = (stored: string) => (stored === CAME_ERASED ? IMPORTED_REASON : stored)

/** SQL over `erasures`: whether an import has added the contact as erased. */
export const IS_IMPORTED = sql`(reason = ${CAME_ERASED})`
/** A select of the contacts that an import has added as erased. */
export const IMPORTED_CONTACTS = sql`select contact_id from erasures where ${IS_IMPORTED}`

/** SQL over `erased_records`: whether the record is on the list and still to be cleared, or was cleared. */
export const IS_WAITING = sql.raw('fields is null')
export const IS_CLEARED = sql.raw('fields is not null')

/** How long after its end an erasure is looked at once more, in minutes: longer than a write takes. */
const SECOND_LOOK_MINUTES = 10

/** SQL over `erasures`: whether there is work for it at a moment, be it to go on or to look again. */
export function isDue(now: Date): SQL {
  const since = sql`datetime(${formatDateTime(now)}, ${`-${SECOND_LOOK_MINUTES} minutes`})`
  return sql`progress <> 'closed' and (progress = 'open' or (progress = 'complete' and progress_date <= ${since}))`
}

/**
 * SQL for the position of what a transaction puts on a list: above all others of the database, and of databases that it
 * was restored from or has gone back behind, as it is no less than the clock's milliseconds.
 */
export const NEXT_POSITION = sql.raw(
  'max(unixepoch() * 1000, (select ifnull(max(position), 0) + 1 from erased_records))',
)

/** SQL over a row of `erased_records`: when it was erased. Older versions have dated the erasure alone. */
export function erasedOn(row: string): string {
  return `ifnull(${row}.date, (select progress_date from erasures where contact_id = ${row}.contact_id))`
}
