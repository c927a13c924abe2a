/** Tasks: what is to be done, by whom, and for which contacts. */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import { task } from '../../catalogue/task.ts'
import { columns } from '../../fields/derive.ts'
import { stores, users } from './agency.ts'
import { appointments } from './appointments.ts'
import { contacts } from './contacts.ts'
import { enquiries } from './enquiries.ts'
import { external_listings } from './external-listings.ts'
import { indexesBy } from './indexes.ts'
import { linkTable } from './links.ts'
import { listings } from './listings.ts'
import { contracts, offers } from './offers.ts'
import { requests } from './requests.ts'

export const tasks = sqliteTable(
  'tasks',
  {
    ...columns(task, {
      listings,
      external_listings,
      requests,
      enquiries,
      offers,
      contracts,
      appointments,
      stores,
      users,
    }),
    version: integer().notNull().default(1),
    is_deleted: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    ...indexesBy('tasks', table, ['is_deleted', 'due', 'external_listing_id', 'offer_id', 'contract_id']),
    ...indexesBy('tasks', table, ['appointment_id', 'store_id', 'created_by', 'done_date', 'date_created']),
    ...indexesBy('tasks', table, ['date_updated']),
    // What a user has to do, in order; and what all have that is overdue.
    index('tasks_by_user').on(table.is_deleted, table.user_id, table.status, table.due),
    index('tasks_by_status').on(table.is_deleted, table.status, table.due),
    index('tasks_by_listing').on(table.is_deleted, table.listing_id, table.done_date),
    index('tasks_by_request').on(table.is_deleted, table.request_id, table.done_date),
    index('tasks_by_enquiry').on(table.enquiry_id, table.is_deleted).where(sql`enquiry_id is not null`),
  ],
)

export const task_contacts = linkTable(
  'task_contacts',
  { task_id: tasks, contact_id: contacts },
  [['contact_id', 'done_date', 'task_id']],
  ['done_date'],
)
