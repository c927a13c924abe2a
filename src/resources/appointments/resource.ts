/** Appointments: their parts, filters and order. */
import { sql } from 'drizzle-orm'
import { appointment } from '../../catalogue/appointment.ts'
import { APPOINTMENT_STATUSES, APPOINTMENT_TYPES } from '../../catalogue/office-enums.ts'
import {
  appointment_contacts,
  appointment_users,
  LACKS_FEEDBACK,
  appointments as table,
} from '../../db/tables/appointments.ts'
import { date } from '../../fields/values.ts'
import { userFilter } from '../../http/request/filters.ts'
import { dateTimes, filter, id, linkedTo, meets, someOf, user } from '../plain/filters.ts'
import { links } from '../plain/parts.ts'
import { type PlainRow, plain } from '../plain/resource.ts'
import { confirmations, feedback, notified } from './parts.ts'
import { isAttendedBy, isOfSomeDays, isOnDay } from './slots.ts'
import { checkEnd } from './times.ts'

export const appointments = plain('appointments', {
  table,
  doc: 'A time at which users of the agency meet contacts, often at a listing, or are absent',
  fields: appointment,
  parts: {
    users: links(table, appointment_users, 'users', {
      doc: 'Who attends: ids of users. The first leads',
    }),
    contacts: links(table, appointment_contacts, 'contacts', { doc: 'Who is met: ids of contacts' }),
    confirmations,
    feedback,
    notified,
  },
  first: [
    ...(['id', 'type', 'status', 'status_date', 'title', 'starts', 'ends', 'store_id'] as const),
    ...(['users', 'contacts', 'listing_id', 'external_listing_id', 'request_id', 'enquiry_id'] as const),
    ...(['location', 'notes', 'confirmations', 'feedback', 'notified'] as const),
  ],
  check(draft, { current, changedKeys }) {
    const { starts, ends } = { ...current, ...draft.values }
    const isMoved = changedKeys.has('starts') || changedKeys.has('ends')
    const isRefused = draft.isRefused('starts') || draft.isRefused('ends')
    if (isMoved && !isRefused && starts && ends) checkEnd(draft, starts, ends)
  },
  brief: [],
  filters: {
    type: someOf(table.type, APPOINTMENT_TYPES, 'What it is for'),
    status: someOf(table.status, APPOINTMENT_STATUSES, 'How far it has come'),
    store_id: id(table.store_id, 'Store'),
    listing_id: id(table.listing_id, 'The listing that it is about'),
    external_listing_id: id(table.external_listing_id, 'The external listing that it is about'),
    request_id: id(table.request_id, 'The request that it is for'),
    enquiry_id: id(table.enquiry_id, 'The enquiry that it came from'),
    contact_id: linkedTo(appointment_contacts, 'One of its contacts'),
    user_id: filter<number>(userFilter(), 'One of its users', isAttendedBy, isOfSomeDays),
    created_by: user(table.created_by, 'User who created it'),
    starts: dateTimes(table.starts, 'When it starts'),
    day: filter<string>(
      date().nullish(),
      'A day in the time zone of the agency, with all that overlaps it',
      isOnDay,
      isOfSomeDays,
    ),
    needs_feedback: meets(
      sql`(${LACKS_FEEDBACK} and starts <= datetime('now'))`,
      'Whether it is a viewing that has begun, was neither cancelled nor missed, and has no feedback',
    ),
    date_created: dateTimes(table.date_created, 'When it was created'),
    date_updated: dateTimes(table.date_updated, 'When it last changed'),
  },
  sort: ['starts', 'date_created', 'date_updated'],
})

export type AppointmentRow = PlainRow<typeof table, typeof appointments.parts>
