/** `/api/appointments`: list, read, create, update and delete. */
import { selectDefaultCreator } from '../../db/default-creator.ts'
import { appointments as table } from '../../db/tables/appointments.ts'
import { formatDateTime } from '../../fields/values.ts'
import { Router } from '../../http/endpoint/router.ts'
import { writesOf } from '../plain/plain-writes.ts'
import { serveDeletion, serveWrites } from '../plain/writes.ts'
import { serveRecords } from '../records.ts'
import { appointments } from './resource.ts'

export const appointmentRoutes = new Router(
  'Appointments',
  'When users of the agency meet contacts: viewings of listings, valuations and other meetings. A deleted appointment is ' +
    'hidden.',
)

const EDITED = [
  ...(['type', 'status', 'title', 'starts', 'ends', 'store_id', 'listing_id'] as const),
  ...(['contacts', 'users', 'notes'] as const),
]

const writes = writesOf(appointments, {
  create: {
    takes: [...EDITED, 'created_by'],
    optional: ['status', 'created_by'],
    description: 'It is proposed unless the body says otherwise. `ends` has to be later than `starts`.',
  },
  update: {
    takes: EDITED,
    description: 'Only the keys sent change; lists are replaced completely. The creator never changes.',
  },
  lookups: (_, { db }) => ({ creator: selectDefaultCreator(db) }),
  decide(draft, { creator: [found] }, { current }) {
    if (current) return {}
    const { values } = draft
    const created_by = values.created_by ?? found?.created_by ?? undefined
    if (created_by === undefined && !draft.isRefused('created_by'))
      draft.refuse('created_by', 'Missing created_by')
    return {
      set: { status: values.status ?? 'proposed', status_date: formatDateTime(new Date()), created_by },
    }
  },
})

serveRecords(appointmentRoutes, appointments)
serveWrites(appointmentRoutes, writes)
serveDeletion(appointmentRoutes, {
  resource: 'appointments',
  table,
  description: 'The appointment is hidden; its tombstone is in the change feed.',
})
