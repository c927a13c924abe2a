/** The fields of an appointment. */
import { choice, dateTime, key, reference, text } from '../fields/kinds.ts'
import { LONG_TEXT } from '../fields/values.ts'
import { APPOINTMENT_STATUSES, APPOINTMENT_TYPES } from './office-enums.ts'

export const appointment = {
  id: key({ doc: 'Id of the appointment' }),
  type: choice(APPOINTMENT_TYPES, { doc: 'What it is for', required: true, history: true }),
  status: choice(APPOINTMENT_STATUSES, { doc: 'How far it has come', required: true, history: true }),
  title: text({ doc: 'What it is called in a calendar', person: true }),
  starts: dateTime({ doc: 'When it starts', required: true, history: true }),
  ends: dateTime({ doc: 'When it ends, later than `starts`', required: true, history: true }),
  store_id: reference({ doc: 'Office', to: 'stores', required: true, history: true }),
  listing_id: reference({ doc: 'The listing that it is about', to: 'listings', history: true }),
  notes: text({ doc: 'Internal notes', person: true, max: LONG_TEXT }),
  created_by: reference({ doc: 'User who created it', to: 'users', required: true }),
  date_created: dateTime({ doc: 'When it was created', assigned: true }),
  date_updated: dateTime({ doc: 'When it last changed', assigned: true }),
}
