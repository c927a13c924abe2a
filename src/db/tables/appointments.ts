/** Appointments, with the contacts and users who attend them. */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { appointment, confirmation, feedback, notice } from '../../catalogue/appointment.ts'
import { APPOINTMENT_TYPES } from '../../catalogue/office-enums.ts'
import { columns } from '../../fields/derive.ts'
import { stores, users } from './agency.ts'
import { contacts } from './contacts.ts'
import { enquiries } from './enquiries.ts'
import { external_listings } from './external-listings.ts'
import { indexesBy } from './indexes.ts'
import { idOf, linkTable } from './links.ts'
import { listings } from './listings.ts'
import { requests } from './requests.ts'

/** The reaches of appointments, in hours: each has the smallest within which it ends. They last at most 31 days. */
export const REACHES = [2, 24, 744] as const

/** SQL for the reach of an appointment. `row` is its table with a dot, or nothing. */
export const reachOf = (row: 'a.' | 'new.' | '') => {
  const cases = REACHES.slice(0, -1).map(
    (hours) => `WHEN unixepoch(${row}ends) - unixepoch(${row}starts) <= ${hours * 3600} THEN ${hours}`,
  )
  return `(CASE ${cases.join(' ')} ELSE ${REACHES.at(-1)} END)`
}
/** The condition that a viewing has no feedback, and was neither cancelled nor missed. A partial index has it. */
export const LACKS_FEEDBACK = sql.raw(
  "type = 'viewing' and status not in ('cancelled', 'no_show') and feedback_date is null",
)

export const appointments = sqliteTable(
  'appointments',
  {
    ...columns(appointment, { stores, listings, external_listings, requests, enquiries, users }),
    ...columns(feedback, { users }),
    version: integer().notNull().default(1),
    is_deleted: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    ...indexesBy('appointments', table, ['is_deleted', 'type', 'status', 'starts', 'date_created']),
    ...indexesBy('appointments', table, ['date_updated']),
    // What an office, a creator or an external listing has in some weeks.
    index('appointments_by_store').on(table.is_deleted, table.store_id, table.starts),
    index('appointments_by_creator').on(table.is_deleted, table.created_by, table.starts),
    index('appointments_by_external_listing').on(table.is_deleted, table.external_listing_id, table.starts),
    index('appointments_by_request').on(table.is_deleted, table.request_id, table.starts),
    index('appointments_by_request_and_feedback')
      .on(table.is_deleted, table.request_id, table.feedback_date)
      .where(sql`feedback_date is not null`),
    // Not first by deleted: what an enquiry that is removed leaves behind is found by it, too.
    index('appointments_by_enquiry')
      .on(table.enquiry_id, table.is_deleted)
      .where(sql`enquiry_id is not null`),
    // What overlaps a day.
    index('appointments_by_reach').on(table.is_deleted, sql.raw(reachOf('')), table.starts, table.ends),
    index('appointments_by_listing').on(table.is_deleted, table.listing_id, table.starts),
    // The viewings of a listing, and the feedback on it, newest first.
    index('appointments_viewings')
      .on(table.is_deleted, table.listing_id, table.starts)
      .where(sql`type = 'viewing'`),
    index('appointments_by_feedback')
      .on(table.is_deleted, table.listing_id, table.feedback_date)
      .where(sql`feedback_date is not null`),
    index('appointments_without_feedback').on(table.is_deleted, table.starts).where(LACKS_FEEDBACK),
  ],
)

export const appointment_contacts = linkTable(
  'appointment_contacts',
  { appointment_id: appointments, contact_id: contacts },
  [
    ['contact_id', 'starts', 'appointment_id'],
    (table) =>
      index('appointment_contacts_by_feedback')
        .on(table.contact_id, table.feedback_date, table.appointment_id)
        .where(sql`feedback_date is not null`),
  ],
  ['starts', 'feedback_date'],
)

export const appointment_users = linkTable(
  'appointment_users',
  { appointment_id: appointments, user_id: users },
  [['user_id']],
)

/** The appointment that a row belongs to. */
const owner = () => idOf(appointments)

/**
 * The time that each appointment takes: a row for each of its users, and for the property of a viewing or valuation. Triggers
 * keep it (`resources/appointments/slots.ts`), so that what overlaps a time is found in few rows.
 */
export const appointment_slots = sqliteTable(
  'appointment_slots',
  {
    appointment_id: owner(),
    resource: text({ enum: ['users', 'listings', 'external_listings'] }).notNull(),
    /** The id of the user or property. */
    record_id: integer().notNull(),
    /** Whether another may take the same time: it is cancelled, no_show or deleted. */
    is_free: integer({ mode: 'boolean' }).notNull(),
    /** One of `REACHES`. */
    reach: integer().notNull(),
    starts: text().notNull(),
    ends: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.appointment_id, table.resource, table.record_id] }),
    index('appointment_slots_by_time').on(
      table.resource,
      table.record_id,
      table.is_free,
      table.reach,
      table.starts,
      table.ends,
      table.appointment_id,
    ),
  ],
)

/**
 * Users who were taken off an appointment: their calendars show it as cancelled for a while, as it was then. What becomes of
 * it is not theirs to know.
 */
export const appointment_former_users = sqliteTable(
  'appointment_former_users',
  {
    appointment_id: owner(),
    user_id: idOf(users),
    /** When they were taken off. */
    date: text().notNull(),
    type: text({ enum: APPOINTMENT_TYPES }).notNull(),
    starts: text().notNull(),
    ends: text().notNull(),
    sequence: integer().notNull(),
    listing_id: integer().references(() => listings.id),
  },
  (table) => [
    primaryKey({ columns: [table.appointment_id, table.user_id] }),
    index('appointment_former_users_by_user').on(table.user_id, table.date),
  ],
)

export const appointment_confirmations = sqliteTable(
  'appointment_confirmations',
  { appointment_id: owner(), ...columns(confirmation, { users }) },
  (table) => [primaryKey({ columns: [table.appointment_id, table.party] })],
)

/** The condition that the recipient of a notice is a contact. A partial index has it. */
export const NAMES_CONTACT = sql.raw("party <> 'agent'")

/**
 * The mails that notify people of an appointment. One that is still to be sent is a mark of the queue: its times are
 * milliseconds, as in `Date.now()`, and a person has one at most. Imported ones are not sent.
 */
export const appointment_notices = sqliteTable(
  'appointment_notices',
  {
    appointment_id: owner(),
    ...columns(notice),
    // A run that notes a mail must not meet a later one under its id.
    notice_id: integer().primaryKey({ autoIncrement: true }),
    /** Whether the person may know of the appointment from before. */
    is_known: integer({ mode: 'boolean' }).notNull().default(true),
    created: integer().notNull().default(0),
    /** How often sending was begun. */
    tries: integer().notNull().default(0),
    /** How many tries the mail service has refused: those have sent nothing. */
    refusals: integer().notNull().default(0),
    /** When it may be tried again; null once it was sent, or is tried no more. */
    next_try: integer(),
  },
  (table) => [
    index('appointment_notices_by_appointment').on(table.appointment_id, table.notice_id),
    uniqueIndex('appointment_notices_waiting')
      .on(table.appointment_id, table.party, table.recipient_id)
      .where(sql`next_try is not null`),
    index('appointment_notices_by_next_try').on(table.next_try).where(sql`next_try is not null`),
    index('appointment_notices_by_contact').on(table.recipient_id).where(NAMES_CONTACT),
  ],
)
