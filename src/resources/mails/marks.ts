/**
 * The marks of mails that are still to be sent, as SQL. A mark holds an id and times only: the mail is made of what is stored
 * when it is sent. The transaction of a write stores the mark, and the call sends the mail behind its reply.
 *
 * A mail is sent at least once: if a run dies between sending and noting so, the next try sends it again. The other order
 * would lose mails, which is worse for an agency than to read one twice.
 */
import { type SQL, sql } from 'drizzle-orm'
import { MAIL_LANGUAGES } from '../../catalogue/enquiry.ts'
import type { SettingName } from '../../catalogue/settings.ts'
import { batch, type Database, type NamedStatements } from '../../db/client.ts'
import { NOT_RESTORING } from '../../db/restoring.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { settings } from '../../db/tables/agency.ts'
import { DEFAULT_TIME_ZONE } from '../../fields/time-zone.ts'

const MINUTE = 60_000
/** Pauses after each try: tries are at 0, 1, 10 minutes, 1 and 6 hours. After the last none follows. */
const PAUSES = [1, 9, 50, 300, 1].map((minutes) => minutes * MINUTE)
const UNLESS_RESTORING = sql.raw(NOT_RESTORING)
/** Maximum tries of a mail. */
export const MAX_TRIES = PAUSES.length
/** How long a mail is tried at most, whatever keeps cron from running. */
const MAX_AGE_MS = 24 * 60 * MINUTE

/**
 * A kind of mails: what is marked, and how the mail is made. Its marks are rows with `created`, `tries` and `next_try` in
 * milliseconds. Its functions are methods, so that kinds of different rows fit into one list.
 */
export interface MailKind<Row = unknown> {
  /** What the log calls the subject of a mail. */
  name: string
  /** What the log says of one that failed. */
  work: string
  /** The table of the marks, and the column of their ids. */
  marks: { table: string; id: string }
  /** SQL before `where` that ends marks. */
  end: string
  /** Reads what a marked mail is about, as it is now. */
  select(id: number): Statement<Row>
  /** Makes the mail; null if it is not to be sent any more. */
  make(row: Row, from: string): EmailMessageBuilder | null
  /** The statement that notes that the mail service has refused it. */
  noteRefused?(isCurrent: SQL): Statement
  /** The statements that note that it was sent, if `isCurrent` holds for the mark, and end the mark. */
  noteSent(row: Row, moment: Date, isCurrent: SQL): NamedStatements
}

export interface Try<Row> {
  tries: number
  /** SQL that holds for its mark, unless another try or another change has followed. */
  isCurrent: SQL
  row: Row | undefined
}

/** The values of a new mark, as SQL: `created`, `tries` and `next_try`. */
export const newMark = (now = Date.now()): SQL => sql`${now}, 0, ${now}`

/** The value of a setting as SQL; null if it is not set. */
export function setting(key: SettingName): SQL {
  return sql`(select ${settings.value} ->> '$' from ${settings} where ${settings.key} = ${key})`
}

/** The language and the time zone of mails, as fields of a select. */
export const LANGUAGE_AND_ZONE = {
  mail_language: sql<
    (typeof MAIL_LANGUAGES)[number]
  >`coalesce(${setting('mail_language')}, ${MAIL_LANGUAGES[0]})`,
  time_zone: sql<string>`coalesce(${setting('time_zone')}, ${DEFAULT_TIME_ZONE})`,
}

/** Ends the marks that are tried no more, and finds those that are due; neither while the service is being restored. */
export async function findDue(db: Database, kinds: readonly MailKind[], now: number, limit: number) {
  const { found } = await batch(db, {
    found: kinds.map(({ marks, end }) => {
      const [table, id] = [sql.identifier(marks.table), sql.identifier(marks.id)]
      const isOver = sql`(tries >= ${MAX_TRIES} or created <= ${now - MAX_AGE_MS})`
      return {
        expired: sqlStatement<{ id: number }>(sql`${sql.raw(end)} where ${id} in (
            select ${id} from ${table} where next_try <= ${now} and ${isOver} and ${UNLESS_RESTORING} limit ${limit})
          returning ${id} as id`),
        due: sqlStatement<{ id: number; next_try: number }>(sql`select ${id} as id, next_try from ${table}
          where next_try <= ${now} and not ${isOver} and ${UNLESS_RESTORING} order by next_try limit ${limit}`),
      }
    }),
  })
  const ofKinds = kinds.map((kind, index) => ({ kind, ...found[index] }))
  return {
    expired: ofKinds.flatMap(({ kind, expired = [] }) => expired.map(({ id }) => ({ kind, id }))),
    due: ofKinds
      .flatMap(({ kind, due = [] }) => due.map((mark) => ({ kind, ...mark })))
      .toSorted((one, other) => one.next_try - other.next_try)
      .slice(0, limit),
  }
}

/** Begins a try of a mail that is due. Null if another run has begun it; the row is undefined if its subject was removed. */
export async function beginTry<Row>(
  db: Database,
  { marks, select }: MailKind<Row>,
  mark: number,
  now: number,
): Promise<Try<Row> | null> {
  const isMark = sql`${sql.identifier(marks.id)} = ${mark}`
  const { begun, rows } = await batch(db, {
    begun: sqlStatement<{ tries: number; next_try: number }>(sql`update ${sql.identifier(marks.table)}
      set tries = tries + 1, next_try = ${now} + (${JSON.stringify(PAUSES)} ->> tries)
      where ${isMark} and next_try <= ${now} and tries < ${MAX_TRIES} and ${UNLESS_RESTORING}
      returning tries, next_try`),
    rows: select(mark),
  })
  const [first] = begun
  return first
    ? { tries: first.tries, isCurrent: sql`${isMark} and next_try = ${first.next_try}`, row: rows[0] }
    : null
}
