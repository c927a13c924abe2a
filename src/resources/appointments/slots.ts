/**
 * The time that appointments take (`appointment_slots`), and what overlaps another time.
 *
 * What overlaps a time starts before that ends, but an index cannot say how long before: most take an hour, some a month.
 * So each slot has a reach, the smallest of a few numbers of hours within which it ends. Of each reach only those are read
 * that start at most so long before: a few, however many appointments a user has. Each reach costs a row of its own, and
 * three read the fewest where a user has ten a day and some last for weeks.
 *
 * Triggers keep the slots, so that calls, imports and restores need not know of them.
 */
import { type SQL, sql } from 'drizzle-orm'
import { isLinkedTo, within } from '../../db/conditions.ts'
import { appointment_users, REACHES, reachOf } from '../../db/tables/appointments.ts'
import { assumedZone } from '../../db/time-zone.ts'
import { dayInZone } from '../../fields/time-zone.ts'
import type { Range } from '../../http/request/filters.ts'
import type { FilterValues } from '../plain/filters.ts'

/** SQL for the reaches, a row each: `column1`. */
export const REACH_ROWS = sql.raw(`(values ${REACHES.map((hours) => `(${hours})`).join(', ')})`)

/** SQL for the start of what may reach a time, or later. */
export const reaching = (time: SQL) => sql`datetime(${time}, '-' || reaches.column1 || ' hours')`

/** The condition that an appointment takes time of a day. A filter for a user asks for the same by the user's slots. */
export function isOnDay(day: string, { user_id }: FilterValues): SQL | undefined {
  if (user_id != null) return undefined
  const { from, to } = dayInZone(day, assumedZone())
  return sql`id in (select a.id from ${REACH_ROWS} reaches cross join appointments a where a.is_deleted = 0
    and ${sql.raw(reachOf('a.'))} = reaches.column1 and a.starts > ${reaching(sql`${from}`)}
    and a.starts < ${to} and a.ends > ${from})`
}

/** Whether the filters `day` and `user_id` find few appointments, by the slots or the index of a time. */
export const isOfSomeDays = ({ day, starts, user_id }: FilterValues) =>
  day != null || (user_id != null && starts != null)

/** The condition that a user attends an appointment: of a day or some days, by the slots of that time. */
export function isAttendedBy(user: number, { day, starts }: FilterValues): SQL {
  if (day == null && starts == null) return isLinkedTo(appointment_users, [user])
  const slots = sql`select slots.appointment_id from ${REACH_ROWS} reaches cross join (values (0), (1)) free
    cross join appointment_slots slots where slots.resource = 'users' and slots.record_id = ${user}
    and slots.is_free = free.column1 and slots.reach = reaches.column1`
  if (day == null) {
    const range = within(sql`slots.starts`, starts as Range<string>) ?? sql`true`
    return sql`id in (${slots} and ${range})`
  }
  const { from, to } = dayInZone(String(day), assumedZone())
  return sql`id in (${slots} and slots.starts > ${reaching(sql`${from}`)} and slots.starts < ${to} and slots.ends > ${from})`
}

/** The columns that slots are made of. */
const SOURCES = ['starts', 'ends', 'status', 'type', 'listing_id', 'external_listing_id', 'is_deleted']

/** Adds the slots of an appointment, the row `a`: of the records that `from` gives. */
const add = (a: 'a' | 'new', resource: string, record: string, from: string) =>
  `INSERT OR IGNORE INTO appointment_slots (appointment_id, resource, record_id, is_free, reach, starts, ends)
  SELECT ${a}.id, '${resource}', ${record}, ${a}.is_deleted OR ${a}.status IN ('cancelled', 'no_show'),
    ${reachOf(`${a}.`)}, ${a}.starts, ${a}.ends ${from};`

/** Viewings and valuations take time of their property, other appointments do not. */
const ofProperty = (resource: string, column: string) =>
  add(
    'new',
    resource,
    `new.${column}`,
    `WHERE new.${column} IS NOT NULL AND new.type IN ('viewing', 'valuation')`,
  )

const PROPERTIES = [
  ofProperty('listings', 'listing_id'),
  ofProperty('external_listings', 'external_listing_id'),
]

const trigger = (name: string, event: string, ...body: string[]) =>
  `CREATE TRIGGER appointment_slots_${name} AFTER ${event}\nBEGIN\n  ${body.join('\n  ')}\nEND;`

export const SLOT_TRIGGERS: readonly string[] = [
  trigger('insert', 'INSERT ON appointments', ...PROPERTIES),
  trigger(
    'update',
    `UPDATE OF ${SOURCES.join(', ')} ON appointments WHEN ${SOURCES.map((name) => `old.${name} IS NOT new.${name}`).join(' OR ')}`,
    'DELETE FROM appointment_slots WHERE appointment_id = new.id;',
    ...PROPERTIES,
    add('new', 'users', 'user_id', 'FROM appointment_users WHERE appointment_id = new.id'),
  ),
  trigger(
    'users_insert',
    'INSERT ON appointment_users',
    add('a', 'users', 'new.user_id', 'FROM appointments a WHERE a.id = new.appointment_id'),
  ),
  trigger(
    'users_delete',
    'DELETE ON appointment_users',
    `DELETE FROM appointment_slots
  WHERE appointment_id = old.appointment_id AND resource = 'users' AND record_id = old.user_id;`,
  ),
]
