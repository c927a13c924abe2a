/** What appointments have besides their fields: confirmations, feedback, and who was notified. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import * as catalogue from '../../catalogue/appointment.ts'
import { FEEDBACK_INTERESTS } from '../../catalogue/office-enums.ts'
import { jsonParts } from '../../db/bulk.ts'
import { valuesOf } from '../../db/conditions.ts'
import { WriteStatement } from '../../db/effects.ts'
import { fieldReferences } from '../../db/references.ts'
import { sqlStatement } from '../../db/statements.ts'
import {
  appointment_confirmations,
  appointment_notices,
  appointments as table,
} from '../../db/tables/appointments.ts'
import { blankRecord, inputs, outputs, present, toRow } from '../../fields/derive.ts'
import { choice, dateTime, named } from '../../fields/values.ts'
import { keyedRows, orderedRows, type Values, type WrittenPart } from '../plain/parts.ts'

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
  output: named('AppointmentFeedback', 'What a visitor thinks of a property', {
    ...outputs(catalogue.feedback),
    ...filled,
  }).nullable(),
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

const notices = orderedRows(table, appointment_notices, catalogue.notice, {
  doc: 'The mails that notify people of it, in the order in which they arose',
  brief: 'Who was notified of it',
  entry: { name: 'AppointmentNotice', doc: 'That somebody is notified of an appointment' },
  by: 'notice_id',
  bytes: 200_000,
})

/** Only imports store them. What waits to be sent stays, and is not added a second time. */
export const notified: typeof notices = {
  ...notices,
  store: (records) => {
    const owners = records.map(({ id }) => id)
    const rows = records.flatMap(({ id, stored }) => stored.map((row) => ({ ...row, appointment_id: id })))
    const lists = rows.map((row: Values) =>
      ['appointment_id', 'party', 'recipient_id', 'event', 'date'].map((name) => row[name] ?? null),
    )
    const isWaiting = sql`exists (select 1 from appointment_notices where appointment_id = value ->> 0
      and party = value ->> 1 and recipient_id = value ->> 2 and next_try is not null)`
    return [
      new WriteStatement(
        sqlStatement(sql`delete from appointment_notices
          where appointment_id in (${valuesOf(owners)}) and next_try is null`),
        { table: appointment_notices, removes: { column: 'appointment_id', values: owners } },
      ),
      ...jsonParts(lists).parts.map((part, index) => {
        const added =
          sqlStatement(sql`insert into appointment_notices (appointment_id, party, recipient_id, event, date)
          select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 from json_each(${part})
          where value ->> 4 is not null or not ${isWaiting}`)
        return new WriteStatement(added, { table: appointment_notices, puts: () => (index ? [] : rows) })
      }),
    ]
  },
}
