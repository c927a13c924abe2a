/**
 * Finds records by their keys of people: telephones, e-mail addresses and names (`resources/people/keys.ts`).
 *
 * The digits of a telephone are stored last one first. So the numbers that end with those looked for are one range of the
 * index, and those that they end with are at most four rows: the first seven digits, eight, nine, and ten.
 */
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { LAST_DIGITS, MIN_DIGITS } from '../fields/phones-and-emails.ts'
import { person_keys } from './tables/person-keys.ts'

/** The start of the key of a telephone. */
export const PHONE = 'phone:'

/** Of a telephone, each number of digits that may be all of another, and then more; else the whole key. */
const RANGES = sql.raw(
  `json_each('[0,${Array.from({ length: LAST_DIGITS - MIN_DIGITS + 1 }, (_, index) => MIN_DIGITS + index)}]') digits`,
)
const IS_RANGE = sql.raw(`iif(known.value glob '${PHONE}*',
  digits.value between ${MIN_DIGITS} and length(known.value) - ${PHONE.length}, digits.value = 0)`)
const FIRST = sql.raw(
  `iif(digits.value = 0, known.value, substr(known.value, 1, ${PHONE.length} + digits.value))`,
)
const REST = sql.raw(
  `iif(digits.value > 0 and digits.value = length(known.value) - ${PHONE.length}, ':', '')`,
)

/** Where records have their keys. */
interface Places {
  places: readonly string[]
  /** Deleted records, too. */
  deleted?: boolean
}

/** The sources of a select of `found.record_id`, and its condition: the records that have the key `known.value`. */
export function havingKey({ places, deleted = false }: Places): SQL {
  const flags = sql.raw(deleted ? '0, 1' : '0')
  return sql`${RANGES} cross join ${person_keys} found
    on found.place in (${sql.raw(places.map((place) => `'${place}'`).join(', '))}) and found.is_deleted in (${flags})
      and found.key between ${FIRST} and ${FIRST} || ${REST}
    where ${IS_RANGE}`
}

/** The same for any of `keys`, a JSON list, with `from`. A record may come more than once. */
export function havingKeys({ keys, ...places }: Places & { keys: SQL }): SQL {
  return sql`from json_each(${keys}) known cross join ${havingKey(places)}`
}

/**
 * The sources of a select of `found.record_id`: the records, not deleted, with a key that begins as one of `beginnings`, a JSON
 * list of pairs of a place and a text.
 */
export function havingBeginnings(beginnings: SQL): SQL {
  return sql`from json_each(${beginnings}) sought cross join ${person_keys} found on found.place = sought.value ->> 0
    and found.is_deleted = 0 and found.key between sought.value ->> 1 and sought.value ->> 1 || char(1114111)`
}

/** The SQL of the triggers that keep the rows of the records of a table. */
export function personKeyTriggers(table: SQLiteTable): string[] {
  const name = getTableName(table)
  const deleted = 'is_deleted' in table
  const rows = (row: 'new' | 'old') =>
    `SELECT places.key, ${deleted ? `${row}.is_deleted` : '0'}, own.value, ${row}.id FROM json_each(${row}.person_keys) places, json_each(places.value) own`
  const add = `INSERT INTO person_keys (place, is_deleted, key, record_id) ${rows('new')};`
  const remove = `DELETE FROM person_keys WHERE (place, is_deleted, key, record_id) IN (${rows('old')});`
  const columns = ['person_keys', ...(deleted ? ['is_deleted'] : [])]
  const differs = columns.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ')
  const trigger = (suffix: string, event: string, ...body: string[]) =>
    `CREATE TRIGGER person_keys_${name}_${suffix} AFTER ${event}\nBEGIN\n  ${body.join('\n  ')}\nEND;`
  return [
    trigger('insert', `INSERT ON ${name}`, add),
    trigger('update', `UPDATE OF ${columns.join(', ')} ON ${name} WHEN ${differs}`, remove, add),
    trigger('delete', `DELETE ON ${name}`, remove),
  ]
}
