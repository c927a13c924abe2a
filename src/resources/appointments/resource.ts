/** Appointments: their parts, filters and order. */
import { appointment } from '../../catalogue/appointment.ts'
import { APPOINTMENT_STATUSES, APPOINTMENT_TYPES } from '../../catalogue/office-enums.ts'
import {
  appointment_contacts,
  appointment_users,
  appointments as table,
} from '../../db/tables/appointments.ts'
import { dateTimes, id, linkedTo, linkedUser, oneOf, user } from '../plain/filters.ts'
import { links } from '../plain/parts.ts'
import { type PlainRow, plain } from '../plain/resource.ts'

export const appointments = plain('appointments', {
  table,
  doc: 'A time at which users of the agency meet contacts, often at a listing',
  fields: appointment,
  parts: {
    contacts: links(table, appointment_contacts, 'contacts', { doc: 'Who is met: ids of contacts' }),
    users: links(table, appointment_users, 'users', { doc: 'Who attends: ids of users' }),
  },
  check(draft, { current, changedKeys }) {
    const { starts, ends } = { ...current, ...draft.values }
    const isMoved = changedKeys.has('starts') || changedKeys.has('ends')
    const isRefused = draft.isRefused('starts') || draft.isRefused('ends')
    if (isMoved && !isRefused && starts && ends && ends <= starts)
      draft.refuse('ends', 'Invalid ends: must be later than starts')
  },
  brief: [],
  filters: {
    type: oneOf(table.type, APPOINTMENT_TYPES, 'What it is for'),
    status: oneOf(table.status, APPOINTMENT_STATUSES, 'How far it has come'),
    store_id: id(table.store_id, 'Store'),
    listing_id: id(table.listing_id, 'The listing that it is about'),
    contact_id: linkedTo(appointment_contacts, 'One of its contacts'),
    user_id: linkedUser(appointment_users, 'One of its users'),
    created_by: user(table.created_by, 'User who created it'),
    starts: dateTimes(table.starts, 'When it starts'),
    date_created: dateTimes(table.date_created, 'When it was created'),
    date_updated: dateTimes(table.date_updated, 'When it last changed'),
  },
  sort: ['starts', 'date_created', 'date_updated'],
})

/** A stored appointment with its contacts and users. */
export type AppointmentRow = PlainRow<typeof table, typeof appointments.parts>
