/** A record of every entity that import takes, but for the lists of names of which there is one, and a change of each. */
import { MINIMAL as ENQUIRY } from '../../resources/enquiries/seed.ts'
import { commission, INCOME } from '../../resources/incomes/seed.ts'
import { CONTRACT, OFFER } from '../../resources/offers/seed.ts'
import { minimalRequest } from '../../resources/requests/seed.ts'
import { minimalListing } from '../../support/factories/listing.ts'

type Data = Record<string, unknown>

/** A date of long ago. */
export const OLD = '2020-01-01 00:00:00'
export const dates = { date_created: OLD, date_updated: OLD }

/** One record of every entity, with a value for every key. */
export const RECORDS: [entity: string, data: Data][] = [
  ['languages', { id: 50, code: 'fr', name: 'Français' }],
  [
    'stores',
    {
      id: 50,
      name: 'West',
      watermark_url: 'watermarks/w.png',
      phone: '210 555 0100',
      email: 'west@estia.example.com',
      address: 'Σκουφά 32, Αθήνα',
      url: 'https://estia.example.com/west',
    },
  ],
  ['users', { id: 50, name: 'Fifty', email: 'fifty@example.com', store_id: 50 }],
  [
    'locations',
    { id: 50, level: 2, parent_id: 2, name_el: 'Α', name_en: 'A', full_name_el: 'Α', full_name_en: 'A' },
  ],
  ['special_locations', { id: 50, name: 'Point', latitude: 1.5, longitude: 2.5 }],
  ['listing_sources', { id: 50, name: 'Fair' }],
  ['listing_subtypes', { id: 50, subcategory: 'loft', translations: [{ language_id: 1, name: 'Λοφτ' }] }],
  [
    'contract_statuses',
    { id: 50, name: 'S', is_completed: true, is_cancelled: false, bg_color: '#fff', text_color: '#000' },
  ],
  [
    'custom_fields',
    {
      id: 50,
      resource: 'contacts',
      name: 'Choice',
      type: 'select',
      options: [
        { id: 1, name: 'One' },
        { id: 2, name: 'Two' },
      ],
    },
  ],
  ['settings', { key: 'listings_max_resize', value: 800 }],
  [
    'knowledge_base_categories',
    { id: 50, name: 'How', description: 'D', icon: 'i', color: '#123456', is_active: true },
  ],
  [
    'knowledge_base_articles',
    {
      id: 50,
      title: 'Title',
      category_id: 50,
      content: 'C',
      views: 7,
      created_by: 1,
      ...dates,
      files: [
        { id: 50, original_name: 'a', mime_type: 'text/plain', size: 3, url: 'files/a', date_created: OLD },
      ],
    },
  ],
  [
    'contacts',
    {
      id: 50,
      first_name: 'Nikos',
      phones: [{ type: 'mobile', number: '690', notes: '' }],
      custom_fields: { 50: 2 },
      tags: [],
      ...dates,
    },
  ],
  [
    'listings',
    {
      ...minimalListing,
      id: 50,
      code: 'X-50',
      status: 'active',
      status_date: OLD,
      price: 1000,
      size: 30,
      tags: [2, 1],
      contacts: [1],
      features: ['elevator'],
      location: {
        area_level1: 1,
        postal_code: '10680',
        address: 'Σόλωνος 5',
        latitude: 37.9,
        longitude: 23.7,
      },
      details: { heating_type: 'central', land_size: 20 },
      'the service': { energy_class: 'ap', has_keys: true },
      translations: [
        { language_id: 1, title: 'Τίτλος', description: null },
        { language_id: 2, title: 'Title', description: 'Text' },
      ],
      photos: [{ original_image: 'photos/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jpg', watermark_image: null }],
      panorama_photos: [{ image: 'photos/99999999999999999999999999999999.jpg', thumb: null }],
      floor_configuration: [{ floor: 1 }],
      ...dates,
    },
  ],
  [
    'external_listings',
    {
      id: 50,
      created_by: 1,
      store_id: 1,
      price: 10,
      size: 3,
      location: { address: 'A', latitude: 1, longitude: 2 },
      photos: ['https://cdn.example/1.jpg'],
      ...dates,
    },
  ],
  [
    'requests',
    {
      id: 50,
      ...minimalRequest,
      status: 1,
      price_max: 5000,
      extra_fields: { view: ['sea'], features: ['has_elevator'] },
      ...dates,
    },
  ],
  ['enquiries', { ...ENQUIRY, id: 50, notes: 'Called', users: [1], status: 'open', ...dates }],
  ['offers', { ...OFFER, id: 50, rounds: OFFER.rounds.map((round) => ({ ...round, id: round.id + 500 })) }],
  ['contracts', { ...CONTRACT, id: 50 }],
  ['incomes', { ...INCOME, id: 50, commissions: [commission(50, { expense_id: 51 })] }],
  [
    'expenses',
    {
      id: 52,
      category_id: 3,
      amount: '5.50',
      date: '2024-01-01',
      status: 'pending',
      created_by: 1,
      contacts: [1],
      ...dates,
    },
  ],
]

/** A change of one key for each of `RECORDS`. */
export const CHANGES: Record<string, Data> = {
  languages: { name: 'French' },
  stores: { name: 'East' },
  users: { email: null },
  locations: { name_el: 'Β' },
  special_locations: { latitude: 3.5 },
  listing_sources: { name: 'Market' },
  listing_subtypes: { translations: [] },
  contract_statuses: { is_cancelled: true },
  custom_fields: { name: 'Pick' },
  settings: { value: 900 },
  knowledge_base_categories: { description: null },
  knowledge_base_articles: { views: 8 },
  contacts: { phones: [] },
  listings: { location: { postal_code: null } },
  external_listings: { location: { address: null } },
  requests: { extra_fields: { view: null } },
  enquiries: { message: 'Other' },
  offers: { rounds: [] },
  contracts: { notes: null },
  incomes: { notes: null },
  expenses: { amount: 6 },
}
