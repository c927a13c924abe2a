/**
 * The time that appointments take (`appointment_slots`), and what overlaps another time.
 *
 * Who overlaps `[starts, ends)` starts before it ends, but an index cannot say how long before: most take an hour, some a
 * month. So each slot has a reach, the smallest of a few numbers of hours within which it ends. Of each reach only those
 * are read that start at most so long before. Of appointments one after the other that is four, however many there are.
 *
 * Triggers keep the slots, so that calls, imports and restores need not know of them.
 */
import { reachOf } from '../../db/tables/appointments.ts'

/** Whether another appointment may take the same time. */
const IS_FREE = "a.is_deleted OR a.status IN ('cancelled', 'no_show')"

/** What appointments for the same property must not overlap. */
const AT_PROPERTY = "a.type IN ('viewing', 'valuation')"

const insert = (resource: string, record: string, from: string) => `INSERT OR IGNORE INTO appointment_slots
    (appointment_id, resource, record_id, is_free, reach, starts, ends)
  SELECT a.id, '${resource}', ${record}, ${IS_FREE}, ${reachOf('a.')}, a.starts, a.ends
  FROM ${from};`

const users = (where: string) =>
  insert(
    'users',
    'u.user_id',
    `appointment_users u JOIN appointments a ON a.id = u.appointment_id WHERE ${where}`,
  )

const properties = Object.entries({ listings: 'listing_id', external_listings: 'external_listing_id' }).map(
  ([resource, column]) =>
    insert(
      resource,
      `a.${column}`,
      `appointments a WHERE a.id = new.id AND a.${column} IS NOT NULL AND ${AT_PROPERTY}`,
    ),
)

const trigger = (name: string, event: string, ...body: string[]) =>
  `CREATE TRIGGER appointment_slots_${name} AFTER ${event}\nBEGIN\n  ${body.join('\n  ')}\nEND;`

/** The columns that slots are made of. */
const SOURCES = ['starts', 'ends', 'status', 'type', 'listing_id', 'external_listing_id', 'is_deleted']

/** The SQL of the triggers that keep the slots. */
export const SLOT_TRIGGERS: readonly string[] = [
  trigger('insert', 'INSERT ON appointments', ...properties),
  trigger(
    'update',
    `UPDATE OF ${SOURCES.join(', ')} ON appointments WHEN ${SOURCES.map((name) => `old.${name} IS NOT new.${name}`).join(' OR ')}`,
    'DELETE FROM appointment_slots WHERE appointment_id = new.id;',
    ...properties,
    users('u.appointment_id = new.id'),
  ),
  trigger(
    'users_insert',
    'INSERT ON appointment_users',
    users('u.appointment_id = new.appointment_id AND u.position = new.position'),
  ),
  trigger(
    'users_delete',
    'DELETE ON appointment_users',
    `DELETE FROM appointment_slots
  WHERE appointment_id = old.appointment_id AND resource = 'users' AND record_id = old.user_id;`,
  ),
]
