/** Tasks: their parts, filters and order. */
import { eq, sql } from 'drizzle-orm'
import { TASK_STATUSES } from '../../catalogue/office-enums.ts'
import { task } from '../../catalogue/task.ts'
import { tasks as table, task_contacts } from '../../db/tables/tasks.ts'
import { assumedZone } from '../../db/time-zone.ts'
import { todayIn } from '../../fields/time-zone.ts'
import { date } from '../../fields/values.ts'
import { booleanFilter } from '../../http/request/filters.ts'
import { dates, dateTimes, filter, id, linkedTo, oneOf, subjectFilters, user } from '../plain/filters.ts'
import { links } from '../plain/parts.ts'
import { type PlainRow, plain } from '../plain/resource.ts'

export const tasks = plain('tasks', {
  table,
  doc: 'What is to be done, and by whom',
  fields: task,
  parts: {
    contacts: links(table, task_contacts, 'contacts', { doc: 'For whom: ids of contacts' }),
  },
  first: ['id', 'title', 'notes', 'due', 'user_id', 'status', 'done_date', 'result', 'contacts'],
  brief: [],
  filters: {
    user_id: user(table.user_id, 'User who is to do it'),
    status: oneOf(table.status, TASK_STATUSES, 'How far it has come'),
    day: filter<string>(date().nullish(), 'The day on which it is due', (day) => eq(table.due, day)),
    overdue: filter<boolean>(
      booleanFilter(),
      'Whether it is open and was due before today, in the time zone of the agency',
      (value) => {
        const isOverdue = sql`(status = 'open' and due < ${todayIn(assumedZone())})`
        // Without a day it is null, which is neither.
        return value ? isOverdue : sql`${isOverdue} is not true`
      },
    ),
    contact_id: linkedTo(task_contacts, 'One of its contacts'),
    ...subjectFilters(table),
    appointment_id: id(table.appointment_id, 'The appointment that it belongs to'),
    store_id: id(table.store_id, 'Store'),
    created_by: user(table.created_by, 'User who created it'),
    due: dates(table.due, 'When it is due'),
    done_date: dateTimes(table.done_date, 'When it was done'),
    date_created: dateTimes(table.date_created, 'When it was created'),
    date_updated: dateTimes(table.date_updated, 'When it last changed'),
  },
  sort: ['due', 'done_date', 'date_created', 'date_updated'],
})

/** A stored task with its contacts. */
export type TaskRow = PlainRow<typeof table, typeof tasks.parts>
