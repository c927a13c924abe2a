/** A small agency to test against, imported as any agency is. */
import { importRecords, type Line } from '../api.ts'
import { named } from './named.ts'

const place = (
  id: number,
  level: number,
  parent_id: number | null,
  name_el: string,
  name_en: string,
): Line => [
  'locations',
  { id, level, parent_id, name_el, name_en, full_name_el: name_el, full_name_en: name_en },
]

/**
 * Languages 1 (el, default) and 2 (en); stores 1 and 2; users 1–3; places: regions 1 and 2, municipalities 11 and 12
 * in region 1 and 21 in region 2, neighbourhoods 111 and 112 in 11; sources 1–2, tags 1–3; subtypes 1 and 2 of
 * apartment, 3 of office; contacts 1–3, of which 3 is deleted.
 */
export const AGENCY: Line[] = [
  ['languages', { id: 1, code: 'el', name: 'Ελληνικά' }],
  ['languages', { id: 2, code: 'en', name: 'English' }],
  ['stores', { id: 1, name: 'Center' }],
  ['stores', { id: 2, name: 'North' }],
  ['users', { id: 1, name: 'User One', email: 'one@example.com', store_id: 1 }],
  ['users', { id: 2, name: 'User Two', store_id: 2 }],
  ['users', { id: 3, name: 'User Three' }],
  place(1, 1, null, 'Αττική', 'Attica'),
  place(2, 1, null, 'Κρήτη', 'Crete'),
  place(11, 2, 1, 'Αθήνα', 'Athens'),
  place(12, 2, 1, 'Πειραιάς', 'Piraeus'),
  place(21, 2, 2, 'Χανιά', 'Chania'),
  place(111, 3, 11, 'Κολωνάκι', 'Kolonaki'),
  place(112, 3, 11, 'Παγκράτι', 'Pangrati'),
  ...named('listing_sources', 'Website', 'Referral'),
  ...named('listing_tags', 'Hot', 'Sea', 'New'),
  [
    'listing_subtypes',
    { id: 1, subcategory: 'apartment', translations: [{ language_id: 2, name: 'Studio' }] },
  ],
  [
    'listing_subtypes',
    { id: 2, subcategory: 'apartment', translations: [{ language_id: 1, name: 'Ρετιρέ' }] },
  ],
  ['listing_subtypes', { id: 3, subcategory: 'office', translations: [] }],
  ['settings', { key: 'default_language_id', value: 1 }],
  ['contacts', { id: 1, first_name: 'Owner', last_name: 'One', created_by: 1 }],
  ['contacts', { id: 2, first_name: 'Owner', last_name: 'Two', created_by: 1 }],
  ['contacts', { id: 3, first_name: 'Gone', last_name: 'Three', created_by: 1, is_deleted: true }],
]

/** Imports all of it. */
export const seedAgency = (): Promise<void> => importRecords(AGENCY)
