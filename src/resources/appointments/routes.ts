/** `/api/appointments`: list, read, create, update and delete, and what a new one would conflict with. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { APPOINTMENT_TYPES } from '../../catalogue/office-enums.ts'
import { database, runStatement } from '../../db/client.ts'
import { mergeRecord } from '../../db/merge.ts'
import { updateRow } from '../../db/rows.ts'
import { appointments as table } from '../../db/tables/appointments.ts'
import { readInZone } from '../../db/time-zone.ts'
import { enterChangesWhere, MARKED_AS_DELETED } from '../../db/trail.ts'
import { dateTime, formatDateTime, named } from '../../fields/values.ts'
import { Router } from '../../http/endpoint/router.ts'
import { lookupBody } from '../../http/reply/envelope.ts'
import { idFilter, oneOfFilter, usersFilter } from '../../http/request/filters.ts'
import { mailBehindReply } from '../mails/queue.ts'
import type { FilterValues } from '../plain/filters.ts'
import { serveDeletion, serveWrites } from '../plain/writes.ts'
import { serveRecords } from '../records.ts'
import { MAX_SHOWN, selectConflicting, takenBy } from './conflicts.ts'
import { serveCourse } from './course.ts'
import { serveFeedback } from './feedback.ts'
import { NOTICE_MAILS } from './notice-mail.ts'
import { noticesOf, selectRecipients } from './notices.ts'
import { appointments } from './resource.ts'
import { checkEnd, defaultEnd } from './times.ts'
import { appointmentWrites } from './write.ts'

export const appointmentRoutes = new Router(
  'Appointments',
  'When users of the agency meet contacts: viewings of listings, valuations and other meetings; and when they are absent. A ' +
    'deleted appointment is hidden: deletion is for slips, what fell through is cancelled.',
)

const { shape } = appointments.read.record

appointmentRoutes.get(
  '/api/appointments/conflicts',
  {
    summary: 'List what an appointment would conflict with',
    description:
      'What `POST /api/appointments` with these values would refuse, and with `except` a PUT: other appointments of the same ' +
      'users, or viewings and valuations of the same property, at the same time. Those that are cancelled or no_show do not ' +
      `count. At most ${MAX_SHOWN}, in the order of their start.`,
    filters: z.object({
      starts: dateTime().describe('When it starts'),
      ends: dateTime().nullish().describe('When it ends; by default as of a new appointment'),
      users: usersFilter().describe('Who attends: the user behind the caller by default'),
      listing_id: idFilter().describe('The listing of a viewing or valuation'),
      external_listing_id: idFilter().describe('The external listing of a viewing or valuation'),
      type: oneOfFilter(APPOINTMENT_TYPES).describe('What it is for: a viewing by default'),
      except: idFilter().describe('The appointment that is to be changed'),
    }),
    reply: lookupBody(
      named('AppointmentConflict', 'An appointment at the same time', {
        appointment_id: z.int().describe('Id of the appointment'),
        type: shape.type,
        starts: shape.starts,
        ends: shape.ends,
        users: shape.users,
        listing_id: shape.listing_id,
      }),
    ),
  },
  async (c, { filters }) => {
    const draft = filters()
    const { starts, ends } = draft.values
    if (starts && ends) checkEnd(draft, starts, ends)
    const { except, users, ...values } = draft.complete()
    const type = values.type ?? 'viewing'
    const caller = c.get('key')?.user_id
    const rows = await readInZone(database(c.env), (zone, db) => {
      const end = values.ends ?? defaultEnd(type, values.starts, zone)
      checkEnd(draft, values.starts, end)
      draft.complete()
      const taken = { ...values, type, ends: end, users: users ?? (caller == null ? [] : [caller]) }
      return runStatement(db, selectConflicting({ ...takenBy(taken, null), id: except ?? null }))
    })
    return rows
  },
)

serveRecords(appointmentRoutes, {
  ...appointments,
  findPage: (db, filters: FilterValues) =>
    filters.day == null
      ? appointments.findPage(db, filters)
      : readInZone(db, (_, joined) => appointments.findPage(joined, filters)),
})
serveWrites(appointmentRoutes, { ...appointmentWrites, mails: NOTICE_MAILS })

serveDeletion(appointmentRoutes, {
  resource: 'appointments',
  description:
    'The appointment is hidden; its tombstone is in the change feed. Its users are notified; to notify others, cancel it first.',
  remove: async (db, record, c) => {
    const { id } = record
    const reading = {
      current: appointments.select({ id }),
      lookups: { recipients: selectRecipients(db, { id }) },
    }
    await mergeRecord(db, record, reading, (row, { recipients }) => ({
      trail: enterChangesWhere(table, sql`id = ${id}`, MARKED_AS_DELETED),
      row: updateRow(table, row, { is_deleted: true, date_updated: formatDateTime(new Date()) }),
      notices: noticesOf(row, null, { recipients }).statements,
    }))
    mailBehindReply(c, NOTICE_MAILS)
  },
})
serveCourse(appointmentRoutes)
serveFeedback(appointmentRoutes)
