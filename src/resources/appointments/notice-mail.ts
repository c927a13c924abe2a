/**
 * The mail that notifies a person of an appointment: when and where it is, and whom to call. Of others who come it says
 * nothing, nor what the agency has noted. A calendar is attached, which mail programs keep up to date by its UID.
 */
import { sql } from 'drizzle-orm'
import { inBoth } from '../../catalogue/bilingual.ts'
import { APPOINTMENT_TYPE } from '../../catalogue/office-enums.ts'
import { isNotDeleted } from '../../db/references.ts'
import { type RowOf, select, sqlStatement } from '../../db/statements.ts'
import { stores, users } from '../../db/tables/agency.ts'
import { appointment_notices, appointments } from '../../db/tables/appointments.ts'
import { external_listings } from '../../db/tables/external-listings.ts'
import { listings } from '../../db/tables/listings.ts'
import { enterChangesWhere, jsonNames } from '../../db/trail.ts'
import { formatInZone, toLocal } from '../../fields/time-zone.ts'
import { formatDateTime } from '../../fields/values.ts'
import { LANGUAGE_AND_ZONE, type MailKind } from '../mails/marks.ts'
import { addressIn, factLines, HEADERS, shortLine } from '../mails/text.ts'
import { placeIn, uidOf } from './event.ts'
import { calendarWriter } from './icalendar.ts'
import { CONTACT_ADDRESSES } from './notices.ts'

const RECIPIENT = sql`${appointment_notices.recipient_id}`
/** SQL for a value of the recipient: of the user, or of the contact. */
const ofRecipient = (user: string, contact: ReturnType<typeof sql>) =>
  sql<string | null>`iif(${appointment_notices.party} = 'agent',
    (select ${sql.raw(user)} from users where id = ${RECIPIENT} and is_active),
    (select ${contact} from contacts where id = ${RECIPIENT} and ${isNotDeleted}))`

const FIELDS = {
  notice_id: appointment_notices.notice_id,
  party: appointment_notices.party,
  event: appointment_notices.event,
  addresses: ofRecipient('email', CONTACT_ADDRESSES),
  recipient: ofRecipient(
    'name',
    sql`coalesce(nullif(trim(first_name || ' ' || last_name), ''), company_name, '')`,
  ),
  is_expected: sql<number>`(${appointments.status} <> 'cancelled' and not ${appointments.is_deleted} and case ${appointment_notices.party}
    when 'agent' then exists (select 1 from appointment_users
      where appointment_id = ${appointments.id} and user_id = ${RECIPIENT})
    when 'visitor' then exists (select 1 from appointment_contacts
      where appointment_id = ${appointments.id} and contact_id = ${RECIPIENT})
    else exists (select 1 from listing_contacts
      where listing_id = ${appointments.listing_id} and contact_id = ${RECIPIENT}) end)`,
  id: appointments.id,
  type: appointments.type,
  status: appointments.status,
  starts: appointments.starts,
  ends: appointments.ends,
  sequence: appointments.sequence,
  date_created: appointments.date_created,
  date_updated: appointments.date_updated,
  listing_id: appointments.listing_id,
  listing_code: listings.code,
  place_el: placeIn('el'),
  place_en: placeIn('en'),
  agent: sql<string | null>`${users.name}`,
  agent_email: users.email,
  phone: sql<string | null>`coalesce(nullif(${users.phone}, ''), ${stores.phone})`,
  ...LANGUAGE_AND_ZONE,
}

type Mailed = RowOf<typeof FIELDS>

