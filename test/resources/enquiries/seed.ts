/** What enquiries refer to, and short ways to send and read them. */
import { expect } from 'vitest'
import { get, importRecords, keyWith, post, websiteKey } from '../../support/api.ts'
import { selectAll } from '../../support/database.ts'
import { createListing } from '../../support/factories/listing.ts'
import { seedRequests } from '../requests/seed.ts'

/** The smallest body of an enquiry. */
export const MINIMAL = {
  type: 'information',
  last_name: 'Ρήγα',
  email: 'anna@example.com',
  message: 'Is it still available?',
  consent: { privacy: true, marketing: false },
}

/** Every key of the body, for a viewing of listing 1. */
export const FULL = {
  type: 'viewing',
  listing_id: 1,
  first_name: 'Άννα',
  last_name: 'Ρήγα',
  email: 'anna@example.com',
  phone: '+30 690 000 0001',
  message: 'Θα ήθελα να το δω.\n"Αύριο"; 🏠',
  language_id: 1,
  dates: ['2026-12-01 10:00:00', '2026-12-02 18:30:00'],
  search: {
    availability: 'sale',
    category: 'residential',
    locations: [11],
    subcategories: ['apartment'],
    price_max: 300_000,
    rooms_min: 2,
    extra_fields: { features: ['has_elevator'], land_size_min: 5 },
  },
  consent: { privacy: true, marketing: true },
  page_url: 'https://www.example.com/listings/1?a=b',
}

/** References as the service makes them. */
export const REFERENCE = /^[0-9A-HJKMNP-TV-Z]{10}$/

/** What an enquiry of `MINIMAL` reads as, but for its id and dates. */
export const READ = {
  reference: expect.stringMatching(REFERENCE),
  type: 'information',
  listing_id: null,
  first_name: null,
  last_name: 'Ρήγα',
  email: 'anna@example.com',
  phone: null,
  message: 'Is it still available?',
  language_id: null,
  amount: null,
  page_url: null,
  dates: [],
  search: null,
  consent: { privacy: true, marketing: false },
  status: 'new',
  notes: null,
  users: [],
  contact_id: null,
  request_id: null,
  notified: null,
}

/** Listing 1 is active, 2 a draft, 3 active and of store 2. Returns keys of each kind. */
export async function seedEnquiries() {
  await seedRequests()
  for (const store_id of [1, 1, 2]) await createListing({ store_id })
  for (const id of [1, 3]) await post(`/api/listings/${id}/status`, { to: 'active' })
  await importRecords([['settings', { key: 'default_user_id', value: 1 }]])
  return {
    page: await websiteKey({}, ['enquiries:create']),
    store: await websiteKey({ stores: [2] }, ['enquiries:create', 'listings:public']),
    server: await websiteKey({ publishable: false }, ['listings:public', 'enquiries:write']),
    writer: await keyWith('enquiries:write'),
    reader: await websiteKey(),
  }
}

/** Creates an enquiry over the API and returns its id. */
export async function createEnquiry(body: Record<string, unknown> = {}): Promise<number> {
  const reply = await post('/api/enquiries', { ...MINIMAL, ...body })
  if (reply.status !== 200) throw new Error(reply.body.error_message)
  return reply.body.created_id
}

/** An enquiry as the API reads it back. */
export const readEnquiry = async (id: number) => (await get(`/api/enquiries/${id}`)).body.data

/** The enquiries that a search for a reference finds. */
export const findEnquiries = async (reference: string) =>
  (await get(`/api/enquiries?search=${reference}`)).body.data

export const storedEnquiries = () => selectAll('select * from enquiries order by id')
