/**
 * Finds records by their keys of people: telephones, e-mail addresses and names (`resources/people/keys.ts`).
 *
 * The digits of a telephone are stored last one first. So the numbers that end with those looked for are one range of the
 * index, and those that they end with are at most four rows: the first seven digits, eight, nine, and ten.
 */
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { person_keys } from './tables/person-keys.ts'

/** The start of the key of a telephone, and the digits of which at least so many and at most so many count. */
export const PHONE = 'phone:'
export const DIGITS = { min: 7, max: 10 }

/** The lengths that are looked for: 0 for whole keys, and each number of digits of a telephone. */
const LENGTHS = JSON.stringify([
  0,
  ...Array.from({ length: DIGITS.max - DIGITS.min + 1 }, (_, index) => DIGITS.min + index),
])

/** What is looked for. */
interface Sought {
  /** Where records have their keys. */
  places: readonly string[]
  /** SQL for the JSON list of keys. */
  keys: SQL
  /** SQL for whether a key of the list counts, in which `known.value` is the key. */
  where?: SQL
  /** Deleted records, too. */
  deleted?: boolean
}

const DIGITS_KNOWN = sql.raw(`(length(known.value) - ${PHONE.length})`)
const BEGINNING = sql.raw(`substr(known.value, 1, ${PHONE.length} + part.value)`)
const IS_PART = sql.raw(
  `iif(known.value glob '${PHONE}*', part.value between ${DIGITS.min} and length(known.value) - ${PHONE.length}, part.value = 0)`,
)

/** The end of a select of `found.record_id`: the records that have one of the keys. A record may come more than once. */
export function havingKeys({ places, keys, where = sql`true`, deleted = false }: Sought): SQL {
  const place = sql.join(
    places.map((one) => sql.raw(`'${one}'`)),
    sql`, `,
  )
  return sql`from json_each(${keys}) known cross join json_each(${sql.raw(`'${LENGTHS}'`)}) part
    cross join ${person_keys} found on found.place in (${place}) and found.is_deleted in (${sql.raw(deleted ? '0, 1' : '0')})
      and found.key between iif(part.value = 0, known.value, ${BEGINNING})
        and iif(part.value = 0, known.value, ${BEGINNING} || iif(part.value = ${DIGITS_KNOWN}, ':', ''))
    where ${IS_PART} and ${where}`
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
