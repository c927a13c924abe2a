/** What appointments have besides their fields: confirmations, feedback, and who was notified. */
import { z } from 'zod'
import * as catalogue from '../../catalogue/appointment.ts'
import { FEEDBACK_INTERESTS } from '../../catalogue/office-enums.ts'
import { fieldReferences } from '../../db/references.ts'
import {
  appointment_confirmations,
  appointment_notices,
  appointments as table,
} from '../../db/tables/appointments.ts'
import { blankRecord, inputs, outputs, present, toRow } from '../../fields/derive.ts'
import { choice, dateTime } from '../../fields/values.ts'
import { keyedRows, orderedRows, type WrittenPart } from '../plain/parts.ts'

const { interest, date } = catalogue.feedback
/** What feedback always has. */
export const filled = {
  interest: choice(FEEDBACK_INTERESTS).describe(interest.doc),
  date: dateTime().describe(date.doc),
}

type Feedback = Partial<Parameters<typeof toRow<typeof catalogue.feedback>>[1]> | null | undefined

/** The part. Columns hold it, which are null before. */
export const feedback: WrittenPart<unknown, Feedback> = {
  doc: 'What the visitor thinks of the property; null before',
  output: z
    .object({ ...outputs(catalogue.feedback), ...filled })
    .meta({ id: 'AppointmentFeedback', description: 'What a visitor thinks of a property' })
    .nullable(),
  show: (_, row) => (row.feedback_interest ? present(catalogue.feedback, row) : null),
  input: z
    .object({ ...inputs(catalogue.feedback), ...filled })
    .nullish()
    .describe('What the visitor thinks of the property'),
  references: (sent) => fieldReferences(catalogue.feedback, sent, 'feedback.'),
  resolve: (sent) => toRow(catalogue.feedback, sent ?? blankRecord(catalogue.feedback)),
}

export const confirmations = keyedRows(table, appointment_confirmations, catalogue.confirmation, {
  doc: 'Who has confirmed it, one for each party',
  brief: 'Who has confirmed it',
  entry: { name: 'AppointmentConfirmation', doc: 'That a party has confirmed an appointment' },
  by: 'party',
  bytes: 2_000,
})

export const notified = orderedRows(table, appointment_notices, catalogue.notice, {
  doc: 'The mails that notify people of it, in the order in which they arose',
  brief: 'Who was notified of it',
  entry: { name: 'AppointmentNotice', doc: 'That somebody is notified of an appointment' },
  by: 'notice_id',
  bytes: 200_000,
})
