/**
 * The appointments of a user as a calendar, in portions, so that what is held at a time is bounded; if it is to have them, also
 * the tasks that are due on a day. Beside times it says what an appointment is for, the code of its listing, its place and the
 * names of contacts, in full also their telephones. No text of the office is read, nor what others have to do with it.
 */
import { sql } from 'drizzle-orm'
import { APPOINTMENT_TYPE, type APPOINTMENT_TYPES } from '../../catalogue/office-enums.ts'
import { resourceNamed } from '../../catalogue/resources.ts'
import { batch, type Database } from '../../db/client.ts'
import { jsonOf } from '../../db/relations.ts'
import { type RowOf, select, sqlStatement } from '../../db/statements.ts'
import { appointments, REACHES } from '../../db/tables/appointments.ts'
import { external_listings } from '../../db/tables/external-listings.ts'
import { listings } from '../../db/tables/listings.ts'
import { tasks } from '../../db/tables/tasks.ts'
import { instantOf, wholeDays } from '../../fields/time-zone.ts'
import { formatDateTime } from '../../fields/values.ts'
import { yieldToEventLoop } from '../../http/concurrency/waiting.ts'
import { placeIn, uidOf } from '../../resources/appointments/event.ts'
import { type CalendarEvent, calendarWriter } from '../../resources/appointments/icalendar.ts'
import type { Calendar } from './stored.ts'

/** Maximum events of a calendar: the first of its time. */
const MAX_EVENTS = 2000
/** Events that are read at once. */
const PORTION = 50
/** Maximum contacts that an event names, and telephones of each. */
const [MAX_PEOPLE, MAX_PHONES] = [20, 5]
/** How long an appointment lasts at most. */
const MAX_LENGTH_MS = 31 * 86_400_000

const TASK = resourceNamed('tasks')

/** A contact as an event names it. */
interface Person {
  first_name: string
  /** Absent from brief calendars, as are those below. */
  last_name?: string
  company_name?: string | null
  phones?: string[]
}

/** The text of a calendar as it is made. */
export async function* calendarText(db: Database, calendar: Calendar): AsyncGenerator<string> {
  const { time_zone: timeZone, from, to, user_name: name } = calendar
  const writer = calendarWriter({ timeZone, from: earliest(from), to, name })
  yield writer.start
  const found = await batch(db, {
    appointments: selectIds(calendar),
    tasks: calendar.tasks ? selectTaskIds(calendar) : null,
  })
  const kinds = [
    [found.appointments, selectAppointments],
    [(found.tasks ?? []).slice(0, MAX_EVENTS - found.appointments.length), selectTasks],
  ] as const
  for (const [ids, selectRows] of kinds)
    for (let start = 0; start < ids.length; start += PORTION) {
      await yieldToEventLoop()
      const portion = ids.slice(start, start + PORTION).map(({ id }) => id)
      const rows: Row[] = (await batch(db, { rows: selectRows(calendar, portion) })).rows
      yield rows.flatMap((row) => eventOf(row, calendar).map(writer.event)).join('')
    }
  yield writer.end
}

/** What lasts beyond a moment starts after this one. */
const earliest = (moment: string) => formatDateTime(new Date(instantOf(moment) - MAX_LENGTH_MS))

/**
 * The appointments that the user attends, or was taken off in the days that it goes back; those that were cancelled or
 * deleted only if that was as late.
 */
function selectIds({ user_id, from, to }: Calendar) {
  return sqlStatement<{ id: number }>(
    sql`with found as (
      select appointment_id as id, starts from appointment_slots
      where resource = 'users' and record_id = ${user_id} and is_free in (0, 1) and reach in (${sql.raw(REACHES.join(', '))})
        and starts > ${earliest(from)} and starts < ${to} and ends > ${from}
        and (not is_free or exists (select 1 from ${appointments} where id = appointment_id and ${from} <=
          case when is_deleted then date_updated when status = 'cancelled' then ifnull(status_date, date_updated) else ${from} end))
      union
      select appointment_id, starts from appointment_former_users
      where user_id = ${user_id} and date >= ${from} and starts < ${to} and ends > ${from})
    select id from found group by id order by min(starts), id limit ${MAX_EVENTS}`,
    false,
  )
}

/** The tasks of the user that are due in the days of the calendar; those cancelled or deleted only if that was as late. */
function selectTaskIds({ user_id, from, days: [first, end] }: Calendar) {
  // By `tasks_by_user`: each of its values is named.
  return sqlStatement<{ id: number }>(
    sql`select id from ${tasks} where is_deleted in (0, 1) and user_id = ${user_id} and status in ('open', 'done', 'cancelled')
      and due >= ${first} and due < ${end} and (not is_deleted and status <> 'cancelled' or date_updated >= ${from})
      order by due, id limit ${MAX_EVENTS}`,
    false,
  )
}

const PEOPLE = {
  brief: "json_object('first_name', first_name)",
  full: `json_object('first_name', first_name, 'last_name', last_name, 'company_name', company_name, 'phones',
    json((select json_group_array(value ->> 'number') from (select value from json_each(phones) limit ${MAX_PHONES}))))`,
}

