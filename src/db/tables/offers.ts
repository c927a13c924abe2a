/** Offers with their negotiation rounds, and the contracts they led to. */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { contract } from '../../catalogue/contract.ts'
import { type externalProperty, offer, round } from '../../catalogue/offer.ts'
import { columns } from '../../fields/derive.ts'
import type { Values } from '../../fields/field.ts'
import { stores, users } from './agency.ts'
import { contacts } from './contacts.ts'
import { indexesBy } from './indexes.ts'
import { idOf, linkTable } from './links.ts'
import { listings } from './listings.ts'
import { contract_statuses } from './lookups.ts'
import { requests } from './requests.ts'

/** A property that is not a listing of the agency, as offers and contracts describe it. */
export type ExternalProperty = Values<typeof externalProperty>

/** Either a listing of the agency or another property. */
const listingReference = () => ({
  listing_id: integer().references(() => listings.id),
  external_property: text({ mode: 'json' }).$type<ExternalProperty>(),
})

export const offers = sqliteTable(
  'offers',
  {
    ...columns(offer, { requests, stores, users }),
    version: integer().notNull().default(1),
    ...listingReference(),
  },
  (table) => [
    ...indexesBy('offers', table, ['status', 'is_active', 'listing_id', 'request_id', 'store_id']),
    ...indexesBy('offers', table, ['created_by', 'date_created', 'date_updated']),
    // What is accepted, or not decided yet, among many offers for one listing.
    index('offers_by_listing_and_status').on(table.listing_id, table.status),
  ],
)

export const offer_contacts = linkTable('offer_contacts', { offer_id: offers, contact_id: contacts }, [
  ['contact_id', 'offer_id'],
])

export const offer_rounds = sqliteTable(
  'offer_rounds',
  {
    offer_id: idOf(offers),
    ...columns(round, { users }),
  },
  (table) => [index('offer_rounds_by_offer').on(table.offer_id, table.date_created)],
)

export const contracts = sqliteTable(
  'contracts',
  {
    ...columns(contract, { offers, requests, stores, contract_statuses, users, contacts }),
    version: integer().notNull().default(1),
    ...listingReference(),
    /** Whether the property is not a listing of the agency: the filter `external_listing`. */
    external_listing: integer({ mode: 'boolean' }).notNull(),
  },
  (table) => [
    ...indexesBy('contracts', table, ['status_id', 'store_id', 'offer_id', 'external_listing']),
    ...indexesBy('contracts', table, ['external_contact', 'date_created', 'date_updated', 'status_date']),
    ...indexesBy('contracts', table, ['deposit_date']),
    index('contracts_by_listing').on(table.listing_id, table.date_created),
    index('contracts_by_request').on(table.request_id, table.date_created),
    index('contracts_by_notary')
      .on(table.notary_contact_id, table.date_created)
      .where(sql`notary_contact_id is not null`),
  ],
)

export const contract_contacts = linkTable(
  'contract_contacts',
  { contract_id: contracts, contact_id: contacts },
  [['contact_id', 'contract_id']],
)
