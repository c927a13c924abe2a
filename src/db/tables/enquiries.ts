/** Enquiries: what visitors of websites write to the agency. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { content, conversion, handling, question, record, sender } from '../../catalogue/enquiry.ts'
import { columns } from '../../fields/derive.ts'
import { languages, users } from './agency.ts'
import { contacts } from './contacts.ts'
import { linkTable } from './links.ts'
import { listings } from './listings.ts'
import { requests } from './requests.ts'

export const enquiries = sqliteTable(
  'enquiries',
  {
    ...columns(record),
    // Old enquiries are removed, and the ids of removed ones must not come again.
    id: integer().primaryKey({ autoIncrement: true }),
    version: integer().notNull().default(1),
    ...columns(question, { listings }),
    ...columns(sender),
    ...columns(content, { languages }),
    /** Proposed times of a viewing. */
    dates: text({ mode: 'json' }).$type<string[]>().notNull().default([]),
    /** What is sought, in the form of a request; null if nothing is. */
    sought: text({ mode: 'json' }).$type<Record<string, unknown>>(),
    consents_to_marketing: integer({ mode: 'boolean' }).notNull(),
    ...columns(handling),
    ...columns(conversion, { contacts, requests }),
    /** Folded name, e-mail, digits of the phone and message, for the search filter. */
    search: text().notNull().default(''),
  },
  (table) => [
    // With the date of the status, so that those to be removed are found at once.
    index('enquiries_by_status').on(table.status, table.status_date),
    index('enquiries_by_type').on(table.type),
    index('enquiries_by_listing').on(table.listing_id),
    index('enquiries_by_date_created').on(table.date_created),
    index('enquiries_by_date_updated').on(table.date_updated),
  ],
)

export const enquiry_users = linkTable('enquiry_users', { enquiry_id: enquiries.id }, { user_id: users.id })
