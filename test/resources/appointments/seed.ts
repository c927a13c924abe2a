/** Appointments for tests, stored by an import, which judges no course. */
import { importRecords } from '../../support/api.ts'
import { empty } from '../offers/seed.ts'

/** A viewing of listing 1 that has begun. */
const PAST = {
  type: 'viewing',
  status: 'confirmed',
  status_date: '2024-01-01 09:00:00',
  starts: '2024-01-01 10:00:00',
  ends: '2024-01-01 11:00:00',
  store_id: 1,
  listing_id: 1,
  users: [1],
  contacts: [1],
  created_by: 1,
}

/** Times that have not come. */
export const FUTURE = { starts: '2124-01-01 10:00:00', ends: '2124-01-01 11:00:00' }

export const storeAppointment = (more: Record<string, unknown> = {}) =>
  importRecords([['appointments', { id: 1, ...PAST, ...more }]])

/** Empties all tables of appointments. */
export const emptyAppointments = () =>
  empty(
    ...['confirmations', 'notices', 'former_users', 'slots', 'contacts', 'users'].map(
      (name) => `appointment_${name}`,
    ),
    'appointments',
    'id_floors',
    'idempotency_keys',
  )
