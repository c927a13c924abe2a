/**
 * Who is notified of what happens to an appointment. A write puts the statements into its own transaction, so that each change
 * has its notices, and a mail is sent of what is stored then.
 *
 *     const recipients = selectRecipients(db, { id, users, contacts, listing_id, notify })  // among the lookups
 *     const { statements, headers } = noticesOf(before, after, { notify, recipients })
 *     …                                                                                  // the write, with both
 *     mailBehindReply(c, NOTICE_MAILS)
 *
 * A person has one mail at most that is still to be sent. A further change makes it one of the newest state: a booking stays a
 * booking where it is moved before its mail goes out, and where it is cancelled by then, there is nothing to say. Where a try
 * may have sent the mail, the person is taken to know.
 */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { NOTICE_EVENTS } from '../../catalogue/office-enums.ts'
import type { Database, Statements } from '../../db/client.ts'
import { valuesOf } from '../../db/conditions.ts'
import { isNotDeleted } from '../../db/references.ts'
import { newestId } from '../../db/rows.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { appointments } from '../../db/tables/appointments.ts'
import { formatDateTime, list } from '../../fields/values.ts'
import { newMark, setting } from '../mails/marks.ts'
import { addressIn } from '../mails/text.ts'
import type { AppointmentRow } from './resource.ts'

/** Parties that are notified only if a write says so. */
const ASKED = ['visitor', 'owner'] as const
type Party = 'agent' | (typeof ASKED)[number]
type Notify = readonly (typeof ASKED)[number][] | null | undefined

const HEADER = 'X-Not-Notified'
/** The header that names parties of `notify`, for the documentation. */
export const NOTICE_HEADER = {
  [HEADER]: 'Parties of `notify` that get no mail: no address is known, or there is nothing to say',
}

/** The key of bodies. */
export const notify = list(z.enum(ASKED), { max: ASKED.length })
  .nullish()
  .describe('Who else is notified by mail: `visitor` for its contacts, `owner` for those of the listing')

/** Maximum notices of an appointment that are kept once they were sent. */
const MAX_KEPT = 500

/** A person who may have to be notified. */
interface Recipient {
  party: Party
  id: number
  /** Of an owner. */
  listing_id: number | null
  /** What may hold an address. */
  addresses: string | null
}

/** What a body says: undefined where the stored value stays. The id is null for a new appointment, which an enquiry may lead to. */
interface Change extends Pick<Attended, 'users' | 'contacts' | 'listing_id' | 'enquiry_id'> {
  id: number | null
  notify?: Notify
}

export const CONTACT_ADDRESSES = sql`(select group_concat(value ->> 'email_address', ' ') from json_each(contacts.emails))`

/**
 * The statement for all whom a change may concern, but for the user who makes it; null if the deployment sends no mails.
 */
export function selectRecipients(
  { sendsMails, provenance }: Database,
  { id, users, contacts, listing_id, enquiry_id = null, notify }: Change,
): Statement<Recipient> | null {
  if (!sendsMails) return null
  const stored = sql`appointment_id = ${id}`
  const agents = sql`select 'agent' as party, id, null as listing_id, email as addresses from users
    where id in (${valuesOf(users ?? [])} union all select user_id from appointment_users where ${stored})
      and id is not ${provenance?.user_id ?? null} and is_active and email <> ''
      and ${setting('appointment_mails')} is not 0`
  const asked = {
    visitor: sql`select 'visitor', id, null, ${CONTACT_ADDRESSES} from contacts
      where id in (${valuesOf(contacts ?? [])} union all select contact_id from appointment_contacts where ${stored}
        union all select contact_id from enquiries where id = ${enquiry_id}) and ${isNotDeleted} and emails <> '[]'`,
    owner: sql`select 'owner', contacts.id, listing_id, ${CONTACT_ADDRESSES} from listing_contacts
      cross join contacts on contacts.id = contact_id
      where listing_id in (${listing_id ?? null}, (select listing_id from appointments where id = ${id}),
        (select listing_id from enquiries where id = ${enquiry_id})) and ${isNotDeleted} and emails <> '[]'`,
  }
  const selects = [agents, ...ASKED.flatMap((party) => (notify?.includes(party) ? asked[party] : []))]
  return sqlStatement(sql.join(selects, sql` union all `))
}

