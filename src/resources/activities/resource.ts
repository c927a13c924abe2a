/** Activities: their parts, filters and order. */
import { sql } from 'drizzle-orm'
import { activity } from '../../catalogue/activity.ts'
import { ACTIVITY_DIRECTIONS, ACTIVITY_TYPES } from '../../catalogue/office-enums.ts'
import { oneLine } from '../../db/fold.ts'
import { activity_contacts, activity_users, activities as table } from '../../db/tables/activities.ts'
import {
  dateTimes,
  flag,
  id,
  linkedTo,
  linkedUser,
  oneOf,
  search,
  subjectFilters,
  user,
} from '../plain/filters.ts'
import { links } from '../plain/parts.ts'
import { type PlainRow, plain } from '../plain/resource.ts'
import { searchText } from './search.ts'

export const activities = plain('activities', {
  table,
  doc: 'What somebody did or said: a note, a call, a message, a meeting',
  fields: activity,
  parts: {
    contacts: links(table, activity_contacts, 'contacts', { doc: 'With whom: ids of contacts' }),
    users: links(table, activity_users, 'users', { doc: 'Who took part: ids of users' }),
  },
  first: ['id', 'type', 'direction', 'date', 'subject', 'text', 'contacts', 'users'],
  derive: (row) => ({ search: searchText(row) }),
  brief: [],
  filters: {
    type: oneOf(table.type, ACTIVITY_TYPES, 'What it was'),
    direction: oneOf(table.direction, ACTIVITY_DIRECTIONS, 'Whether it came in or went out'),
    is_pinned: flag(table.is_pinned, 'Whether it is pinned'),
    // It reads the text of each activity that meets the other filters: an index of texts would be as large as they are.
    search: search(
      (text) => sql`instr(search, ${oneLine(text)}) > 0`,
      'Text to find in subject and text, whatever its case and accents. With `contact_id` or a range of dates, it is fast',
    ),
    contact_id: linkedTo(activity_contacts, 'One of its contacts'),
    user_id: linkedUser(activity_users, 'One of its users'),
    ...subjectFilters(table),
    store_id: id(table.store_id, 'Store'),
    created_by: user(table.created_by, 'User who created it'),
    date: dateTimes(table.date, 'When it happened'),
    date_created: dateTimes(table.date_created, 'When it was created'),
    date_updated: dateTimes(table.date_updated, 'When it last changed'),
  },
  sort: ['date', 'date_created', 'date_updated'],
})

/** A stored activity with its contacts and users. */
export type ActivityRow = PlainRow<typeof table, typeof activities.parts>
