/** The fields of an activity. */
import { choice, count, dateTime, flag, key, reference, text } from '../fields/kinds.ts'
import { LONG_TEXT } from '../fields/values.ts'
import { ACTIVITY_DIRECTIONS, ACTIVITY_TYPES } from './office-enums.ts'
import { subjects } from './subjects.ts'

export const activity = {
  id: key({ doc: 'Id of the activity' }),
  type: choice(ACTIVITY_TYPES, { doc: 'What it was', required: true, history: true }),
  direction: choice(ACTIVITY_DIRECTIONS, { doc: 'From the contact (`in`) or to the contact', history: true }),
  date: dateTime({ doc: 'When it happened', required: true, history: true }),
  subject: text({ doc: 'What it was about, in a line', person: true }),
  text: text({ doc: 'What was said or done', person: true, max: LONG_TEXT }),
  ...subjects,
  store_id: reference({ doc: 'Office', to: 'stores', history: true }),
  minutes: count({ doc: 'How long it took', history: true }),
  is_pinned: flag({ doc: 'Whether it is to be seen first', history: true }),
  author: text({ doc: 'Name of the API key that entered it, where no user did', person: false }),
  external_id: text({ doc: 'Its id in the system that it comes from', person: true }),
  created_by: reference({ doc: 'User who created it', to: 'users', required: true }),
  date_created: dateTime({ doc: 'When it was created', assigned: true }),
  date_updated: dateTime({ doc: 'When it last changed', assigned: true }),
}
