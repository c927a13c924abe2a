/** What enquiries seek, in words. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { get, importRecords } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { createEnquiry, readEnquiry, seedEnquiries } from './seed.ts'

beforeAll(async () => {
  await seedEnquiries()
  const translations = [
    { language_id: 1, name: 'Παραθαλάσσια' },
    { language_id: 2, name: 'Seaside' },
  ]
  await importRecords([
    ['languages', { id: 1, code: 'el', name: 'Ελληνικά' }],
    ['languages', { id: 2, code: 'en', name: 'English' }],
    ['listing_subtypes', { id: 6, subcategory: 'villa', translations }],
  ])
})

beforeEach(() => execute('delete from enquiries'))

/** The criteria of an enquiry that seeks this, in a list: name, Greek, English. */
async function wordsOf(search: Record<string, unknown> | null): Promise<string[][]> {
  const id = await createEnquiry({ search })
  const { data } = (await get('/api/enquiries?fields=all')).body
  const { criteria, ...listed } = data[0]
  expect(listed).toEqual(await readEnquiry(id))
  return criteria.map(
    ({ name, name_el, value_el, name_en, value_en }: Record<'name', string> & Record<string, string>) => [
      name,
      `${name_el}: ${value_el}`,
      `${name_en}: ${value_en}`,
    ],
  )
}

it('lists what is sought in words of both languages, with the names of places and subtypes', async () => {
  expect(
    await wordsOf({
      availability: 'shortterm',
      category: 'residential',
      locations: [11, 1],
      subcategories: ['villa', 'apartment'],
      subtypes: [6, 5],
      price_min: 1000,
      price_max: 12_500,
      size_min: 60,
      year_built_min: 1990,
      floor_max: 0.5,
      rooms_min: 2,
      rooms_max: 2,
      has_elevator: true,
      extra_fields: {
        features: ['has_elevator', 'has_private_pool'],
        view: ['sea'],
        property_condition: ['new'],
        is_furnished: 'no',
        shortterm_unit: 'per_week',
        shortterm_max_guests_min: 4,
      },
    }),
  ).toEqual([
    ['availability', 'Διάθεση: Βραχυχρόνια μίσθωση', 'Offered: Short-term rental'],
    ['category', 'Κατηγορία: Κατοικία', 'Category: Residential'],
    ['subcategories', 'Είδος ακινήτου: Βίλα, Διαμέρισμα', 'Kind of property: Villa, Apartment'],
    ['subtypes', 'Τύπος ακινήτου: Παραθαλάσσια, #5', 'Type of property: Seaside, #5'],
    ['locations', 'Περιοχή: Αθήνα, Αττική', 'Area: Athens, Attica'],
    ['price', 'Τιμή: 1000 – 12.500', 'Price: 1000 – 12,500'],
    ['size', 'Εμβαδόν (m²): από 60', 'Size (m²): from 60'],
    ['rooms', 'Υπνοδωμάτια: 2', 'Bedrooms: 2'],
    ['floor', 'Όροφος: έως 0,5', 'Floor: up to 0.5'],
    ['has_elevator', 'Ανελκυστήρας: ναι', 'Elevator: yes'],
    ['year_built', 'Έτος κατασκευής: από 1990', 'Year built: from 1990'],
    ['property_condition', 'Κατάσταση ακινήτου: Νεόδμητο', 'Condition: New'],
    ['is_furnished', 'Επιπλωμένο: όχι', 'Furnished: no'],
    ['features', 'Χαρακτηριστικά: Ανελκυστήρας, Ιδιωτική πισίνα', 'Features: Elevator, Private pool'],
    ['view', 'Θέα: Θέα θάλασσα', 'View: Sea view'],
    ['shortterm_unit', 'Χρέωση: Ανά εβδομάδα', 'Charged: Per week'],
    ['shortterm_max_guests', 'Επισκέπτες: από 4', 'Guests: from 4'],
  ])
})

it('counts what is too much to say', async () => {
  const named = Array.from({ length: 25 }, (_, index) => 1000 + index)
  await importRecords(
    named.map((id) => [
      'locations',
      { id, level: 1, parent_id: null, name_el: 'Α', name_en: 'A', full_name_el: 'Α', full_name_en: 'A' },
    ]),
  )
  const list = Array(20).fill('A').join(', ')
  expect((await wordsOf({ locations: named }))[0]?.[2]).toBe(`Area: ${list} +5`)
})

it('says nothing where nothing is sought, and without fields=all', async () => {
  expect(await wordsOf(null)).toEqual([])
  const { data } = (await get('/api/enquiries')).body
  expect(data[0]).not.toHaveProperty('criteria')
})
