/** Activities: what somebody did or said, with whom. */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { activity } from '../../catalogue/activity.ts'
import { columns } from '../../fields/derive.ts'
import { stores, users } from './agency.ts'
import { contacts } from './contacts.ts'
import { enquiries } from './enquiries.ts'
import { external_listings } from './external-listings.ts'
import { indexesBy } from './indexes.ts'
import { linkTable } from './links.ts'
import { listings } from './listings.ts'
import { contracts, offers } from './offers.ts'
import { requests } from './requests.ts'

export const activities = sqliteTable(
  'activities',
  {
    ...columns(activity, {
      listings,
      external_listings,
      requests,
      enquiries,
      offers,
      contracts,
      stores,
      users,
    }),
    version: integer().notNull().default(1),
    /** Id of the key or person that sent it: an `external_id` is known to that one alone. */
    sent_by: text().notNull().default(''),
    /** Subject and text folded, for the search filter. */
    search: text().notNull().default(''),
    is_deleted: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    ...indexesBy('activities', table, ['is_deleted', 'type', 'direction', 'is_pinned']),
    ...indexesBy('activities', table, ['external_listing_id', 'offer_id', 'contract_id', 'store_id']),
    ...indexesBy('activities', table, ['created_by', 'date', 'date_created', 'date_updated']),
    index('activities_by_listing').on(table.is_deleted, table.listing_id, table.date),
    index('activities_by_request').on(table.is_deleted, table.request_id, table.date),
    index('activities_by_enquiry').on(table.enquiry_id, table.is_deleted).where(sql`enquiry_id is not null`),
    index('activities_by_external_id')
      .on(table.sent_by, table.external_id)
      .where(sql`external_id is not null`),
  ],
)

export const activity_contacts = linkTable(
  'activity_contacts',
  { activity_id: activities, contact_id: contacts },
  [['contact_id', 'date', 'activity_id']],
  ['date'],
)

export const activity_users = linkTable('activity_users', { activity_id: activities, user_id: users }, [
  ['user_id'],
])
