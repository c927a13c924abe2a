/** Contacts: owners, buyers, tenants, notaries. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from './agency.ts'
import { linkTable } from './links.ts'
import { contact_sources, contact_tags } from './lookups.ts'

export const contacts = sqliteTable(
  'contacts',
  {
    id: integer().primaryKey(),
    version: integer().notNull().default(1),
    first_name: text().notNull().default(''),
    last_name: text().notNull().default(''),
    source_id: integer().references(() => contact_sources.id),
    is_lead: integer({ mode: 'boolean' }).notNull().default(false),
    is_company: integer({ mode: 'boolean' }).notNull().default(false),
    company_name: text(),
    phones: text({ mode: 'json' })
      .$type<{ type: string; number: string; notes: string }[]>()
      .notNull()
      .default([]),
    emails: text({ mode: 'json' })
      .$type<{ type: string; email_address: string; notes: string }[]>()
      .notNull()
      .default([]),
    notes: text().notNull().default(''),
    address_area: text(),
    address_street: text(),
    address_postal_code: text(),
    custom_fields: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull().default({}),
    contact_details: text({ mode: 'json' })
      .$type<
        {
          first_name: string
          last_name: string
          mobile: string | null
          email: string | null
          notes: string
        }[]
      >()
      .notNull()
      .default([]),
    created_by: integer()
      .notNull()
      .references(() => users.id),
    date_created: text().notNull(),
    date_updated: text().notNull(),
    date_converted_to_client: text(),
    /** Folded names, phone digits and e-mail addresses, for the search filter. */
    search: text().notNull().default(''),
    is_deleted: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    index('contacts_by_deleted').on(table.is_deleted),
    // A search reads every living contact's text, but not the contact.
    index('contacts_by_search').on(table.is_deleted, table.search),
    index('contacts_by_date_created').on(table.is_deleted, table.date_created),
    index('contacts_by_date_updated').on(table.is_deleted, table.date_updated),
  ],
)

export const contact_tag_links = linkTable(
  'contact_tag_links',
  { contact_id: contacts.id },
  { tag_id: contact_tags.id },
)

export const contact_users = linkTable('contact_users', { contact_id: contacts.id }, { user_id: users.id })