/** The mails that notify people of appointments. */
export const NOTICE_MAILS: MailKind<Mailed> = {
  name: 'notice',
  work: 'mailing a notice of an appointment',
  marks: { table: 'appointment_notices', id: 'notice_id' },
  end: 'update appointment_notices set next_try = null',
  select: (id) =>
    select(
      FIELDS,
      sql`from ${appointment_notices} join ${appointments} on ${appointments.id} = ${appointment_notices.appointment_id}
      left join ${users} on ${users.id} = (select user_id from appointment_users
        where appointment_id = ${appointments.id} order by position limit 1)
      left join ${stores} on ${stores.id} = ${appointments.store_id}
      left join ${listings} on ${listings.id} = ${appointments.listing_id}
      left join ${external_listings} on ${external_listings.id} = ${appointments.external_listing_id}
      where ${appointment_notices.notice_id} = ${id}`,
    ),
  // Nothing of what has ended, nor what was overtaken by a change that notified others only.
  make: (mailed, from) => {
    const to = addressIn(mailed.addresses)
    const isCurrent = (mailed.event === 'cancelled') === !mailed.is_expected
    return to && isCurrent && mailed.ends > formatDateTime(new Date()) ? mailOf(mailed, { from, to }) : null
  },
  noteRefused: (isCurrent) =>
    sqlStatement(sql`update appointment_notices set refusals = refusals + 1 where ${isCurrent}`),
  noteSent: ({ id }, moment, isCurrent) => {
    const isNoted = sql`id = ${id} and exists (select 1 from appointment_notices where ${isCurrent})`
    return {
      entry: enterChangesWhere(appointments, isNoted, { others: jsonNames('notified') }),
      version: sqlStatement(sql`update appointments set version = version + 1 where ${isNoted}`),
      notice:
        sqlStatement(sql`update appointment_notices set date = ${formatDateTime(moment)}, next_try = null
        where ${isCurrent}`),
    }
  },
}

const TEXTS = inBoth({
  booked: ['Νέο ραντεβού', 'New appointment'],
  moved: ['Αλλαγή ραντεβού', 'Appointment changed'],
  cancelled: ['Ακύρωση ραντεβού', 'Appointment cancelled'],
  type: ['Είδος', 'Type'],
  time: ['Ώρα', 'Time'],
  listing: ['Ακίνητο', 'Listing'],
  place: ['Τόπος', 'Place'],
  agent: ['Συνεργάτης', 'Agent'],
  phone: ['Τηλέφωνο', 'Phone'],
})

function mailOf(mailed: Mailed, { from, to }: { from: string; to: string }): EmailMessageBuilder {
  const { event, mail_language: language, time_zone: zone, starts, ends } = mailed
  const texts = TEXTS[language]
  const [greek, english] = APPOINTMENT_TYPE[mailed.type]
  const type = language === 'el' ? greek : english
  const listing = mailed.listing_id && (mailed.listing_code ?? `#${mailed.listing_id}`)
  const place = mailed[`place_${language}`]
  const start = formatInZone(starts, zone, language)
  const [startDay, endDay] = [starts, ends].map((one) => toLocal(one, zone).slice(0, 10))
  const end = startDay === endDay ? toLocal(ends, zone).slice(11, 16) : formatInZone(ends, zone, language)
  const replyTo = mailed.party === 'agent' ? null : addressIn(mailed.agent_email)
  const method = event === 'cancelled' ? 'CANCEL' : 'REQUEST'
  const calendar = calendarWriter({ timeZone: zone, from: starts, to: ends, method })
  const file =
    calendar.start +
    calendar.event({
      uid: uidOf(mailed),
      sequence: mailed.sequence,
      changed: mailed.date_updated,
      status: event === 'cancelled' ? 'CANCELLED' : mailed.status === 'proposed' ? 'TENTATIVE' : 'CONFIRMED',
      starts,
      ends,
      summary: [type, listing].filter(Boolean).join(', '),
      location: place,
      organizer: { name: mailed.agent ?? '', email: from },
      attendees: [{ name: mailed.recipient ?? '', email: to }],
    }) +
    calendar.end
  return {
    from,
    to,
    ...(replyTo === null ? {} : { replyTo }),
    subject: shortLine(`${texts[event]}: ${[type, listing, start].filter(Boolean).join(', ')}`),
    text: [
      texts[event],
      '',
      ...factLines([
        [texts.type, type],
        [texts.time, `${start} – ${end} (${zone})`],
        [texts.listing, listing],
        [texts.place, place],
        [texts.agent, mailed.agent],
        [texts.phone, mailed.phone],
      ]),
    ].join('\n'),
    attachments: [
      {
        disposition: 'attachment',
        filename: 'appointment.ics',
        type: `text/calendar; charset=utf-8; method=${method}`,
        // As bytes: of a text, the service expects base64.
        content: new Uint8Array(Buffer.from(file)).buffer,
      },
    ],
    headers: HEADERS,
  }
}
