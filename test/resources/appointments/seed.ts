/** What appointments refer to, and short ways to write and read them. */
import { type Data, get, importRecords, type Line, post, put } from '../../support/api.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { empty, rows, seedDeals } from '../offers/seed.ts'
import { APPOINTMENT } from './sample.ts'

/** Deals; listing 4 of office 2, external listings 1 and 2; user 7 has left; enquiries 1 (converted) and 25. */
export async function seedDiary(): Promise<void> {
  await seedDeals()
  await importRecords([
    ['listings', { ...SMALLEST.listings, id: 4, store_id: 2 }],
    ['external_listing_statuses', { id: 1, name: 'New' }],
    ...[1, 2].map((id): Line => ['external_listings', { ...SMALLEST.external_listings, id }]),
    ['users', { id: 7, name: 'Seven', store_id: 1, is_active: false }],
    ['enquiries', { ...SMALLEST.enquiries, id: 1, listing_id: 4, contact_id: 2, request_id: 1 }],
    ['enquiries', { ...SMALLEST.enquiries, id: 25, listing_id: 4 }],
  ])
}

/** A viewing of listing 1 that has begun. */
const PAST = {
  ...APPOINTMENT,
  status: 'confirmed',
  status_date: '2024-01-01 09:00:00',
  users: [1],
  contacts: [1],
  created_by: 1,
}

/** Times that have not come. */
export const FUTURE = { starts: '2124-01-01 10:00:00', ends: '2124-01-01 11:00:00' }

export const storeAppointment = (more: Data = {}) =>
  importRecords([['appointments', { id: 1, ...PAST, ...more }]])

/** Removes all appointments. */
export const emptyDiary = () =>
  empty(
    ...['confirmations', 'notices', 'former_users', 'slots', 'contacts', 'users'].map(
      (name) => `appointment_${name}`,
    ),
    'appointments',
    'id_floors',
    'idempotency_keys',
  )

/** Posts a viewing of listing 1 by user 1, unless `body` says otherwise. */
export const book = (body: Data = {}, options = {}) =>
  post('/api/appointments', { ...APPOINTMENT, users: [1], ...body }, options)
export const change = (id: number, body: Data, options = {}) => put(`/api/appointments/${id}`, body, options)
export const read = async (id: number) => (await get(`/api/appointments/${id}`)).body.data
/** The row of the appointment with the lowest id. */
export const storedFirst = async () => (await rows('appointments', 'id'))[0]
