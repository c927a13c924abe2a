/** The fields of a task. */
import { choice, date, dateTime, key, reference, text } from '../fields/kinds.ts'
import { LONG_TEXT } from '../fields/values.ts'
import { TASK_STATUSES } from './office-enums.ts'
import { subjects } from './subjects.ts'

export const task = {
  id: key({ doc: 'Id of the task' }),
  title: text({ doc: 'What is to be done; null only where an erasure has cleared it', person: true }),
  notes: text({ doc: 'Internal notes', person: true, max: LONG_TEXT }),
  due: date({ doc: 'The day by which it is to be done', history: true }),
  user_id: reference({ doc: 'User who is to do it', to: 'users', required: true, history: true }),
  status: choice(TASK_STATUSES, { doc: 'How far it has come', required: true, history: true }),
  done_date: dateTime({ doc: 'When it was done', history: true }),
  result: text({ doc: 'What came of it', person: true, max: 5000 }),
  ...subjects,
  appointment_id: reference({
    doc: 'The appointment that it belongs to',
    to: 'appointments',
    history: true,
  }),
  store_id: reference({ doc: 'Office', to: 'stores', history: true }),
  created_by: reference({ doc: 'User who created it', to: 'users', required: true }),
  date_created: dateTime({ doc: 'When it was created', assigned: true }),
  date_updated: dateTime({ doc: 'When it last changed', assigned: true }),
}
