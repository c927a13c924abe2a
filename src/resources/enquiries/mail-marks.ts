/**
 * The marks of enquiries whose office is still to be notified, as SQL. A mark holds ids and times only: the mail is made of
 * what is stored when it is sent. The transaction of the enquiry stores the mark, with its first try begun.
 *
 * A mail is sent at least once: if a run dies between sending and noting so, the next try sends it again. The other order
 * would lose enquiries, which is worse for an agency than to read one twice.
 */
import { type SQL, sql } from 'drizzle-orm'
import { MAIL_LANGUAGES } from '../../catalogue/enquiry.ts'
import { batch, type Database, runStatement } from '../../db/client.ts'
import { NOT_RESTORING } from '../../db/restoring.ts'
import { newestId } from '../../db/rows.ts'
import { type RowOf, type Statement, select, sqlStatement, textStatement } from '../../db/statements.ts'
import { languages, settings } from '../../db/tables/agency.ts'
import { enquiries, enquiry_mails } from '../../db/tables/enquiries.ts'
import { listings } from '../../db/tables/listings.ts'
import { enterChangesWhere, jsonNames } from '../../db/trail.ts'
import { DEFAULT_TIME_ZONE } from '../../fields/time-zone.ts'
import { formatDateTime } from '../../fields/values.ts'
import { SOUGHT_NAMES } from './criteria.ts'

const MINUTE = 60_000
/** How long a try keeps others from beginning one: longer than it takes. */
const LEASE_MS = MINUTE
/** Pauses after each try but the last: tries are at 0, 1, 10 minutes, 1 and 6 hours. */
const PAUSES = [1, 9, 50, 300].map((minutes) => minutes * MINUTE)
const UNLESS_RESTORING = sql.raw(NOT_RESTORING)
/** Maximum tries of a mail. */
export const MAX_TRIES = PAUSES.length + 1
/** How long a mail is tried at most, whatever keeps cron from running. */
const MAX_AGE_MS = 24 * 60 * MINUTE

/** The address that is notified of an enquiry: of the office of its listing, or that of the settings. */
const RECIPIENT = sql`coalesce(
  (select nullif(stores.email, '') from listings join stores on stores.id = listings.store_id
    where listings.id = ${enquiries.listing_id}),
  ${setting('enquiry_email')})`

/** The value of a setting as SQL; null if it is not set. */
function setting(key: string): SQL {
  return sql`(select ${settings.value} ->> '$' from ${settings} where ${settings.key} = ${key})`
}

/** The statement that marks the enquiry that the same batch has added. No row if there is no address to notify. */
export function markNewest(now: number): Statement<{ enquiry_id: number }> {
  return sqlStatement(sql`insert into enquiry_mails (enquiry_id, created, tries, next_try)
    select id, ${now}, 1, ${now + LEASE_MS} from enquiries
    where id = ${sql.raw(newestId(enquiries).text)} and ${RECIPIENT} is not null returning enquiry_id`)
}

const FIELDS = {
  id: enquiries.id,
  reference: enquiries.reference,
  type: enquiries.type,
  listing_id: enquiries.listing_id,
  listing_code: listings.code,
  first_name: enquiries.first_name,
  last_name: enquiries.last_name,
  email: enquiries.email,
  phone: enquiries.phone,
  message: enquiries.message,
  language: sql<string | null>`${languages.name}`,
  amount: enquiries.amount,
  dates: enquiries.dates,
  sought: enquiries.sought,
  sought_names: SOUGHT_NAMES,
  page_url: enquiries.page_url,
  consents_to_marketing: enquiries.consents_to_marketing,
  status: enquiries.status,
  notified: enquiries.notified,
  is_erased: enquiries.is_erased,
  tries: enquiry_mails.tries,
  recipient: sql<string | null>`${RECIPIENT}`,
  mail_language: sql<
    (typeof MAIL_LANGUAGES)[number]
  >`coalesce(${setting('mail_language')}, ${MAIL_LANGUAGES[0]})`,
  time_zone: sql<string>`coalesce(${setting('time_zone')}, ${DEFAULT_TIME_ZONE})`,
}

