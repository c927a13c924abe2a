/** What offers, contracts, incomes and expenses refer to, and short ways to read them. */
import { env } from 'cloudflare:workers'
import { type Data, importRecords, type Line } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { minimalListing } from '../../support/factories/listing.ts'
import { minimalRequest } from '../requests/seed.ts'

/** The agency, listings 1–3, requests 1, 2 and the deleted 3, contract statuses 1 and 2. */
export async function seedDeals(): Promise<void> {
  await seedAgency()
  await importRecords([
    ...[1, 2, 3].map((id): Line => ['listings', { ...minimalListing, id }]),
    ['request_statuses', { id: 1, name: 'Open' }],
    ...[1, 2, 3].map(
      (id): Line => ['requests', { ...minimalRequest, id, locations: [1], status: 1, is_deleted: id === 3 }],
    ),
    ['contract_statuses', SIGNED],
    ['contract_statuses', CANCELLED],
  ])
}

export const SIGNED = {
  id: 1,
  name: 'Signed',
  is_completed: true,
  is_cancelled: false,
  bg_color: '#00ff00',
  text_color: '#000000',
}

export const CANCELLED = {
  id: 2,
  name: 'Cancelled',
  is_completed: false,
  is_cancelled: true,
  bg_color: '#ff0000',
  text_color: '#fff',
}

/** An off-system property with every key. */
export const OFF_SYSTEM = {
  external: true,
  address: 'Ερμού 5',
  price: 150_000,
  owner_name: 'Ιδιοκτήτης',
  listing_code: 'X-1',
  availability: 'sale',
  category: 'residential',
  subcategory: 'loft',
  size: '85.50',
  area_level1: 1,
  area_level2: 11,
  area_level3: 111,
  listing_link: 'https://portal.example/1',
  notes: 'Seen twice',
}

/** An off-system property of which nothing is known. */
export const UNKNOWN_PROPERTY = {
  ...Object.fromEntries(Object.keys(OFF_SYSTEM).map((name) => [name, null])),
  external: true,
}

/** A whole offer, rounds in the order in which they are read back. */
export const OFFER = {
  id: 1,
  status: 'under_negotiation',
  is_active: true,
  request_id: 1,
  store_id: 1,
  created_by: 2,
  date_created: '2024-01-01 10:00:00',
  date_updated: '2024-02-01 10:00:00',
  currency: 'EUR',
  current_listing_price: 200_000,
  loan_percentage: 70,
  notes: 'Σημείωση',
  external_contact: false,
  listing: { external: false, listing_id: 1 } as Data,
  contacts: [2, 1],
  rounds: [
    {
      id: 12,
      type: 'offer_submitted',
      amount: 180_000,
      current_listing_price: 200_000,
      notes: null,
      created_by: 2,
      date_created: '2024-01-01 10:00:00',
    },
    {
      id: 10,
      type: 'counter_offer',
      amount: 195_000,
      current_listing_price: 198_000,
      notes: 'Last word',
      created_by: 1,
      date_created: '2024-01-02 10:00:00',
    },
    {
      id: 11,
      type: 'note',
      amount: null,
      current_listing_price: null,
      notes: 'Thinking',
      created_by: 1,
      date_created: '2024-01-02 10:00:00',
    },
  ],
}

/** A whole contract of the offer 1. */
export const CONTRACT = {
  id: 1,
  offer_id: 1,
  request_id: 1,
  store_id: 1,
  status_id: 1,
  created_by: 2,
  date_created: '2024-03-01 10:00:00',
  date_updated: '2024-03-02 10:00:00',
  status_date: '2024-03-03 10:00:00',
  currency: 'EUR',
  loan_percentage: 70,
  initial_property_price: 200_000,
  final_property_price: 190_000,
  deposit_amount: 19_000,
  deposit_date: '2024-03-04',
  notary_contact_id: 3,
  notes: 'Σημείωση',
  external_contact: false,
  listing: { external: false, listing_id: 1 } as Data,
  contacts: [2, 1],
}

/** Empties tables, in this order. */
export async function empty(...tables: string[]): Promise<void> {
  await env.DB.batch(tables.map((table) => env.DB.prepare(`delete from ${table}`)))
}

/** Every row of a table, by `order`. */
export async function rows(table: string, order = 'rowid'): Promise<Data[]> {
  return selectAll(`select * from ${table} order by ${order}`)
}