const peopleOf = (one: 'appointment' | 'task', detail: Calendar['detail']) =>
  jsonOf<Person[]>(`select json_group_array(json(person)) from (select ${PEOPLE[detail]} as person
    from ${one}_contacts link join contacts on contacts.id = link.contact_id
    where link.${one}_id = ${one}s.id and not is_deleted order by position limit ${MAX_PEOPLE})`)

/** The column of an appointment, or as it was when the user was taken off. */
const known = (name: 'type' | 'starts' | 'ends' | 'sequence' | 'listing_id') =>
  sql.raw(`iif(former.date is null, appointments.${name}, former.${name})`)

const fields = ({ detail, language }: Calendar) => ({
  id: appointments.id,
  date_created: appointments.date_created,
  type: sql<(typeof APPOINTMENT_TYPES)[number]>`${known('type')}`,
  status: appointments.status,
  is_deleted: appointments.is_deleted,
  starts: sql<string>`${known('starts')}`,
  ends: sql<string>`${known('ends')}`,
  sequence: sql<number>`${known('sequence')}`,
  date_updated: appointments.date_updated,
  attends: sql<number>`attends.user_id is not null`,
  left: sql<string | null>`former.date`,
  code: listings.code,
  place: placeIn(language),
  people: peopleOf('appointment', detail),
})

/** A task, as if it were an appointment on the whole day when it is due. */
const taskFields = ({ detail, language }: Calendar) => ({
  id: tasks.id,
  date_created: tasks.date_created,
  type: sql<null>`null`,
  status: tasks.status,
  is_deleted: tasks.is_deleted,
  starts: sql<string>`${tasks.due}`,
  ends: sql<string>`date(${tasks.due}, '+1 day')`,
  sequence: tasks.version,
  date_updated: tasks.date_updated,
  attends: sql<number>`1`,
  left: sql<string | null>`null`,
  code: listings.code,
  place: placeIn(language, sql`null`),
  people: peopleOf('task', detail),
})

type Row = RowOf<ReturnType<typeof fields> | ReturnType<typeof taskFields>>

/**
 * Whether the user attends is asked again: it may have changed since the ids were read. The plus keeps SQLite from looking
 * through all appointments of the user.
 */
const selectAppointments = (calendar: Calendar, ids: number[]) =>
  select(
    fields(calendar),
    // Not simply joined: an index by time would be read from its start for the order.
    sql`from json_each(${JSON.stringify(ids)}) wanted cross join ${appointments} on ${appointments.id} = wanted.value
      left join appointment_users attends
        on attends.appointment_id = ${appointments.id} and +attends.user_id = ${calendar.user_id}
      left join appointment_former_users former
        on former.appointment_id = ${appointments.id} and former.user_id = ${calendar.user_id} and attends.user_id is null
      left join ${listings} on ${listings.id} = ${known('listing_id')}
      left join ${external_listings} on ${external_listings.id} = ${appointments.external_listing_id}
      order by wanted.key`,
  )

/** The tasks, as far as they are still for the user and due on a day. */
const selectTasks = (calendar: Calendar, ids: number[]) =>
  select(
    taskFields(calendar),
    sql`from json_each(${JSON.stringify(ids)}) wanted cross join ${tasks} on ${tasks.id} = wanted.value
      and +${tasks.user_id} = ${calendar.user_id} and ${tasks.due} is not null
      left join ${listings} on ${listings.id} = ${tasks.listing_id}
      left join ${external_listings} on ${external_listings.id} = ${tasks.external_listing_id}
      order by wanted.key`,
  )

/** The event of an appointment or a task. Who was taken off sees that it is off, but no more of what has become of it. */
function eventOf(row: Row, { detail, language, time_zone }: Calendar): CalendarEvent[] {
  const { type, status, starts, ends, sequence, attends, left, code } = row
  if (!attends && !left) return []
  const isOff = !attends || row.is_deleted || status === 'cancelled'
  const [greek, english] = type ? APPOINTMENT_TYPE[type] : [TASK.greek[0], TASK.one]
  const people = attends ? row.people : []
  const names = people.map(nameOf).filter(Boolean)
  const isDone = !type && status === 'done'
  const title = [isDone && '✓', language === 'el' ? greek : english, code].filter(Boolean).join(' ')
  const days = type === 'absence' ? wholeDays(starts, ends, time_zone) : undefined
  return [
    {
      uid: uidOf(row, type ? '' : 'task-'),
      sequence,
      changed: attends ? row.date_updated : (left ?? row.date_updated),
      status: isOff ? 'CANCELLED' : status === 'proposed' ? 'TENTATIVE' : 'CONFIRMED',
      ...(days ? { starts: days.from, ends: days.to } : { starts, ends }),
      summary: [title, names.join(', ')].filter(Boolean).join(': '),
      ...(attends && { location: row.place }),
      ...(detail === 'full' && { description: people.map(contactLine).filter(Boolean).join('\n') }),
      isFree: !type,
    },
  ]
}

const nameOf = ({ first_name, last_name, company_name }: Person) => {
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return name && company_name ? `${name} (${company_name})` : name || company_name
}

/** A contact with its telephones; nothing without any. */
const contactLine = (person: Person) => {
  const phones = person.phones?.filter(Boolean).join(', ')
  return phones ? `${nameOf(person)}: ${phones}` : ''
}
