/** Records of the agency and of its lookups that tests of all resources use. */
import type { Samples } from '../../support/factories/samples.ts'

const NAMES = { name_el: 'Α', name_en: 'A', full_name_el: 'Α', full_name_en: 'A' }

export const samples: Samples = {
  languages: {
    smallest: { code: 'xx', name: 'X' },
    whole: { id: 50, code: 'fr', name: 'Français' },
    change: { name: 'French' },
  },
  stores: {
    smallest: { name: 'S' },
    whole: {
      id: 50,
      name: 'West',
      watermark_url: 'watermarks/w.png',
      phone: '210 555 0100',
      email: 'west@estia.example.com',
      address: 'Σκουφά 32, Αθήνα',
      url: 'https://estia.example.com/west',
    },
    change: { name: 'East' },
  },
  users: {
    smallest: { name: 'U' },
    whole: { id: 50, name: 'Fifty', email: 'fifty@example.com', store_id: 50 },
    change: { email: null },
  },
  locations: {
    smallest: { level: 1, ...NAMES },
    whole: { id: 50, level: 2, parent_id: 2, ...NAMES },
    change: { name_el: 'Β' },
  },
  special_locations: {
    smallest: { name: 'P', latitude: 1, longitude: 1 },
    whole: { id: 50, name: 'Point', latitude: 1.5, longitude: 2.5 },
    change: { latitude: 3.5 },
  },
  listing_tags: { smallest: { name: 'T' } },
  listing_sources: { whole: { id: 50, name: 'Fair' }, change: { name: 'Market' } },
  listing_subtypes: {
    smallest: { subcategory: 'loft', translations: [] },
    whole: { id: 50, subcategory: 'loft', translations: [{ language_id: 1, name: 'Λοφτ' }] },
    change: { translations: [] },
  },
  contract_statuses: {
    smallest: {
      ...{ name: 'S', is_completed: false, is_cancelled: false },
      ...{ bg_color: '#fff', text_color: '#000' },
    },
    whole: {
      id: 50,
      name: 'S',
      is_completed: true,
      is_cancelled: false,
      bg_color: '#fff',
      text_color: '#000',
    },
    change: { is_cancelled: true },
  },
  custom_fields: {
    smallest: { resource: 'contacts', name: 'F', type: 'text' },
    whole: {
      id: 50,
      resource: 'contacts',
      name: 'Choice',
      type: 'select',
      options: [
        { id: 1, name: 'One' },
        { id: 2, name: 'Two' },
      ],
    },
    change: { name: 'Pick' },
  },
  settings: { whole: { key: 'listings_max_resize', value: 800 }, change: { value: 900 } },
}
