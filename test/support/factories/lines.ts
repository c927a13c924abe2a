/** The smallest line of each entity. What it refers to is there after `seedLines`. */
import { MINIMAL as ENQUIRY } from '../../resources/enquiries/seed.ts'
import { seedFinances } from '../../resources/incomes/seed.ts'
import { minimalRequest } from '../../resources/requests/seed.ts'
import { importRecords } from '../api.ts'
import { minimalListing } from './listing.ts'

type Data = Record<string, unknown>

const NAMES = { name_el: 'Α', name_en: 'A', full_name_el: 'Α', full_name_en: 'A' }
const MONEY = { date: '2024-01-01', status: 'pending', created_by: 1 }
const DEAL = { store_id: 1, created_by: 1, currency: 'EUR', listing: { external: false, listing_id: 1 } }

/** A place, as import takes it. */
export const place = (id: number, level: number, parent_id: number | null): Data => ({
  ...{ id, level, parent_id },
  ...NAMES,
})

/** What the smallest line of each entity has beside its id. */
export const SMALLEST = {
  languages: { code: 'xx', name: 'X' },
  stores: { name: 'S' },
  users: { name: 'U' },
  locations: { level: 1, ...NAMES },
  special_locations: { name: 'P', latitude: 1, longitude: 1 },
  listing_tags: { name: 'T' },
  listing_subtypes: { subcategory: 'loft', translations: [] },
  contract_statuses: {
    ...{ name: 'S', is_completed: false, is_cancelled: false },
    ...{ bg_color: '#fff', text_color: '#000' },
  },
  custom_fields: { resource: 'contacts', name: 'F', type: 'text' },
  knowledge_base_categories: { name: 'C', icon: 'i', color: '#fff', is_active: true },
  knowledge_base_articles: { title: 'T', category_id: 1, created_by: 1, content: '' },
  contacts: { first_name: 'A', created_by: 1 },
  listings: minimalListing,
  external_listings: { store_id: 1, created_by: 1 },
  requests: { ...minimalRequest, locations: [1], status: 1 },
  enquiries: ENQUIRY,
  offers: { ...DEAL, status: 'submitted', is_active: true, current_listing_price: 1, contacts: [1] },
  contracts: { ...DEAL, offer_id: 1, status_id: 1, contacts: [1] },
  incomes: { ...MONEY, category: 'other', other_category_id: 1, total_amount: '9.00' },
  expenses: { ...MONEY, category_id: 3, amount: '5.00' },
} satisfies Record<string, Data>

/** What the lines of this file refer to: the agency, deals and finances, category 1 of the knowledge base. */
export async function seedLines(): Promise<void> {
  await seedFinances()
  await importRecords([
    ['external_listing_statuses', { id: 1, name: 'New' }],
    ['knowledge_base_categories', { id: 1, ...SMALLEST.knowledge_base_categories }],
  ])
}