/** An enquiry with what its mail is made of. */
export type MailedEnquiry = RowOf<typeof FIELDS>

/** Reads a marked enquiry as it is now, if a condition holds. */
const selectMailed = (id: number, condition = sql`true`): Statement<MailedEnquiry> =>
  select(
    FIELDS,
    sql`from ${enquiry_mails} join ${enquiries} on ${enquiries.id} = ${enquiry_mails.enquiry_id}
      left join ${listings} on ${listings.id} = ${enquiries.listing_id}
      left join ${languages} on ${languages.id} = ${enquiries.language_id}
      where ${enquiry_mails.enquiry_id} = ${id} and ${condition}`,
  )

/**
 * The enquiry whose first try the call that stored it has begun; undefined if another run has begun the next, or if the service
 * is being restored: cron then mails it afterwards.
 */
export async function readNew(db: Database, id: number): Promise<MailedEnquiry | undefined> {
  const [mailed] = await runStatement(db, selectMailed(id, UNLESS_RESTORING))
  return mailed?.tries === 1 ? mailed : undefined
}

/** Deletes the marks that are tried no more, and finds those that are due; neither while the service is being restored. */
export async function findDue(db: Database, now: number, limit: number) {
  const { expired, due } = await batch(db, {
    expired: sqlStatement<{ id: number }>(sql`delete from enquiry_mails where enquiry_id in (
        select enquiry_id from enquiry_mails
        where next_try <= ${now} and (tries >= ${MAX_TRIES} or created <= ${now - MAX_AGE_MS}) and ${UNLESS_RESTORING} limit ${limit})
      returning enquiry_id as id`),
    due: sqlStatement<{ id: number }>(sql`select enquiry_id as id from enquiry_mails
      where next_try <= ${now} and tries < ${MAX_TRIES} and created > ${now - MAX_AGE_MS} and ${UNLESS_RESTORING}
      order by next_try limit ${limit}`),
  })
  return { expired: expired.map(({ id }) => id), due: due.map(({ id }) => id) }
}

/** Begins a try of a mail that is due. Null if another run has begun it; the enquiry is undefined if it was removed. */
export async function beginTry(
  db: Database,
  id: number,
  now: number,
): Promise<{ mailed: MailedEnquiry | undefined } | null> {
  const { begun, mailed } = await batch(db, {
    begun: sqlStatement<{ tries: number }>(sql`update enquiry_mails set tries = tries + 1,
      next_try = ${now} + ifnull(${JSON.stringify(PAUSES)} ->> tries, ${LEASE_MS})
      where enquiry_id = ${id} and next_try <= ${now} and tries < ${MAX_TRIES} and ${UNLESS_RESTORING}
      returning tries`),
    mailed: selectMailed(id),
  })
  return begun.length > 0 ? { mailed: mailed[0] } : null
}

/** Notes that an office was notified. The enquiry gets a new version, as it shows the date, but stays as new as it was. */
export async function noteSent(db: Database, id: number, moment: Date): Promise<void> {
  await batch(db, {
    entry: enterChangesWhere(enquiries, sql`${enquiries.id} = ${id} and notified is null`, {
      others: jsonNames('notified'),
    }),
    notified:
      sqlStatement(sql`update enquiries set notified = ${formatDateTime(moment)}, version = version + 1
      where id = ${id} and notified is null`),
    mark: deleteMark(id),
  })
}

/** Deletes the mark of a mail that is not to be sent, or not again. */
export async function dropMark(db: Database, id: number): Promise<void> {
  await runStatement(db, deleteMark(id))
}

const deleteMark = (id: number) => textStatement('delete from enquiry_mails where enquiry_id = ?', [id])
