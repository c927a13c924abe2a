/** The course of an appointment: its status, and which of its parties have confirmed it. */
import { z } from 'zod'
import { appointment, confirmation } from '../../catalogue/appointment.ts'
import { APPOINTMENT_PARTIES } from '../../catalogue/office-enums.ts'
import { type Database, database, type Results } from '../../db/client.ts'
import { selectCaller } from '../../db/default-creator.ts'
import { mergeRecord } from '../../db/merge.ts'
import { updateRecord, updateRow } from '../../db/rows.ts'
import { appointments as table } from '../../db/tables/appointments.ts'
import { changesOf, enterChanges } from '../../db/trail.ts'
import { inputs } from '../../fields/derive.ts'
import { formatDateTime, named, optionalText } from '../../fields/values.ts'
import type { RecordRef } from '../../http/concurrency/entity-tags.ts'
import { idParam } from '../../http/endpoint/parameters.ts'
import type { Router } from '../../http/endpoint/router.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { updatedBody, updatedReply } from '../../http/reply/envelope.ts'
import type { Draft } from '../../http/request/check.ts'
import { mailBehindReply } from '../mails/queue.ts'
import type { Values } from '../plain/parts.ts'
import { withReason } from '../plain/reason.ts'
import { setHeaders } from '../plain/writes.ts'
import {
  allowConflicts,
  CONFLICT_HEADER,
  judgeConflicts,
  selectConflicts,
  takenByStored,
} from './conflicts.ts'
import { NOTICE_MAILS } from './notice-mail.ts'
import { NOTICE_HEADER, noticesOf, notify, selectRecipients } from './notices.ts'
import { confirmations } from './parts.ts'
import { type AppointmentRow, appointments } from './resource.ts'

type Status = AppointmentRow['status']

/** What each status may become. */
const TRANSITIONS: Record<Status, readonly Status[]> = {
  proposed: ['confirmed', 'done', 'no_show', 'cancelled'],
  confirmed: ['proposed', 'done', 'no_show', 'cancelled'],
  done: ['no_show'],
  no_show: ['done'],
  cancelled: ['proposed'],
}
/** What only an appointment that has begun can become. */
const AFTERWARDS: readonly Status[] = ['done', 'no_show']
/** Statuses in which others may take its time: out of them it must not conflict with these. */
const FREE: readonly Status[] = ['cancelled', 'no_show']

const { status } = inputs(appointment)
const { party, via } = inputs(confirmation)

const statusChange = named('AppointmentStatusChange', 'The new status of an appointment', {
  to: status.describe('The new status'),
  reason: optionalText().nullish().describe('Why; it becomes a line of `notes`'),
  allow_conflicts: allowConflicts,
  notify,
})

const confirmationInput = named('AppointmentConfirmationInput', 'That a party confirms an appointment', {
  party,
  via,
})

/** Throws 409 unless an appointment has begun. */
export function requireBegun({ starts }: Pick<AppointmentRow, 'starts'>, now: string): void {
  if (starts > now) throw new ApiError(409, 'Appointment has not begun')
}

/** Adds the status and the confirmations of appointments to `router`. */
export function serveCourse(router: Router): void {
  const contract = { resource: 'Appointment', reply: updatedBody } as const

  router.post(
    '/api/appointments/{id}/status',
    {
      ...contract,
      summary: 'Change the status of an appointment',
      operationId: 'changeAppointmentStatus',
      description:
        'A proposed one can be confirmed or cancelled, a confirmed one proposed again or cancelled, and a cancelled one ' +
        'proposed again. Once it has begun, it is `done`, or a `no_show`. The status that it has changes nothing.',
      body: statusChange,
      errors: { 409: 'Appointment is done: cancelled is not possible' },
      replyHeaders: { ...CONFLICT_HEADER, ...NOTICE_HEADER },
    },
    async (c, input) => {
      const draft = await input.body()
      const record = input.record()
      await changeStatus(database(c.env), record, draft, (headers) => setHeaders(c, headers))
      mailBehindReply(c, NOTICE_MAILS)
      return record.id
    },
  )

  router.post(
    '/api/appointments/{id}/confirmations',
    {
      ...contract,
      summary: 'Enter that a party confirms an appointment',
      operationId: 'confirmAppointment',
      description: 'It takes the place of an earlier one of that party. The status stays.',
      body: confirmationInput,
    },
    async (c, input) => {
      const draft = await input.body()
      const record = input.record()
      await changeConfirmations(database(c.env), record, (stored, user_id) => {
        const made = draft.complete()
        return [...without(stored, made.party), { ...made, date: formatDateTime(new Date()), user_id }]
      })
      return record.id
    },
  )

  router.delete(
    '/api/appointments/{id}/confirmations/{party}',
    {
      ...contract,
      summary: 'Take back that a party confirms an appointment',
      operationId: 'unconfirmAppointment',
      description: 'The status stays.',
      part: true,
      params: z.object({
        id: idParam('Appointment'),
        // A party that there is not has no confirmation.
        party: z.string().meta({ description: 'Who has confirmed', enum: [...APPOINTMENT_PARTIES] }),
      }),
      errors: { 404: 'Confirmation not found' },
    },
    async (c, input) => {
      const record = input.record()
      const params = input.params()
      await changeConfirmations(database(c.env), record, (stored) => {
        const left = without(stored, params.party)
        if (left.length === stored.length) throw notFound('Confirmation')
        return left
      })
      return record.id
    },
  )
}

