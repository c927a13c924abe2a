/** Enquiries: what visitors of websites write to the agency. */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { content, conversion, handling, question, record, sender } from '../../catalogue/enquiry.ts'
import { columns } from '../../fields/derive.ts'
import { languages, users } from './agency.ts'
import { contacts } from './contacts.ts'
import { indexesBy } from './indexes.ts'
import { linkTable } from './links.ts'
import { listings } from './listings.ts'
import { personKeys } from './person-keys.ts'
import { requests } from './requests.ts'

export const enquiries = sqliteTable(
  'enquiries',
  {
    ...columns(record),
    // Old enquiries are removed, and the ids of removed ones must not come again.
    id: integer().primaryKey({ autoIncrement: true }),
    version: integer().notNull().default(1),
    reference: text().notNull().default(''),
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
    /** What the search filter looks in (`resources/enquiries/search.ts`). */
    search: text().notNull().default(''),
    person_keys: personKeys(),
    /** Whether the sender was erased (`admin/erasure/`). Such an enquiry has no name and no message. */
    is_erased: integer({ mode: 'boolean' }).notNull().default(false),
    /** Id of the key for visitors that sent it, and its size in bytes; '' and 0 for all others. */
    sent_by: text().notNull().default(''),
    bytes: integer().notNull().default(0),
  },
  (table) => [
    // With the date of the status, so that those to be removed are found at once.
    index('enquiries_by_status').on(table.status, table.status_date),
    ...indexesBy('enquiries', table, ['type', 'date_created', 'date_updated']),
    index('enquiries_by_listing').on(table.listing_id, table.date_created),
    index('enquiries_by_contact').on(table.contact_id, table.date_created).where(sql`contact_id is not null`),
    index('enquiries_by_request').on(table.request_id, table.date_created).where(sql`request_id is not null`),
  ],
)

/**
 * How many new enquiries each key for visitors has sent, and their bytes. Triggers keep the counts, and roll back a
 * transaction that stores one too many (migration `enquiry_bounds`).
 */
export const enquiry_usage = sqliteTable('enquiry_usage', {
  api_key: text().primaryKey(),
  enquiries: integer().notNull(),
  bytes: integer().notNull(),
})

/**
 * Mails that are to tell an office of an enquiry. Times are milliseconds, as in `Date.now()`. No foreign key: enquiries are
 * removed without regard to it.
 */
export const enquiry_mails = sqliteTable(
  'enquiry_mails',
  {
    enquiry_id: integer().primaryKey(),
    created: integer().notNull(),
    /** How often sending was begun. */
    tries: integer().notNull(),
    /** When it may be tried again. Beginning a try moves it on, so that no other begins meanwhile. */
    next_try: integer().notNull(),
  },
  (table) => [index('enquiry_mails_by_next_try').on(table.next_try)],
)

export const enquiry_users = linkTable('enquiry_users', { enquiry_id: enquiries, user_id: users })
