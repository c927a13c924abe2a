/** `/api/appointments`: list, read, create, update and delete. */
import { appointments as table } from '../../db/tables/appointments.ts'
import { Router } from '../../http/endpoint/router.ts'
import { serveDeletion, serveWrites } from '../plain/writes.ts'
import { serveRecords } from '../records.ts'
import { appointments } from './resource.ts'
import { appointmentWrites } from './write.ts'

export const appointmentRoutes = new Router(
  'Appointments',
  'When users of the agency meet contacts: viewings of listings, valuations and other meetings. A deleted appointment is ' +
    'hidden.',
)

serveRecords(appointmentRoutes, appointments)
serveWrites(appointmentRoutes, appointmentWrites)
serveDeletion(appointmentRoutes, {
  resource: 'appointments',
  table,
  description: 'The appointment is hidden; its tombstone is in the change feed.',
})
