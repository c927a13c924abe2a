import { beforeAll, describe, expect, it } from 'vitest'
import { FEATURES } from '../../../src/catalogue/features.ts'
import { expectData, get, importRecords, query } from '../../support/api.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { numbered } from '../../support/factories/named.ts'

const SELECT = {
  id: 4,
  name: 'Parking',
  type: 'select',
  options: numbered('Yes', 'No'),
}

beforeAll(async () => {
  await seedAgency()
  await importRecords([
    ['custom_fields', { ...SELECT, resource: 'listings' }],
    ['custom_fields', { id: 2, name: 'Remarks', type: 'textarea', resource: 'listings' }],
    ['custom_fields', { id: 3, name: 'Mobile', type: 'phone', resource: 'contacts' }],
    ...POINTS.toReversed().map((point): [string, typeof point] => ['special_locations', point]),
  ])
})

const place = (id: number, level: number, parent_id: number | null, name_el: string, name_en: string) => ({
  id,
  level,
  parent_id,
  name_el,
  name_en,
  full_name_el: name_el,
  full_name_en: name_en,
})

const PLACES = [
  place(1, 1, null, 'Αττική', 'Attica'),
  place(2, 1, null, 'Κρήτη', 'Crete'),
  place(11, 2, 1, 'Αθήνα', 'Athens'),
  place(12, 2, 1, 'Πειραιάς', 'Piraeus'),
  place(21, 2, 2, 'Χανιά', 'Chania'),
  place(111, 3, 11, 'Κολωνάκι', 'Kolonaki'),
  place(112, 3, 11, 'Παγκράτι', 'Pangrati'),
]

const POINTS = [
  { id: 3, name: 'Ακρόπολη', latitude: 37.9715, longitude: 23.7257 },
  { id: 7, name: 'Harbour', latitude: 35.5186, longitude: -0.5 },
]

const LOOKUPS: [path: string, data: unknown[]][] = [
  ['/api/listings/sources', numbered('Website', 'Referral')],
  ['/api/listings/tags', numbered('Hot', 'Sea', 'New')],
  [
    '/api/listings/subtypes',
    [
      { id: 1, subcategory: 'apartment', translations: [{ language_id: 2, name: 'Studio' }] },
      { id: 2, subcategory: 'apartment', translations: [{ language_id: 1, name: 'Ρετιρέ' }] },
      { id: 3, subcategory: 'office', translations: [] },
    ],
  ],
  ['/api/listings/custom-fields', [{ id: 2, name: 'Remarks', type: 'textarea' }, SELECT]],
  ['/api/listings/features', [...FEATURES]],
  [
    '/api/stores',
    [
      { id: 1, name: 'Center', watermark_url: null, phone: null, email: null, address: null, url: null },
      { id: 2, name: 'North', watermark_url: null, phone: null, email: null, address: null, url: null },
    ],
  ],
  [
    '/api/users',
    [
      { id: 1, name: 'User One', email: 'one@example.com', store_id: 1 },
      { id: 2, name: 'User Two', email: null, store_id: 2 },
      { id: 3, name: 'User Three', email: null, store_id: null },
    ],
  ],
  [
    '/api/languages',
    [
      { id: 1, code: 'el', name: 'Ελληνικά' },
      { id: 2, code: 'en', name: 'English' },
    ],
  ],
  ['/api/locations', PLACES],
  ['/api/special-locations', POINTS],
]

it.each(LOOKUPS)('GET %s serves every entry by id, without paging', (path, data) =>
  expectData(get(path), data),
)

describe('GET /api/stores', () => {
  it('shows watermarks as URLs, whether stored here or elsewhere', async () => {
    await importRecords([
      ['stores', { id: 1, name: 'Center', watermark_url: 'https://cdn.test/mark.png' }],
      ['stores', { id: 2, name: 'North', watermark_url: `watermarks/${'0'.repeat(32)}.png` }],
    ])
    const { body } = await get('/api/stores')
    expect(body.data.map(({ watermark_url }: { watermark_url: string }) => watermark_url)).toEqual([
      'https://cdn.test/mark.png',
      `http://estia.test/watermarks/${'0'.repeat(32)}.png`,
    ])
  })
})

describe('GET /api/locations', () => {
  it.each<[filter: Record<string, unknown>, ids: number[]]>([
    [{ level: 1 }, [1, 2]],
    [{ parent_id: 1 }, [11, 12]],
    [{ level: 2, parent_id: 2 }, [21]],
    [{ search: 'Αθήνα' }, [11]],
    [{ search: 'ΑΘΗΝΑ' }, [11]],
    [{ search: 'πειραιας' }, [12]],
    [{ search: 'κ' }, [1, 2, 111, 112]],
    [{ search: 'ATH' }, [11]],
    [{ search: 'a', level: 3 }, [111, 112]],
    [{ search: '%' }, []],
    [{ search: '' }, PLACES.map(({ id }) => id)],
    [{ level: null, parent_id: null, search: null }, PLACES.map(({ id }) => id)],
  ])('%j', async (filter, ids) => {
    const entries = Object.entries(filter).map(([key, value]) => [key, String(value ?? '')])
    for (const reply of [
      await query('/api/locations', filter),
      await get(`/api/locations?${new URLSearchParams(entries)}`),
    ]) {
      expect(reply.body.data.map(({ id }: { id: number }) => id)).toEqual(ids)
    }
  })
})
