/** Appointments, with the contacts and users who attend them. */
import { index, integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { appointment } from '../../catalogue/appointment.ts'
import { columns } from '../../fields/derive.ts'
import { stores, users } from './agency.ts'
import { contacts } from './contacts.ts'
import { linkTable } from './links.ts'
import { listings } from './listings.ts'

export const appointments = sqliteTable(
  'appointments',
  {
    ...columns(appointment, { stores, listings, users }),
    version: integer().notNull().default(1),
    is_deleted: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    index('appointments_by_deleted').on(table.is_deleted),
    index('appointments_by_type').on(table.is_deleted, table.type),
    index('appointments_by_status').on(table.is_deleted, table.status),
    index('appointments_by_store').on(table.is_deleted, table.store_id),
    index('appointments_by_listing').on(table.is_deleted, table.listing_id),
    index('appointments_by_creator').on(table.is_deleted, table.created_by),
    index('appointments_by_starts').on(table.is_deleted, table.starts),
    index('appointments_by_date_created').on(table.is_deleted, table.date_created),
    index('appointments_by_date_updated').on(table.is_deleted, table.date_updated),
  ],
)

export const appointment_contacts = linkTable(
  'appointment_contacts',
  { appointment_id: appointments.id },
  { contact_id: contacts.id },
  (table) => [index('appointment_contacts_by_contact').on(table.contact_id)],
)

export const appointment_users = linkTable(
  'appointment_users',
  { appointment_id: appointments.id },
  { user_id: users.id },
  (table) => [index('appointment_users_by_user').on(table.user_id)],
)