/** What of an appointment says who is to be where and when. */
type Attended = { [Name in keyof AppointmentRow]?: AppointmentRow[Name] | null | undefined }

/**
 * The statements that notify people of a change, after those that store it, and the header that names who of `notify` gets
 * none. What has ended notifies no one.
 * @param before null for a new appointment
 * @param after null for one that is deleted
 * @param recipients the rows of `selectRecipients`
 */
export function noticesOf(
  before: Attended | null,
  after: Attended | null,
  { notify, recipients }: { notify?: Notify; recipients: readonly Recipient[] | null },
): { statements: Statements; headers: Record<string, string | undefined> } {
  const isPast = ((after ?? before)?.ends ?? '') <= formatDateTime(new Date())
  const isMoved = (after?.sequence ?? 0) > (before?.sequence ?? 0)
  const reached = isPast ? [] : (recipients ?? []).filter(({ addresses }) => addressIn(addresses) !== null)
  const persons = Map.groupBy(reached, ({ party, id }) => `${party} ${id}`)
  const notices = [...persons.values()].flatMap((rows) => {
    const [was, is] = [before, after].map((state) => rows.some((row) => isExpected(row, state)))
    const [person] = rows
    const event = eventOf({ was, is, isMoved })
    return person && event ? [[person.party, person.id, event, was ? 1 : 0] as const] : []
  })
  const missed = ASKED.filter(
    (asked) => notify?.includes(asked) && !notices.some(([party]) => party === asked),
  )
  return {
    statements: notices.length > 0 ? storeNotices(before?.id, notices) : null,
    headers: { [HEADER]: missed.length > 0 ? missed.join(', ') : undefined },
  }
}

/** Whether a person is to come to an appointment, or to expect others there. */
function isExpected({ party, id, listing_id }: Recipient, state: Attended | null): boolean {
  if (!state || state.status === 'cancelled') return false
  if (party === 'owner') return listing_id === state.listing_id
  return (party === 'agent' ? state.users : state.contacts)?.includes(id) ?? false
}

type Event = (typeof NOTICE_EVENTS)[number]

function eventOf({ was, is, isMoved }: Record<string, boolean | undefined>): Event | null {
  if (!was) return is ? 'booked' : null
  if (!is) return 'cancelled'
  return isMoved ? 'moved' : null
}

/**
 * The statements that store notices as mails to be sent.
 * @param id of the appointment; undefined for the one that the same batch adds
 * @param notices party, id, event, and whether the person knew of the appointment, each
 */
function storeNotices(
  id: number | null | undefined,
  notices: readonly (readonly [Party, number, Event, number])[],
): Statement[] {
  const owner = id == null ? sql.raw(newestId(appointments).text) : sql`${id}`
  const isKnown = sql`(is_known or tries > refusals)`
  const stored = sqlStatement(sql`insert into appointment_notices
      (appointment_id, party, recipient_id, event, is_known, created, tries, next_try)
    select ${owner}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, ${newMark()}
      from json_each(${JSON.stringify(notices)}) where true
    on conflict (appointment_id, party, recipient_id) where next_try is not null do update set
      event = iif(excluded.event = 'moved' and not ${isKnown}, 'booked', excluded.event), is_known = ${isKnown},
      created = excluded.created, tries = 0, refusals = 0, next_try = excluded.next_try`)
  // There is nothing earlier of a new one.
  if (id == null) return [stored]
  return [
    stored,
    sqlStatement(sql`delete from appointment_notices where appointment_id = ${id} and next_try is not null
      and event = 'cancelled' and not is_known`),
    sqlStatement(sql`delete from appointment_notices where appointment_id = ${id} and next_try is null and notice_id <= (
      select notice_id from appointment_notices where appointment_id = ${id} order by notice_id desc limit 1 offset ${MAX_KEPT})`),
  ]
}
