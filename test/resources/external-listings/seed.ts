/** What external listings refer to, and short ways to write and read them. */
import { env } from 'cloudflare:workers'
import { get, importRecords, post } from '../../support/api.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { named } from '../../support/factories/named.ts'

/** The small agency with statuses 1–3, sources 1–2, tags 1–4 and a custom field of external listings. */
export async function seedExternalListings(): Promise<void> {
  await seedAgency()
  await importRecords([
    ...named('external_listing_statuses', 'Νέα', 'Σε επαφή', 'Ανατέθηκε'),
    ...named('external_listing_sources', 'Portal', 'Εφημερίδα'),
    ...named('external_listing_tags', 'Ιδιώτης', 'B', 'C', 'D'),
    ['custom_fields', { id: 1, resource: 'external-listings', name: 'Σχόλια', type: 'textarea' }],
    ['custom_fields', { id: 2, resource: 'listings', name: 'Of listings', type: 'text' }],
  ])
}

/** Every key of the body that is no photo. */
export const FULL = {
  created_by: 2,
  store_id: 2,
  source_id: 2,
  status: 3,
  external_url: 'https://portal.example/αγγελία/1',
  availability: 'sale',
  category: 'residential',
  subcategory: 'apartment',
  price: 200_000,
  price_per_sqm: 1999.5,
  size: 100,
  floor: -0.5,
  levels: 2,
  rooms: 3,
  wcs: 1,
  bathrooms: 2,
  kitchens: 1,
  living_rooms: 1,
  year_built: 1978,
  description: 'Φωτεινό 🏠\nδεύτερη γραμμή',
  location: {
    address: 'Σκουφά 1',
    area_level1: 1,
    area_level2: 11,
    area_level3: 111,
    latitude: 37.9785,
    longitude: 23.743,
  },
  contact_full_name: 'Άννα Ξένου',
  contact_email: 'anna@example.com',
  contact_phones: '+30 690 000 0001, 210',
  tags: [3, 1],
  users: [3, 2],
}

const nothingOf = (record: object) => Object.fromEntries(Object.keys(record).map((key) => [key, null]))

/** What a body of required keys alone reads back as, but for its id and dates. */
export const EMPTY = {
  ...nothingOf(FULL),
  ...{ store_id: 1, status: 1, created_by: 1, tags: [], users: [], photos: [] },
  location: nothingOf(FULL.location),
}

/** Creates an external listing over the API and returns it. */
export async function create(body: Record<string, unknown> = {}) {
  const reply = await post('/api/external-listings', { created_by: 1, store_id: 1, ...body })
  if (reply.status !== 200) throw new Error(reply.body.error_message)
  return reply.body.data
}

/** An external listing as the API reads it back. */
export async function read(id: number) {
  return (await get(`/api/external-listings/${id}`)).body.data
}

/** How many external listings are stored. */
export function countRows(): Promise<number | null> {
  return env.DB.prepare('select count(*) as n from external_listings').first<number>('n')
}
