/** Contacts: owners, buyers, tenants, notaries. */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { address, contact, people, record } from '../../catalogue/contact.ts'
import { columns } from '../../fields/derive.ts'
import { users } from './agency.ts'
import { indexesBy } from './indexes.ts'
import { linkTable } from './links.ts'
import { contact_sources, contact_tags } from './lookups.ts'
import { personKeys } from './person-keys.ts'

export const contacts = sqliteTable(
  'contacts',
  {
    ...columns(record, { users }),
    version: integer().notNull().default(1),
    ...columns(contact, { contact_sources }),
    ...columns(address),
    ...columns(people),
    custom_fields: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull().default({}),
    date_converted_to_client: text(),
    /** Folded names, phone digits and e-mail addresses, for the search filter. */
    search: text().notNull().default(''),
    person_keys: personKeys(),
    is_deleted: integer({ mode: 'boolean' }).notNull().default(false),
    /** Whether the person was erased (`admin/erasure/`). Such a contact is blank, and counts as deleted. */
    is_erased: integer({ mode: 'boolean' }).notNull().default(false),
    /**
     * The contact that this one was merged into. It counts as deleted, and keeps its values. That contact may be merged, too. An
     * import may store them in any order, so there is no foreign key.
     */
    merged_into: integer(),
  },
  (table) => [
    ...indexesBy('contacts', table, ['is_deleted', 'date_created', 'date_updated']),
    // The release before this one searches by it; a later one drops it.
    index('contacts_by_search').on(table.is_deleted, table.search),
    index('contacts_without_keys').on(table.is_deleted).where(sql`person_keys = '{}'`),
    index('contacts_by_date_converted').on(table.is_deleted, table.date_converted_to_client),
    index('contacts_by_merged_into').on(table.merged_into).where(sql`merged_into is not null`),
  ],
)

export const contact_tag_links = linkTable('contact_tag_links', {
  contact_id: contacts,
  tag_id: contact_tags,
})

export const contact_users = linkTable('contact_users', { contact_id: contacts, user_id: users })

/** The merges of contacts that can be undone, by the contact that was merged. */
export const contact_merges = sqliteTable(
  'contact_merges',
  { contact_id: integer().primaryKey(), into_id: integer().notNull(), date: text().notNull() },
  (table) => [index('contact_merges_by_date').on(table.date)],
)

/**
 * What a merge has moved: ids only. Where a list named both contacts, the remaining one has a row as well, as then the list has it
 * for more than one reason.
 */
export const contact_merge_references = sqliteTable(
  'contact_merge_references',
  {
    into_id: integer().notNull(),
    /** The resource and the field: `offers.contacts`. */
    place: text().notNull(),
    record_id: integer().notNull(),
    /** The custom field, or the row of the record; 0 without either. */
    part: integer().notNull(),
    /** Whom the record named before. */
    contact_id: integer().notNull(),
    /** In a list. */
    position: integer().notNull(),
  },
  ({ into_id, place, record_id, part, contact_id, position }) => [
    primaryKey({ columns: [into_id, place, record_id, part, contact_id, position] }),
    index('contact_merge_references_by_part').on(place, record_id, part).where(sql`part > 0`),
  ],
)