/** Sets the status of an appointment. Throws 404, 412, 400, and 409 where its status or time does not allow it. */
async function changeStatus(
  db: Database,
  record: RecordRef,
  draft: Draft<z.output<typeof statusChange>>,
  setHeaders: (headers: Record<string, string | undefined>) => void,
): Promise<void> {
  const { id } = record
  const { to, notify } = draft.values
  const taken = takenByStored(id)
  const lookups = {
    conflicts: to && FREE.includes(to) ? null : selectConflicts(taken),
    recipients: selectRecipients(db, { id, notify }),
  }
  const reading = { current: appointments.select({ id }), lookups }
  const decide = (current: AppointmentRow, found: Results<typeof lookups>) => {
    const { to, reason, allow_conflicts, notify } = draft.complete()
    const notices = noticesOf(current, { ...current, status: to }, { notify, recipients: found.recipients })
    // Also those of an attempt before.
    setHeaders({ 'X-Conflicts': undefined, ...notices.headers })
    if (to === current.status) return null
    if (!TRANSITIONS[current.status].includes(to))
      throw new ApiError(409, `Appointment is ${current.status}: ${to} is not possible`)
    const now = formatDateTime(new Date())
    if (AFTERWARDS.includes(to)) requireBegun(current, now)
    const isTaken = FREE.includes(current.status) && !FREE.includes(to)
    const judged = isTaken ? judgeConflicts(taken, found.conflicts ?? [], allow_conflicts) : null
    setHeaders(judged?.headers ?? {})
    const notes = reason?.trim() ? withReason(draft, current.notes, to, reason) : current.notes
    draft.complete()
    const columns = { status: to, status_date: now, notes }
    const writes = updateRecord(table, {}, current, { columns }, { guard: judged?.guard ?? null })
    return writes && { ...writes, notices: notices.statements }
  }
  await mergeRecord(db, record, reading, decide, { answer: updatedAnswer(record), isQueued: false })
}

/** Replaces the confirmations of an appointment. Throws 404, 412 and 400. */
async function changeConfirmations(
  db: Database,
  record: RecordRef,
  change: (stored: Values[], user_id: number | null) => Values[],
): Promise<void> {
  const lookups = { caller: selectCaller(db) }
  const reading = { current: appointments.select({ id: record.id }), lookups }
  const decide = (current: AppointmentRow, { caller: [user] }: Results<typeof lookups>) => {
    const changed = change(current.confirmations, user?.id ?? null)
    const { id, version } = current
    const changes = changesOf('appointments', current, { confirmations: changed })
    return {
      row: updateRow(table, current, { date_updated: formatDateTime(new Date()) }),
      confirmations: confirmations.store?.([{ id, stored: changed }]) ?? null,
      trail: enterChanges('appointments', [{ id, version: version + 1, changes }]),
    }
  }
  await mergeRecord(db, record, reading, decide, { answer: updatedAnswer(record), isQueued: false })
}

const without = (stored: readonly Values[], party: unknown) => stored.filter((one) => one.party !== party)

const updatedAnswer = ({ id }: RecordRef) => ({ text: '?', params: [JSON.stringify(updatedReply(id))] })
