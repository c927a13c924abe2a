/** Offers with their negotiation rounds, and the contracts they led to. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Availability, Category, OfferStatus, RoundType, Subcategory } from '../../catalogue/enums.ts'
import { stores, users } from './agency.ts'
import { contacts } from './contacts.ts'
import { linkTable } from './links.ts'
import { listings } from './listings.ts'
import { contract_statuses } from './lookups.ts'
import { requests } from './requests.ts'

/** An off-system property, as offers and contracts refer to it. */
export interface ExternalProperty {
  address: string | null
  price: number | null
  owner_name: string | null
  listing_code: string | null
  availability: Availability | null
  category: Category | null
  subcategory: Subcategory | null
  /** Square metres with two decimals. */
  size: string | null
  area_level1: number | null
  area_level2: number | null
  area_level3: number | null
  listing_link: string | null
  notes: string | null
}

/** Either a listing of ours or an off-system property. */
const listingReference = () => ({
  listing_id: integer().references(() => listings.id),
  external_property: text({ mode: 'json' }).$type<ExternalProperty>(),
})

export const offers = sqliteTable(
  'offers',
  {
    id: integer().primaryKey(),
    status: text().$type<OfferStatus>().notNull(),
    is_active: integer({ mode: 'boolean' }).notNull(),
    request_id: integer().references(() => requests.id),
    store_id: integer()
      .notNull()
      .references(() => stores.id),
    created_by: integer()
      .notNull()
      .references(() => users.id),
    date_created: text().notNull(),
    date_updated: text().notNull(),
    currency: text().notNull(),
    current_listing_price: integer().notNull(),
    loan_percentage: integer().notNull().default(0),
    notes: text(),
    external_contact: integer({ mode: 'boolean' }).notNull().default(false),
    ...listingReference(),
  },
  (table) => [
    index('offers_by_status').on(table.status),
    index('offers_by_active').on(table.is_active),
    index('offers_by_listing').on(table.listing_id),
    index('offers_by_request').on(table.request_id),
    index('offers_by_store').on(table.store_id),
    index('offers_by_creator').on(table.created_by),
    index('offers_by_date_created').on(table.date_created),
    index('offers_by_date_updated').on(table.date_updated),
  ],
)

export const offer_contacts = linkTable(
  'offer_contacts',
  { offer_id: offers.id },
  { contact_id: contacts.id },
  (table) => [index('offer_contacts_by_contact').on(table.contact_id)],
)

export const offer_rounds = sqliteTable(
  'offer_rounds',
  {
    id: integer().primaryKey(),
    offer_id: integer()
      .notNull()
      .references(() => offers.id),
    type: text().$type<RoundType>().notNull(),
    amount: integer(),
    current_listing_price: integer(),
    notes: text(),
    created_by: integer()
      .notNull()
      .references(() => users.id),
    date_created: text().notNull(),
  },
  (table) => [index('offer_rounds_by_offer').on(table.offer_id, table.date_created)],
)

export const contracts = sqliteTable(
  'contracts',
  {
    id: integer().primaryKey(),
    offer_id: integer()
      .notNull()
      .references(() => offers.id),
    request_id: integer().references(() => requests.id),
    store_id: integer()
      .notNull()
      .references(() => stores.id),
    status_id: integer()
      .notNull()
      .references(() => contract_statuses.id),
    created_by: integer()
      .notNull()
      .references(() => users.id),
    date_created: text().notNull(),
    date_updated: text().notNull(),
    status_date: text(),
    currency: text().notNull(),
    loan_percentage: integer().notNull().default(0),
    initial_property_price: integer(),
    final_property_price: integer(),
    deposit_amount: integer(),
    deposit_date: text(),
    notary_contact_id: integer().references(() => contacts.id),
    notes: text(),
    external_contact: integer({ mode: 'boolean' }).notNull().default(false),
    ...listingReference(),
    /** Whether the property is off-system: the filter `external_listing`. */
    external_listing: integer({ mode: 'boolean' }).notNull(),
  },
  (table) => [
    index('contracts_by_status').on(table.status_id),
    index('contracts_by_store').on(table.store_id),
    index('contracts_by_offer').on(table.offer_id),
    index('contracts_by_listing').on(table.listing_id),
    index('contracts_by_request').on(table.request_id),
    index('contracts_by_external_listing').on(table.external_listing),
    index('contracts_by_external_contact').on(table.external_contact),
    index('contracts_by_date_created').on(table.date_created),
    index('contracts_by_status_date').on(table.status_date),
  ],
)

export const contract_contacts = linkTable(
  'contract_contacts',
  { contract_id: contracts.id },
  { contact_id: contacts.id },
  (table) => [index('contract_contacts_by_contact').on(table.contact_id)],
)
